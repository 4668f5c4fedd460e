"""The language server beside the IDE, as a process that looks like the real one.

A quota client finds it by its name and arguments, takes the word for its calls from there and
the port from what it listens on; the port named in its arguments is another one, and leads
nowhere. Other products ship a server of the same name: start one of those too.
"""

import asyncio
import sys
import tempfile
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec

from tabwire.lab.antigravity import quota_answers
from tabwire.lab.certificate import make_certificate
from tabwire.lab.serve import LOOPBACK

PROGRAM = Path(__file__).with_name("language_server_program.py")
START_SECONDS = 20.0
END_SECONDS = 5.0

Product = Literal["antigravity", "windsurf"]


@dataclass(frozen=True, slots=True)
class Called:
    """A call that arrived."""

    method: str
    code: int


@dataclass(slots=True)
class LanguageServer:
    """A running one."""

    pid: int
    port: int
    extension_port: int  # the one in its arguments, where nobody answers calls
    csrf: str
    scheme: Literal["https", "http"]
    arguments: tuple[str, ...]
    _calls: list[Called] = field(default_factory=list)
    _process: asyncio.subprocess.Process | None = None
    _learned: asyncio.Event = field(default_factory=asyncio.Event)

    async def answers(self, said: Mapping[str, Any]) -> None:
        """What it answers from now on, by method."""
        await self._say(dict(said))

    async def calls(self) -> list[Called]:
        """The calls that have arrived."""
        await self._say(None)
        return list(self._calls)

    async def _say(self, said: dict[str, Any] | None) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._learned.clear()
        self._process.stdin.write(msgspec.json.encode(said) + b"\n")
        async with asyncio.timeout(START_SECONDS):
            await self._learned.wait()

    def heard(self, told: dict[str, Any]) -> None:
        """It says what arrived, or that it has learned its answers."""
        if "method" in told:
            self._calls.append(Called(told["method"], told["code"]))
        else:
            self._learned.set()


@asynccontextmanager
async def language_server(
    *,
    product: Product = "antigravity",
    scheme: Literal["https", "http"] = "https",
    standalone: bool = False,
    answers: Mapping[str, Any] | None = None,
) -> AsyncIterator[LanguageServer]:
    """A language server for the length of a block; `standalone` is the 2.x app's."""
    said = quota_answers.answers() if answers is None else answers
    extension = await asyncio.start_server(_refuse, LOOPBACK, 0)
    with tempfile.TemporaryDirectory(prefix="tabwire-ls-") as folder:
        link = Path(folder) / product / "bin" / _name(standalone)
        link.parent.mkdir(parents=True)
        link.symlink_to(sys.executable)
        pem = ""
        if scheme == "https":
            certificate = make_certificate((LOOPBACK,))
            pem = str(Path(folder) / "server.pem")
            Path(pem).write_bytes(certificate.key + certificate.chain)
        csrf = str(uuid.uuid4())
        port = extension.sockets[0].getsockname()[1]
        arguments = _arguments(str(link), product, csrf, port, standalone)
        began, shown = _same_length((str(link), str(PROGRAM)), arguments)
        process = await asyncio.create_subprocess_exec(
            *began,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            order = {"arguments": shown, "csrf": csrf, "answers": said, "pem": pem}
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(msgspec.json.encode(order) + b"\n")
            async with asyncio.timeout(START_SECONDS):
                told = msgspec.json.decode(await process.stdout.readline())
            server = LanguageServer(
                process.pid, told["port"], port, csrf, scheme, tuple(shown), _process=process
            )
            failed: BaseException | None = None
            async with asyncio.TaskGroup() as group:
                hearing = group.create_task(_hear(process.stdout, server))
                try:
                    yield server
                except BaseException as exc:  # noqa: BLE001  raised as itself, below
                    failed = exc
                hearing.cancel()
            if failed is not None:
                raise failed
        finally:
            await _ended(process)
            extension.close()


def _name(standalone: bool) -> str:
    return "language_server" if standalone else "language_server_linux_x64"


def _arguments(link: str, product: str, csrf: str, port: int, standalone: bool) -> list[str]:
    common = ["--csrf_token", csrf, "--app_data_dir", product, "--workspace_id", "file_shop"]
    if standalone:
        return [link, "--standalone", "--https_server_port", "0", *common]
    theirs = ["--extension_server_csrf_token", str(uuid.uuid4())]
    return [link, "--enable_lsp", "--extension_server_port", str(port), *theirs, *common]


def _same_length(real: tuple[str, str], wanted: list[str]) -> tuple[list[str], list[str]]:
    """The arguments to start with and those to show, equally long: one is written over the other.

    The last of either is padded; what is shown ends with the name of a workspace.
    """
    shown = list(wanted)
    length = sum(len(one.encode()) + 1 for one in shown)
    bare = sum(len(one.encode()) + 1 for one in real) + 2  # and an argument of one letter
    if length < bare:
        shown[-1] += "_" * (bare - length)
    return [*real, "x" * (1 + max(0, length - bare))], shown


async def _hear(stream: asyncio.StreamReader, server: LanguageServer) -> None:
    while line := await stream.readline():
        server.heard(msgspec.json.decode(line))


async def _ended(process: asyncio.subprocess.Process) -> None:
    assert process.stdin is not None
    process.stdin.close()  # it ends with its stdin
    try:
        async with asyncio.timeout(END_SECONDS):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def _refuse(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
    writer.close()
