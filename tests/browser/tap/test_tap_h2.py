"""HTTP/2: many responses on one connection, interleaved."""

import asyncio

import pytest
import pytest_asyncio
from hypercorn.asyncio import serve
from hypercorn.config import Config
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, StreamingResponse
from starlette.routing import Route

from browser.tap.hearing import SECONDS, go, run, tapped
from browser.tap.server import PAGE
from tabwire.browser.tap.events import End
from tabwire.lab.certificate import make_certificate

pytestmark = pytest.mark.asyncio

STREAMS = 40
CHUNKS = 10


async def streamed(request):
    number = request.path_params["number"]

    async def pieces():
        for piece in range(CHUNKS):
            yield b"%d/%d " % (number, piece) * (number + 1)

    return StreamingResponse(pieces(), media_type="text/event-stream")


def body_of(number: int) -> bytes:
    return b"".join(b"%d/%d " % (number, piece) * (number + 1) for piece in range(CHUNKS))


@pytest_asyncio.fixture
async def url(tmp_path, unused_tcp_port):
    made = make_certificate(["127.0.0.1"])
    (tmp_path / "key.pem").write_bytes(made.key)
    (tmp_path / "certificate.pem").write_bytes(made.chain)
    config = Config()
    config.bind = [f"127.0.0.1:{unused_tcp_port}"]
    config.certfile = str(tmp_path / "certificate.pem")
    config.keyfile = str(tmp_path / "key.pem")
    config.alpn_protocols = ["h2"]
    app = Starlette(
        routes=[
            Route("/", lambda _: HTMLResponse(PAGE)),
            Route("/stream/{number:int}", streamed),
        ]
    )
    over = asyncio.Event()
    ready = asyncio.Event()

    async def until_over():
        ready.set()  # asked once it listens
        await over.wait()

    async with asyncio.timeout(2 * SECONDS), asyncio.TaskGroup() as group:
        group.create_task(serve(app, config, shutdown_trigger=until_over))
        await ready.wait()
        yield f"https://127.0.0.1:{unused_tcp_port}"
        over.set()


async def test_interleaved_streams_are_told_apart(url, blank):
    await blank.call("Security.setIgnoreCertificateErrors", {"ignore": True})
    await go(blank, url + "/")
    async with tapped(blank) as heard:
        protocols = await run(
            blank,
            f"Promise.all([...Array({STREAMS}).keys()].map(n => fetch('/stream/' + n)"
            ".then(r => r.text()))).then(() => performance.getEntriesByType('resource')"
            ".map(e => e.nextHopProtocol))",
        )
        assert set(protocols) == {"h2"}
        for number in range(STREAMS):
            one = await heard.ended(f"/stream/{number}")
            assert (one.how, one.body) == (End.WHOLE, body_of(number)), number
