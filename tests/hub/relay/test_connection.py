"""One socket: what waits for it is bounded, and one that does not read holds nobody up."""

import asyncio

import pytest

from tabwire.hub.relay import connection as subject
from tabwire.hub.relay import session as relay_session
from tabwire.hub.relay.connection import RelayLine, hear_all
from tabwire.hub.relay.session import RelaySession

pytestmark = pytest.mark.asyncio

SECONDS = 30.0


class Stuck:
    """A socket whose other side neither speaks nor reads, and does not even hear goodbye."""

    def __init__(self):
        self.sent = []
        self.closed = []

    async def receive(self):
        await asyncio.Event().wait()

    async def send(self, text):
        self.sent.append(text)
        await asyncio.Event().wait()

    async def close(self, code, reason):
        self.closed.append((code, reason))
        await asyncio.Event().wait()


class Ear:
    def heard(self, frame):
        pass

    def missed(self):
        pass


async def carried(session, line):
    """As relays.py carries a socket."""
    async with line.patience, asyncio.TaskGroup() as group:
        writing = group.create_task(line.write())
        try:
            return await hear_all(session, line, asyncio.get_running_loop().time)
        finally:
            writing.cancel()


def begun(line):
    session = RelaySession("install", Ear())
    session.resume("boot", 0)
    session.opened(line.put, asyncio.get_running_loop().time())
    return session


async def test_f15_one_that_does_not_read_is_hung_up_on_and_not_waited_for(monkeypatch):
    monkeypatch.setattr(subject, "MAX_UNSENT", 1000)
    monkeypatch.setattr(subject, "CLOSE_SECONDS", 0.0)
    socket = Stuck()
    line = RelayLine(socket)
    session = begun(line)
    carrying = asyncio.get_running_loop().create_task(carried(session, line))
    while not socket.sent:  # the first is on its way, and stays there
        session.do("tabs.list", {}, lambda _: None)
        await asyncio.sleep(0)
    while line.over is None:
        session.do("debugger.send", {"params": "x" * 100}, lambda _: None)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(SECONDS):
            await carrying
    assert line.over == "it stopped reading"
    assert session.waiting > 5, "what was asked is asked again on the next socket"


async def test_f14_a_dead_line_is_found_though_nobody_says_so(monkeypatch):
    monkeypatch.setattr(relay_session, "DEAF_SECONDS", 0.0)
    monkeypatch.setattr(subject, "CLOSE_SECONDS", 0.0)
    socket = Stuck()
    line = RelayLine(socket)
    with pytest.raises(TimeoutError):  # not even its goodbye is taken
        async with asyncio.timeout(SECONDS):
            await carried(begun(line), line)
    assert socket.closed == [(subject.POLICY, "nothing was received for 0 s")]


async def test_after_the_end_nothing_is_put(monkeypatch):
    line = RelayLine(Stuck())
    line.hang_up("first")
    line.hang_up("second")
    line.put("x")
    assert (line.over, list(line._queue)) == ("first", [])
