"""One tab as the profile `classic` looks at it: one poll, or one attempt to read the answer.

What to look for comes as data and is not understood here; what was seen goes back as the
JSON it came as. Nothing is clicked. Whoever reads holds `focused()` meanwhile: a hidden tab
may have received an answer and not drawn it.
"""

from contextlib import AbstractAsyncContextManager
from typing import Any

from tabwire.browser.page.errors import PageWentAway
from tabwire.browser.page.focus import focused
from tabwire.browser.world import World
from tabwire.cdp.connection import Session
from tabwire.cdp.errors import CommandTimedOut

LOOK_SECONDS = 5.0
"""How long one look may take. A page that hydrates has been seen to let nobody in for four
seconds; one that takes longer has missed this look, and there will be another."""

DRAW_SECONDS = 0.5
"""How long a tab has to draw before it is read: what the seed waited for each time. We wait
for two frames, which a tab with focus draws in a fiftieth of that."""


class ClassicPage:
    """`marks` is what to look for, as JSON or something that becomes JSON."""

    def __init__(self, session: Session, marks: Any) -> None:
        self._session = session
        self._world = World(session)
        self._marks = marks

    async def poll(self) -> Any | None:
        """What one look sees; None where the page let nobody in or went meanwhile."""
        return await self._look("classic.see", self._marks)

    async def read(self, *, answer: int = 0, whole_page: bool = False) -> Any | None:
        """The page and a text per rung, of the answer with this number (0: the last).

        `whole_page` adds the rung that takes everything on the page: for a snapshot only.
        """
        wish = {
            "marks": self._marks,
            "answer": answer,
            "whole_page": whole_page,
            "wait_ms": int(DRAW_SECONDS * 1000),
        }
        return await self._look("classic.read", wish)

    def focused(self) -> AbstractAsyncContextManager[None]:
        """The tab draws as if it were looked at, and only inside. It is not brought to front."""
        return focused(self._session)

    async def _look(self, function: str, argument: Any) -> Any | None:
        try:
            return await self._world.call(function, argument, seconds=LOOK_SECONDS)
        except (CommandTimedOut, PageWentAway):
            return None
