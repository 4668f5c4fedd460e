"""Hold back requests of a page until somebody has looked at them.

The browser pauses each request to these hosts (`Fetch.enable`) and tells of it; it then goes on
as it is, or fails as if blocked. Paused requests go on when the session ends, whatever happens.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import msgspec

from tabwire.browser.page.errors import CannotHold
from tabwire.browser.tap.messages import Asked
from tabwire.cdp.connection import Session
from tabwire.cdp.errors import CommandFailed, CommandTimedOut
from tabwire.cdp.pending import Outcome
from tabwire.cdp.protocol import Event

ENABLE_SECONDS = 5.0
"""How long the browser may take to begin pausing requests."""


class _Paused(msgspec.Struct):
    id: str = msgspec.field(name="requestId")
    request: Asked


@asynccontextmanager
async def holding(
    session: Session, hosts: Sequence[str], may_leave: Callable[[Asked], bool]
) -> AsyncIterator[None]:
    """Inside the block `may_leave` is asked of each request, in the receive loop; one that may
    not never leaves. Raises `CannotHold` where the browser does not let us."""

    def hear(event: Event) -> None:
        paused = event.read(_Paused)
        if may_leave(paused.request):
            session.send("Fetch.continueRequest", {"requestId": paused.id}, on_reply=_heard)
        else:
            wish = {"requestId": paused.id, "errorReason": "BlockedByClient"}
            session.send("Fetch.failRequest", wish, on_reply=_heard)

    stop = session.listen("Fetch.requestPaused", hear)
    try:
        patterns = [{"urlPattern": f"*://{host}/*"} for host in hosts]
        try:
            await session.call("Fetch.enable", {"patterns": patterns}, seconds=ENABLE_SECONDS)
        except (CommandFailed, CommandTimedOut) as exc:
            raise CannotHold(str(exc)) from exc
        yield
    finally:
        session.send("Fetch.disable", on_reply=_heard)
        stop()


def _heard(_outcome: Outcome) -> None:
    """Nothing depends on it: what fails here fails because the tab is gone."""
