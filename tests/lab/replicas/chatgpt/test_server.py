"""What the lab's ChatGPT sends, read as ChatGPT's: no browser, the server called in-process."""

import json

import pytest

from lab.replicas.chatgpt.asking import serving
from tabwire.lab.ledger import Deed
from tabwire.lab.plan import Plan
from tabwire.lab.replicas.chatgpt.turns import WELCOME
from tabwire.lab.room import Room
from tabwire.model.signals import ThoughtGrew, TurnConfirmed, TurnEnded, TurnStopped
from tabwire.sites.chatgpt import SITE
from tabwire.sites.memory import Memory
from tabwire.sites.site import RequestKind

pytestmark = pytest.mark.asyncio

ORIGIN = "https://chatgpt.com"
API = "/backend-api"
TEXTS = ("Ein *Tab* ", "— 标签页 ", "😀\n\n", '</b> "x" \\ z ')
THOUGHTS = ("Zuerst ", "denken. ")


def planned(prompt):
    """The same answer to everything, with the prompt in it; `slow` begins and does not end."""
    every = 3600.0 if "slow" in prompt else 0.0
    return Plan((*TEXTS, prompt), THOUGHTS, every, 0.0, title=f"About {prompt}", model="gpt-9")


@pytest.fixture
def room():
    return Room(planned=planned)


@pytest.fixture
def served(room):
    return serving(room)


def asking(prompt, conversation_id=None):
    message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [prompt]}}
    body = {"action": "next", "messages": [message]}
    if conversation_id:
        body["conversation_id"] = conversation_id
    return json.dumps(body).encode()


async def ask(served, prompt, conversation_id=None):
    """Ask and hear to the end: the conversation of the stream, and its signals."""
    path, body = f"{API}/f/conversation", asking(prompt, conversation_id)
    assert SITE.sort_request("POST", ORIGIN + path) is RequestKind.ANSWER
    assert SITE.prompt_in_request(body) == prompt
    status, said = await served.body("POST", path, body)
    assert status == 200
    stream = SITE.open_stream(ORIGIN + path, Memory())
    signals = [*stream.feed(said), *stream.close()]
    return stream.conversation(), signals


async def stored(served, conversation_id):
    path = f"{API}/conversation/{conversation_id}"
    assert SITE.sort_request("GET", ORIGIN + path) is RequestKind.CANONICAL
    _, body = await served.body("GET", path)
    (conversation,) = SITE.read_body(body, ORIGIN + path, Memory()).conversations
    return conversation


async def test_every_turn_streamed_is_the_turn_stored(served, room):
    first, signals = await ask(served, "one")
    second, more = await ask(served, "two", first.id)
    kept = await stored(served, first.id)
    assert second.id == first.id == kept.id
    assert room.ledger.prompts("chatgpt") == ("one", "two")
    for said in (signals, more):
        assert [type(signal) for signal in said if isinstance(signal, TurnEnded)] == [TurnEnded]
        assert any(isinstance(signal, TurnConfirmed) for signal in said)
    heard = [(turn.id, turn.role, turn.text, turn.thinking) for turn in first.turns + second.turns]
    assert [(turn.id, turn.role, turn.text, turn.thinking) for turn in kept.turns] == heard
    assert kept.turns[-1].text == "".join(TEXTS) + "two"
    assert kept.standing.complete
    assert kept.title == "About one"
    assert kept.model == "gpt-9"


async def test_only_the_first_turn_tells_a_title(served):
    first, _ = await ask(served, "one")
    second, _ = await ask(served, "two", first.id)
    assert (first.title, second.title) == ("About one", None)


async def test_a_stopped_answer_ends_as_stopped_in_stream_and_store(served, room):
    path = f"{API}/stop_conversation"
    assert SITE.sort_request("POST", ORIGIN + path) is RequestKind.STOP
    stream = SITE.open_stream(None, Memory())
    pieces = served.pieces("POST", f"{API}/f/conversation", asking("slow"))
    assert await anext(pieces) == 200
    signals = []
    while not any(isinstance(signal, ThoughtGrew) for signal in signals):
        signals += stream.feed(await anext(pieces))
    named = stream.conversation().id
    assert await status(served, named) == "IS_STREAMING"
    assert (await stored(served, named)).standing.reason == "assistant-in-progress"
    await served.body("POST", path, json.dumps({"conversation_id": named}).encode())
    async for said in pieces:
        signals += stream.feed(said)
    signals += stream.close()
    assert len([signal for signal in signals if isinstance(signal, TurnStopped)]) == 1
    assert not any(isinstance(signal, TurnEnded) for signal in signals)
    assert (await stored(served, named)).standing.reason == "stopped"
    assert await status(served, named) == "NOT_STREAMING"


