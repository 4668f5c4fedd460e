"""A real hub with its HTTP door in this process, which follows the Antigravity replica."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_asyncio

from tabwire.config.home import run_folder
from tabwire.config.settings import settings
from tabwire.doors.http.serving import HttpDoor
from tabwire.hub.agents import agents as antigravity_agents
from tabwire.hub.agents.consent import agree
from tabwire.hub.local.hub import LocalHub
from tabwire.hub.process.assembly import beside, running_hub
from tabwire.hub.process.daemon import Ending
from tabwire.hub.process.sockets import open_sockets
from tabwire.lab.antigravity import AntigravityLab


@pytest.fixture
def agent_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, antigravity: AntigravityLab
) -> Path:
    """A home whose hub finds the replica and no other; nobody agreed to anything yet."""
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TABWIRE_ANTIGRAVITY_PORT", str(antigravity.port))
    monkeypatch.setattr(antigravity_agents, "SCAN_SECONDS", 0.2)
    run_folder()
    return tmp_path / "home"


@asynccontextmanager
async def agent_hub_serving() -> AsyncIterator[LocalHub]:
    """The hub of this home, its doors open."""
    sockets = open_sockets(0)
    try:
        async with (
            running_hub(settings(), durable=False) as hub,
            beside(HttpDoor(hub, sockets, Ending()).serve()),
        ):
            yield hub
    finally:
        sockets.close()


@pytest_asyncio.fixture
async def agent_hub(agent_home: Path) -> AsyncIterator[LocalHub]:
    """A hub that may follow Antigravity."""
    agree(datetime.now(UTC))
    async with agent_hub_serving() as one:
        yield one
