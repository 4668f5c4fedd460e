"""T23: whoever we only ask who they are gets no secret of ours, whatever they answer."""

import asyncio
import json
from contextlib import asynccontextmanager, suppress

import pytest

from tabwire.browser.agent.targets import find_windows
from tabwire.browser.endpoint import ask_version, listens
from tabwire.hub import LocalHub
from tabwire.hub.process.token import made_token
from tabwire.model.errors import BrowserNotReachable, TabwireError

pytestmark = pytest.mark.asyncio

ANSWERS = {
    "nothing": b"",
    "no HTTP": b"SSH-2.0-OpenSSH_9.6\r\n",
    "401": b"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n",
    "elsewhere": b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n",
    "a browser": None,
}


@asynccontextmanager
async def somebody(answer):
    """A program on a port; what it heard, byte by byte."""
    heard = []

    async def serve(reader, writer):
        with suppress(OSError, asyncio.IncompleteReadError):
            said = await reader.readuntil(b"\r\n\r\n")
            heard.append(said)
            port = writer.get_extra_info("sockname")[1]
            about = {
                "Browser": "Chrome/140.0.0.0",
                "Protocol-Version": "1.3",
                "webSocketDebuggerUrl": f"ws://127.0.0.1:{port}/devtools/browser/x",
                "User-Agent": "Antigravity",
            }
            body = json.dumps(about if b"version" in said else []).encode()
            head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            writer.write(head + body if answer is None else answer)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], heard


@pytest.mark.parametrize("answer", list(ANSWERS))
async def test_a_foreign_program_on_a_debugging_port_hears_no_secret(answer, tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "home"))
    token = made_token()
    monkeypatch.setenv("TABWIRE_TOKEN", token)
    async with somebody(ANSWERS[answer]) as (port, heard):
        with suppress(BrowserNotReachable):
            await ask_version("127.0.0.1", port)
        await listens("127.0.0.1", port)
        for ports in ({"port": port}, {"ports": (port,)}):
            with suppress(TabwireError):
                await find_windows(**ports)
        # and by what a person says: a browser that is to be used, looked at and diagnosed
        with suppress(TabwireError):
            await LocalHub().browsers.tabs(browser=f"attach=http://127.0.0.1:{port}")
    assert len(heard) >= 3, heard
    for said in heard:
        lines = said.decode("latin-1").split("\r\n")
        names = {line.partition(":")[0].lower() for line in lines[1:] if line}
        plain = {"host", "connection", "upgrade", "user-agent"}
        assert names <= plain | {
            "sec-websocket-version",
            "sec-websocket-key",
            "sec-websocket-extensions",
        }, said
        assert token.encode() not in said
        assert lines[0].split(" ")[1].partition("?")[1] == "", "nothing is in the address either"
