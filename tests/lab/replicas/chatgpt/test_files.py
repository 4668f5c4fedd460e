"""An upload in three requests, counted by the ledger, and named by the prompt it comes with."""

import json

import pytest

from lab.replicas.chatgpt.asking import API, ask, planned, serving
from tabwire.lab.ledger import Deed
from tabwire.lab.room import Room

pytestmark = pytest.mark.asyncio
NAME = "Größe & 光.txt"


@pytest.fixture
def room():
    return Room(planned=planned)


async def announced(served):
    wish = {"file_name": NAME, "file_size": 3, "use_case": "multimodal"}
    _, body = await served.body("POST", f"{API}/files", json.dumps(wish).encode())
    told = json.loads(body)
    assert told["status"] == "success"
    return told["file_id"], "/" + told["upload_url"].split("/", 3)[3]


async def test_a_file_is_announced_put_and_there(room):
    served = serving(room)
    name, where = await announced(served)
    assert room.ledger.entries == ()  # nothing has come yet
    assert (await served.body("PUT", where, b"abc"))[0] == 201
    _, body = await served.body("POST", f"{API}/files/{name}/uploaded", b"{}")
    assert json.loads(body)["status"] == "success"
    (entry,) = room.ledger.of(Deed.UPLOAD)
    assert (entry.files, entry.bytes, entry.refused) == ((NAME,), 3, "")


async def test_an_upload_may_fail(room):
    served = serving(room, "upload_fails")
    _, where = await announced(served)
    assert (await served.body("PUT", where, b"abc"))[0] == 500
    (entry,) = room.ledger.of(Deed.UPLOAD)
    assert entry.refused == "upload"


async def test_a_prompt_says_which_files_it_comes_with(room):
    served = serving(room)
    attached = [{"id": "file-1", "name": NAME, "size": 3}, {"id": "file-2"}, "odd"]
    message = {
        "author": {"role": "user"},
        "content": {"content_type": "text", "parts": ["look"]},
        "metadata": {"attachments": attached},
    }
    status, body = await ask(served, "", messages=[message])
    assert status == 200
    assert [entry.files for entry in room.ledger.asked()] == [(NAME,)]
    assert NAME.encode() in body  # the prompt is echoed with it
