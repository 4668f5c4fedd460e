"""What the lab's Grok sends, read as Grok's: no browser, the server called in-process."""

import json

import pytest
from starlette.routing import Router

from lab.served import Served
from tabwire.lab.plan import Plan
from tabwire.lab.replicas.grok import HOSTS, routes
from tabwire.lab.room import Room, Standing
from tabwire.model.conversation import Role, TurnState
from tabwire.sites.grok import SITE
from tabwire.sites.grok.requests import prompt_in_request
from tabwire.sites.memory import Memory
from tabwire.sites.site import RequestKind

pytestmark = pytest.mark.asyncio

API = "/rest/app-chat/conversations"
ORIGIN = "https://grok.com"
TEXTS = ("Ein *Tab* ", "— 标签页 ", "😀\n\n", "</b> \"x\" 'y' \\ z")
THOUGHTS = ("Zuerst ", "denken. ")


def planned(prompt: str) -> Plan:
    """The same answer to everything, with the prompt in it, at once."""
    return Plan((*TEXTS, prompt), THOUGHTS, 0.0, 0.0, title=f"About {prompt}", model="grok-9")


@pytest.fixture
def room():
    return Room(planned=planned)


@pytest.fixture
def served(room):
    return Served(Router(routes(room)))


class Asked:
    """Somebody who asks and reads every body into one memory, as a watcher does."""

    def __init__(self, served):
        self.served = served
        self.memory = Memory()
        self.id = None
        self.newest = None

    async def ask(self, prompt):
        path = f"{API}/{self.id}/responses" if self.id else f"{API}/new"
        body = json.dumps({"message": prompt, "parentResponseId": self.newest}).encode()
        assert SITE.sort_request("POST", ORIGIN + path) is RequestKind.ANSWER
        assert prompt_in_request(body) == prompt
        stream = SITE.open_stream(ORIGIN + path, self.memory)
        async for said in self.served.pieces("POST", path, body):
            if isinstance(said, bytes):
                stream.feed(said)
        stream.close()
        heard = stream.conversation()
        self.id, self.newest = heard.id, heard.visible[-1]
        return heard

    async def read(self, method, tail, sent=None):
        path = f"{API}/{self.id}/{tail}"
        body = json.dumps(sent).encode() if sent is not None else b""
        status, raw = await self.served.body(method, path, body)
        assert status == 200
        assert SITE.sort_request(method, ORIGIN + path) is RequestKind.CANONICAL
        return json.loads(raw), SITE.read_body(raw, ORIGIN + path, self.memory)


async def test_a_first_answer_is_heard_as_it_was_planned(served, room):
    heard = await Asked(served).ask("Was?")
    question, answer = heard.messages()
    assert (question.role, question.text) == (Role.USER, "Was?")
    assert answer.text == planned("Was?").text
    assert answer.thinking == "".join(THOUGHTS)
    assert (heard.title, heard.model) == ("About Was?", "grok-9")
    assert heard.standing.complete
    assert [(one.prompt, one.conversation_id) for one in room.ledger.entries] == [
        ("Was?", heard.id)
    ]


async def test_several_turns_are_heard_as_one_conversation_with_ids_of_their_own(served):
    asked = Asked(served)
    for prompt in ("Eins?", "Zwei?", "Drei?"):
        heard = await asked.ask(prompt)
    assert [one.text for one in heard.messages()] == [
        text for prompt in ("Eins?", "Zwei?", "Drei?") for text in (prompt, planned(prompt).text)
    ]
    assert len(set(heard.visible)) == 6
    assert heard.title == "About Eins?"


async def test_what_is_stored_says_the_same_as_the_streams_said(served):
    asked = Asked(served)
    await asked.ask("Eins?")
    heard = await asked.ask("Zwei?")
    fresh = Asked(served)
    fresh.id = heard.id
    nodes, _ = await fresh.read("GET", "response-node?includeThreads=true")
    ids = [node["responseId"] for node in nodes["responseNodes"]]
    assert nodes["inflightResponses"] == []
    _, reading = await fresh.read("POST", "load-responses", {"responseIds": ids})
    (stored,) = reading.conversations
    assert stored.visible == heard.visible
    assert stored.messages() == heard.messages()
    assert stored.standing.complete
    one, _ = await fresh.read("POST", "load-responses", {"responseIds": ids[:1]})
    assert [response["responseId"] for response in one["responses"]] == ids[:1]


async def test_the_prompt_is_written_down_before_the_first_byte(room):
    written = []
    watched = Served(Router(routes(room)), lambda: written.append(room.ledger.prompts("grok")))
    await watched.body("POST", f"{API}/new", json.dumps({"message": "Zuerst das Buch"}).encode())
    assert set(written) == {("Zuerst das Buch",)}


