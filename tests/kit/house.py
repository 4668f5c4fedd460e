"""The commands of one home in one place: started, run to their end, and no hub left behind."""

import asyncio
import sys
from collections.abc import Iterator

import pytest

from kit.hub_process import environment, kill_hub
from kit.places import Place

RUN_SECONDS = 90.0  # a command starts in one; a busy machine needs more


@pytest.fixture
def house(place: Place) -> Iterator[Place]:
    """A place in which no hub is left."""
    place.home.mkdir(mode=0o700, exist_ok=True)
    yield place
    kill_hub(place.home)


async def started(house: Place, *arguments: str) -> asyncio.subprocess.Process:
    """A command that was begun."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tabwire", *arguments, env=environment(house.home, **house.said),
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE, limit=1 << 22,
    )  # fmt: skip


async def run(house: Place, *arguments: str) -> tuple[int | None, str, str]:
    """(exit code, stdout, stderr)"""
    async with asyncio.timeout(RUN_SECONDS):
        process = await started(house, *arguments)
        out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()
