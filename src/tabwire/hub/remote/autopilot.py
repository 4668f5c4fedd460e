"""The autopilot of the hub, from another process: `Agents` over `/api/v1`.

Where no hub runs nothing is on; what was on when the last one ended is in the store.
"""

import getpass
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from urllib.parse import quote

from tabwire.config.home import run_folder
from tabwire.hub.agents.autopilot.autopilot import STOP_FILE, panic_stop
from tabwire.hub.agents.autopilot.previous import left_on, turned_off
from tabwire.hub.agents.consent import require_consent
from tabwire.hub.remote.api import Api, encoded
from tabwire.hub.remote.connection import LineLost, NoHub
from tabwire.model.autopilot import (
    Answerer,
    AnswerResult,
    Approval,
    AutopilotState,
    StatisticsBySpan,
)

if TYPE_CHECKING:
    from tabwire.hub.remote.windows import RemoteWindows
    from tabwire.store.autopilot_rows import AutopilotRows

PATH = "/antigravity"


class RemoteAutopilot:
    """The autopilot of a hub in another process. The hub itself knows who speaks."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def state(self) -> AutopilotState:
        """As `Autopilot.state`; where no hub runs, what was on when the last one ended. Starts
        none."""
        try:
            return await self._api.once("GET", f"{PATH}/autopilot", AutopilotState)
        except (NoHub, LineLost):
            return await _without_a_hub()

    async def turn_on(self, names: list[str], window: str = "", by: str = "") -> AutopilotState:  # noqa: ARG002
        """As `Autopilot.turn_on`. Raises `ConsentNeeded`."""
        require_consent()
        body = {"switches": names, "window": window}
        return await self._api.post(f"{PATH}/autopilot/on", body, AutopilotState)

    async def turn_off(self, window: str = "", by: str = "") -> AutopilotState:  # noqa: ARG002
        """As `Autopilot.turn_off`; where no hub runs nothing is on."""
        require_consent()
        try:
            body = encoded({"window": window})
            return await self._api.once("POST", f"{PATH}/autopilot/off", AutopilotState, body)
        except NoHub:
            async with _rows() as rows:
                if rows is not None and await left_on(rows):
                    await turned_off(rows, getpass.getuser())
            return AutopilotState(in_hub=False)

    async def stop(self, why: str = "", by: str = "") -> AutopilotState:  # noqa: ARG002
        """As `Autopilot.stop`, for every hub of this person: first by the file all look at."""
        require_consent()
        panic_stop(why)
        try:
            body = encoded({"why": why})
            return await self._api.once("POST", f"{PATH}/autopilot/stop", AutopilotState, body)
        except (NoHub, LineLost):
            return AutopilotState(in_hub=False)

    async def statistics(self) -> StatisticsBySpan:
        """As `Autopilot.statistics`."""
        require_consent()
        return await self._api.get(f"{PATH}/autopilot/stats", StatisticsBySpan)

    async def approvals(self) -> list[Approval]:
        """As `Autopilot.approvals`."""
        require_consent()
        found = await self._api.get(f"{PATH}/approvals", dict[str, list[Approval]])
        return found["approvals"]

    async def answer(self, said: str, *, approve: bool, who: Answerer) -> AnswerResult:  # noqa: ARG002
        """As `Autopilot.answer`. Never repeated. The hub itself knows who answers."""
        require_consent()
        path = f"{PATH}/approvals/{quote(said, safe='')}"
        return await self._api.post(path, {"approve": approve}, AnswerResult)


class RemoteAgents:
    """Antigravity, as a hub in another process knows it."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self.autopilot = RemoteAutopilot(api)

    @property
    def windows(self) -> "RemoteWindows":
        """Its windows on this machine: through that hub where it runs, else from here."""
        from tabwire.hub.remote.windows import RemoteWindows

        return RemoteWindows(self._api)


async def _without_a_hub() -> AutopilotState:
    async with _rows() as rows:
        left = await left_on(rows) if rows is not None else None
    stopped = (run_folder() / STOP_FILE).exists()
    was_on = left.told() if left is not None and not stopped else None
    return AutopilotState(was_on=was_on, in_hub=False)


@asynccontextmanager
async def _rows() -> "AsyncIterator[AutopilotRows | None]":
    """The audit of this person, where there is one: a look makes no store."""
    from tabwire.hub.jobs.books import kept_already, opened_books

    if not kept_already():
        yield None
        return
    async with opened_books() as books:
        yield books.store.autopilot
