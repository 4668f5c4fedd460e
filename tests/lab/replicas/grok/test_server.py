"""What the lab's Grok sends, read as Grok's: no browser, the server called in-process."""

import json

import pytest
from starlette.routing import Router

from lab.served import Served
from tabwire.lab.ledger import Deed
from tabwire.lab.plan import Plan, plan_for
from tabwire.lab.replicas.grok import HOSTS, routes
from tabwire.lab.replicas.grok.stored import LONG, ids_of, long_id, welcome_id
from tabwire.lab.room import Room, Standing
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.script import text_of
from tabwire.model.conversation import Role, TurnState
from tabwire.model.signals import Refusal, Refused
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


async def test_an_answer_that_was_stopped_is_stored_as_if_it_were_whole(room, served):
    room.plan_for = lambda prompt: Plan(("a", "b"), (), 3600.0, 0.0)
    asked = Asked(served)
    stream = SITE.open_stream(f"{ORIGIN}{API}/new", asked.memory)
    async for said in served.pieces("POST", f"{API}/new", json.dumps({"message": "Q"}).encode()):
        stream.feed(said if isinstance(said, bytes) else b"")
        *_, chat = room.conversations["grok"].values()
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
    assert reading.conversations[0].standing.complete  # the site has no mark for it


async def test_an_answer_under_way_can_be_heard_again_from_its_beginning(room, served):
    room.plan_for = lambda prompt: Plan((*TEXTS, prompt), THOUGHTS, 0.3, 0.0)
    asked = Asked(served)
    resumed = None
    async for _ in served.pieces("POST", f"{API}/new", json.dumps({"message": "Q"}).encode()):
        *_, chat = room.conversations["grok"].values()
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
    titles = SITE.read_body(listed, ORIGIN + API, Memory()).titles
    assert titles[:2] == ((heard.id, "About Was?"), (welcome_id(), "Welcome to the lab"))
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


def deeds(room):
    return [(entry.kind, entry.conversation_id) for entry in room.ledger.entries]


async def test_everything_that_is_read_is_written_down(served, room):
    named = welcome_id()
    await served.body("GET", API)
    await served.body("GET", f"/rest/app-chat/conversations_v2/{named}")
    await served.body("GET", f"{API}/{named}/response-node")
    await served.body("POST", f"{API}/{named}/load-responses", b'{"responseIds": []}')
    assert deeds(room) == [(Deed.LIST, ""), *[(Deed.READ, named)] * 3]


async def test_the_list_is_read_page_by_page(served, room):
    seen, cursor = [], ""
    for _ in range(3):
        _, raw = await served.body("GET", f"{API}?pageSize=1{cursor}")
        page = json.loads(raw)
        seen += [one["conversationId"] for one in page["conversations"]]
        cursor = f"&cursor={page.get('nextCursor', 'nobody')}"
    assert seen == [welcome_id(), long_id()]
    assert "nextCursor" not in page


async def test_the_long_chat_is_read_whole(served):
    reader = Asked(served)
    reader.id = long_id()
    nodes, _ = await reader.read("GET", "response-node")
    ids = [node["responseId"] for node in nodes["responseNodes"]]
    _, reading = await reader.read("POST", "load-responses", {"responseIds": ids})
    (stored,) = reading.conversations
    assert len(stored.messages()) == 2 * LONG
    assert stored.standing.complete


async def test_a_tab_with_a_past_has_it_in_whichever_chat_it_opens(served):
    served.headers["referer"] = f"{ORIGIN}/c/x?lab=past:4"
    chosen = "0b0b0b0b-1111-4222-8333-444444444444"
    _, raw = await served.body("GET", f"{API}/{chosen}/response-node")
    assert len(json.loads(raw)["responseNodes"]) == 8
    _, raw = await served.body("GET", API)
    listed = [one["title"] for one in json.loads(raw)["conversations"]]
    assert listed == ["Welcome to the lab", "A long talk, 4 questions"]


