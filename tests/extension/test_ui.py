"""Popup, options and connect page: what they show is what the worker measured."""

# ruff: noqa: E501  what a page does is easier to read in one line

import asyncio
import json
import re
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from extension.control_seen import key
from extension.page_lab import go, value_of
from tabwire.model.extension import ORIGIN

pytestmark = pytest.mark.xdist_group("pages")  # one browser for all of them

EXTENSION = Path(__file__).resolve().parents[2] / "extension"
STATUS = {
    "connected": True, "phase": "ready", "since": 1, "trouble": None, "port": 8766,
    "hub": {"id": "hub-1234-5678", "version": "0.9.1"},
    "paired": {"id": "hub-1234-5678", "version": "0.9.1", "since": 1790000000000},
    "version": "0.1.0", "format": "original", "hidden": {}, "canceled": [], "pages": 1, "dump": False,
    "tabs": [
        {"tab": 900001, "url": "https://grok.com/", "title": "Grok", "group": "claude", "opened": True,
         "offered": False, "attached": True, "target": "x"},
        {"tab": 900002, "url": "https://chatgpt.com/", "title": "<b>Mine</b>", "group": None,
         "opened": False, "offered": True, "attached": False, "target": "y"},
    ],
    "switches": {"on": True, "sites": {"grok": False}},
    "events": [{"at": 1790000000000, "what": "connected"},
               {"at": 1790000001000, "what": "opened", "client": "claude", "site": "grok"},
               {"at": 1790000002000, "what": "let go"}, {"at": 1790000003000, "what": "quite new"}],
}  # fmt: skip
AWAY = {
    **STATUS, "connected": False, "phase": "away", "hub": None, "paired": None, "tabs": [], "events": [],
    "trouble": {"ok": False, "why": "away", "message": "No hub responds on this port.", "what_to_do": ""},
}  # fmt: skip


@asynccontextmanager
async def page_of(tabs, path, answers):
    """A page of the extension's, with a worker that answers so."""
    await tabs.stub.value(
        f"void (stub.answers = {json.dumps(answers)}, stub.answer = (m) => stub.answers[m.what] ?? {{ok: true}})"
    )
    where = {"url": "about:blank", "background": True}
    target = (await tabs.line.call("Target.createTarget", where))["targetId"]
    tabs.opened.append(target)
    page = await tabs.attach(target)
    await go(page, f"{ORIGIN}/ui/{path}")
    yield page


async def until(page, want):
    """Wait until an expression is true, looked at whenever the page changes."""
    return await value_of(
        page,
        f"""new Promise((done) => {{
          const look = () => {{ const seen = ({want}); if (seen) {{ watch.disconnect(); done(seen); }} }};
          const watch = new MutationObserver(look);
          watch.observe(document, {{subtree: true, childList: true, attributes: true, characterData: true}});
          look();
        }})""",
    )


async def asked(tabs, what):
    await tabs.stub.until(f"() => stub.asked.some((m) => m.what === '{what}')")
    return await tabs.stub.value(f"stub.asked.filter((m) => m.what === '{what}')")


@pytest.mark.asyncio
async def test_the_popup_tells_what_pages_did_to_us_those_of_this_tab_first(tabs, site):
    troubles = [
        {"tab": 900001, "site": "grok", "what": "removed"},
        {"tab": 900002, "site": "chatgpt", "what": "raced"},
        {"tab": 900002, "site": "chatgpt", "what": "bypassed"},
    ]
    told = {**STATUS, "troubles": troubles}
    async with page_of(tabs, "popup.html?tab=900002", {"status": told}) as page:
        await until(page, "document.querySelectorAll('#troubles li').length === 3")
        rows = await value_of(
            page, "[...document.querySelectorAll('#troubles li')].map((one) => one.innerText)"
        )
        assert rows[0].startswith("ChatGPT: Not captured: another script")
        assert rows[1].startswith("ChatGPT: Not captured: this page bypasses Tabwire")
        assert rows[2].startswith("Grok: This page keeps removing the Tabwire control")
        await tabs.stub.value(f"void (stub.answers.status = {json.dumps(STATUS)})")
        await until(page, "document.querySelector('#troubles').hidden")


