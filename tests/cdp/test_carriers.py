"""One contract, every carrier: what `Connection` may rely on.

The far side of the websocket is a server of another library, so that the two check each
other's reading of the protocol.
"""

import asyncio
from contextlib import asynccontextmanager

import msgspec
import pytest
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosedError

from kit.listening import listening
from tabwire.cdp.carrier import Delivery, Gone
from tabwire.cdp.connection import Connection
from tabwire.cdp.errors import CannotConnect, ConnectionClosed, ConnectionLost
from tabwire.cdp.memory import MemoryCarrier
from tabwire.cdp.websocket import connect
from tabwire.model.errors import Retry

pytestmark = pytest.mark.asyncio

SECONDS = 30.0


class MemoryEnd:
    """The browser's end of a line in memory."""

    def __init__(self, carrier):
        self.carrier = carrier

    async def say(self, message):
        self.carrier.say(message)

    async def settled(self):
        """Until all that was said has been delivered."""
        done = asyncio.Event()
        asyncio.get_running_loop().call_soon(done.set)
        await done.wait()

    async def cut(self):
        self.carrier.cut()

    goodbye = cut

    async def heard(self, count):
        while len(self.carrier.sent) < count:
            await self.carrier.next_sent()
        return [msgspec.to_builtins(command) for command in self.carrier.sent]


class SocketEnd:
    """The browser's end of a socket."""

    def __init__(self):
        self.arrived = asyncio.get_running_loop().create_future()
        self.left = asyncio.Event()
        self.more = asyncio.Event()
        self.messages = []

    async def serve(self, line):
        self.arrived.set_result(line)
        self.line = line
        try:
            async for message in line:
                said = msgspec.json.decode(message)
                self.messages.append(
                    {
                        "id": said["id"],
                        "method": said["method"],
                        "params": said.get("params") or {},
                        "session": said.get("sessionId"),
                    }
                )
                self.more.set()
        except ConnectionClosedError:
            assert line.transport.is_closing()  # cut, as the test wanted
        finally:
            self.left.set()

    async def say(self, message):
        await self.line.send(message, text=True)

    async def settled(self):
        """Until all that was said has been read: a pong stands behind it."""
        await (await self.line.ping())

    async def cut(self):
        self.line.transport.abort()

    async def goodbye(self):
        await self.line.close()

    async def heard(self, count):
        while len(self.messages) < count:
            self.more.clear()
            await self.more.wait()
        return self.messages


@asynccontextmanager
async def in_memory():
    carrier = MemoryCarrier()
    yield carrier, MemoryEnd(carrier)


@asynccontextmanager
async def over_a_socket():
    far = SocketEnd()
    async with serve(far.serve, "127.0.0.1", 0, compression=None, max_size=None) as server:
        port = server.sockets[0].getsockname()[1]
        carrier = await connect(f"ws://127.0.0.1:{port}/devtools/browser/secret")
        await far.arrived
        try:
            yield carrier, far
        finally:
            await carrier.close()
            await far.left.wait()


@pytest.fixture(params=[in_memory, over_a_socket], ids=["memory", "websocket"])
def lines(request):
    return request.param


class Ear:
    """Keeps what a carrier delivers, in order, and lets a test wait for the end."""

    def __init__(self, carrier):
        self.got = []
        self.more = asyncio.Event()
        self.over = asyncio.get_running_loop().create_future()
        carrier.start(self.received, self.over.set_result)

    def received(self, message):
        self.got.append(message)
        self.more.set()

    async def until(self, count):
        while len(self.got) < count:
            self.more.clear()
            await self.more.wait()
        return self.got


async def test_messages_come_in_their_order(lines):
    async with asyncio.timeout(SECONDS), lines() as (carrier, far):
        ear = Ear(carrier)
        wanted = [b'{"n":%d}' % n for n in range(500)]
        for message in wanted:
            await far.say(message)
        assert await ear.until(500) == wanted


