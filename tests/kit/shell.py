"""Commands in a home whose hub uses the extension or another browser, as a person runs them."""

import asyncio
import json
import socket
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path
from typing import Any

from kit.extension import Extension
from kit.hub_process import environment

RUN_SECONDS = 90.0  # a command starts in one; a busy machine needs more


class Shell:
    """Runs `tabwire` there. Its hub has a port of its own, which the next one takes too."""

    def __init__(self, home: Path, browser: str = "extension") -> None:
        self.home = home
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        said = {"TABWIRE_BROWSER": browser, "TABWIRE_PORT": str(self.port)}
        self.environment = environment(home, **said)

    async def start(self, *arguments: str) -> Process:
        """A command under way."""
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tabwire", *arguments, env=self.environment,
            stdin=DEVNULL, stdout=PIPE, stderr=PIPE, limit=1 << 22,
        )  # fmt: skip

    async def run(self, *arguments: str) -> str:
        """What a command printed, which must have gone well."""
        return await over(await self.start(*arguments))

    async def pair(self, extension: Extension) -> str:
        """As a person does it: read the code there, type it here."""
        pairing = await self.start("extension", "pair", "--json")
        assert pairing.stdout is not None
        async with asyncio.timeout(RUN_SECONDS):
            code: Any = json.loads(await pairing.stdout.readline())["code"]
        await extension.point_at(self.port)
        answer = await extension.says(what="pair", code=code)
        assert answer["ok"], answer
        return await over(pairing)


async def over(process: Process) -> str:
    """What it printed, which must have gone well."""
    async with asyncio.timeout(RUN_SECONDS):
        out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return out.decode()
