"""The commands as a person runs them, in a process of their own, in the lab's browser."""

import asyncio
import json
import os
import sys

import pytest

from kit.places import Place, both_places
from kit.watched import watching
from tabwire.lab.plan import plan_for
from tabwire.monitor import sightings as told

__all__ = ["both_places"]

pytestmark = pytest.mark.asyncio

RUN_SECONDS = 60.0  # a command starts in one; a busy machine needs more


@pytest.fixture
def nowhere(tmp_path):
    """A home, and no browser."""
    home = tmp_path / "home"
    return Place(home, "", "", {**os.environ, "TABWIRE_HOME": str(home)})


async def started(place, *arguments):
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tabwire",
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=place.environment,
    )


async def run(place, *arguments):
    """(exit code, stdout, stderr) of a command."""
    async with asyncio.timeout(RUN_SECONDS):
        process = await started(place, *arguments)
        out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


async def test_watch_tells_one_answer_and_leaves_with_its_exit_code(place):
    prompt = "lab: pieces=20 every=0.02 first=0.1 think=1 seed=21"
    async with watching(place.url, "gemini") as tab, asyncio.timeout(RUN_SECONDS):
        process = await started(
            place, "watch", tab.tab.target, "--once", "--json", "--requests",
            "--browser", place.browser,
        )  # fmt: skip
        while (first := json.loads(await process.stdout.readline()))["event"] == "unheard":
            pass  # what the page asked for before that
        assert (first["event"], first["site"], first["layout"]) == ("watching", "gemini", "app")
        await tab.ask(prompt)
        lines = [json.loads(line) async for line in process.stdout]
        assert await process.wait() == 0, (await process.stderr.read()).decode()
    events = [line["event"] for line in lines]
    assert {"asked", "state", "text", "verdict"} <= set(events)
    (verdict,) = [line["verdict"] for line in lines if line["event"] == "verdict"]
    assert verdict["complete"]
    assert verdict["text"] == plan_for(prompt).text
    assert verdict["evidence"]
    (asked,) = [line for line in lines if line["event"] == "asked"]
    assert asked["prompt"] == prompt
    (judged,) = [line for line in lines if line["event"] == "verdict"]
    assert judged["history"]
    assert 0 <= judged["seconds"] - judged["event_at"] < 5


async def test_watch_speaks_to_people_too(place):
    prompt = "lab: pieces=10 every=0.02 first=0.1 think=1 seed=22"
    async with watching(place.url, "grok") as tab, asyncio.timeout(RUN_SECONDS):
        process = await started(
            place, "watch", tab.tab.target, "--once", "--browser", place.browser
        )
        while b"watching Grok" not in (line := await process.stdout.readline()):
            assert b"not heard" in line  # what the page asked for before that
        await tab.ask(prompt)
        told_to_people = (await process.stdout.read()).decode()
        assert await process.wait() == 0
    assert "prompt_sent → streaming" in told_to_people
    assert "verdict: complete (end of turn)" in told_to_people
    assert plan_for(prompt).pieces[0].strip() in told_to_people


async def test_a_tab_that_is_closed_ends_the_command_with_what_helps(place):
    """Promise: say."""
    async with watching(place.url, "grok") as tab, asyncio.timeout(RUN_SECONDS):
        process = await started(place, "watch", tab.tab.target, "--browser", place.browser)
        await process.stdout.readline()
        await tab.tabs.close(tab.tab.target)
        _, err = await process.communicate()
        assert process.returncode == 1
    assert "the tab was closed" in err.decode()
    assert "Traceback" not in err.decode()


async def test_watch_leaves_when_its_time_is_over(place):
    async with watching(place.url, "chatgpt") as tab:
        code, out, err = await run(
            place, "watch", tab.tab.target, "--for", "5", "--browser", place.browser
        )
    assert (code, err) == (0, "")
    assert "watching ChatGPT" in out


async def test_tabs_lists_the_chat_tabs_and_touches_none(place):
    async with watching(place.url, "chatgpt") as tab:
        code, out, _ = await run(place, "tabs", "--json", "--browser", place.browser)
        assert code == 0
        rows = [json.loads(line) for line in out.splitlines()]
        assert (tab.tab.target, "chatgpt") in [(row["id"], row["site"]) for row in rows]
        code, out, _ = await run(place, "tabs", "--all", "--browser", place.browser)
        assert code == 0
        assert tab.tab.target in out
        assert not [one for one in tab.told if isinstance(one, told.Befell)]


