"""The lab's own address: what it tells programs, and whom it refuses."""

import asyncio
import json

import pytest

from lab.home.asked import SOON, asked, opened
from tabwire.lab.home import HOST
from tabwire.lab.home.places import LANGUAGES as NAMED
from tabwire.lab.home.places import SITES
from tabwire.lab.home.server import no_such_story, stage_with
from tabwire.lab.serve import STOP_SECONDS, serving
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.stage import DEFAULT, LANGUAGES, BadStage, Stage
from tabwire.lab.stories.story import SITES as PLAYED

pytestmark = pytest.mark.asyncio

JSON = {"content_type": "application/json"}


async def test_it_answers_to_its_own_names_and_to_no_other():
    async with serving() as lab:
        for host in (HOST, f"127.0.0.1:{lab.port}", f"localhost:{lab.port}"):
            page = await asked(lab, "GET /", host=host)
            assert (page.status, page.headers["content-type"][:9]) == (200, "text/html"), host
            assert (await asked(lab, "GET /ledger", host=host)).status == 200
        for host in ("evil.example", f"evil.example:{lab.port}", "tabwire.test", ""):
            assert (await asked(lab, "GET /ledger", host=host)).status in (400, 404), host


async def test_it_listens_on_this_machine_alone():
    async with serving() as lab:
        page = await asked(lab, "GET /")
    assert lab.home == f"https://{HOST}/"
    assert f"MAP {HOST}:443 127.0.0.1:{lab.port}" in lab.flags[0]
    assert page.status == 200


async def test_every_story_and_every_place_is_told():
    async with serving() as lab:
        told = {one["name"]: one for one in (await asked(lab, "GET /stories")).json()}
        places = (await asked(lab, "GET /places")).json()
    assert set(told) == set(STORIES)
    assert told["cut"]["about"] == STORIES["cut"].about
    assert told["cut"]["faults"] == ["F23"]
    assert (told["cut"]["outcome"], told["cut"]["sites"]) == ("complete", list(PLAYED))
    assert tuple(site["name"] for site in places["sites"]) == PLAYED
    assert tuple(NAMED) == LANGUAGES


async def test_every_place_there_is_to_open_is_a_page():
    async with serving() as lab:
        for site in SITES:
            for place in site.places:
                host, _, path = place.address.removeprefix("https://").partition("/")
                joined = "&" if "?" in path else "?"
                line = f"GET /{path}{joined}lab={place.lab}" if place.lab else f"GET /{path}"
                page = await asked(lab, line, host=host)
                assert page.status == 200, place
                assert "Tabwire lab" in page.body.decode(), place


async def test_what_plays_everywhere_is_chosen_and_told():
    async with serving(stage=Stage(lang="ja")) as lab:
        before = (await asked(lab, "GET /stage")).json()
        assert (before["story"], before["lang"]) == ("", "ja")
        answer = await asked(lab, "POST /stage", b'{"story": "cut", "swallow": 2}', **JSON)
        assert (answer.status, answer.json()["story"]) == (200, "cut")
        assert lab.room.stage == Stage(story="cut", swallow=2, lang="ja")
        await asked(lab, "POST /stage", b'{"story": ""}', **JSON)
        assert lab.room.stage == Stage(swallow=2, lang="ja")


@pytest.mark.parametrize(
    "body, said",
    [
        (b'{"story": "ovrelay"}', "did you mean overlay"),
        (b'{"stroy": "cut"}', "unknown lab option 'stroy'"),
        (b'{"lang": "xx"}', "lang must be one of en"),
        (b'{"swallow": -1}', "between 0 and 86400"),
        (b'{"story": ["cut"]}', "invalid value for story"),
        (b'{"layout": "a,story:cut"}', "invalid value for layout"),
        (b'["cut"]', "a JSON object"),
        (b"{", "invalid JSON"),
    ],
)
async def test_a_stage_that_makes_no_sense_is_refused_in_words(body, said):
    async with serving() as lab:
        answer = await asked(lab, "POST /stage", body, **JSON)
        assert (answer.status, lab.room.stage) == (400, DEFAULT)
        assert said in answer.json()["error"]