async def test_what_came_before_anyone_listened_is_delivered_first(lines):
    async with asyncio.timeout(SECONDS), lines() as (carrier, far):
        await far.say(b'"early"')
        await far.settled()
        ear = Ear(carrier)
        await far.say(b'"late"')
        assert await ear.until(2) == [b'"early"', b'"late"']


async def test_a_cut_line_ends_once_and_not_by_us(lines):
    async with asyncio.timeout(SECONDS), lines() as (carrier, far):
        ear = Ear(carrier)
        await far.say(b'"last"')
        await ear.until(1)
        await far.cut()
        gone = await ear.over  # a second call would raise: the future is set once
        assert not gone.by_us
        assert gone.why
        assert carrier.gone == gone
        await carrier.close()
        assert carrier.gone == gone


async def test_a_goodbye_of_the_browser_is_not_ours(lines):
    async with asyncio.timeout(SECONDS), lines() as (carrier, far):
        ear = Ear(carrier)
        await far.goodbye()
        assert not (await ear.over).by_us


async def test_an_end_before_anyone_listened_is_told(lines):
    async with asyncio.timeout(SECONDS), lines() as (carrier, far):
        await far.cut()
        while carrier.gone is None:
            await asyncio.sleep(0)  # nobody listens yet, so nothing tells
        assert isinstance(await Ear(carrier).over, Gone)


async def test_nothing_comes_after_the_end_whenever_listening_began():
    delivery, got, ends = Delivery(), [], []
    delivery.deliver(b"early")
    delivery.end(Gone("cut"))
    delivery.deliver(b"late")
    delivery.start(got.append, ends.append)
    delivery.deliver(b"later")
    assert (got, ends) == ([b"early"], [Gone("cut")])


async def test_closing_is_ours_and_over_when_it_returns(lines):
    async with asyncio.timeout(SECONDS), lines() as (carrier, _):
        ear = Ear(carrier)
        await carrier.close()
        assert ear.over.done()
        assert (await ear.over).by_us
        await carrier.close()


async def test_sending_on_a_line_that_is_gone_does_nothing(lines):
    async with asyncio.timeout(SECONDS), lines() as (carrier, far):
        Ear(carrier)
        await carrier.close()
        carrier.send(b'{"id":1,"method":"A.b"}')
        assert await far.heard(0) == []


async def test_a_command_gets_there_and_its_reply_back(lines):
    async with asyncio.timeout(SECONDS), lines() as (carrier, far), Connection(carrier) as line:
        text = "ünï\u2028code 😀" * 20_000  # larger than any single read
        call = asyncio.gather(line.call("A.b", {"text": text}, session="S"))
        assert await far.heard(1) == [
            {"id": 1, "method": "A.b", "params": {"text": text}, "session": "S"}
        ]
        await far.say(msgspec.json.encode({"id": 1, "result": {"text": text}, "sessionId": "S"}))
        assert await call == [{"text": text}]


async def test_a_reply_of_30_mb_arrives_whole(lines):
    async with asyncio.timeout(SECONDS), lines() as (carrier, far), Connection(carrier) as line:
        call = asyncio.gather(line.call("Page.captureScreenshot"))
        await far.heard(1)
        await far.say(b'{"id":1,"result":{"data":"' + b"x" * 30_000_000 + b'"}}')
        (result,) = await call
        assert result == {"data": "x" * 30_000_000}


async def test_a_cut_line_names_itself_to_all_that_wait(lines):
    async with asyncio.timeout(SECONDS), lines() as (carrier, far):
        line = Connection(carrier)
        calls = asyncio.gather(*(line.call(f"A.n{n}") for n in range(100)), return_exceptions=True)
        await far.heard(100)
        await far.cut()
        errors = await calls
        assert [error.command for error in errors] == [f"A.n{n}" for n in range(100)]
        assert {type(error) for error in errors} == {ConnectionLost}
        assert {error.retry for error in errors} == {Retry.RESUME}
        assert line.waiting == ()


