"""Attach: each place is asked once, bounded, with nothing secret, and believed only so far."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from kit.listening import listening
from tabwire.browser.attach import find_endpoint, read_port_file
from tabwire.browser.choose import Address, Attach
from tabwire.browser.endpoint import MAX_ANSWER, Endpoint
from tabwire.browser.find import Machine
from tabwire.model.errors import BrowserNotReachable

WHOLE = "/devtools/browser/0f-1"
ANSWER = (
    '{"Browser": "Chrome/156.0", "Protocol-Version": "1.3",'
    ' "webSocketDebuggerUrl": "ws://evil.example:1/devtools/browser/0f-1"}'
)


def http(status, body):
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()


@asynccontextmanager
async def serving(answer):
    """A server that says `answer` to each question; it keeps silent on None."""
    asked: list[bytes] = []
    hung = asyncio.Event()

    async def serve(reader, writer):
        try:
            asked.append(await reader.readuntil(b"\r\n\r\n"))
            if answer is None:
                await hung.wait()
            writer.write(answer or b"")
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            asked.append(b"")
        finally:
            writer.close()

    async with listening(serve) as port:
        yield port, asked
        hung.set()


def linux(home):
    return Machine("linux", {}, str(home), lambda _: None, lambda _: False)


def write_port(home, port, profile="google-chrome"):
    folder = home / ".config" / profile
    folder.mkdir(parents=True)
    (folder / "DevToolsActivePort").write_text(f"{port}\n{WHOLE}")


def at(port):
    return Attach(Address("127.0.0.1", port))


@pytest.mark.asyncio
async def test_a_debugging_port_is_asked_once_and_only_its_path_believed(tmp_path):
    async with serving(http("200 OK", ANSWER)) as (port, asked), asyncio.timeout(20):
        reached = await find_endpoint(at(port), linux(tmp_path))
    assert reached.endpoint == Endpoint("127.0.0.1", port, WHOLE)
    assert reached.endpoint.url == f"ws://127.0.0.1:{port}{WHOLE}"
    assert not reached.dialog
    (question,) = asked
    assert question.split(b"\r\n")[0] == b"GET /json/version HTTP/1.1"
    assert b"ookie" not in question
    assert b"uthor" not in question


WRONG = [
    # id, what the server says, what we say
    ("another server", http("404 Not Found", "no"), "answered 404"),
    ("a page", http("200 OK", "<html>"), "is not a browser"),
    ("half a browser", http("200 OK", '{"Browser": "x"}'), "is not a browser"),
    ("not HTTP", b"SSH-2.0\r\n\r\n", "is not a browser"),
    ("closes", b"", "nothing is listening"),
    (
        "lies about its length",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx",
        "nothing is listening",
    ),
    ("too long", b"HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n", "is not a browser"),
    ("endless head", b"x" * (MAX_ANSWER * 2), "nothing is listening"),
    ("a tab only", http("200 OK", ANSWER.replace("devtools/browser", "x")), "a tab, not a browser"),
    ("silence", None, "did not answer within 0.2 s"),
]


@pytest.mark.asyncio
@pytest.mark.parametrize("answer, said", [c[1:] for c in WRONG], ids=[c[0] for c in WRONG])
async def test_what_is_no_browser_is_told_and_not_asked_again(tmp_path, answer, said):
    """Promise: say."""
    async with serving(answer) as (port, asked), asyncio.timeout(20):
        with pytest.raises(BrowserNotReachable, match=said) as caught:
            await find_endpoint(at(port), linux(tmp_path), seconds=0.2)
    assert "--browser launch" in caught.value.what_to_do
    assert len([question for question in asked if question]) == 1


@pytest.mark.asyncio
async def test_nobody_there(tmp_path):
    async with serving(b"") as (port, _):
        pass
    with pytest.raises(BrowserNotReachable, match="nothing is listening"):
        await find_endpoint(at(port), linux(tmp_path))


@pytest.mark.asyncio
async def test_a_whole_address_is_taken_as_it_is(tmp_path):
    choice = Attach(Address("127.0.0.1", 9, WHOLE))
    reached = await find_endpoint(choice, linux(tmp_path))
    assert reached.endpoint == Endpoint("127.0.0.1", 9, WHOLE)


@pytest.mark.asyncio
async def test_chromes_switch_is_found_by_the_file_it_writes_and_nothing_is_sent(tmp_path):
    """facts: the switch shows a dialog per connection that speaks, so we do not speak."""
    async with serving(None) as (port, asked), asyncio.timeout(20):
        write_port(tmp_path, port)
        reached = await find_endpoint(Attach(), linux(tmp_path))
    assert reached.endpoint == Endpoint("127.0.0.1", port, WHOLE)
    assert reached.dialog
    assert reached.whose == "your own chrome"
    assert [question for question in asked if question] == []


@pytest.mark.asyncio
async def test_chromes_switch_given_by_its_port_answers_404_and_is_found_all_the_same(tmp_path):
    async with serving(http("404 Not Found", "")) as (port, _), asyncio.timeout(20):
        write_port(tmp_path, port)
        reached = await find_endpoint(at(port), linux(tmp_path))
    assert reached.dialog
    assert reached.endpoint.path == WHOLE


@pytest.mark.asyncio
async def test_a_file_left_by_a_browser_that_is_gone_is_passed_over(tmp_path):
    async with serving(None) as (dead, _):
        pass
    async with serving(None) as (port, _), asyncio.timeout(20):
        write_port(tmp_path, dead)
        with pytest.raises(BrowserNotReachable, match="chrome had, but no longer listens"):
            await find_endpoint(Attach(), linux(tmp_path))
        write_port(tmp_path, port, "chromium")
        reached = await find_endpoint(Attach(), linux(tmp_path))
    assert reached.whose == "your own chromium"


DAMAGED = ["", "9222", f"0\n{WHOLE}", f"99999\n{WHOLE}", f"x\n{WHOLE}", "9222\n/other", "\xff\xfe"]


@pytest.mark.parametrize("text", DAMAGED)
def test_a_damaged_port_file_is_none(tmp_path, text):
    (tmp_path / "DevToolsActivePort").write_bytes(text.encode("latin-1"))
    assert read_port_file(str(tmp_path)) is None