@pytest.mark.asyncio
async def test_the_popup_shows_what_is_connected_used_and_by_whom(tabs, site):
    async with page_of(tabs, "popup.html?tab=900002", {"status": STATUS}) as page:
        await until(page, "document.querySelectorAll('#events li').length === 4")
        said = await value_of(page, "document.body.innerText")
        for words in (
            "Connected to the hub", "Hub 0.9.1 on port 8766", "opened for claude · in use now",
            "<b>Mine</b>", "offered by you", "A tab was opened: claude", "All tabs were released", "quite new",
        ):  # fmt: skip
            assert words in said
        assert (
            await value_of(page, "document.querySelector('#dashboard').textContent") == "Dashboard"
        )
        seen = "[...document.querySelectorAll('input')].map((one) => [one.parentNode.innerText, one.checked])"
        assert await value_of(page, seen) == [
            ["Tabwire is on", True], ["ChatGPT", True], ["Gemini", True], ["Grok", False],
            ["Let programs use this tab", True],
        ]  # fmt: skip
        await value_of(page, "document.querySelectorAll('input')[3].click()")
        assert {"what": "switch", "on": True, "site": "grok"} in await asked(tabs, "switch")
        await value_of(page, "document.querySelectorAll('input')[4].click()")
        assert await asked(tabs, "offer") == [{"what": "offer", "tab": 900002, "on": False}]
        assert await value_of(page, "document.querySelector('#pair').hidden")


@pytest.mark.asyncio
async def test_the_popup_says_in_plain_words_why_nothing_is_connected(tabs, site):
    async with page_of(tabs, "popup.html?tab=1", {"status": AWAY}) as page:
        said = await until(
            page, "/tabwire serve/.test(document.body.innerText) && document.body.innerText"
        )
        assert "No hub found" in said
        assert not await value_of(page, "document.querySelector('#pair').hidden")
        refused = {
            "ok": False,
            "why": "busy",
            "message": "Another profile is connected.",
            "what_to_do": "Close it.",
        }
        await tabs.stub.value(f"void (stub.answers.status.trouble = {json.dumps(refused)})")
        await until(page, "/Another profile is connected. Close it./.test(document.body.innerText)")
        await value_of(page, "document.querySelector('#look').click()")
        await asked(tabs, "dial")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "why, words", [("away", "The hub is not running"), ("silent", "The hub did not respond")]
)
async def test_the_popup_says_why_the_dashboard_does_not_open(tabs, site, why, words):
    answers = {"status": STATUS, "dashboard": {"ok": False, "why": why}}
    async with page_of(tabs, "popup.html?tab=1", answers) as page:
        await until(page, "document.querySelector('#dashboard').textContent")
        await value_of(page, "document.querySelector('#dashboard').click()")
        said = await until(page, "document.querySelector('#said').textContent")
        assert said.startswith(words)
        assert await asked(tabs, "dashboard") == [{"what": "dashboard"}]


@pytest.mark.asyncio
async def test_options_count_at_once_and_the_report_is_a_file(tabs, site, tmp_path):
    where = {"behavior": "allow", "downloadPath": str(tmp_path), "eventsEnabled": True}
    await tabs.line.call("Browser.setDownloadBehavior", where)
    answers = {"status": STATUS, "report": {"version": "0.1.0"}}
    async with page_of(tabs, "options.html", answers) as page:
        await until(page, "document.querySelector('#dump input')")
        await value_of(page, "document.querySelector('[value=common]').click()")
        await value_of(page, "document.querySelectorAll('#controls input')[0].click()")
        assert await asked(tabs, "format") == [{"what": "format", "format": "common"}]
        assert await asked(tabs, "show") == [{"what": "show", "site": "chatgpt", "on": False}]
        await value_of(
            page,
            "document.querySelector('#number').value = 9000; document.querySelector('#port button').click()",
        )
        assert await asked(tabs, "port") == [{"what": "port", "port": 9000}]
        await value_of(page, "document.querySelector('#dump input').click()")
        assert await asked(tabs, "dump") == [{"what": "dump", "on": True}]
        with tabs.line.subscribe(["Browser.downloadProgress"]) as progress:
            await value_of(page, "document.querySelector('#report').click()")
            async with asyncio.timeout(30):
                async for event in progress:
                    if event.read()["state"] == "completed":
                        break
        assert json.loads((tmp_path / "tabwire-report.json").read_text()) == {"version": "0.1.0"}
        await value_of(page, "document.querySelector('#unpair').click()")
        await asked(tabs, "unpair")


