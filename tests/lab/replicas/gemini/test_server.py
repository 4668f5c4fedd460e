"""What the lab's Gemini sends, read as Gemini's: no browser, the server called in-process."""

import asyncio
import json
import re
from urllib.parse import urlencode

import pytest
from starlette.routing import Router

from lab.served import Served
from tabwire.lab.ledger import Deed
from tabwire.lab.plan import Plan
from tabwire.lab.replicas.gemini import HOSTS, routes
from tabwire.lab.replicas.gemini.past import LONG, LONG_TURNS, WELCOME
from tabwire.lab.replicas.gemini.server import DATA, GENERATE, STOP
from tabwire.lab.room import Room, Standing
from tabwire.lab.stories.known import STORIES
from tabwire.model.signals import Noted, Refusal, Refused, StreamClosed, TextReplaced, ToolStepped
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


def asking(prompt, chat="", response="", candidate="", *, at="", files=None, more=()):
    """The body of a request, as the real page writes it."""
    inner = [[prompt, 0, None, files], ["en"], [chat, response, candidate], None]
    inner += [None] * 43
    for place, value in more:
        inner[place] = value
    return form([None, json.dumps(inner, ensure_ascii=False)], at)


def calling(*calls, at=""):
    return form([[[name, json.dumps(payload), None, "generic"] for name, payload in calls]], at)


def form(value, at=""):
    return urlencode({"f.req": json.dumps(value), "at": at}).encode()


async def token(served):
    """The page's own, against forged requests."""
    _, body = await served.body("GET", "/app")
    return re.search(rb'SNlM0e: "([^"]+)"', body)[1].decode()


class Asked:
    """Somebody who asks and reads every body into one memory, as a watcher does."""

    def __init__(self, served):
        self.served = served
        self.memory = Memory()
        self.ids = ()

    async def hear(self, prompt, **more):
        """The signals of an answer, whatever becomes of it."""
        body = asking(prompt, *self.ids, at=await token(self.served), **more)
        stream = SITE.open_stream(ORIGIN + GENERATE, self.memory)
        signals = []
        async for said in self.served.pieces("POST", f"{GENERATE}?rt=c", body):
            if isinstance(said, bytes):
                signals += stream.feed(said)
        return signals + stream.close(), stream.conversation()

    async def ask(self, prompt):
        body = asking(prompt, *self.ids, at=await token(self.served))
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
        sent = calling(*calls, at=await token(self.served))
        status, raw = await self.served.body("POST", path, sent)
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
    at = await token(watched)
    written.clear()
    await watched.body("POST", GENERATE, asking("Zuerst das Buch", at=at))
    assert set(written) == {("Zuerst das Buch",)}


async def test_an_answer_that_was_stopped_is_not_whole_anywhere(room, served):
    room.plan_for = lambda prompt: Plan(("a", "b"), (), 3600.0, 0.0)
    asked = Asked(served)
    stream = SITE.open_stream(ORIGIN + GENERATE, asked.memory)
    async for said in served.pieces("POST", GENERATE, asking("Q", at=await token(served))):
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
    asked = ((second.id, "About Zwei?"), (first.id, "About Eins?"))
    assert reading.titles[:2] == asked
    assert [chat for chat, _ in reading.titles[2:]] == [WELCOME, LONG]


async def test_several_calls_in_one_request_are_all_answered(served):
    asked = Asked(served)
    heard = await asked.ask("Was?")
    kind, reading = await asked.call(
        ("MaZiqc", [13]), ("ESY5D", []), ("hNvQHb", [f"c_{heard.id}", 10])
    )
    assert kind is RequestKind.CANONICAL
    assert reading.titles[0] == (heard.id, "About Was?")
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
        ("POST", GENERATE, asking("x"), 400),
        ("POST", f"/u/0{GENERATE}", asking("x", at="forged"), 400),
        ("POST", f"{DATA}/batchexecute", calling(("MaZiqc", [13])), 400),
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


async def test_nobody_asks_in_a_conversation_that_is_not_there(served, room):
    sent = asking("x", "c_nobody", at=await token(served))
    assert (await served.body("POST", GENERATE, sent))[0] == 400
    assert room.ledger.entries == ()