async def test_closing_while_calling_says_that_we_closed(lines):
    async with asyncio.timeout(SECONDS), lines() as (carrier, far):
        line = Connection(carrier)
        call = asyncio.gather(line.call("A.b"), return_exceptions=True)
        await far.heard(1)
        await line.close()
        (error,) = await call
        assert isinstance(error, ConnectionClosed)
        assert error.command == "A.b"


# What only a socket can do.


async def test_a_message_in_fragments_is_put_together():
    async with asyncio.timeout(SECONDS), over_a_socket() as (carrier, far):
        ear = Ear(carrier)
        await far.line.send(iter(["", '{"a":', '"', "ü", '"}']))
        await far.say(b'"next"')
        assert await ear.until(2) == ['{"a":"ü"}'.encode(), b'"next"']


async def test_a_message_sent_as_bytes_is_a_message():
    async with asyncio.timeout(SECONDS), over_a_socket() as (carrier, far):
        ear = Ear(carrier)
        await far.line.send(b'"bytes"', text=False)
        assert await ear.until(1) == [b'"bytes"']


async def test_a_ping_is_answered():
    async with asyncio.timeout(SECONDS), over_a_socket() as (carrier, far):
        Ear(carrier)
        await far.settled()


async def test_a_listener_that_raises_costs_neither_the_line_nor_the_other_listeners(caplog):
    async with asyncio.timeout(SECONDS), over_a_socket() as (carrier, far):
        line = Connection(carrier)
        heard = []

        def faulty(_):
            raise LookupError("a internal error")

        line.listen("A.b", faulty)
        line.listen("A.b", heard.append)
        events = line.subscribe(["A.b"])
        for _ in range(2):
            await far.say(b'{"method":"A.b"}')
            await anext(events)
        assert len(heard) == 2
        assert "a internal error" in caplog.text


async def test_nobody_at_the_address_is_named_without_its_path():
    async with asyncio.timeout(SECONDS):
        with pytest.raises(CannotConnect, match=r"127\.0\.0\.1:1: ") as caught:
            await connect("ws://127.0.0.1:1/devtools/browser/secret")
    assert "secret" not in str(caught.value)
    assert caught.value.retry is Retry.SAME


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "ws:///x", "nonsense", "ws://[::1"])
async def test_what_is_no_address_is_named(url):
    async with asyncio.timeout(SECONDS):
        with pytest.raises(CannotConnect):
            await connect(url)


@asynccontextmanager
async def waiting(answer):
    """A server that speaks no WebSocket; it says when its visitor asked and when he left."""
    asked, left = asyncio.Event(), asyncio.Event()

    async def visit(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        asked.set()
        writer.write(answer)
        if answer:
            writer.close()
        await reader.read()
        left.set()
        writer.close()

    async with listening(visit) as port:
        yield f"ws://127.0.0.1:{port}/", asked, left


async def test_a_door_that_never_opens_is_given_up_and_hung_up_on():
    """Chrome asks the person once per socket: one left open leaves its dialog open."""
    async with asyncio.timeout(SECONDS), waiting(b"") as (url, _, left):
        with pytest.raises(CannotConnect, match=r"no reply within 0\.5 s"):
            await connect(url, seconds=0.5)
        await left.wait()


async def test_giving_up_by_cancelling_hangs_up_too():
    async with asyncio.timeout(SECONDS), waiting(b"") as (url, asked, left):
        call = asyncio.gather(connect(url))
        await asked.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await left.wait()


@pytest.mark.parametrize("answer", [b"HTTP/1.1 404 Not Found\r\n\r\n", b"garbage\r\n\r\n"])
async def test_another_kind_of_server_is_named(answer):
    async with asyncio.timeout(SECONDS), waiting(answer) as (url, *_):
        with pytest.raises(CannotConnect):
            await connect(url)
