"""A stand-in for a browser, in a process of its own: it answers at once and can flood.

    Bench.echo               an empty result, as most commands have
    Bench.flood {count}      so many `Network.dataReceived`, then the result
    Bench.large {bytes}      one result of that size

Run as a program it prints its address and serves until its input ends.
"""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as ws_serve

ROOT = Path(__file__).resolve().parent.parent
CHUNK = "x" * 200  # a piece of an answer as sites send it, as base64
DATA = msgspec.json.encode(
    {
        "method": "Network.dataReceived",
        "params": {
            "requestId": "1000012345.67",
            "timestamp": 123456.789,
            "dataLength": 150,
            "encodedDataLength": 150,
            "data": CHUNK,
        },
        "sessionId": "8A6F2D5C9B1E4F70A3D2C1B0E9F8A7D6",
    }
)


async def answer(line: ServerConnection) -> None:
    """Answer one visitor's commands until he leaves."""
    async for message in line:
        said = msgspec.json.decode(message)
        params = said.get("params") or {}
        for _ in range(params.get("count", 0)):
            await line.send(DATA, text=True)
        result = b'"data":"%b"' % (b"x" * params["bytes"]) if "bytes" in params else b""
        await line.send(b'{"id":%d,"result":{%b}}' % (said["id"], result), text=True)


async def serve() -> None:
    """Serve until our input ends: our parent is gone then, however it went."""
    how: dict[str, Any] = {"compression": None, "max_size": None, "ping_interval": None}
    async with ws_serve(answer, "127.0.0.1", 0, **how) as server:
        print(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/", flush=True)
        await asyncio.to_thread(sys.stdin.read)


@contextmanager
def echo_browser() -> Iterator[str]:
    """Its address, while it runs."""
    command = [sys.executable, "-m", "bench.echo_browser"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()


if __name__ == "__main__":
    asyncio.run(serve())
