"""What the dashboard is told: everything there is to see, as plain words, whenever it changed."""

import asyncio
import json

import pytest
import pytest_asyncio

from kit.dashboard import session_of
from kit.relay_hub import relay_hub
from kit.relay_peer import FakeChrome, SentAway
from tabwire import __version__
from tabwire.doors.http import dashboard as subject
from tabwire.doors.http.board import plain, safe_address
from tabwire.hub.browsers.routes import InUse
from tabwire.hub.relay.extension_files import extension_version
from tabwire.model.ask import AskRequest, Completeness, Phase
from tabwire.model.job import Asker, Door

SECONDS = 60.0
ME = Asker("me", Door.MCP, "Claude Code")

ADDRESSES = [
    ("https://chatgpt.com/c/1", True),
    ("https://gemini.google.com/app/1?x=1#y", True),
    ("http://chatgpt.com/c/1", False),
    ("javascript:alert(1)", False),
    ("JaVaScRiPt:alert(1)", False),
    ("data:text/html,<script>alert(1)</script>", False),
    ("https:chatgpt.com", False),
    ("https://me:secret@chatgpt.com/", False),
    ("https://chatgpt.com\\@evil.example/", False),
    ("https://chatgpt.com/\nx", False),
    ("https://[", False),
    ("//evil.example/", False),
    ("", False),
    (None, False),
]


@pytest.mark.parametrize("url, fine", ADDRESSES)
def test_an_address_is_told_only_where_a_browser_may_go(url, fine):
    assert safe_address(url) == (url if fine else None)


WORDS = [
    ("two\n\n  lines\tof it", "two lines of it"),
    ("a\x00b\x1b[31mc\u202ed\u2066e", "ab[31mcde"),
    ("half \ud800 a character", "half  a character"),
    ("日本語\u3000です", "日本語 です"),
    ("x" * 50, "x" * 19 + "…"),
    (None, ""),
]


@pytest.mark.parametrize("text, shown", WORDS)
def test_words_are_one_plain_line(text, shown):
    assert plain(text, 20) == shown


@pytest_asyncio.fixture
async def hub(tmp_path, monkeypatch):
    async with asyncio.timeout(SECONDS), relay_hub(tmp_path, monkeypatch) as hub:
        yield hub


async def board(hub):
    more = {"authorization": None, **await session_of(hub.door)}
    answer = await hub.door.ask("GET", "/dashboard/api/board", **more)
    assert answer.status == 200, answer.raw
    return answer.json


@pytest.mark.asyncio
async def test_hub_jobs_and_tabs_are_told(hub):
    jobs = hub.door.jobs
    one, two, three = await jobs.submit(
        [AskRequest("grok", f"question {number}\nand more") for number in range(3)], ME
    )
    await jobs.at(one.id, Phase.ANSWERING, 12)
    await jobs.answer(two.id, "<script>alert(1)</script>")
    await jobs.answer(three.id, "half", completeness=Completeness.STOPPED)
    hub.door.hub.browsers.in_use = (
        InUse("T1", "https://grok.com/c/1?secret=1", "A title", "extension", job=one.id),
        InUse("T2", "about:blank", "", "browser", by="reading the question back"),
    )
    told = await board(hub)
    about = told["hub"]
    assert (about["version"], about["port"]) == (__version__, hub.port)
    assert (about["working"], about["started_at"]) == (1, hub.door.hub.started_at)
    (working,) = told["working"]
    assert (working["site"], working["phase"], working["characters"]) == ("grok", "answering", 12)
    assert (working["prompt"], working["who"]) == ("question 0 and more", "Claude Code")
    third, second = told["last"]
    assert (second["answer"], second["complete"]) == ("<script>alert(1)</script>", True)
    assert (third["complete"], third["url"]) == (False, "https://example.org/c/job-3")
    assert [(tab["title"], tab["place"], tab["by"]) for tab in told["tabs"]] == [
        ("A title", "grok.com", "Claude Code"),
        ("", "", "reading the question back"),
    ]
    assert "secret=1" not in json.dumps(told)


@pytest.mark.asyncio
async def test_the_extension_is_told_with_both_versions_or_why_there_is_none(hub):
    extension = (await board(hub))["extension"]
    assert (extension["connected"], extension["used"]) == (False, None)
    assert extension["why"]["message"] == "no extension has been paired"
    assert "tabwire extension pair" in extension["why"]["what_to_do"]
    assert extension["ours"] == extension_version()
    peer = await hub.paired(version="9.9.9")
    extension = (await board(hub))["extension"]
    assert (extension["connected"], extension["why"]) == (True, None)
    assert (extension["used"]["version"], extension["version"]) == ("9.9.9", __version__)
    await peer.say({"on": "switched", "enabled": False, "sites": {}})
    await peer.acked()
    off = (await board(hub))["extension"]
    assert "switched off in its popup" in off["why"]["message"]
    await peer.close()
    told = json.dumps(await board(hub))
    assert "has not been seen since" in told
    assert peer.key not in told


