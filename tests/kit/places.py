"""The same commands over both carriers: in a browser with a debugging port, and by a hub, in its
own process, that is paired with the extension.

    from kit.places import both_places

and each test of the file that asks for `place` runs twice; over the relay in `make soak`.
"""

import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from kit.carriers import RELAY, carried
from kit.extension import Extension
from kit.hub_process import kill_hub
from kit.shell import Shell
from tabwire.hub.relay.tunnel import line_by_hub


@dataclass(frozen=True, slots=True)
class Place:
    """Where commands are run."""

    home: Path
    url: str  # of the browser, for the hand of somebody else
    browser: str  # the same, as commands are told of it
    environment: dict[str, str]
    extension: Extension | None = None

    @property
    def said(self) -> dict[str, str]:
        """What of the environment speaks of the browser, and of the hub that has it."""
        return {name: self.environment[name] for name in ("TABWIRE_BROWSER", "TABWIRE_PORT")}

    async def offer(self, target: str) -> None:
        """As the person who has that tab: let us use it. By a debugging port all are there."""
        if self.extension is not None:
            await self.extension.offer(target)


@pytest_asyncio.fixture
async def paired_place(
    extension: Extension, extension_browser_url: str, tmp_path: Path
) -> AsyncIterator[Place]:
    """A home whose hub has the extension. What this process does there goes over that hub too."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    shell = Shell(home)
    try:
        await shell.pair(extension)
        with pytest.MonkeyPatch.context() as patch:
            for name in ("TABWIRE_HOME", "TABWIRE_BROWSER", "TABWIRE_PORT"):
                patch.setenv(name, shell.environment[name])
            with carried(extension_browser_url, line_by_hub):
                yield Place(home, extension_browser_url, "extension", shell.environment, extension)
    finally:
        kill_hub(home)


@pytest.fixture(name="place", params=["direct", RELAY])
def both_places(request: pytest.FixtureRequest, lab_browser_url: str, tmp_path: Path) -> Any:
    """A home of this test's own, and a browser."""
    if request.param != "direct":
        return request.getfixturevalue("paired_place")
    home, browser = tmp_path / "home", f"attach={lab_browser_url}"
    said = {"TABWIRE_HOME": str(home), "TABWIRE_BROWSER": browser, "TABWIRE_PORT": "0"}
    return Place(home, lab_browser_url, browser, {**os.environ, **said})
