"""The page's side of a click, from ours: a lease, one click under it, and its end.

The page looks at the card once more and clicks in the same breath
(browser/inpage/autopilot_click.js). It clicks only while it has a lease of ours, which ends by
itself.
"""

import asyncio
import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tabwire.browser.agent.connection import PageSession, PanelWorld
from tabwire.browser.page.errors import PageWentAway
from tabwire.model.agent import Card, Control
from tabwire.sites.antigravity.page import PACKS, Pack, wish

LEASE_SECONDS = 4.0
"""For so long clicks may happen after the hub was last heard of."""

VERIFY_SECONDS = 10.0
"""How long a card has to go after its control was clicked; it is never clicked twice."""

CALL_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a click. `why` says why there was none."""

    clicked: bool
    verified: bool = False
    why: str = ""
    focused: bool = False
    ms: int = 0


class Clicker:
    """Clicks in one window, over the same session as its watch: elements have the same names."""

    def __init__(self, session: PageSession, packs: tuple[Pack, ...] = PACKS) -> None:
        self._world = PanelWorld(session)
        self._number = ""
        self._known = wish(packs)

    async def lease(self, seconds: float = LEASE_SECONDS) -> None:
        """Clicks may happen for so long from now."""
        self._number = self._number or secrets.token_hex(8)
        said = {"number": self._number, "seconds": seconds}
        await self._world.call("autopilot_click.lease", said, seconds=CALL_SECONDS)

    async def revoke(self) -> None:
        """No click from now on; one that was decided on before is refused too."""
        self._number = ""
        await self._world.call("autopilot_click.revoke", None, seconds=CALL_SECONDS)

    async def detail(self, card: Card, control: Control, pack: str) -> str:
        """What stands beside a card and belongs to it: the files of a bar of changes."""
        said = {**self._known, "pack": pack, "card": {"token": card.token}}
        said["control"] = {"token": control.token}
        found: str = await self._world.call("autopilot_click.detail", said, seconds=CALL_SECONDS)
        return found

    async def click(
        self,
        card: Card,
        control: Control,
        pack: str,
        *,
        detail: str = "",
        overlay: bool = False,
        still: Callable[[], bool] = lambda: True,
    ) -> Outcome:
        """Click this control of this card, if both are still what they were.

        `still` is asked last of all, when nothing is between it and the command to the page.
        """
        name = secrets.token_hex(8)
        said: dict[str, Any] = {
            **self._known,
            "name": name,
            "lease": self._number,
            "pack": pack,
            "overlay": overlay,
            "command": card.command,
            "card": {
                "token": card.token,
                "kind": card.kind,
                "hash": card.hash,
                "short": card.shortened,
                "detail": hashlib.sha256(detail.encode()).hexdigest(),
            },
            "control": {"token": control.token, "rule": control.rule, "label": control.label},
            "wait_ms": round(VERIFY_SECONDS * 1000),
        }
        if not still():
            return Outcome(False, why="off")
        async with asyncio.TaskGroup() as group:
            clock = group.create_task(self._give_up(name))
            try:
                seconds = VERIFY_SECONDS + CALL_SECONDS
                found = await self._world.call("autopilot_click.click", said, seconds=seconds)
            except PageWentAway:
                # it may have been clicked: the page went over it
                return Outcome(True, why="the page is gone")
            finally:
                clock.cancel()
        return Outcome(**found)

    async def _give_up(self, name: str) -> None:
        """Its time is ours: a page that is hidden would let it pass."""
        left = VERIFY_SECONDS
        while left > 0:
            await asyncio.sleep(left)
            given = await self._world.call("autopilot_click.give_up", {"name": name})
            left = float(given) / 1000
