"""Pages of the extension, through the hub to the disk and back to the person."""

import asyncio
import json
from types import SimpleNamespace

import pytest

from capture.pages import two_turns
from hub.conversations.extension_pages import Page, browsing, chat_url
from monitor.wire import ID, PROMPT, TEXT
from tabwire.capture.page import RecordedPage
from tabwire.hub.conversations.captures import MAX_PAGES
from tabwire.model.captured import CaptureSource
from tabwire.model.extension import PageRef
from tabwire.sites.known import SITES

pytestmark = pytest.mark.asyncio

EVERY_SITE = pytest.mark.parametrize("site", SITES)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "home" / "tabwire.db"


@EVERY_SITE
async def test_an_answer_is_read_again_until_it_is_steady_and_then_saved(path, site):
    async with browsing(path) as browser:
        page = Page(browser, site)
        assert page.state["life"] == "idle"
        page.answer()
        page.say(kind="moved", url=chat_url(site), title="", at=1.0)
        assert page.state["life"] == "completed"
        assert not page.state["save"]
        state = await page.until(save=True)
        assert (state["readiness"], state["why_code"]) == ("canonical_ready", "ready")
        row = await browser.rows.conversation(site, ID[site])
        assert row.ready
        assert row.source is CaptureSource.CANONICAL
        assert browser.read[:2] == [SITES[site].page.chat.format(ID[site])] * 2
        await browser.until(lambda: len(browser.closed) == len(browser.read))
        page.say(kind="save", request="1", format="common", force=False)
        file = await page.answered("1")
        assert file["kind"] == "file"
        assert file["name"].endswith(".json")
        assert file["mime"] == "application/json"
        said = [turn["text"] for turn in json.loads(file["text"])["turns"] if turn["is_message"]]
        assert said == [PROMPT, TEXT]
        page.say(kind="copy", request="2")
        assert (await page.answered("2"))["kind"] == "file"
        page.say(kind="save", request="3", format="original", force=False)
        whole = json.loads((await page.answered("3"))["text"])
        assert whole["exportMeta"]["fidelity"] == "high"


async def test_a_store_that_is_slower_than_an_answer_does_not_hold_it_back(path):
    """What was kept before a question is held back when it leaves. A busy disk did that only after
    the answer was kept, and Save said for ever that it is not ready."""
    async with browsing(path) as browser:
        page = Page(browser, "chatgpt")
        free = asyncio.Event()
        browser.captures._later(free.wait)  # the work before it in the queue
        page.answer()
        page.say(kind="moved", url=chat_url("chatgpt"), title="", at=1.0)
        await page.until(save=True)
        free.set()
        page.say(kind="save", request="1", format="common", force=False)
        assert (await page.answered("1"))["kind"] == "file"


@EVERY_SITE
async def test_what_is_kept_as_ready_needs_no_second_reading_in_the_next_hub(path, site):
    async with browsing(path) as browser:
        page = Page(browser, site, url=chat_url(site))
        page.load()
        await page.until(save=True)
    async with browsing(path, speed=0.1) as browser:
        page = Page(browser, site, url=chat_url(site))
        page.load()
        await page.until(save=True)
        assert browser.read == []


async def test_save_before_it_is_ready_says_why_and_gives_nothing(path):
    async with browsing(path, serves=False, speed=0.1) as browser:
        page = Page(browser, "chatgpt")
        page.say(kind="save", request="0", format="original", force=True)
        assert (await page.answered("0"))["code"] == "nothing_kept"
        page.answer()
        for request, force in (("1", False), ("2", True)):
            page.say(kind="save", request=request, format="original", force=force)
            failed = await page.answered(request)
            assert (failed["kind"], failed["code"]) == ("failed", "not_ready")
            assert failed["message"] == page.state["why"]
            assert failed["what_to_do"]


