"""The lab's server: real names on loopback, over HTTP/2, and gone when its block ends."""

import asyncio
import json
import re
import signal
import socket
import ssl
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import pytest
from h2.connection import H2Connection
from h2.events import DataReceived, PingAckReceived, ResponseReceived, StreamReset
from h2.exceptions import StreamClosedError
from websockets.asyncio.client import connect

from tabwire.lab.replicas.chatgpt.turns import topic_of
from tabwire.lab.serve import STOP_SECONDS, listen, serving
from tabwire.model.errors import TabwireError

pytestmark = pytest.mark.asyncio

ASK = "POST /backend-api/f/conversation"
PAGE = ("Authorization: Bearer lab-x", "oai-device-id: d")  # what the page itself shows
SOON = 10.0  # seconds: everything here takes less than one


def trusting(*protocols):
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(list(protocols))
    return context


@asynccontextmanager
async def connected(lab, *protocols):
    reader, writer = await asyncio.open_connection("127.0.0.1", lab.port, ssl=trusting(*protocols))
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        with suppress(OSError):
            await writer.wait_closed()


@asynccontextmanager
async def asked(lab, host, line, body=b""):
    """One request over HTTP/1.1: the head of its answer, and the reader that stands after it."""
    async with connected(lab, "http/1.1") as (reader, writer):
        lines = (f"{line} HTTP/1.1", f"Host: {host}", f"Content-Length: {len(body)}", *PAGE)
        head = "\r\n".join((*lines, "", ""))
        writer.write(head.encode() + body)
        yield (await reader.readuntil(b"\r\n\r\n")).decode(), reader


def prompt(text):
    message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [text]}}
    return json.dumps({"action": "next", "messages": [message]}).encode()