async def test_an_answer_under_way_can_be_heard_again_from_any_event_on(served, room):
    path = f"{API}/f/conversation/resume"
    assert SITE.sort_request("POST", ORIGIN + path) is RequestKind.RESUME
    named = "5f0c6a1e-1111-4222-8333-0123456789ab"
    room.ask("chatgpt", named, "slow")
    again = {}
    for offset in (0, 4):
        wish = json.dumps({"conversation_id": named, "offset": offset}).encode()
        again[offset] = served.pieces("POST", path, wish)
        assert await anext(again[offset]) == 200
    room.stop("chatgpt", named)
    whole = await events_of(again[0])
    assert len(whole) > 4
    assert await events_of(again[4]) == whole[4:]
    assert [entry.kind for entry in room.ledger.of(Deed.RESUME)] == [Deed.RESUME] * 2


async def events_of(pieces):
    return b"".join([piece async for piece in pieces]).split(b"\n\n")


async def status(served, conversation_id):
    path = f"{API}/conversation/{conversation_id}/stream_status"
    assert SITE.sort_request("GET", ORIGIN + path) is RequestKind.HINT
    return json.loads((await served.body("GET", path))[1])["status"]


async def test_titles_are_told_by_the_list_and_by_their_own_request(served):
    first, _ = await ask(served, "one")
    path = f"{API}/conversations?offset=0&limit=28&order=updated"
    assert SITE.sort_request("GET", ORIGIN + path) is RequestKind.LIST
    _, body = await served.body("GET", path)
    assert SITE.read_body(body, ORIGIN + path, Memory()).titles == (
        (first.id, "About one"),
        (WELCOME, "Welcome to the lab"),
    )
    path = f"{API}/conversation/gen_title/{first.id}"
    assert SITE.sort_request("POST", ORIGIN + path) is RequestKind.TITLE
    assert json.loads((await served.body("POST", path))[1]) == {"title": "About one"}


async def test_somebody_logged_in_has_a_history(served):
    kept = await stored(served, WELCOME)
    assert kept.standing.complete
    assert kept.title == "Welcome to the lab"


async def test_announcing_a_prompt_asks_nothing(served, room):
    path = f"{API}/f/conversation/prepare"
    assert SITE.sort_request("POST", ORIGIN + path) is RequestKind.IGNORED
    assert (await served.body("POST", path, b"{}"))[0] == 200
    assert room.ledger.entries == ()


async def test_a_conversation_nobody_knows_is_not_made(served, room):
    body = asking("lost", "00000000-0000-4000-8000-000000000000")
    assert (await served.body("POST", f"{API}/f/conversation", body))[0] == 404
    assert room.ledger.entries == ()


@pytest.mark.parametrize("backend", [API, "/backend-anon"])
async def test_a_renamed_address_answers_all_the_same(served, room, backend):
    """After a rebuild of the site: an address that our rules do not know."""
    path = f"{backend}/g/conversation"
    assert SITE.sort_request("POST", ORIGIN + path) is not RequestKind.ANSWER
    status_, said = await served.body("POST", path, asking("one"))
    stream = SITE.open_stream(None, Memory())
    stream.feed(said)
    assert status_ == 200
    assert stream.conversation().standing.complete
    assert room.ledger.prompts("chatgpt") == ("one",)


async def listed(served, query=""):
    _, body = await served.body("GET", f"{API}/conversations{query}")
    return json.loads(body)


async def test_the_list_is_really_paged_and_each_reading_recorded(served, room):
    for prompt in ("one", "two", "three"):
        await ask(served, prompt)
    whole = await listed(served)
    assert (whole["total"], len(whole["items"]), whole["limit"]) == (4, 4, 28)
    paged = await listed(served, "?offset=1&limit=2&order=updated")
    assert paged["items"] == whole["items"][1:3]
    assert (paged["total"], paged["limit"], paged["offset"]) == (4, 2, 1)
    assert (await listed(served, "?offset=x&limit=-1"))["items"] == whole["items"]
    assert len(room.ledger.of(Deed.LIST)) == 3


