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

import msgspec
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_create_server

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


class EchoBrowser(WSListener):
    """One visitor's line."""

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Answer one command."""
        if frame.msg_type == WSMsgType.CLOSE:
            transport.send_close()
            transport.disconnect()
            return
        said = msgspec.json.decode(frame.get_payload_as_bytes())
        params = said.get("params") or {}
        for _ in range(params.get("count", 0)):
            transport.send(WSMsgType.TEXT, DATA)
        result = b'"data":"%b"' % (b"x" * params["bytes"]) if "bytes" in params else b""
        transport.send(WSMsgType.TEXT, b'{"id":%d,"result":{%b}}' % (said["id"], result))

    def pause_writing(self) -> None:
        """A flood is meant to be one."""

    def resume_writing(self) -> None:
        """Nothing was held back."""


async def serve() -> None:
    """Serve until our input ends: our parent is gone then, however it went."""
    server = await ws_create_server(lambda _: EchoBrowser(), "127.0.0.1", 0)
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
