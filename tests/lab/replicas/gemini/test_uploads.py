"""Files on their way to the lab's Gemini: two steps, from a page of another host."""

import pytest
from starlette.datastructures import URL
from starlette.requests import Request

from tabwire.lab.ledger import Deed
from tabwire.lab.replicas.gemini import HOSTS
from tabwire.lab.replicas.gemini.uploads import ADDRESS, COMMAND, HOST, PAGE, Uploads
from tabwire.lab.room import Room

pytestmark = pytest.mark.asyncio

START, BRING = "start", "upload, finalize"


@pytest.fixture
def room():
    return Room()


@pytest.fixture
def uploads(room):
    return Uploads(room)


def request(command, body=b"", url=f"https://{HOST}/upload/", method="POST"):
    async def receive():
        return {"type": "http.request", "body": body}

    where = URL(url)
    headers = [(COMMAND.encode(), command.encode()), (b"host", HOST.encode())]
    scope = {"type": "http", "method": method, "path": where.path, "headers": headers}
    return Request({**scope, "query_string": where.query.encode()}, receive)


async def start(uploads, name="a 日本.txt"):
    return await uploads.answer(request(START, f"File name: {name}".encode()))


async def test_the_host_is_one_the_lab_answers_for():
    assert HOST in HOSTS


async def test_a_file_is_named_then_brought_and_written_down(uploads, room):
    where = (await start(uploads)).headers[ADDRESS]
    assert room.ledger.entries == ()
    done = await uploads.answer(request(BRING, b"12345", where))
    assert done.body.startswith(b"/contrib_service/")
    (entry,) = room.ledger.entries
    assert (entry.kind, entry.files, entry.bytes) == (Deed.UPLOAD, ("a 日本.txt",), 5)
    assert (await uploads.answer(request(BRING, b"12345", where))).status_code == 404


async def test_a_page_of_the_site_may_do_it_and_read_the_address(uploads):
    asked = await uploads.answer(request("", method="OPTIONS"))
    assert asked.headers["access-control-allow-origin"] == PAGE
    for name in (COMMAND, "push-id"):
        assert name in asked.headers["access-control-allow-headers"]
    assert ADDRESS in (await start(uploads)).headers["access-control-expose-headers"]


@pytest.mark.parametrize("command, body", [("", b"x"), (START, b""), ("cancel", b"x")])
async def test_what_makes_no_sense_is_refused(uploads, room, command, body):
    assert (await uploads.answer(request(command, body))).status_code == 400
    assert room.ledger.entries == ()