async def test_a_file_is_uploaded_and_named_in_the_question(served, room):
    sent = {"fileName": "ü.txt", "fileMimeType": "text/plain", "content": "MDEyMw=="}
    _, raw = await served.body("POST", "/rest/app-chat/upload-file", json.dumps(sent).encode())
    (entry,) = room.ledger.entries
    assert (entry.kind, entry.files, entry.bytes) == (Deed.UPLOAD, ("ü.txt",), 4)
    named = json.loads(raw)["fileMetadataId"]
    asked = {"message": "Lies!", "fileAttachments": [named]}
    _, raw = await served.body("POST", f"{API}/new", json.dumps(asked).encode())
    assert room.ledger.asked()[0].files == ("ü.txt",)
    stream = SITE.open_stream(f"{ORIGIN}{API}/new", Memory())
    stream.feed(raw)
    (attached,) = stream.conversation().turns[0].attachments
    assert (attached.ref, attached.name) == (named, "ü.txt")


@pytest.mark.parametrize(
    "body", [b"{}", b"no json", b'{"fileName": "a", "content": "\xc3\xbc no base64"}']
)
async def test_what_is_no_file_is_refused(served, room, body):
    assert (await served.body("POST", "/rest/app-chat/upload-file", body))[0] == 400
    assert room.ledger.entries == ()


async def test_an_answer_is_stopped_by_its_own_name(served, room):
    room.plan_for = lambda prompt: Plan(("a", "b"), (), 3600.0, 0.0)
    async for _ in served.pieces("POST", f"{API}/new", b'{"message": "Q"}'):
        *_, chat = room.conversations["grok"].values()
        if room.telling("grok", chat.id):
            answer = ids_of(chat.exchanges[0])[1]
            path = f"{API}/{chat.id}/inflight-response/{answer}"
            assert SITE.sort_request("DELETE", ORIGIN + path) is RequestKind.STOP
            assert (await served.body("DELETE", path))[0] == 200
    assert chat.exchanges[0].standing is Standing.STOPPED
    assert (await served.body("DELETE", f"{API}/inflight-response/{answer}"))[0] == 200
    assert (await served.body("DELETE", f"{API}/inflight-response/nobody"))[0] == 404
    assert [kind for kind, _ in deeds(room)].count(Deed.STOP) == 2


async def test_a_private_chat_is_not_listed_and_a_projects_chat_says_whose_it_is(served, room):
    for more in ({"temporary": True}, {"workspaceIds": ["p1"]}):
        sent = json.dumps({"message": f"Q {more}"} | more).encode()
        _, raw = await served.body("POST", f"{API}/new", sent)
        opened = json.loads(raw.split(b"\n")[0])["result"]["conversation"]
        assert opened["temporary"] is ("temporary" in more)
        assert bool(opened["workspaces"]) is ("workspaceIds" in more)
    _, raw = await served.body("GET", API)
    assert len(json.loads(raw)["conversations"]) == 3


async def test_a_page_whose_session_is_over_may_ask_nothing(served, room):
    served.headers["referer"] = f"{ORIGIN}/?lab=login:expired"
    status, raw = await served.body("POST", f"{API}/new", b'{"message": "Q"}')
    assert (status, SITE.read_body(raw, None, Memory()).refusal.kind) == (401, Refusal.LOGIN)
    assert [(one.prompt, one.refused) for one in room.ledger.asked()] == [("Q", "login")]


REFUSED = [
    ("limit", 429, Refusal.RATE_LIMIT),
    ("limit-until", 429, Refusal.RATE_LIMIT),
    ("session-over", 401, Refusal.LOGIN),
    ("challenged", 403, Refusal.CHALLENGE),
    ("blocked", 403, Refusal.BLOCKED),
    ("fault", 500, Refusal.ERROR),
]


@pytest.mark.parametrize("story, status, kind", REFUSED)
async def test_a_refusal_is_read_as_what_it_is(served, room, story, status, kind):
    room.plan_for = plan_for
    sent = json.dumps({"message": f"Nein\nlab: story={story}"}).encode()
    got, raw = await served.body("POST", f"{API}/new", sent)
    stream = SITE.open_stream(f"{ORIGIN}{API}/new", Memory())
    said = [*stream.feed(raw), *stream.close()]
    assert got == status
    assert [one.kind for one in said if isinstance(one, Refused)] == [kind]
    assert room.ledger.asked()[0].refused == str(STORIES[story].refuse)
    assert len(room.conversations["grok"]) == 3, "nothing is stored of it"