PAGES = ["/app", "/app/some", "/gem/lab", "/gem/lab/some", "/u/1/app/some", "/u/0/gem/lab/some"]


@pytest.mark.parametrize("path", [*PAGES, "/assets/app.js", "/assets/markdown.js"])
async def test_the_page_and_its_parts_are_there(served, path):
    status, body = await served.body("GET", path)
    assert (status, bool(body)) == (200, True)


async def test_its_first_name_is_the_one_of_the_page(served):
    assert SITE.page.home == f"https://{HOSTS[0]}/app"
    assert (await served.body("GET", "/"))[0] == 302


def story(name):
    """A room in which every prompt plays this story, fast."""
    plan = Plan(TEXTS * 5, THOUGHTS, 0.0, 0.0, title="Told", model="9 Pro", story=name, pace=1e6)
    return Room(planned=lambda prompt: plan), plan


def refusals(signals):
    return [(one.kind, one.code) for one in signals if isinstance(one, Refused)]


@pytest.mark.parametrize(
    "name, kind, code",
    [
        ("fault", Refusal.ERROR, "1013"),
        ("limit", Refusal.RATE_LIMIT, "1037"),
        ("limit-until", Refusal.RATE_LIMIT, "1037"),
        ("blocked", Refusal.BLOCKED, "1060"),
    ],
)
async def test_a_refusal_is_an_error_frame_with_http_200(name, kind, code):
    room, _ = story(name)
    served = Served(Router(routes(room)))
    at = await token(served)
    status, body = await served.body("POST", GENERATE, asking("No", at=at))
    signals, _ = await Asked(served).hear("No")
    assert (status, refusals(signals)) == (200, [(kind, code)])
    assert (b'"28' in body) == (name == "limit-until")
    assert [one.refused for one in room.ledger.asked()] == [str(STORIES[name].refuse)] * 2
    assert room.conversations["gemini"] == {}


async def test_a_session_that_is_over_is_401(served):
    room, _ = story("session-over")
    served = Served(Router(routes(room)))
    at = await token(served)
    status, _ = await served.body("POST", GENERATE, asking("No", at=at))
    assert (status, room.ledger.entries[0].refused) == (401, "login")


async def test_a_challenge_is_a_web_page():
    room, _ = story("challenged")
    served = Served(Router(routes(room)))
    signals, _ = await Asked(served).hear("No")
    assert [kind for kind, _ in refusals(signals)] == [Refusal.CHALLENGE]


@pytest.mark.parametrize("name, code", [("error", "1013"), ("limit-midway", "1037")])
async def test_a_site_that_gives_up_says_so_in_its_own_stream(name, code):
    room, plan = story(name)
    signals, heard = await Asked(Served(Router(routes(room)))).hear("Half")
    assert [found for _, found in refusals(signals)] == [code]
    assert signals[-1] == StreamClosed(True, 0)
    (answer,) = heard.turns
    assert answer.text
    assert plan.text.startswith(answer.text)
    assert not heard.standing.complete


TOLD = [
    one for one in STORIES.values() if "gemini" in one.sites and one.script and one.refuse is None
]
WHOLE = [one.name for one in TOLD if one.outcome == "complete" and not one.answer]


@pytest.mark.parametrize("name", WHOLE)
async def test_what_a_story_tells_is_stored_whole_and_never_called_so_early(name):
    room, plan = story(name)
    asked = Asked(Served(Router(routes(room))))
    broken = name in ("cut", "no-end")
    try:
        _, heard = await asked.hear("Tell")
    except BaseExceptionGroup:
        assert name == "cut"
        heard = None
    (chat,) = room.conversations["gemini"].values()
    async with asyncio.timeout(30):
        while telling := room.telling("gemini", chat.id):
            await telling.over()
    assert chat.exchanges[0].text == plan.text
    if heard is not None:
        assert heard.standing.complete == (not broken)
        assert broken or heard.turns[0].text == plan.text
    _, reading = await asked.call(("hNvQHb", [f"c_{chat.id}", 10]))
    (stored,) = reading.conversations
    assert stored.turns[-1].text == plan.text
    assert stored.standing.complete


