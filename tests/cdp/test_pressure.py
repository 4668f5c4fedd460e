"""A browser that does not read: what waits for it is bounded, and every command is told."""

import asyncio
import os
import signal
from contextlib import asynccontextmanager

import msgspec
import pytest
from websockets.asyncio.server import serve

from tabwire.browser.launch import Launch, launched
from tabwire.cdp import websocket
from tabwire.cdp.connection import Connection
from tabwire.cdp.errors import CommandTimedOut, LineFull
from tabwire.cdp.websocket import connect
from tabwire.model.errors import Retry

pytestmark = pytest.mark.asyncio

SECONDS = 30.0
START_SECONDS = 60.0  # a browser of its own, while others start theirs
BOUND = 4_000_000
PIECE = {"text": "x" * 500_000}
FRAME = 500_100  # bytes of such a command on the line, and a little more
MANY = 100  # pieces: far more than the bound and what a socket takes by itself


@pytest.fixture
def bound(monkeypatch):
    """A smaller one, so that a test need not write so much."""
    monkeypatch.setattr(websocket, "MAX_UNSENT", BOUND)


@asynccontextmanager
async def deaf_browser():
    """A line to a browser that reads nothing until its transport is told to, then answers."""
    arrived = asyncio.get_running_loop().create_future()

    async def visit(line):
        line.transport.pause_reading()
        arrived.set_result(line)
        async for message in line:
            said = msgspec.json.decode(message)
            await line.send(b'{"id":%d,"result":{"n":%d}}' % (said["id"], said["id"]), text=True)

    async with serve(visit, "127.0.0.1", 0, compression=None, max_size=None) as server:
        carrier = await connect(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
        far = await arrived
        yield Connection(carrier), carrier, far.transport
        far.transport.abort()


def unsent(carrier):
    return carrier._transport.get_write_buffer_size()


def flood(line, count=MANY, seconds=SECONDS):
    """Send that many; what is known of them, as it becomes known."""
    outcomes = []
    for _ in range(count):
        line.send("A.b", PIECE, on_reply=outcomes.append, seconds=seconds)
    return outcomes


async def test_what_waits_for_a_deaf_browser_is_bounded_and_the_rest_refused_by_name(bound):
    """Promises: say, send. What was refused certainly was not carried out."""
    async with asyncio.timeout(SECONDS), deaf_browser() as (line, carrier, _):
        refused = flood(line)
        assert BOUND < unsent(carrier) <= BOUND + FRAME
        assert len(refused) > MANY / 2
        assert {(type(one), one.command, one.retry) for one in refused} == {
            (LineFull, "A.b", Retry.SAME)
        }
        assert refused[0].waiting_bytes == unsent(carrier)
        assert len(line.waiting) == MANY - len(refused)
        with pytest.raises(LineFull, match=r"Page\.reload: not sent"):
            await line.call("Page.reload")


async def test_a_browser_that_reads_again_gets_all_that_was_taken(bound):
    """Promise: back."""
    async with asyncio.timeout(SECONDS), deaf_browser() as (line, _, far):
        calls = asyncio.gather(
            *(line.call("A.b", PIECE) for _ in range(MANY)), return_exceptions=True
        )
        await asyncio.sleep(0)  # all are sent in the next turn
        taken = len(line.waiting)
        far.resume_reading()
        outcomes = await calls
        assert outcomes[:taken] == [{"n": number + 1} for number in range(taken)]
        assert {type(one) for one in outcomes[taken:]} == {LineFull}
        assert await line.call("A.b", PIECE) == {"n": MANY + 1}


async def test_what_was_taken_and_never_read_times_out_by_name():
    async with asyncio.timeout(SECONDS), deaf_browser() as (line, *_):
        outcomes = flood(line, count=20, seconds=0.01)
        with pytest.raises(CommandTimedOut):
            await line.call("A.last", seconds=0.02)
        assert [type(one) for one in outcomes] == [CommandTimedOut] * 20
        assert line.waiting == ()


async def test_one_command_larger_than_the_bound_is_taken_while_nothing_waits(bound):
    async with asyncio.timeout(SECONDS), deaf_browser() as (line, carrier, far):
        call = asyncio.gather(line.call("A.b", {"text": "x" * 3 * BOUND}))
        await asyncio.sleep(0)
        assert unsent(carrier) > BOUND
        far.resume_reading()
        assert await call == [{"n": 1}]


async def test_letting_go_of_a_deaf_browser_does_not_wait_for_it(bound, monkeypatch):
    monkeypatch.setattr(websocket, "CLOSE_SECONDS", 0.05)
    async with asyncio.timeout(SECONDS), deaf_browser() as (line, carrier, _):
        flood(line)
        await line.close()
        assert carrier.gone.by_us
        assert "without a close frame from the browser" in carrier.gone.why
        assert line.waiting == ()


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no way to freeze a process here")
async def test_a_frozen_browser_refuses_by_name_and_goes_on_when_it_thaws(bound, chromium):
    """A laptop that sleeps, a debugger, a machine that swaps: the whole browser stands still."""
    async with (
        asyncio.timeout(START_SECONDS),
        launched(Launch(chromium)) as browser,
        Connection(await connect(browser.endpoint.url)) as line,
    ):
        os.kill(browser.pid, signal.SIGSTOP)
        try:
            calls = asyncio.gather(
                *(line.call("Browser.getVersion", PIECE) for _ in range(MANY)),
                return_exceptions=True,
            )
            await asyncio.sleep(0)
            with pytest.raises(LineFull):
                await line.call("Browser.getVersion")
        finally:
            os.kill(browser.pid, signal.SIGCONT)
        outcomes = await calls
        assert {type(one) for one in outcomes} == {dict, LineFull}
        assert "product" in await line.call("Browser.getVersion")