async def test_by_force_a_degraded_capture_is_saved_and_marked(path):
    async with browsing(path, serves=False) as browser:
        page = Page(browser, "chatgpt")
        page.answer()
        state = await page.until(force=True)
        assert (state["save"], state["degraded"]) == (False, True)
        page.say(kind="save", request="1", format="common", force=False)
        assert (await page.answered("1"))["code"] == "not_ready"
        page.say(kind="save", request="2", format="common", force=True)
        meta = json.loads((await page.answered("2"))["text"])["exportMeta"]
        assert (meta["captureSource"], meta["fidelity"], meta["completeness"]) == (
            "stream",
            "degraded",
            "partial",
        )


@EVERY_SITE
async def test_two_tabs_of_one_conversation_are_read_once_and_agree(path, site):
    async with browsing(path) as browser:
        one = Page(browser, site, url=chat_url(site), tab=1)
        two = Page(browser, site, url=chat_url(site), tab=2)
        one.load()
        await two.until(readiness="awaiting_stabilization")
        await one.until(save=True)
        await two.until(save=True)
        assert len(browser.read) == 1, "one reading serves both"


async def test_a_conversation_that_grows_in_one_tab_is_ready_in_none(path):
    async with browsing(path) as browser:
        one = Page(browser, "chatgpt", url=chat_url("chatgpt"), tab=1)
        two = Page(browser, "chatgpt", url=chat_url("chatgpt"), tab=2)
        one.load()
        await two.until(save=True)
        one.load(raw=two_turns("chatgpt"))
        assert not one.state["save"]
        assert not two.state["save"]


async def test_state_is_told_again_when_it_is_asked_for_and_after_a_move(path):
    async with browsing(path) as browser:
        page = Page(browser, "grok")
        before = len(page.heard)
        page.say(kind="ask_state")
        page.say(kind="moved", url=chat_url("grok"), title="", at=1.0)
        page.say(kind="visible", on=False)
        assert len(page.heard) == before + 2
        assert page.state["conversation"] == ID["grok"]


async def test_a_hidden_page_that_was_merely_opened_has_nothing_read_again(path):
    async with browsing(path) as browser:
        page = Page(browser, "chatgpt", url=chat_url("chatgpt"))
        page.say(kind="visible", on=False)
        page.load()
        await page.until(readiness="degraded_manual_only")
        assert browser.read == []
        page.say(kind="visible", on=True)
        await page.until(save=True)


async def test_what_was_heard_before_the_hub_ends_is_on_the_disk(path):
    """Promise keep."""
    async with browsing(path, serves=False) as browser:
        page = Page(browser, "chatgpt")
        page.answer()
    async with browsing(path) as browser:
        row = await browser.rows.conversation("chatgpt", ID["chatgpt"])
        assert row.source is CaptureSource.STREAM


async def test_nothing_hostile_gets_further_than_its_message(path):
    async with browsing(path, serves=False) as browser:
        captures = browser.captures
        page, other = Page(browser, "chatgpt"), Page(browser, "chatgpt")
        theirs = other.answer()
        deep = []
        for _ in range(50_000):
            deep = [deep]
        for message in (
            {},
            {"kind": "eval", "code": "1"},
            {"kind": "bytes", "attempt": 5},
            {"kind": "named", "title": deep, "at": 1.0},
            {"kind": "sent", "__proto__": {"kind": "save"}, "constructor": deep},
            {"kind": "moved", "url": "x" * 10**6, "at": 1.0},
            {"kind": "dropped", "counts": {"x": -1}},
        ):
            page.say(**message)
        assert captures.dropped.counts() == {"not a message": 7}
        page.say(kind="bytes", attempt=theirs, seq=0, data="aGk=", at=1.0)
        page.say(kind="ended", attempt=theirs, how="whole", at=1.0, seqs=0)
        captures.page_said("install/nobody", {"kind": "ask_state"})
        captures.page_opened(PageRef("p9", "install", 1, "https://evil.example/", "chatgpt", ""))
        captures.page_opened(PageRef("p9", "install", 1, "https://chatgpt.com/", "evil", ""))
        assert captures.dropped.counts()["unknown page"] == 1
        assert captures.dropped.counts()["page of an unknown site"] == 2
        assert other.state["life"] == "completed"
        assert page.state["life"] == "idle"
        assert captures.dropped.counts()["unknown attempt"] == 2, "also of a page that is open"
        page.close()
        assert captures.dropped.counts()["unknown attempt"] == 2


