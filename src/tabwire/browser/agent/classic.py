"""The panel as seed 000 looks at it: four evaluations a poll, two for a baseline.

Each verb is one evaluation in the page and is counted. Our world is prepared by `arm`, before
anything is counted: that is no look at the panel.
"""

from typing import Any

import msgspec

from tabwire.browser.agent.connection import PanelWorld
from tabwire.cdp.connection import Session
from tabwire.model.agent import Candidate
from tabwire.sites.antigravity.page.limits import LIMITS
from tabwire.sites.antigravity.page.packs import CLASSIC

LOOK_SECONDS = 5.0
CLASSIC_WISH = {"limits": dict(LIMITS), **CLASSIC}


class ClassicPanel:
    """One window's panel, polled."""

    def __init__(self, session: Session) -> None:
        self._world = PanelWorld(session)
        self.evaluations: list[str] = []

    async def arm(self) -> None:
        """Prepare our world in the page."""
        await self._world.call("agent/classic.classify", "")

    async def stop(self) -> bool:
        """Whether the control to stop is in sight."""
        return bool(await self._ask("stop"))

    async def quota(self) -> bool:
        """Whether a banner outside messages says that a limit is reached."""
        return bool(await self._ask("quota"))

    async def text(self) -> str | None:
        """The newest text that passes for an answer, by scores."""
        said: str | None = await self._ask("text")
        return said

    async def logs(self) -> tuple[str, ...]:
        """All texts that pass for a log, in the page's order, each cut to 300 characters."""
        return tuple(await self._ask("logs"))

    async def dump(self) -> tuple[Candidate, ...]:
        """Every candidate with its selector, score and class: DUMP_ALL_TEXTS of the seed."""
        return tuple(msgspec.convert(await self._ask("dump"), list[Candidate]))

    async def _ask(self, name: str) -> Any:
        self.evaluations.append(name)
        return await self._world.call(f"agent/classic.{name}", CLASSIC_WISH, seconds=LOOK_SECONDS)