async def test_snapshot_keeps_a_picture_and_the_health_of_every_selector(place, tmp_path):
    async with watching(place.url, "grok") as tab:
        await tab.ask("lab: pieces=5 every=0.02 seed=23")
        await tab.verdict()
        await tab.until(told.Witnessed)
        to = tmp_path / "kept"
        code, out, err = await run(
            place, "snapshot", tab.tab.target, "--out", str(to), "--text",
            "--browser", place.browser,
        )  # fmt: skip
    assert code == 0, err
    assert "layout: grok.com" in out
    assert (to / "screenshot.png").read_bytes().startswith(b"\x89PNG")
    data = json.loads((to / "snapshot.json").read_text())
    assert data["page"]["exchanges"] == 1
    assert (
        data["answer"]["text"].strip() == plan_for("lab: pieces=5 every=0.02 seed=23").text.strip()
    )
    parts = {part["part"]: part["candidates"] for part in data["parts"]}
    assert any(one["used"] for one in parts["composer"])
    assert any(not one["used"] for one in parts["assistant_message"])
    assert (to / "page.txt").read_text()


async def test_a_snapshot_with_text_has_the_answer_by_the_ladder_down_to_the_whole_page(place):
    async with watching(place.url, "chatgpt") as tab:
        said = ("snapshot", tab.tab.target, "--text", "--json", "--browser", place.browser)
        code, out, err = await run(place, *said)
        assert code == 0, err
        empty = json.loads(out)["classic"]
        await tab.ask("lab: pieces=5 every=0.02 seed=23")
        await tab.verdict()
        await tab.until(told.Witnessed)
        code, out, err = await run(place, *said)
    assert code == 0, err
    found = json.loads(out)["classic"]
    assert empty["number"] == 5
    assert 1 <= found["number"] < 5
    assert found["text"].strip()


async def test_dom_shows_what_a_selector_finds_and_hides_what_fields_hold(place):
    async with watching(place.url, "chatgpt") as tab:
        await tab.ask("lab: pieces=2 every=0.02 seed=24")  # a page that answers is there to stay
        await tab.verdict()
        await tab.run(
            "document.body.insertAdjacentHTML('beforeend', "
            '\'<input id="s" value="hunter2" data-csrf-token="abc123">\')'
        )
        code, out, err = await run(
            place, "dom", tab.tab.target, "input#s", "--json", "--html", "--browser", place.browser
        )
        assert code == 0, (out, err)
        (found,) = [json.loads(line) for line in out.splitlines()]
        assert (found["tag"], found["attributes"]["id"]) == ("input", "s")
        assert found["attributes"]["data-csrf-token"] == "(not shown)"
        assert "hunter2" not in out
        assert "abc123" not in out
        looked = ("dom", tab.tab.target, "no-such", "--browser", place.browser)
        code, out, _ = await run(place, *looked)
        assert (code, out.strip()) == (1, "0 found")
        code, _, err = await run(place, "dom", tab.tab.target, "a[[", "--browser", place.browser)
        assert code == 2
        assert "is not a valid CSS selector" in err


async def test_doctor_finds_the_lab_well(place):
    code, out, err = await run(place, "doctor", "--json", "--browser", place.browser)
    checks = [json.loads(line) for line in out.splitlines()]
    assert code == 0, (out, err)
    assert [one["result"] for one in checks] == ["good"] * len(checks)
    for site in ("chatgpt", "gemini", "grok"):
        named = [one["name"] for one in checks if one["site"] == site]
        assert named == ["reached", "login", "selectors", "wire"]
    assert all(one["says"].endswith(".") for one in checks)
    code, out, _ = await run(place, "tabs", "--browser", place.browser, "--json")
    assert "about:blank" not in out  # the tabs it looked with are closed again


WRONG = [
    # id, arguments, what is said
    ("no such site", ["watch", "claude"], "no tab matches claude"),
    ("no such profile", ["watch", "grok", "--profile", "slow"], "expected one of default, classic"),
    ("no such browser", ["tabs", "--browser", "netscape"], "unknown browser"),
    ("a remote address", ["tabs", "--browser", "attach=http://10.0.0.1:9222"], "not this machine"),
    ("no site to check", ["doctor", "claude"], "expected one of chatgpt, gemini, grok"),
]


@pytest.mark.parametrize("arguments, said", [c[1:] for c in WRONG], ids=[c[0] for c in WRONG])
async def test_what_cannot_be_meant_is_told_without_a_browser(nowhere, arguments, said):
    code, out, err = await run(nowhere, *arguments)
    assert code == 2, (code, out, err)
    assert said in err
    assert "Traceback" not in err


async def test_without_a_lab_the_lab_is_not_found(nowhere):
    code, _, err = await run(nowhere, "tabs", "--browser", "lab")
    assert code == 1
    assert "no lab is running" in err
    assert "tabwire lab open" in err
