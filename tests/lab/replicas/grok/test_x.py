"""The lab's Grok on x.com, called in-process and read as what x.com sends."""

import json
from urllib.parse import quote

import pytest
from starlette.routing import Router

from lab.served import Served
from tabwire.lab.ledger import Deed
from tabwire.lab.plan import plan_for
from tabwire.lab.replicas.grok import routes
from tabwire.lab.replicas.grok.x import WELCOME_ID, item_ids, new_id
from tabwire.lab.room import Room
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.script import text_of
from tabwire.model.conversation import Role
from tabwire.model.signals import Refusal, Refused
from tabwire.sites.grok import SITE
from tabwire.sites.memory import Memory
from tabwire.sites.site import RequestKind

pytestmark = pytest.mark.asyncio

ADD = "/2/grok/add_response.json"
ANSWERS = f"https://grok.x.com{ADD}"
QUICK = "lab: pieces=20 think=3 every=0.001 first=0 pace=10000"


@pytest.fixture
def room():
    return Room()


@pytest.fixture
def served(room):
    return Served(Router(routes(room)), headers={"host": "grok.x.com"})


def asked(prompt, named=None):
    turns = [{"message": "before", "sender": 1}, {"message": prompt, "sender": 1}]
    return json.dumps({"responses": turns, "conversationId": named}).encode()


async def hear(served, prompt, named=None, memory=None):
    status, raw = await served.body("POST", ADD, asked(prompt, named))
    stream = SITE.open_stream(ANSWERS, memory or Memory())
    said = [*stream.feed(raw), *stream.close()]
    return status, said, stream.conversation()


def graphql(name, **variables):
    return f"/i/api/graphql/abc/{name}?variables={quote(json.dumps(variables))}"


async def read(served, path, memory=None):
    served.headers["host"] = "x.com"
    status, raw = await served.body("GET", path)
    assert status == 200
    return SITE.read_body(raw, f"https://x.com{path}", memory or Memory())


@pytest.mark.parametrize("story", ["plain", "think", "tools", "preamble", "early-hint", "split"])
async def test_an_answer_is_heard_as_it_was_planned(served, room, story):
    prompt = f"Was? {story}\n{QUICK} story={story}"
    status, _, heard = await hear(served, prompt)
    (exchange,) = room.chat("grok", heard.id).exchanges
    assert (status, SITE.sort_request("POST", ANSWERS)) == (200, RequestKind.ANSWER)
    assert heard.turns[-1].text == exchange.text
    assert heard.turns[-1].thinking.startswith("".join(plan_for(prompt).thoughts))
    assert heard.turns[-1].id == item_ids(exchange)[1]
    assert heard.standing.complete
    assert 10 <= len(heard.id) <= 20
    assert heard.id.isdigit()
    assert room.ledger.prompts("grok") == (prompt,)


async def test_what_is_stored_says_the_same(served, room):
    memory = Memory()
    prompts = [f"Eins?\n{QUICK}", f"Zwei?\n{QUICK}"]
    named = None
    for prompt in prompts:
        _, _, heard = await hear(served, prompt, named, memory)
        named = heard.id
    path = graphql("GrokConversationItemsByRestId", restId=named)
    assert SITE.sort_request("GET", f"https://x.com{path}") is RequestKind.CANONICAL
    (stored,) = (await read(served, path)).conversations
    said = [(one.role, one.text) for one in stored.messages()]
    assert said == [
        pair
        for prompt in prompts
        for pair in ((Role.USER, prompt), (Role.ASSISTANT, plan_for(prompt).text))
    ]
    assert stored.standing.complete
    assert room.ledger.entries[-1].kind is Deed.READ


async def test_the_history_lists_the_chats_of_x_and_no_others(served, room):
    _, _, heard = await hear(served, f"Titel\n{QUICK}")
    path = graphql("GrokHistory")
    assert SITE.sort_request("GET", f"https://x.com{path}") is RequestKind.LIST
    titles = (await read(served, path)).titles
    assert titles == ((heard.id, "Titel"), (WELCOME_ID, "Welcome to the lab"))
    served.headers["host"] = "grok.com"
    _, raw = await served.body("GET", "/rest/app-chat/conversations")
    assert heard.id not in raw.decode()


REFUSED = [
    ("limit", 200, Refusal.RATE_LIMIT),
    ("limit-until", 200, Refusal.RATE_LIMIT),
    ("session-over", 401, Refusal.LOGIN),
    ("challenged", 403, Refusal.CHALLENGE),
    ("blocked", 403, Refusal.BLOCKED),
    ("fault", 500, Refusal.ERROR),
    ("error", 200, Refusal.ERROR),
    ("limit-midway", 200, Refusal.RATE_LIMIT),
]


@pytest.mark.parametrize("story, status, kind", REFUSED)
async def test_a_refusal_is_read_as_what_it_is(served, room, story, status, kind):
    got, said, _ = await hear(served, f"Nein\n{QUICK} story={story}")
    assert got == status
    assert [one.kind for one in said if isinstance(one, Refused)] == [kind]
    assert bool(room.ledger.asked()[0].refused) is (STORIES[story].refuse is not None)


async def test_a_stream_without_end_is_not_whole_and_the_store_has_the_rest(served, room):
    prompt = "Q\nlab: pieces=20 every=0.001 first=0 story=no-end"
    _, _, heard = await hear(served, prompt)
    assert not heard.standing.complete
    telling = room.telling("grok", heard.id)
    if telling is not None:
        await telling.over()
    path = graphql("GrokConversationItemsByRestId", restId=heard.id)
    (stored,) = (await read(served, path)).conversations
    assert stored.turns[-1].text == text_of(plan_for(prompt), STORIES["no-end"].script)
    assert stored.standing.complete


@pytest.mark.parametrize(
    "method, path, sent, status",
    [
        ("POST", ADD, b"{}", 400),
        ("POST", ADD, b"no json", 400),
        ("POST", ADD, asked("x", "2090000000000000009"), 404),
        ("POST", ADD, asked("x", "no-digits"), 404),
        ("GET", graphql("GrokConversationItemsByRestId", restId="1"), b"", 404),
        ("GET", "/i/api/graphql/abc/GrokConversationItemsByRestId?variables=x", b"", 404),
    ],
)
async def test_what_cannot_be_answered_is_refused_and_not_written_down(
    served, room, method, path, sent, status
):
    assert (await served.body(method, path, sent))[0] == status
    assert room.ledger.entries == ()


async def test_names_are_never_given_twice():
    names = [new_id() for _ in range(1000)]
    assert len(set(names)) == 1000
    assert sorted(names, key=int) == names
