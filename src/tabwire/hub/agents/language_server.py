"""Ask Antigravity's local language server what is left: two questions, on this machine only.

Nothing of Google's is touched. The server runs beside the editor for this person; the word it
wants with each call stands in its own arguments, is read anew each time, sent to 127.0.0.1 alone
and neither kept nor written anywhere. Its certificate is its own, so it is not verified; whoever
could listen at a port of that very process is that process.
"""

import asyncio
import json
import os
import re
import ssl
import sys
from pathlib import Path
from typing import Any

import h11

from tabwire.model.errors import Retry, TabwireError
from tabwire.monitor.agent_quota import Allowance, read_quota_summary, read_user_status
from tabwire.monitor.agent_quota_processes import (
    Process,
    Server,
    is_ours,
    listed_by_ps,
    listed_by_windows,
    listened_by_lsof,
    listening_of,
    servers_of,
)

HOST = "127.0.0.1"
SERVICE = "/exa.language_server_pb.LanguageServerService/"
HEADER = "X-Codeium-Csrf-Token"
CALL_SECONDS = 5.0
LIST_SECONDS = 10.0  # PowerShell takes seconds to start
MAX_ANSWER = 4 << 20  # a status has some 20 KB

WHO = {"metadata": {"ideName": "antigravity", "extensionName": "antigravity", "locale": "en"}}

POWERSHELL = (
    "Get-CimInstance Win32_Process | Where-Object { $_.Name -like 'language_server*' } | "
    "ForEach-Object { @{ pid = [int]$_.ProcessId; line = $_.CommandLine; ports = @("
    "Get-NetTCPConnection -State Listen -OwningProcess $_.ProcessId "
    "-ErrorAction SilentlyContinue | ForEach-Object { [int]$_.LocalPort }) } } | "
    "ConvertTo-Json -Depth 3 -Compress"
)


class NoLanguageServer(TabwireError):
    """None of Antigravity's runs here, or none answers."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"the quota cannot be read: {why}",
            what_to_do="Start Antigravity and open a folder in it; its language server starts "
            "with it. Without it only the panel's own notices report a limit.",
            retry=Retry.SAME,
        )


async def read_allowance() -> Allowance:
    """What is left, by the first server that answers. Raises `NoLanguageServer`."""
    servers = servers_of(await processes())
    if not servers:
        raise NoLanguageServer("no Antigravity language server is running")
    for server in servers:
        for port in server.ports:
            for secure in (True, False):
                status = await _called(server, port, "GetUserStatus", WHO, secure=secure)
                if status is not None:
                    summary = await _called(
                        server, port, "RetrieveUserQuotaSummary", {}, secure=secure
                    )
                    read = read_user_status(status)
                    pools = read_quota_summary(summary)
                    return Allowance(read.models, pools, read.plan, read.credits)
    raise NoLanguageServer(f"{len(servers)} language server(s) running, but none responds")


async def _called(
    server: Server, port: int, method: str, about: dict[str, Any], *, secure: bool
) -> Any:
    """The answer as JSON; None where this port does not take the call."""
    try:
        async with asyncio.timeout(CALL_SECONDS):
            return await _call(server, port, method, json.dumps(about).encode(), secure=secure)
    except (OSError, EOFError, TimeoutError, ValueError, h11.ProtocolError):
        return None


async def _call(server: Server, port: int, method: str, body: bytes, *, secure: bool) -> Any:
    context = _unverified() if secure else None
    reader, writer = await asyncio.open_connection(HOST, port, ssl=context)
    try:
        line = h11.Connection(h11.CLIENT, max_incomplete_event_size=1 << 16)
        headers = [
            ("Host", f"{HOST}:{port}"),
            ("Content-Type", "application/json"),
            ("Content-Length", str(len(body))),
            ("Connect-Protocol-Version", "1"),
            ("Connection", "close"),
            (HEADER, server.csrf),
        ]
        request = h11.Request(method="POST", target=SERVICE + method, headers=headers)
        for event in (request, h11.Data(data=body), h11.EndOfMessage()):
            writer.write(line.send(event) or b"")
        return json.loads(await _answered(line, reader))
    finally:
        writer.close()


async def _answered(line: h11.Connection, reader: asyncio.StreamReader) -> bytes:
    status, parts, size = 0, [], 0
    while True:
        event = line.next_event()
        if event is h11.NEED_DATA:
            line.receive_data(await reader.read(1 << 16))
        elif isinstance(event, h11.Response):
            status = event.status_code
        elif isinstance(event, h11.Data):
            parts.append(bytes(event.data))
            size += len(event.data)
            if size > MAX_ANSWER:
                raise ValueError("the reply is too long for a status")
        elif isinstance(event, h11.EndOfMessage):
            if status != 200:
                raise ValueError(f"answered {status}")
            return b"".join(parts)
        else:
            raise EOFError


def _unverified() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


# --- the processes of this machine -----------------------------------------------------------


async def processes() -> tuple[Process, ...]:
    """Language servers of this person that run now, with where they listen."""
    system: str = sys.platform
    if system == "linux":
        return await asyncio.to_thread(linux_processes)
    if system == "win32":
        said = await _said("powershell", "-NoProfile", "-NonInteractive", "-Command", POWERSHELL)
        try:
            return listed_by_windows(json.loads(said or "[]"))
        except ValueError:
            return ()
    listed = listed_by_ps(await _said("ps", "-axww", "-o", "pid=,command="))
    return tuple(
        [
            Process(one.pid, one.arguments, listened_by_lsof(await _said(*_lsof(one.pid))))
            for one in listed
            if is_ours(one.arguments)
        ]
    )


def _lsof(pid: int) -> tuple[str, ...]:
    return ("lsof", "-nP", "-iTCP", "-sTCP:LISTEN", "-a", "-p", str(pid), "-Fn")


async def _said(*command: str) -> str:
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError:
        return ""
    try:
        async with asyncio.timeout(LIST_SECONDS):
            out, _ = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        return ""
    return out.decode("utf-8", "replace")


def linux_processes(proc: Path = Path("/proc")) -> tuple[Process, ...]:
    """From /proc. A process of somebody else is not looked at."""
    found = []
    for folder in proc.iterdir():
        if not folder.name.isdigit():
            continue
        try:
            if folder.stat().st_uid != os.getuid():
                continue
            said = (folder / "cmdline").read_bytes().decode("utf-8", "replace")
            arguments = tuple(said.rstrip("\0").split("\0"))
            if is_ours(arguments):
                found.append(Process(int(folder.name), arguments, _listens(folder)))
        except OSError:  # it ended meanwhile, or is not ours to look into
            continue
    return tuple(found)


def _listens(folder: Path) -> tuple[int, ...]:
    nodes = set()
    for one in (folder / "fd").iterdir():
        try:
            link = os.readlink(one)
        except OSError:
            continue
        if found := re.fullmatch(r"socket:\[(\d+)\]", link):
            nodes.add(found[1])
    texts = [
        (folder / "net" / name).read_text()
        for name in ("tcp", "tcp6")
        if (folder / "net" / name).exists()
    ]
    return tuple(dict.fromkeys(port for text in texts for port in listening_of(text, nodes)))
