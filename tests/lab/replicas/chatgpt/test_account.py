"""The API knows its own page by two headers; guests have addresses of their own."""

import json

import pytest

from lab.replicas.chatgpt.asking import API, GUEST, PAGE, ask, planned, read, serving, stored
from tabwire.lab.ledger import Deed
from tabwire.lab.replicas.chatgpt.account import GUEST_MODEL, PRO
from tabwire.lab.replicas.chatgpt.turns import WELCOME
from tabwire.lab.room import Room

pytestmark = pytest.mark.asyncio


@pytest.fixture
def room():
    return Room(planned=planned)


async def told(served, path, method="GET"):
    status, body = await served.body(method, path, b"{}" if method == "POST" else b"")
    assert status == 200
    return json.loads(body)


@pytest.mark.parametrize("login, known", [("in", True), ("pinned", True), ("expired", True)])
async def test_who_is_logged_in_has_a_session(room, login, known):
    session = await told(serving(room, f"login:{login}"), "/api/auth/session")
    assert session["accessToken"].startswith("lab-")
    assert session["user"].keys() == {"id", "name", "email"}


@pytest.mark.parametrize("login", ["out", "wall"])
async def test_who_is_not_has_none(room, login):
    assert await told(serving(room, f"login:{login}"), "/api/auth/session") == {}


@pytest.mark.parametrize("missing", PAGE)
@pytest.mark.parametrize("path", [f"{API}/conversation/{WELCOME}", f"{API}/conversations"])
async def test_without_the_pages_headers_nothing_is_there(room, missing, path):
    """As with cookies alone on the real site: 404, as if it did not exist."""
    headers = {name: said for name, said in PAGE.items() if name != missing}
    status, _ = await serving(room, headers=headers).body("GET", path)
    assert status == 404
    (entry,) = room.ledger.entries
    assert (entry.kind, entry.refused) == (
        (Deed.READ if "conversation/" in path else Deed.LIST),
        "headers",
    )


async def test_a_prompt_without_the_pages_headers_is_refused_and_recorded(room):
    assert (await ask(serving(room, headers={}), "hello"))[0] == 401
    (entry,) = room.ledger.asked("chatgpt")
    assert (entry.prompt, entry.refused) == ("hello", "login")


async def test_a_session_that_is_over_reads_and_does_not_ask(room):
    served = serving(room, "login:expired")
    assert (await ask(served, "hello"))[0] == 401
    assert [entry.refused for entry in room.ledger.asked()] == ["login"]
    assert (await stored(served, WELCOME)).standing.complete


async def test_a_guest_asks_without_headers_and_is_in_no_list(room):
    guest = serving(room, headers={})
    status, body = await ask(guest, "hello", GUEST)
    conversation, _ = read(body)
    assert (status, conversation.standing.complete) == (200, True)
    assert conversation.model == GUEST_MODEL
    assert b'"o": "patch"' in body  # the style of text that guests get
    assert (await stored(guest, conversation.id, GUEST)).turns[-1].text.endswith("hello")
    assert (await told(guest, f"{GUEST}/conversations"))["items"] == []
    listed = await told(serving(room), f"{API}/conversations")
    assert conversation.id not in [item["id"] for item in listed["items"]]


async def test_the_model_asked_for_answers_and_auto_is_none(room):
    served = serving(room)
    names = [model["slug"] for model in (await told(served, f"{API}/models"))["models"]]
    for wanted in (*names, "auto", "gpt-0"):
        conversation, _ = read((await ask(served, "hello", model=wanted))[1])
        assert conversation.model == (wanted if wanted in names else names[0])
        assert (await stored(served, conversation.id)).model == conversation.model


async def test_limits_are_told_before_and_after_an_answer(room):
    served = serving(room, "tier_exhausted")
    before = await told(served, f"{API}/conversation/init", "POST")
    assert [one["model_slug"] for one in before["model_limits"]] == [PRO]
    assert before["limits_progress"]
    _, body = await ask(served, "hello")
    assert f'"model_limits": [{{"model_slug": "{PRO}"'.encode() in body
    assert (await told(serving(room), f"{API}/conversation/init", "POST"))["model_limits"] == []


@pytest.mark.parametrize("which", ["", "/prepare", "/finalize"])
async def test_the_page_may_prove_that_it_is_one(room, which):
    path = f"{API}/sentinel/chat-requirements{which}"
    assert (await told(serving(room), path, "POST"))["token"]
    assert room.ledger.entries == ()


@pytest.mark.parametrize(
    "method, path",
    [
        ("GET", f"{API}/models"),
        ("POST", f"{API}/conversation/init"),
        ("POST", f"{API}/f/conversation/prepare"),
        ("POST", f"{API}/stop_conversation"),
        ("POST", f"{API}/conversation/{WELCOME}/async-status"),
        ("GET", f"{API}/conversation/{WELCOME}/stream_status"),
    ],
)
async def test_whatever_else_the_page_asks_needs_its_headers_too(room, method, path):
    body = b"{}" if method == "POST" else b""
    assert (await serving(room, headers={}).body(method, path, body))[0] == 401
    assert (await serving(room).body(method, path, body))[0] == 200
    as_guest = path.replace(API, GUEST)
    assert (await serving(room, headers={}).body(method, as_guest, body))[0] == 200