@pytest.mark.asyncio
async def test_a_code_is_never_told_only_which_one_it_is_and_who_typed_it(hub):
    shown = await hub.relays.pair()
    extension = (await board(hub))["extension"]
    assert (extension["code_number"], extension["code_shown"]) == (shown.number, True)
    assert shown.code not in json.dumps(extension)
    again = await hub.relays.pair()
    assert again.number == shown.number + 1
    async with hub.peer() as peer:
        await peer.pair(again.code)
        extension = (await board(hub))["extension"]
        assert extension["code_typed_by"] == extension["used"]["name"]
        assert (extension["code_number"], extension["code_shown"]) == (again.number, False)
    await hub.relays.pair()
    assert (await board(hub))["extension"]["code_typed_by"] is None


@pytest.mark.asyncio
async def test_a_tab_that_a_command_uses_through_the_extension_is_told(hub):
    peer = await hub.paired()
    chrome = FakeChrome(peer)
    tab = chrome.add("https://grok.com/", title="Mine")
    async with hub.relays.line() as line:
        await line.tabs.attach(chrome.target(tab))
        (used,) = hub.relays.in_use
        assert (used.title, [client.name for client in used.clients]) == ("Mine", ["tabwire"])
    assert hub.relays.in_use == []
    await peer.close()


# --- live ----------------------------------------------------------------------------------------


class Live:
    """The stream, read as a browser reads it."""

    def __init__(self, reader):
        self._reader = reader

    async def next(self, name="board"):
        event = ""
        while True:
            said = await self._reader.readline()
            assert said, "it was cut off"
            line = said.decode().strip()
            if line.startswith("event: "):
                event = line.removeprefix("event: ")
            elif line.startswith("data: ") and event == name:
                return json.loads(line.removeprefix("data: "))

    async def until(self, fits):
        while not fits(told := (await self.next())["board"]):
            pass
        return told


@pytest_asyncio.fixture
async def live(hub):
    session = await session_of(hub.door)
    reader, writer = await asyncio.open_connection("127.0.0.1", hub.port)
    head = (
        f"GET /dashboard/api/live HTTP/1.1\r\nhost: 127.0.0.1:{hub.port}\r\n"
        f"cookie: {session['cookie']}\r\nx-tabwire-page: {session['x_tabwire_page']}\r\n\r\n"
    )
    writer.write(head.encode())
    yield Live(reader)
    writer.close()


@pytest.mark.asyncio
async def test_what_changes_is_told_at_once(hub, live, monkeypatch):
    monkeypatch.setattr(subject, "LOOK_SECONDS", 3600.0)  # by what happened, and not by the clock
    assert (await live.next())["board"]["working"] == []
    (job,) = await hub.door.jobs.submit([AskRequest("grok", "Why?")], ME)
    await live.until(lambda told: [one["id"] for one in told["working"]] == [job.id])
    await hub.door.jobs.at(job.id, Phase.SEND)
    await live.until(lambda told: told["working"][0]["phase"] == "send")
    await hub.door.jobs.answer(job.id, "because")
    await live.until(lambda told: told["last"] and told["last"][0]["answer"] == "because")
    shown = await hub.relays.pair()
    await live.until(lambda told: told["extension"]["code_shown"])
    peer = hub.peer()
    await peer.dial()
    wrong = await peer.say_hello()
    with pytest.raises(SentAway, match="key"):
        await peer.type_code("ABCD-EFGH", wrong)
    told = await live.until(lambda told: told["extension"]["last_refused"])
    assert told["extension"]["last_refused"]["message"] == "the code is wrong"
    await peer.dial()
    await peer.pair(shown.code)
    await live.until(lambda told: told["extension"]["connected"])
    await peer.say({"on": "switched", "enabled": False, "sites": {}})
    await live.until(lambda told: told["extension"]["why"])
    await peer.say({"on": "switched", "enabled": True, "sites": {}})
    second = hub.peer(chrome="157")
    await second.dial()
    code = (await hub.relays.pair()).code
    with pytest.raises(SentAway, match="busy"):
        await second.pair(code)
    told = await live.until(lambda told: told["extension"]["asking"])
    (asking,) = told["extension"]["asking"]
    assert asking["chrome"] == "157"
    await hub.relays.use(asking["name"])
    await peer.hung_up()
    await live.until(lambda told: not told["extension"]["connected"])
    await hub.relays.forget(asking["name"])
    await live.until(lambda told: len(told["extension"]["installs"]) == 1)


@pytest.mark.asyncio
async def test_whoever_looks_uses_the_hub_and_the_stream_ends_with_the_session(
    hub, live, monkeypatch
):
    await live.next()
    assert hub.door.hub.guests.count == 1
    monkeypatch.setattr(subject.Visits, "opens", lambda *_: False)
    await hub.relays.pair()
    await live.next("end")


@pytest.mark.asyncio
async def test_a_look_alone_keeps_no_hub_alive(hub):
    session = await session_of(hub.door)
    before = hub.door.hub.guests.left_at
    await hub.door.ask("GET", "/dashboard/api/board", authorization=None, **session)
    assert hub.door.hub.guests.left_at == before


def test_every_route_of_it_is_in_the_docs(root):
    import re

    written = re.findall(
        r"^\| `(GET|POST) (/\S+)` \|", (root / "docs/dashboard.md").read_text(), re.M
    )
    app = subject.Dashboard(None, None, 0, None)._app
    there = [(method, one.path) for one in app.routes for method in one.methods - {"HEAD"}]
    assert sorted(written) == sorted(there)
