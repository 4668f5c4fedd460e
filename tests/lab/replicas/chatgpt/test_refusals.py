"""Each way of saying no, in the site's own shape, read as what it is, and recorded."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from lab.replicas.chatgpt.asking import API, ask, of, planned, read, serving
from tabwire.lab.replicas.chatgpt.refusals import CLEARS_IN
from tabwire.lab.room import Room
from tabwire.model.signals import Refusal, Refused

pytestmark = pytest.mark.asyncio

WAYS = [
    # story, status, what the reader of a stream makes of the body
    ("limit", 429, Refusal.RATE_LIMIT),
    ("limit-until", 429, Refusal.RATE_LIMIT),
    ("session-over", 401, Refusal.LOGIN),
    ("challenged", 403, Refusal.CHALLENGE),
    ("blocked", 403, Refusal.BLOCKED),
    ("fault", 500, Refusal.ERROR),
]


@pytest.fixture
def room():
    return Room(planned=planned)


@pytest.mark.parametrize("body", [b"", b"no JSON", b"[1]", b'"words"', b"\xff"])
@pytest.mark.parametrize(
    "path", ["/f/conversation", "/f/conversation/resume", "/stop_conversation", "/files"]
)
async def test_what_is_no_json_object_is_refused_and_not_recorded(room, path, body):
    status, _ = await serving(room).body("POST", f"{API}{path}", body)
    assert status == 400
    assert not room.ledger.entries


@pytest.mark.parametrize("wrong", [7, [1], {"a": 1}])
async def test_a_conversation_that_is_named_by_no_word_is_not_found(room, wrong):
    status, _ = await ask(serving(room), "Where?", conversation_id=wrong)
    assert status == 404


@pytest.mark.parametrize("story, status, kind", WAYS, ids=[way[0] for way in WAYS])
async def test_a_refusal_is_recorded_and_read(room, story, status, kind):
    got, body = await ask(serving(room), f"story {story}")
    assert got == status
    (entry,) = room.ledger.asked("chatgpt")
    assert (entry.story, bool(entry.refused)) == (story, True)
    assert room.chat("chatgpt", entry.conversation_id) is None
    _, signals = read(body)
    (refused,) = of(signals, Refused)
    assert refused.kind is kind


async def test_a_tab_or_a_server_may_want_it_too(room):
    assert (await ask(serving(room, "story:limit"), "hello"))[0] == 429


async def test_only_one_limit_says_until_when(room):
    served = serving(room)
    bare = json.loads((await ask(served, "story limit"))[1])["detail"]
    timed = json.loads((await ask(served, "story limit-until"))[1])["detail"]
    assert "clears_in" not in bare
    assert timed["clears_in"] == CLEARS_IN
    until = datetime.fromisoformat(timed["resets_after"])
    assert abs(until - datetime.now(UTC) - timedelta(seconds=CLEARS_IN)) < timedelta(minutes=1)


async def test_the_reader_hears_until_when(room):
    _, body = await ask(serving(room), "story limit-until")
    (refused,) = of(read(body)[1], Refused)
    said = json.loads(body)["detail"]
    assert refused.resets_in == CLEARS_IN
    assert refused.resets_at == datetime.fromisoformat(said["resets_after"]).timestamp()


async def test_a_challenge_looks_like_one(room):
    _, body = await ask(serving(room), "story challenged")
    assert b"Just a moment" in body
    assert b"/cdn-cgi/challenge-platform/" in body