async def test_a_diagnosis_is_bounded_and_has_no_content(path):
    async with browsing(path) as browser:
        page = Page(browser, "chatgpt")
        dump = {"kind": "dump", "attempt": "chatgpt:00000000", "frame": "bytes", "size": 5}
        for _ in range(3000):
            page.say(**dump, at=1.0, data="secret")
        assert len(browser.captures.dumped) == 2000
        assert "secret" not in str(browser.captures.dumped[0])


HOSTILE = [
    ("deep", b'{"mapping":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001),
    ("huge number", b'{"mapping":{},"create_time":1e400,"conversation_id":"x"}'),
    ("no JSON", b"\xff" * 1000),
]


@pytest.mark.parametrize("raw", [c[1] for c in HOSTILE], ids=[c[0] for c in HOSTILE])
async def test_a_hostile_body_is_kept_by_nobody(path, raw):
    """T26."""
    async with browsing(path, serves=False) as browser:
        page = Page(browser, "chatgpt", url=chat_url("chatgpt"))
        page.load(raw=raw)
        page.say(kind="save", request="1", format="original", force=True)
        assert (await page.answered("1"))["kind"] == "failed"
        assert await browser.rows.recent() == []
        assert "internal error" not in browser.captures.dropped.counts()
        page.load()
        await page.until(readiness="awaiting_stabilization")


async def test_a_number_no_database_takes_is_left_out(path):
    async with browsing(path, serves=False) as browser:
        page = Page(browser, "chatgpt", url=chat_url("chatgpt"))
        raw = two_turns("chatgpt")[:-1] + b', "create_time": 1e400, "__proto__": {"x": 1}}'
        page.load(raw=raw)
        page.say(kind="save", request="1", format="original", force=True)
        await page.answered("1")
        row = await browser.rows.conversation("chatgpt", ID["chatgpt"])
        assert row.created_at is None


async def test_many_pages_and_many_wishes_are_bounded(path):
    async with browsing(path) as browser:
        for number in range(MAX_PAGES + 5):
            Page(browser, "grok", name=f"install/{number}")
        assert len(browser.captures) == MAX_PAGES
        page = Page(browser, "grok")
        for number in range(1000):
            page.say(kind="save", request=str(number), format="original", force=False)
        assert next(one["code"] for one in page.heard if one["kind"] == "failed") == "busy"
        await page.answered("0")


async def test_a_disk_that_fails_is_tried_again(path, monkeypatch):
    from tabwire.hub.conversations import writer as keeping
    from tabwire.store.errors import StoreFull

    monkeypatch.setattr(keeping, "AGAIN_SECONDS", 0.01)
    async with browsing(path) as browser:
        keep, failed = browser.rows.keep, asyncio.Event()

        async def full(captured, better):
            if failed.is_set():
                return await keep(captured, better)
            failed.set()
            raise StoreFull(path, "full")

        browser.rows.keep = full
        page = Page(browser, "chatgpt", url=chat_url("chatgpt"))
        page.load()
        await page.until(save=True)
        assert failed.is_set()


async def test_a_cache_that_fills_up_is_told_to_the_log(path, monkeypatch):
    told = []
    monkeypatch.setattr(
        "tabwire.hub.conversations.captures.get_log", lambda: SimpleNamespace(warn=told.append)
    )
    full = property(lambda _page: ("attempts: 190 of 200",))
    monkeypatch.setattr(RecordedPage, "warnings", full)
    async with browsing(path, serves=False) as browser:
        page = Page(browser, "chatgpt")
        page.answer()
        page.answer()
    assert told == ["a cache for a captured page is nearly full (attempts: 190 of 200)"]