async def test_every_field_of_the_stage_can_be_set_as_it_is_told():
    wanted = Stage(
        story="cut", layout="octane", lang="ar", login="out", overlay="upsell", aloud=True,
        drift="cosmetic.3", hydrate=0.5, stuck=1, late_address=1.5, misdrawn=True,
    )  # fmt: skip
    told = json.dumps({name: getattr(wanted, name) for name in Stage.__slots__})
    assert stage_with(told.encode(), DEFAULT) == wanted
    with pytest.raises(BadStage, match="invalid value for"):
        stage_with(b'{"aloud": null}', DEFAULT)


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://chatgpt.com", **JSON},
        {"origin": "null", **JSON},
        {"origin": f"http://{HOST}", **JSON},
        {"origin": f"https://{HOST}.evil.example", **JSON},
        {"origin": f"https://{HOST}", "content_type": "text/plain"},
        {"content_type": "application/x-www-form-urlencoded"},
        {},
    ],
)
async def test_a_foreign_page_changes_nothing(headers):
    """A page may send such requests unasked; only what a form cannot send is heard."""
    async with serving() as lab:
        answer = await asked(lab, "POST /stage", b'{"story": "cut"}', **headers)
        assert (answer.status, lab.room.stage) == (403, DEFAULT)


async def test_our_own_page_may_under_each_of_its_names():
    async with serving() as lab:
        for host in (HOST, f"127.0.0.1:{lab.port}"):
            own = {"origin": f"https://{host}", "host": host, **JSON}
            assert (await asked(lab, "POST /stage", b'{"story": "cut"}', **own)).status == 200


async def test_no_answer_lets_another_origin_read_it():
    async with serving() as lab:
        for path in ("/", "/ledger", "/ledger?since=0", "/stage", "/stories", "/assets/app.js"):
            answer = await asked(lab, f"GET {path}", origin="https://chatgpt.com")
            assert answer.status == 200, path
            assert not [name for name in answer.headers if name.startswith("access-control")]
            assert answer.headers["cross-origin-resource-policy"] == "same-origin"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        preflight = await asked(lab, "OPTIONS /stage", origin="https://chatgpt.com")
        assert preflight.status == 405
        assert not [name for name in preflight.headers if name.startswith("access-control")]


async def test_only_its_own_files_are_served():
    async with serving() as lab:
        for path in ("..%2Fserver.py", "%2Fetc%2Fpasswd", "server.py", "..", "style.css%00"):
            assert (await asked(lab, f"GET /assets/{path}")).status == 404, path


async def test_the_ledger_is_told_from_any_number_on():
    async with serving() as lab:
        for number in range(1, 4):
            lab.ledger.record("grok", f"c{number}", f"prompt {number}")
        told = (await asked(lab, "GET /ledger")).json()
        assert [one["number"] for one in told] == [1, 2, 3]
        assert told[0]["prompt"] == "prompt 1"
        rest = (await asked(lab, "GET /ledger?since=2")).json()
        assert [one["number"] for one in rest] == [3]
        assert (await asked(lab, "GET /ledger?since=9")).json() == []
        for bad in ("-1", "x", "1e3", "²", "9" * 20):
            assert (await asked(lab, f"GET /ledger?since={bad}")).status == 400, bad


async def heard(reader, count):
    """So many events of the live ledger: their ids and prompts."""
    found, number = [], ""
    while len(found) < count:
        line = (await reader.readline()).decode()
        assert line, "the stream ended"
        if line.startswith("id: "):
            number = line[4:].strip()
        elif line.startswith("data: "):
            found.append((number, json.loads(line[6:])["prompt"]))
    return found


async def test_the_live_ledger_tells_what_was_and_what_comes():
    async with asyncio.timeout(SOON), serving() as lab:
        lab.ledger.record("grok", "c1", "before")
        async with opened(lab, "GET /ledger/live") as (status, headers, reader):
            assert (status, headers["content-type"][:17]) == (200, "text/event-stream")
            assert await heard(reader, 1) == [("1", "before")]
            lab.ledger.record("grok", "c1", "meanwhile")
            lab.ledger.record("chatgpt", "c2", "two\nlines")
            assert await heard(reader, 2) == [("2", "meanwhile"), ("3", "two\nlines")]
        async with opened(lab, "GET /ledger/live", last_event_id="2") as (_, _, reader):
            assert await heard(reader, 1) == [("3", "two\nlines")]


async def test_a_live_ledger_does_not_hold_up_the_end_of_the_lab():
    """Promise: nothing left behind, at once."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(SOON):
        async with serving() as lab:
            live = opened(lab, "GET /ledger/live")
            _, _, reader = await live.__aenter__()
            began = loop.time()
        assert loop.time() - began < STOP_SECONDS
        await reader.read()
        await live.__aexit__(None, None, None)
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_whoever_misspells_a_story_is_told_what_they_may_mean():
    assert "did you mean limit-until or limit" in no_such_story("limit-untill")
    assert "login-wall" in no_such_story("login")
    assert "`tabwire lab stories`" in no_such_story("zzzzzzzz")
