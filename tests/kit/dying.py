"""Programs of tests that die at a given point, one after the other in one home.

dying = Dying("kit.asking_child", root, home, f"attach={url}", site, prompt)
lines, code, err = await dying.run("phase:send")    # gone as by `kill -9` at that point
lines, code, err = await dying.run()                # and the next one goes on
"""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tabwire.sites.known import SITES

RUN_SECONDS = 90.0  # a process starts in one or two; a busy machine needs more
LAST = 60  # lines after which one may be killed; some end before


class Dying:
    """Runs a module of the tests in processes with one home."""

    def __init__(self, module: str, root: Path, home: Path, *arguments: str, **more: str) -> None:
        tests = os.pathsep.join([str(root / "tests"), os.environ.get("PYTHONPATH", "")])
        self._environment = {**os.environ, "TABWIRE_HOME": str(home), "PYTHONPATH": tests, **more}
        self._arguments = ("-m", module, *arguments)

    async def run(self, *words: str, after: int | None = None) -> tuple[list[str], int | None, str]:
        """(lines, exit code, stderr) of one process, killed after so many lines."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, *self._arguments, *words,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, env=self._environment,
            limit=1 << 22,
        )  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        lines: list[str] = []
        try:
            async with asyncio.timeout(RUN_SECONDS):
                while line := await process.stdout.readline():
                    lines.append(line.decode().strip())
                    if len(lines) == after:
                        process.kill()
                await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
        return lines, process.returncode, (await process.stderr.read()).decode()


def at_points(points: Sequence[tuple[str, str, bool]]) -> list[Any]:
    """(site, dies at, the prompt has left by then) of every point at every site; in `make test`
    each point at one site, by turns."""
    return [
        pytest.param(
            site,
            dies,
            left,
            id=f"{site}: {name}",
            marks=() if at == number % len(SITES) else pytest.mark.soak,
        )
        for number, (name, dies, left) in enumerate(points)
        for at, site in enumerate(SITES)
    ]
