"""The lab in a process of its own, a headless browser that sees it, and a line to that.

Whoever measures a watcher must not serve the pages in the same process.
"""

import asyncio
import json
import os
import random
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tabwire.browser.choose import LaunchOwn
from tabwire.browser.find import find_browser, this_machine
from tabwire.browser.launch import Launch
from tabwire.browser.line import BrowserLine, open_line

START_SECONDS = 30.0
STOP_SECONDS = 10.0


@asynccontextmanager
async def lab_browser() -> AsyncIterator[BrowserLine]:
    """A browser in which the sites are the lab's."""
    machine = this_machine()
    async with lab_process() as flags:
        wish = Launch(find_browser(machine), more_flags=flags)
        async with open_line(LaunchOwn(), machine, wish=lambda: wish) as line:
            yield line


@asynccontextmanager
async def lab_process(*options: str) -> AsyncIterator[tuple[str, ...]]:
    """A lab beside us, with options of `lab serve`; the flags a browser needs to see it."""
    with tempfile.TemporaryDirectory() as home:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tabwire",
            "lab",
            "serve",
            "--json",
            *options,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "TABWIRE_HOME": str(Path(home) / "home")},
        )
        assert process.stdout is not None
        try:
            async with asyncio.timeout(START_SECONDS):
                said = json.loads(await process.stdout.readline())
            yield tuple(said["flags"])
        finally:
            process.terminate()
            async with asyncio.timeout(STOP_SECONDS):
                await process.wait()


def prompts(seed: int, count: int) -> list[str]:
    """Prompts for answers of random length, the same each run.

    None is shorter than two seconds: a poll every two would not see it begin.
    """
    rng = random.Random(seed)
    return [
        f"lab: pieces={rng.randint(60, 130)} every={rng.uniform(0.04, 0.05):.3f} "
        f"first={rng.uniform(0.2, 1.2):.2f} think={rng.randint(0, 2)} seed={number}"
        for number in range(count)
    ]