async def test_the_flags_lead_the_sites_names_here_and_all_others_nowhere():
    async with asyncio.timeout(SOON), serving() as lab:
        rules, key = lab.flags
        assert f"MAP chatgpt.com:443 127.0.0.1:{lab.port}, " in rules
        assert rules.startswith("--host-resolver-rules=MAP ")
        assert rules.endswith(", MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
        assert key == f"--ignore-certificate-errors-spki-list={lab.spki}"


async def test_http_2_is_preferred_and_http_1_1_still_spoken():
    async with asyncio.timeout(SOON), serving() as lab:
        for offered, chosen in ((("h2", "http/1.1"), "h2"), (("http/1.1",), "http/1.1")):
            async with connected(lab, *offered) as (_, writer):
                assert writer.get_extra_info("ssl_object").selected_alpn_protocol() == chosen


async def test_every_host_gets_its_own_site_and_a_stranger_none():
    async with asyncio.timeout(SOON), serving() as lab:
        for host, status in (("chatgpt.com", 200), ("ws.chatgpt.com", 200), ("a.example", 404)):
            async with asked(lab, host, "GET /") as (answer, _):
                assert answer.startswith(f"HTTP/1.1 {status}"), host
        assert {host.split(".")[-2] for host in lab.hosts} >= {"chatgpt", "google", "grok", "x"}


async def test_nothing_outside_the_folder_of_a_replica_is_served():
    async with asyncio.timeout(SOON), serving() as lab:
        for path in ("/assets/..%2Fserver.py", "/assets/%2Fetc%2Fpasswd", "/assets/none.js"):
            async with asked(lab, "chatgpt.com", f"GET {path}") as (answer, _):
                assert answer.startswith("HTTP/1.1 404"), path


async def test_it_stops_at_once_though_answers_are_under_way():
    """Promise: nothing left behind. The answers would begin after an hour."""
    loop = asyncio.get_running_loop()
    body = prompt("lab: first=3600")
    async with asyncio.timeout(SOON), AsyncExitStack() as clients:
        async with serving() as lab:
            readers = [
                (await clients.enter_async_context(asked(lab, "chatgpt.com", ASK, body)))[1]
                for _ in range(3)
            ]
            began = loop.time()
        assert loop.time() - began < STOP_SECONDS
        for reader in readers:
            said = re.sub(rb"\r\n[0-9a-f]+\r\n", b"", await reader.read())  # no chunk's head
            assert b"finished_partial_completion" in said
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", lab.port)
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_page_that_listens_at_a_socket_does_not_hold_it_up():
    loop = asyncio.get_running_loop()
    body = prompt("lab: story=handoff-socket pieces=10 every=3600 first=0")
    async with asyncio.timeout(SOON), AsyncExitStack() as clients:
        async with serving() as lab:
            await clients.enter_async_context(asked(lab, "chatgpt.com", ASK, body))
            (entry,) = lab.ledger.asked()
            chat = lab.room.chat("chatgpt", entry.conversation_id)
            where = f"wss://ws.chatgpt.com/p/{topic_of(chat.exchanges[-1])}/ws"
            reach = {"host": "127.0.0.1", "port": lab.port, "ssl": trusting("http/1.1")}
            await clients.enter_async_context(connect(where, **reach))
            began = loop.time()
        assert loop.time() - began < STOP_SECONDS


async def test_a_client_that_reads_nothing_holds_it_up_only_so_long():
    """asyncio alone would wait 30 s for it."""
    loop = asyncio.get_running_loop()
    body = prompt("lab: first=0 every=0 pieces=150 chars=100000")
    async with asyncio.timeout(SOON), AsyncExitStack() as clients:
        async with serving() as lab:
            await clients.enter_async_context(asked(lab, "chatgpt.com", ASK, body))
            began = loop.time()
        assert STOP_SECONDS <= loop.time() - began < 3 * STOP_SECONDS
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_small_pieces_leave_at_once():
    """Else each event of an answer may wait 40 ms for the one before to be acknowledged."""
    told = asyncio.get_running_loop().create_future()

    async def answer(_reader, writer):
        connection = writer.get_extra_info("socket")
        told.set_result(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    listening = listen(0)
    async with asyncio.timeout(SOON), await asyncio.start_server(answer, sock=listening):
        _, writer = await asyncio.open_connection("127.0.0.1", listening.getsockname()[1])
        assert await told
        writer.close()


async def test_signals_stay_whose_they_were():
    before = [signal.getsignal(name) for name in (signal.SIGINT, signal.SIGTERM)]
    async with asyncio.timeout(SOON), serving():
        during = [signal.getsignal(name) for name in (signal.SIGINT, signal.SIGTERM)]
    assert during == before


async def test_a_port_that_is_taken_is_said_with_a_remedy():
    async with asyncio.timeout(SOON), serving() as lab:
        with pytest.raises(TabwireError, match=f"port {lab.port}") as raised:
            async with serving(port=lab.port):
                pass
        assert "--port" in raised.value.what_to_do


async def test_what_fails_inside_comes_out_as_it_is():
    with pytest.raises(KeyError, match="mine"):
        async with asyncio.timeout(SOON), serving():
            raise KeyError("mine")
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_prompt_is_in_the_ledger_file_before_the_first_byte_of_the_answer(tmp_path):
    path = tmp_path / "ledger.jsonl"
    text = "Counted once\nlab: first=3600"
    async with (
        asyncio.timeout(SOON),
        serving(ledger=path) as lab,
        asked(lab, "chatgpt.com", ASK, prompt(text)),
    ):
        (line,) = path.read_text().splitlines()
        assert json.loads(line)["prompt"] == text
        assert lab.ledger.prompts() == (text,)


@pytest.mark.parametrize(
    "line, body, status",
    [
        (ASK, b'{"messages": []}', 422),
        ("GET /backend-api/conversation/none", b"", 404),
        ("POST /backend-api/f/conversation/resume", b'{"conversation_id": "none"}', 404),
    ],
)
async def test_what_makes_no_sense_is_refused_and_not_recorded(line, body, status):
    async with asyncio.timeout(SOON), serving() as lab:
        async with asked(lab, "chatgpt.com", line, body) as (answer, _):
            assert answer.startswith(f"HTTP/1.1 {status}")
        assert lab.ledger.entries == ()


async def test_a_body_that_comes_after_the_answer_is_clear_costs_nobody_the_connection():
    """Hypercorn alone answers 404 first, and drops the connection when the body arrives."""
    async with asyncio.timeout(SOON), serving() as lab, connected(lab, "h2") as (reader, writer):
        client = _H2(reader, writer)
        stream = client.begin("POST", "/nowhere")
        for _ in range(5):  # by then an answer would be on its way
            await client.round_trip()
        client.finish(stream, b"late")
        assert await client.status(stream) == "404"
        assert await client.status(client.begin("GET", "/", end=True)) == "200"


async def test_a_response_that_breaks_is_reset_after_its_last_byte_and_alone(caplog):
    """Hypercorn alone says nothing, and the browser waits for the rest."""
    page = {"authorization": "Bearer lab-x", "oai-device-id": "d"}
    async with asyncio.timeout(SOON), serving() as lab, connected(lab, "h2") as (reader, writer):
        client = _H2(reader, writer)
        stream = client.begin("POST", "/backend-api/f/conversation", more=page)
        client.finish(stream, prompt("lab: story=cut pieces=10 chars=12000 every=0 first=0"))
        assert await client.status(stream) == "200"
        said = await client.until_reset(stream)
        assert said.count(b'data: {"v": "') == 4  # half of ten, the first of which says where
        assert said.endswith(b"\n\n")
        assert await client.status(client.begin("GET", "/", end=True)) == "200"
    assert "Error in ASGI" not in caplog.text


class _H2:
    """Just enough of an HTTP/2 client to send a request in two parts."""

    def __init__(self, reader, writer):
        self._reader, self._writer = reader, writer
        self._h2 = H2Connection()
        self._h2.initiate_connection()
        self._seen = []

    def begin(self, method, path, *, end=False, more=None):
        stream = self._h2.get_next_available_stream_id()
        where = {":method": method, ":path": path, ":authority": "chatgpt.com", ":scheme": "https"}
        self._h2.send_headers(stream, (where | (more or {})).items(), end_stream=end)
        return stream

    def finish(self, stream, body):
        self._h2.send_data(stream, body, end_stream=True)

    async def round_trip(self):
        self._h2.ping(b"12345678")
        await self._until(lambda event: isinstance(event, PingAckReceived))

    async def status(self, stream):
        answer = await self._until(
            lambda event: isinstance(event, ResponseReceived) and event.stream_id == stream
        )
        return dict(answer.headers)[b":status"].decode()

    async def until_reset(self, stream):
        """What came of a body before its stream was reset."""
        came = list(self._seen)
        if not any(isinstance(one, StreamReset) for one in came):
            await self._until(lambda one: isinstance(one, StreamReset) and one.stream_id == stream)
            came += self._seen
        came = [one for one in came if isinstance(one, DataReceived)]
        return b"".join(one.data for one in came if one.stream_id == stream)

    async def _until(self, wanted):
        self._seen.clear()
        while not (found := [event for event in self._seen if wanted(event)]):
            self._writer.write(self._h2.data_to_send())
            heard = await self._reader.read(65536)
            assert heard, "the server dropped the connection"
            came = self._h2.receive_data(heard)
            self._seen += came
            for one in came:  # room for more, without which a long body stops halfway
                if isinstance(one, DataReceived):
                    with suppress(StreamClosedError):
                        self._h2.acknowledge_received_data(
                            one.flow_controlled_length, one.stream_id
                        )
        return found[0]