async def test_a_temporary_chat_is_answered_and_in_no_list(served, room):
    body = json.loads(asking("one")) | {"history_and_training_disabled": True}
    await served.body("POST", f"{API}/f/conversation", json.dumps(body).encode())
    (entry,) = room.ledger.asked()
    assert entry.conversation_id not in [item["id"] for item in (await listed(served))["items"]]
    assert (await stored(served, entry.conversation_id)).standing.complete


@pytest.mark.parametrize(
    "more",
    [
        {"gizmo_id": "g-p-1"},
        {"conversation_mode": {"kind": "gizmo_interaction", "gizmo_id": "g-p-1"}},
    ],
)
async def test_a_chat_of_a_project_belongs_to_it(served, room, more):
    body = json.loads(asking("one")) | more
    await served.body("POST", f"{API}/f/conversation", json.dumps(body).encode())
    (entry,) = room.ledger.asked()
    assert room.chat("chatgpt", entry.conversation_id).folder == "g-p-1"
    _, said = await served.body("GET", f"{API}/conversation/{entry.conversation_id}")
    assert json.loads(said)["gizmo_id"] == "g-p-1"


async def test_reading_a_conversation_is_recorded(served, room):
    await stored(served, WELCOME)
    assert [(e.kind, e.conversation_id) for e in room.ledger.entries] == [(Deed.READ, WELCOME)]
    assert (await served.body("GET", f"{API}/conversation/none"))[0] == 404
    assert len(room.ledger.entries) == 1


async def test_the_welcome_chat_may_have_a_long_past(room):
    kept = await stored(serving(room, "past:40"), WELCOME)
    assert sum(turn.role == "user" for turn in kept.turns) == 41
    assert len({turn.id for turn in kept.turns}) == len(kept.turns)
    assert kept.standing.complete


@pytest.mark.parametrize(
    "path, status, words",
    [
        ("/", 200, 'id="lab-stage"'),
        (f"/c/{WELCOME}", 200, 'id="lab-stage"'),
        (f"/g/g-p-1/c/{WELCOME}?lab=layout:classic", 200, '"layout":"classic"'),
        ("/g/g-p-1/project", 200, 'id="lab-stage"'),
        (f"/uc/{WELCOME}?lab=login:out", 200, '"login":"out"'),
        ("/?lab=layout:octane,lang:ar", 200, 'dir="rtl"'),
        ("/?lab=login:wall", 200, "not ChatGPT"),
        ("/?lab=challenge", 403, "Just a moment"),
        ("/?lab=layout:none", 400, "turn_key, octane, classic"),
        ("/?lab=nonsense", 400, "nonsense"),
    ],
)
async def test_every_page_is_served_on_its_stage(served, path, status, words):
    got, body = await served.body("GET", path)
    assert got == status
    assert words in body.decode()


async def test_the_three_layouts_and_the_guests_page_differ(served):
    pages = [
        (await served.body("GET", f"/?lab={lab}"))[1].partition(b"<script id=")[0]
        for lab in ("layout:turn_key", "layout:octane", "layout:classic")
    ]
    assert len(set(pages)) == 3
    guest = (await served.body("GET", "/?lab=login:out"))[1].partition(b"<script id=")[0]
    assert guest == pages[1]


async def test_the_question_keeps_the_name_its_page_gave_it(served, room):
    name = "5f0c6a1e-2222-4222-8333-0123456789ab"
    body = json.loads(asking("one"))
    body["messages"][0]["id"] = name
    _, said = await served.body("POST", f"{API}/f/conversation", json.dumps(body).encode())
    stream = SITE.open_stream(None, Memory())
    stream.feed(said)
    conversation = stream.conversation()
    assert conversation.turns[0].id == name
    body["conversation_id"] = conversation.id  # sent twice: two questions need two names
    await served.body("POST", f"{API}/f/conversation", json.dumps(body).encode())
    asked = [turn for turn in (await stored(served, conversation.id)).turns if turn.role == "user"]
    assert asked[0].id == name
    assert len({turn.id for turn in asked}) == 2


async def test_a_conversation_may_be_read_under_its_other_address(served):
    one = await served.body("GET", f"{API}/conversation/{WELCOME}")
    other = await served.body("GET", f"{API}/conversations/{WELCOME}")
    assert one[0] == 200
    assert one == other
