"""A tab that believes it is in front, while we act or read in it.

The person's own tab and window stay as they are: the browser only tells this one page that
it is visible and focused, so that it draws frames and takes input. Switched off again at
the end, because a hidden tab that believes itself in front costs half as much again.

What stays (Chromium 156): after input the hidden page's `document.hasFocus()` says true until
the person next comes to the tab and leaves it. It is hidden again all the same.
"""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from weakref import WeakKeyDictionary

from tabwire.cdp.connection import Connection, Session
from tabwire.cdp.errors import CommandFailed
from tabwire.cdp.pending import Outcome

SWITCH = "Emulation.setFocusEmulationEnabled"

SWITCH_SECONDS = 5.0
"""How long a page may take to believe it: it fires its focus events meanwhile."""

_users: WeakKeyDictionary[Connection, Counter[str]] = WeakKeyDictionary()
"""How many blocks each session is inside of: nobody switches off what another still needs."""


@asynccontextmanager
async def focused(session: Session) -> AsyncIterator[None]:
    """Focus emulation inside the block only. Blocks may be nested and may overlap."""
    users = _users.setdefault(session.connection, Counter())
    users[session.id] += 1
    try:
        if users[session.id] == 1:
            # A browser that refuses leaves the page as it is: most pages draw and take input all
            # the same, and whatever is done in it is verified afterwards.
            with suppress(CommandFailed):
                await session.call(SWITCH, {"enabled": True}, seconds=SWITCH_SECONDS)
        yield
    finally:
        users[session.id] -= 1
        if not users[session.id]:
            del users[session.id]
            # Not waited for: this also runs while being cancelled, or with the tab gone.
            session.send(SWITCH, {"enabled": False}, on_reply=_heard)


def _heard(_: Outcome) -> None:
    """On the way out, a tab that is gone is no error."""
