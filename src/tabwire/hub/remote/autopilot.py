"""The hub's autopilot, from another process: over the hub's own socket.

Where no hub runs nothing is on; what was on when the last one ended stands in the store.
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
from tabwire.hub.remote.connection import LineLost, NoHub
from tabwire.hub.remote.hub import BASE, RemoteHub, said_of
from tabwire.model.autopilot import Approval

if TYPE_CHECKING:
    from tabwire.store.autopilot_rows import AutopilotRows

PATH = f"{BASE}/antigravity"


async def pilot_state() -> dict[str, Any]:
    """What is on; where no hub runs, what was on when the last one ended. Starts none."""
    try:
        return await _asked("GET", "/autopilot", start=False)
    except (NoHub, LineLost):
        return await _without_a_hub()


async def pilot_on(switches: list[str], window: str = "") -> dict[str, Any]:
    """Turn it on, in the hub, which is started where none runs. Raises `ConsentNeeded`."""
    require_consent()
    return await _asked("POST", "/autopilot/on", {"switches": switches, "window": window})


async def pilot_off(window: str = "") -> dict[str, Any]:
    """Turn it off; where no hub runs nothing is on."""
    require_consent()
    try:
        return await _asked("POST", "/autopilot/off", {"window": window}, start=False)
    except NoHub:
        async with _rows() as rows:
            if rows is not None and await left_on(rows):
                await turned_off(rows, getpass.getuser())
        return {}


async def pilot_stop(why: str = "") -> dict[str, Any]:
    """Stop every autopilot of this person, whoever runs it: first by the file all look at."""
    require_consent()
    panic_stop(why)
    try:
        return await _asked("POST", "/autopilot/stop", {"why": why}, start=False)
    except (NoHub, LineLost):
        return {}


async def pilot_statistics() -> dict[str, Any]:
    """What it did."""
    require_consent()
    return await _asked("GET", "/autopilot/stats")


async def open_approvals() -> list[Approval]:
    """What waits for a person."""
    require_consent()
    found: dict[str, list[Approval]] = await said_of(
        RemoteHub(), "GET", f"{PATH}/approvals", {}, dict[str, list[Approval]]
    )
    return found["approvals"]


async def answer(said: str, *, approve: bool) -> dict[str, Any]:
    """Approve or reject one of them. Never repeated by itself."""
    require_consent()
    return await _asked("POST", f"/approvals/{quote(said, safe='')}", {"approve": approve})


async def _without_a_hub() -> dict[str, Any]:
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


async def _asked(
    method: str, path: str, body: dict[str, Any] | None = None, *, start: bool = True
) -> dict[str, Any]:
    hub = RemoteHub(start=start)
    return await said_of(hub, method, PATH + path, body or {}, dict[str, Any], wait=start)