async def test_tools_are_named_while_they_work():
    room, _ = story("tools")
    signals, _ = await Asked(Served(Router(routes(room)))).hear("Search")
    names = [one.name for one in signals if isinstance(one, ToolStepped)]
    assert names == ["web.search", "python"]


async def test_a_very_long_answer_does_not_travel_a_million_times(served, room):
    room.plan_for = lambda prompt: Plan(("0123456789" * 100,) * 1000, (), 0.0, 0.0)
    size, pieces = 0, served.pieces("POST", GENERATE, asking("Q", at=await token(served)))
    stream = SITE.open_stream(ORIGIN + GENERATE, Memory())
    async for said in pieces:
        size += len(said) if isinstance(said, bytes) else 0
        stream.feed(said if isinstance(said, bytes) else b"")
    stream.close()
    assert stream.conversation().turns[0].text == "0123456789" * 100_000
    assert stream.conversation().standing.complete
    assert size < 30_000_000


async def test_a_long_chat_is_read_page_by_page_the_newest_first(served, room):
    asked = Asked(served)
    at = await token(served)
    questions, cursor = [], None
    while True:
        sent = calling(("hNvQHb", [f"c_{LONG}", 25, cursor, 1, [1], [4], None, 1]), at=at)
        _, raw = await served.body("POST", f"{DATA}/batchexecute?rpcids=hNvQHb", sent)
        line = next(one for one in raw.splitlines() if one.startswith(b'[["wrb.fr"'))
        turns, cursor = json.loads(json.loads(line)[0][2])
        questions += [turn[2][0][0] for turn in turns]
        if cursor is None:
            break
    assert questions == [f"Question {n} of {LONG_TURNS}" for n in range(LONG_TURNS, 0, -1)]
    assert len(room.ledger.of(Deed.READ)) == 3
    assert room.conversations["gemini"] == {}
    _, reading = await asked.call(("MaZiqc", [1, None, [0, None, 1]]))
    assert [chat for chat, _ in reading.titles] == [WELCOME]


async def test_somebody_asks_in_an_old_chat_and_it_goes_on(served, room):
    asked = Asked(served)
    asked.ids = (f"c_{WELCOME}",)
    heard = await asked.ask("Und?")
    assert heard.id == WELCOME
    assert [one.prompt for one in room.chat("gemini", WELCOME).exchanges][1:] == ["Und?"]


async def test_a_temporary_chat_is_in_no_list_and_a_gem_is_remembered(served, room):
    asked = Asked(served)
    _, secret = await asked.hear("Geheim", more=[(45, 1)])
    _, gem = await asked.hear("Edel", more=[(19, "lab-partner")])
    _, reading = await asked.call(("MaZiqc", [13, None, [0, None, 1]]))
    assert secret.id not in dict(reading.titles)
    assert gem.id in dict(reading.titles)
    assert room.chat("gemini", gem.id).folder == "lab-partner"


async def test_files_go_with_the_prompt(served, room):
    files = [[["/contrib_service/ttl_1d/1", 1, None, "text/plain"], "a.txt"]]
    await Asked(served).hear("Lies", files=files)
    assert room.ledger.asked()[0].files == ("a.txt",)


async def test_an_address_that_makes_no_sense_is_told_so(served):
    status, body = await served.body("GET", "/app?lab=lang:xx")
    assert status == 400
    assert b"lang must be one of" in body


@pytest.mark.parametrize(
    "words, status, holds",
    [
        ("login:wall", 200, b"accounts.google.com/ServiceLogin"),
        ("challenge", 429, b'id="captcha-form"'),
        ("lang:ar", 200, b'lang="ar" dir="rtl"'),
    ],
)
async def test_pages_before_the_page(served, words, status, holds):
    found, body = await served.body("GET", f"/app?lab={words}")
    assert (found, holds in body) == (status, True)
    assert b"Tabwire lab: a stand-in, not Gemini" in body
