"""What the lab's Gemini sends, read as Gemini's: no browser, the server called in-process."""

import json
from urllib.parse import urlencode

import pytest
from starlette.routing import Router

from lab.served import Served
from tabwire.lab.plan import Plan
from tabwire.lab.replicas.gemini import HOSTS, routes
from tabwire.lab.replicas.gemini.server import DATA, GENERATE, STOP
from tabwire.lab.room import Room, Standing
from tabwire.model.signals import Noted, TextReplaced
from tabwire.sites.gemini import SITE
from tabwire.sites.gemini.requests import prompt_in_request
from tabwire.sites.memory import Memory
from tabwire.sites.site import RequestKind

pytestmark = pytest.mark.asyncio

ORIGIN = "https://gemini.google.com"
TEXTS = ("Ein *Tab* ", "— 标签页 ", "😀\n\n", "</b> \"x\" 'y' \\ z = & ")
THOUGHTS = ("**Zuerst**\n\ndenken. ", "Dann reden.")


def planned(prompt: str) -> Plan:
    """The same answer to everything, with the prompt in it, at once."""
    return Plan((*TEXTS, prompt), THOUGHTS, 0.0, 0.0, title=f"About {prompt}", model="9 Pro")


@pytest.fixture
def room():
    return Room(planned=planned)


@pytest.fixture
def served(room):
    return Served(Router(routes(room)))


def asking(prompt, chat="", response="", candidate=""):
    """The body of a request, as the real page writes it."""
    inner = [[prompt, 0, None, None], ["en"], [chat, response, candidate], None]
    return form([None, json.dumps(inner, ensure_ascii=False)])


def calling(*calls):
    return form([[[name, json.dumps(payload), None, "generic"] for name, payload in calls]])


def form(value):
    return urlencode({"f.req": json.dumps(value), "at": "token"}).encode()


class Asked:
    """Somebody who asks and reads every body into one memory, as a watcher does."""

    def __init__(self, served):
        self.served = served
        self.memory = Memory()
        self.ids = ()

    async def ask(self, prompt):
        body = asking(prompt, *self.ids)
        assert prompt_in_request(body) == prompt
        assert SITE.sort_request("POST", ORIGIN + GENERATE) is RequestKind.ANSWER
        stream = SITE.open_stream(ORIGIN + GENERATE, self.memory)
        signals = []
        async for said in self.served.pieces("POST", f"{GENERATE}?rt=c", body):
            if isinstance(said, bytes):
                signals += stream.feed(said)
        signals += stream.close()
        assert not [one for one in signals if isinstance(one, Noted | TextReplaced)]
        heard = stream.conversation()
        self.ids = (f"c_{heard.id}",)
        return heard

    async def call(self, *calls):
        names = ",".join(name for name, _ in calls)
        path = f"{DATA}/batchexecute?rpcids={names}&rt=c"
        status, raw = await self.served.body("POST", path, calling(*calls))
        assert status == 200
        reading = SITE.read_body(raw, ORIGIN + path, self.memory)
        assert reading.problems == ()
        return SITE.sort_request("POST", ORIGIN + path), reading


async def test_an_answer_is_heard_as_it_was_planned(served, room):
    heard = await Asked(served).ask("Was?")
    (answer,) = heard.turns
    assert answer.text == planned("Was?").text
    assert answer.thinking == "".join(THOUGHTS)
    assert (heard.title, heard.model) == ("About Was?", "gemini-9-pro")
    assert heard.standing.complete
    assert "byte_count" in heard.standing.evidence
    assert [(one.prompt, one.conversation_id) for one in room.ledger.entries] == [
        ("Was?", heard.id)
    ]


async def test_several_turns_are_stored_as_the_streams_told_them(served):
    asked = Asked(served)
    prompts = ("Eins?", "Zwei?", "Drei?")
    heard = [await asked.ask(prompt) for prompt in prompts]
    assert len({one.id for one in heard}) == 1
    assert len({one.turns[0].id for one in heard}) == 3
    kind, reading = await asked.call(("hNvQHb", [*asked.ids, 10, None, 1, [1], [4], None, 1]))
    (stored,) = reading.conversations
    assert kind is RequestKind.CANONICAL
    assert (stored.id, stored.title) == (heard[0].id, "About Eins?")
    assert [one.text for one in stored.messages()] == [
        text for prompt in prompts for text in (prompt, planned(prompt).text)
    ]
    answers = [turn for turn in stored.turns if turn.text.startswith("Ein *Tab*")]
    assert [turn.id for turn in answers] == [one.turns[0].id for one in heard]
    assert [turn.thinking for turn in answers] == [one.turns[0].thinking for one in heard]
    assert stored.standing.complete