LEFT = [("limit", None), ("limit-until", 1800), ("limit-asked", 1800), ("", None)]


@pytest.mark.parametrize("story, wait", LEFT)
async def test_how_long_one_waits_is_told_where_it_is_known(served, room, story, wait):
    room.plan_for = plan_for
    sent = json.dumps({"message": f"Q\nlab: story={story or 'plain'} every=0 first=0"}).encode()
    await served.body("POST", f"{API}/new", sent)
    _, raw = await served.body("POST", "/rest/rate-limits", b"{}")
    left = json.loads(raw)
    assert (left["remainingQueries"] == 0, left.get("waitTimeSeconds")) == (bool(story), wait)
    refusal = SITE.read_body(raw, f"{ORIGIN}/rest/rate-limits", Memory()).refusal
    assert (refusal and refusal.resets_in) == wait


MIDWAY = [("error", Refusal.ERROR), ("limit-midway", Refusal.RATE_LIMIT)]


@pytest.mark.parametrize("story, kind", MIDWAY)
async def test_giving_up_in_the_middle_is_read_as_such(served, room, story, kind):
    room.plan_for = plan_for
    sent = json.dumps({"message": f"Q\nlab: story={story} pieces=20 every=0 first=0"}).encode()
    _, raw = await served.body("POST", f"{API}/new", sent)
    stream = SITE.open_stream(f"{ORIGIN}{API}/new", Memory())
    said = [*stream.feed(raw), *stream.close()]
    assert [one.kind for one in said if isinstance(one, Refused)] == [kind]
    heard = stream.conversation()
    assert heard.turns[-1].state is TurnState.FAILED
    assert heard.turns[-1].text
    assert not heard.standing.complete


STORIES_TOLD = ["think", "tools", "preamble", "early-hint", "duplicate", "reorder"]


@pytest.mark.parametrize("story", STORIES_TOLD)
async def test_what_is_told_in_a_story_is_heard(served, room, story):
    room.plan_for = plan_for
    prompt = f"Q\nlab: story={story} pieces=20 think=3 every=0.001 first=0 pace=10000"
    heard = await Asked(served).ask(prompt)
    told = STORIES[story]
    assert heard.turns[-1].text == text_of(plan_for(prompt), told.script)
    assert heard.turns[-1].thinking.startswith("".join(plan_for(prompt).thoughts))
    assert heard.standing.complete


async def test_a_stream_that_hands_off_is_taken_up_by_a_second_request(served, room):
    room.plan_for = plan_for
    prompt = "Q\nlab: story=handoff-resume pieces=20 every=0.02 first=0"
    asked = Asked(served)
    first = await asked.ask(prompt)
    assert not first.standing.complete
    assert first.turns[-1].text
    path = f"{API}/reconnect-response-v2/{first.visible[-1]}"
    _, raw = await served.body("GET", path)
    stream = SITE.open_stream(ORIGIN + path, asked.memory)
    stream.feed(raw)
    stream.close()
    assert stream.conversation().turns[-1].text == plan_for(prompt).text
    assert stream.conversation().standing.complete
    assert [kind for kind, _ in deeds(room)] == [Deed.PROMPT, Deed.RESUME]


async def test_an_answer_the_site_has_lost_is_neither_running_nor_whole(served, room):
    room.plan_for = plan_for
    asked = Asked(served)
    first = await asked.ask("Q\nlab: story=no-end-for-good pieces=20 every=0 first=0 pace=1000")
    telling = room.telling("grok", first.id)
    if telling is not None:
        await telling.over()
    nodes, _ = await asked.read("GET", "response-node")
    assert nodes["inflightResponses"] == []
    assert (await served.body("GET", f"{API}/reconnect-response-v2/{first.visible[-1]}"))[0] == 404
    loaded, _ = await asked.read("POST", "load-responses", {"responseIds": [first.visible[-1]]})
    assert [one["partial"] for one in loaded["responses"]] == [True]