@pytest.mark.asyncio
async def test_a_code_is_typed_once_and_its_failure_is_told(tabs, site):
    wrong = {
        "ok": False,
        "why": "key",
        "message": "That code is wrong.",
        "what_to_do": "Get a new one.",
    }
    async with page_of(tabs, "connect.html", {"status": AWAY, "pair": wrong}) as page:
        await until(page, "document.querySelector('#pair').textContent === 'Pair'")
        await value_of(page, "document.querySelector('#code').focus()")
        await page.call("Input.insertText", {"text": "k7m"})
        await key(page, "Enter", 13)
        await until(
            page, "/8 letters and digits\\.$/.test(document.querySelector('#said').textContent)"
        )
        await page.call("Input.insertText", {"text": "q2xhp"})
        assert await value_of(page, "document.querySelector('#code').value") == "K7MQ-2XHP"
        await key(page, "Enter", 13)
        await until(page, "/That code is wrong. Get a new one./.test(document.body.innerText)")
        assert await asked(tabs, "pair") == [{"what": "pair", "code": "K7MQ2XHP"}]
        await tabs.stub.value(
            "void (stub.answers.pair = {ok: true}, stub.answers.status.phase = 'ready')"
        )
        await key(page, "Enter", 13)
        await until(page, "/Paired/.test(document.querySelector('#said').textContent)")
        assert await value_of(page, "document.querySelector('#form').hidden")


# --- texts ---------------------------------------------------------------------------------------


def texts(language):
    return json.loads((EXTENSION / "_locales" / language / "messages.json").read_text("utf-8"))


def scripts():
    return [
        *(EXTENSION / "ui").glob("*.js"),
        EXTENSION / "page/control.js",
        EXTENSION / "page/view.js",
    ]


def test_both_languages_have_the_same_texts_with_the_same_places():
    english, japanese = texts("en"), texts("ja")
    assert list(english) == list(japanese)
    for name, one in english.items():
        places = set(re.findall(r"\$\w+\$", one["message"]))
        assert places == set(re.findall(r"\$\w+\$", japanese[name]["message"])), name
        assert {place.strip("$").lower() for place in places} == set(one.get("placeholders", {})), (
            name
        )
        assert one.get("placeholders") == japanese[name].get("placeholders"), name
    same = {name for name, one in english.items() if one["message"] == japanese[name]["message"]}
    assert same == {"name", "kilobytes", "megabytes", "site_chatgpt", "site_gemini", "site_grok"}


def test_every_text_is_named_and_every_name_has_a_text():
    used, begun = {"name", "description"}, set()
    for path in [*scripts(), *(EXTENSION / "ui").glob("*.html")]:
        code = path.read_text("utf-8")
        used |= set(re.findall(r'say\("([a-z_]+)"', code))
        used |= set(re.findall(r'data-(?:text|label)="([a-z_]+)"', code))
        begun |= set(re.findall(r"say\(`([a-z]+_)\$", code))
    known = set(texts("en"))
    assert used <= known
    assert {name for name in known - used if not name.startswith(tuple(begun))} == set()
    assert begun == {"life_", "why_", "site_", "event_", "state_", "trouble_"}


def test_no_text_is_written_into_a_page_or_a_script():
    for path in (EXTENSION / "ui").glob("*.html"):
        html = path.read_text("utf-8")
        assert re.sub(r"<[^>]*>", "", html).split() == [], path.name
        assert re.findall(r"<script(?![^>]*src=)|\son\w+=", html) == [], path.name
    for path in scripts():
        code = re.sub(r"^\s*//.*$|\s// .*$", "", path.read_text("utf-8"), flags=re.M)
        strings = re.findall(r'"([^"\n]*)"|`([^`]*)`', code)
        spoken = [
            one or other
            for one, other in strings
            if re.search(r"[A-Z][a-z]+ [a-z]+ ", one or other)
        ]
        assert spoken == [], path.name


def test_what_the_hub_gives_as_reasons_has_a_text():
    from tabwire.capture.shown import SENTENCES

    known = texts("en")
    for code, sentence in SENTENCES.items():
        assert known[f"why_{code}"]["message"] == sentence, code
