"""The autopilot of the hub, from another process: `Agents` over `/api/v1`.

Where no hub runs nothing is on; what was on when the last one ended is in the store.
"""

import getpass
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tabwire.config.home import run_folder
from tabwire.hub.agents.autopilot.autopilot import STOP_FILE, panic_stop
from tabwire.hub.agents.autopilot.previous import left_on, turned_off
from tabwire.hub.agents.consent import require_consent
from tabwire.hub.local.agents import LocalWindows
from tabwire.hub.remote.api import Api, encoded
from tabwire.hub.remote.connection import LineLost, NoHub
from tabwire.model.autopilot import Answerer, Approval

if TYPE_CHECKING:
    from tabwire.store.autopilot_rows import AutopilotRows

Data = dict[str, Any]
PATH = "/antigravity"


class RemoteAutopilot:
    """The autopilot of a hub in another process. The hub itself knows who speaks."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def state(self) -> Data:
        """As `Autopilot.state`; where no hub runs, what was on when the last one ended. Starts
        none."""
        try:
            return await self._api.once("GET", f"{PATH}/autopilot", Data)
        except (NoHub, LineLost):
            return await _without_a_hub()

    async def turn_on(self, names: list[str], window: str = "", by: str = "") -> Data:  # noqa: ARG002
        """As `Autopilot.turn_on`. Raises `ConsentNeeded`."""
        require_consent()
        body = {"switches": names, "window": window}
        return await self._api.post(f"{PATH}/autopilot/on", body, Data)

    async def turn_off(self, window: str = "", by: str = "") -> Data:  # noqa: ARG002
        """As `Autopilot.turn_off`; where no hub runs nothing is on."""
        require_consent()
        try:
            body = encoded({"window": window})
            return await self._api.once("POST", f"{PATH}/autopilot/off", Data, body)
        except NoHub:
            async with _rows() as rows:
                if rows is not None and await left_on(rows):
                    await turned_off(rows, getpass.getuser())
            return {}

    async def stop(self, why: str = "", by: str = "") -> Data:  # noqa: ARG002
        """As `Autopilot.stop`, for every hub of this person: first by the file all look at."""
        require_consent()
        panic_stop(why)
        try:
            body = encoded({"why": why})
            return await self._api.once("POST", f"{PATH}/autopilot/stop", Data, body)
        except (NoHub, LineLost):
            return {}

    async def statistics(self) -> Data:
        """As `Autopilot.statistics`."""
        require_consent()
        return await self._api.get(f"{PATH}/autopilot/stats", Data)

    async def approvals(self) -> list[Approval]:
        """As `Autopilot.approvals`."""
        require_consent()
        found = await self._api.get(f"{PATH}/approvals", dict[str, list[Approval]])
        return found["approvals"]

    async def answer(self, said: str, *, approve: bool, who: Answerer | None = None) -> Data:  # noqa: ARG002
        """As `Autopilot.answer`. Never repeated."""
        require_consent()
        path = f"{PATH}/approvals/{quote(said, safe='')}"
        return await self._api.post(path, {"approve": approve}, Data)


class RemoteAgents:
    """Antigravity, as a hub in another process knows it."""

    def __init__(self, api: Api) -> None:
        self.autopilot = RemoteAutopilot(api)
        self.windows = LocalWindows()


async def _without_a_hub() -> Data:
    async with _rows() as rows:
        left = await left_on(rows) if rows is not None else None
    stopped = (run_folder() / STOP_FILE).exists()
    return {} if left is None or stopped else {"on": [], "was_on": left.as_data()}


@asynccontextmanager
async def _rows() -> "AsyncIterator[AutopilotRows | None]":
    """The audit of this person, where there is one: a look makes no store."""
    from tabwire.hub.jobs.books import kept_already, opened_books

    if not kept_already():
        yield None
        return
    async with opened_books() as books:
        yield books.store.autopilot