async def test_an_answer_that_was_stopped_is_not_whole_anywhere(room, served):
    room.plan_for = lambda prompt: Plan(("a", "b"), (), 3600.0, 0.0)
    asked = Asked(served)
    stream = SITE.open_stream(f"{ORIGIN}{API}/new", asked.memory)
    async for said in served.pieces("POST", f"{API}/new", json.dumps({"message": "Q"}).encode()):
        stream.feed(said if isinstance(said, bytes) else b"")
        (chat,) = room.conversations["grok"].values()
        asked.id = chat.id
        if chat.exchanges[0].text == "a" and room.telling("grok", chat.id):
            nodes, _ = await asked.read("GET", "response-node")
            assert len(nodes["inflightResponses"]) == 1
            await served.body("POST", f"{API}/{chat.id}/stop-inflight-responses", b"{}")
    stream.close()
    assert chat.exchanges[0].standing is Standing.STOPPED
    assert not stream.conversation().standing.complete
    nodes, _ = await asked.read("GET", "response-node")
    assert nodes["inflightResponses"] == []
    ids = [node["responseId"] for node in nodes["responseNodes"]]
    _, reading = await asked.read("POST", "load-responses", {"responseIds": ids})
    assert reading.conversations[0].turns[-1].text == "a"
    assert not reading.conversations[0].standing.complete


async def test_an_answer_under_way_can_be_heard_again_from_its_beginning(room, served):
    room.plan_for = lambda prompt: Plan((*TEXTS, prompt), THOUGHTS, 0.02, 0.0)
    asked = Asked(served)
    resumed = None
    async for _ in served.pieces("POST", f"{API}/new", json.dumps({"message": "Q"}).encode()):
        (chat,) = room.conversations["grok"].values()
        if resumed is None and chat.exchanges[0].text:
            asked.id = chat.id
            nodes, _ = await asked.read("GET", "response-node")
            (running,) = nodes["inflightResponses"]
            path = f"{API}/reconnect-response-v2/{running['responseId']}"
            assert SITE.sort_request("GET", ORIGIN + path) is RequestKind.RESUME
            status, resumed = await served.body("GET", path)
            assert status == 200
    stream = SITE.open_stream(ORIGIN + path, asked.memory)
    stream.feed(resumed)
    stream.close()
    last = stream.conversation().turns[-1]
    assert (last.text, last.state) == ("".join(TEXTS) + "Q", TurnState.FINISHED)


async def test_the_list_and_the_title_are_read_as_such(served):
    asked = Asked(served)
    heard = await asked.ask("Was?")
    _, listed = await served.body("GET", f"{API}?pageSize=60")
    assert SITE.read_body(listed, ORIGIN + API, Memory()).titles == ((heard.id, "About Was?"),)
    path = f"/rest/app-chat/conversations_v2/{heard.id}"
    _, about = await served.body("GET", path)
    assert SITE.sort_request("GET", ORIGIN + path) is RequestKind.TITLE
    assert SITE.read_body(about, ORIGIN + path, Memory()).titles == ((heard.id, "About Was?"),)


@pytest.mark.parametrize(
    "method, path, sent, status",
    [
        ("POST", f"{API}/new", b"{}", 400),
        ("POST", f"{API}/new", b"no json", 400),
        ("POST", f"{API}/nobody/responses", b'{"message": "x"}', 404),
        ("GET", f"{API}/nobody/response-node", b"", 404),
        ("POST", f"{API}/nobody/load-responses", b'{"responseIds": []}', 404),
        ("GET", f"{API}/reconnect-response-v2/nobody", b"", 404),
        ("GET", "/rest/app-chat/conversations_v2/nobody", b"", 404),
        ("GET", "/assets/server.py", b"", 404),
        ("GET", "/assets/..%2fserver.py", b"", 404),
    ],
)
async def test_what_cannot_be_answered_is_refused_and_not_written_down(
    served, room, method, path, sent, status
):
    assert (await served.body(method, path, sent))[0] == status
    assert room.ledger.entries == ()


@pytest.mark.parametrize("path", ["/", "/c/some", "/assets/app.js", "/assets/markdown.js"])
async def test_the_page_and_its_parts_are_there(served, path):
    status, body = await served.body("GET", path)
    assert (status, bool(body)) == (200, True)


async def test_its_first_name_is_the_one_of_the_page(served):
    assert SITE.page.home == f"https://{HOSTS[0]}/"
    assert (await served.body("GET", "/"))[0] == 200