async def test_the_prompt_is_written_down_before_the_first_byte(room):
    written = []
    watched = Served(Router(routes(room)), lambda: written.append(room.ledger.prompts("gemini")))
    await watched.body("POST", GENERATE, asking("Zuerst das Buch"))
    assert set(written) == {("Zuerst das Buch",)}


async def test_an_answer_that_was_stopped_is_not_whole_anywhere(room, served):
    room.plan_for = lambda prompt: Plan(("a", "b"), (), 3600.0, 0.0)
    asked = Asked(served)
    stream = SITE.open_stream(ORIGIN + GENERATE, asked.memory)
    async for said in served.pieces("POST", GENERATE, asking("Q")):
        stream.feed(said if isinstance(said, bytes) else b"")
        (chat,) = room.conversations["gemini"].values()
        if chat.exchanges[0].text == "a" and room.telling("gemini", chat.id):
            await asked.call((STOP, [f"c_{chat.id}"]))
    stream.close()
    assert chat.exchanges[0].standing is Standing.STOPPED
    assert stream.conversation().turns[0].text == "a"
    assert not stream.conversation().standing.complete
    _, reading = await asked.call(("hNvQHb", [f"c_{chat.id}", 10]))
    (stored,) = reading.conversations
    assert stored.turns[-1].text == "a"
    assert not stored.standing.complete


async def test_the_list_names_every_conversation_the_newest_first(served):
    first, second = await Asked(served).ask("Eins?"), await Asked(served).ask("Zwei?")
    kind, reading = await Asked(served).call(("MaZiqc", [13, None, [0, None, 1]]))
    assert kind is RequestKind.LIST
    assert reading.titles == ((second.id, "About Zwei?"), (first.id, "About Eins?"))


async def test_several_calls_in_one_request_are_all_answered(served):
    asked = Asked(served)
    heard = await asked.ask("Was?")
    kind, reading = await asked.call(
        ("MaZiqc", [13]), ("ESY5D", []), ("hNvQHb", [f"c_{heard.id}", 10])
    )
    assert kind is RequestKind.CANONICAL
    assert reading.titles == ((heard.id, "About Was?"),)
    assert reading.conversations[0].id == heard.id


async def test_a_conversation_that_is_not_there_is_empty(served):
    _, reading = await Asked(served).call(("hNvQHb", ["c_0123456789abcdef", 10]))
    assert reading.conversations == ()


@pytest.mark.parametrize(
    "method, path, sent, status",
    [
        ("POST", GENERATE, b"", 400),
        ("POST", GENERATE, form([None, "no json"]), 400),
        ("POST", GENERATE, form([None, "[[]]"]), 400),
        ("POST", GENERATE, asking("x", "c_nobody"), 400),
        ("POST", f"{DATA}/batchexecute", b"", 400),
        ("POST", f"{DATA}/batchexecute", form([[["hNvQHb"]]]), 400),
        ("GET", "/assets/server.py", b"", 404),
        ("GET", "/assets/..%2fserver.py", b"", 404),
    ],
)
async def test_what_cannot_be_answered_is_refused_and_not_written_down(
    served, room, method, path, sent, status
):
    assert (await served.body(method, path, sent))[0] == status
    assert room.ledger.entries == ()


@pytest.mark.parametrize("path", ["/app", "/app/some", "/assets/app.js", "/assets/markdown.js"])
async def test_the_page_and_its_parts_are_there(served, path):
    status, body = await served.body("GET", path)
    assert (status, bool(body)) == (200, True)


async def test_its_first_name_is_the_one_of_the_page(served):
    assert SITE.page.home == f"https://{HOSTS[0]}/app"
    assert (await served.body("GET", "/"))[0] == 302
