"""docs/extension.md, "When something is away": what of it is the hub's, for pages nobody debugs.

The page's part of it is in tests/extension, the whole way in tests/e2e/test_away.py;
tests/test_away.py lists who tries which row.
"""

import uuid

import pytest

from capture.pages import Page as Pure
from capture.pages import two_turns
from hub.conversations.extension_pages import Page, browsing, chat_url
from monitor.wire import ID, PROMPT, TEXT
from tabwire.capture.rebuild import rebuild
from tabwire.hub.conversations.rereads import MAX_AT_ONCE
from tabwire.model.captured import Wholeness
from tabwire.sites.known import SITES

pytestmark = pytest.mark.asyncio

EVERY_SITE = pytest.mark.parametrize("site", SITES)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "home" / "tabwire.db"


async def kept(browser, site):
    row = await browser.rows.conversation(site, ID[site], bodies=True)
    found = rebuild(SITES[site], row.conversation_id, row.bodies)
    return row.ready, [one.text for one in found.messages()]


@EVERY_SITE
async def test_a_page_whose_worker_was_ended_in_mid_answer_goes_on(path, site):
    async with browsing(path) as browser:
        page = Page(browser, site)
        rest = page.half_an_answer()
        page.open(chat_url(site), again=True, asks=True)
        page.repeat()
        assert page.state["life"] == "streaming"
        rest()
        page.say(kind="moved", url=chat_url(site), title="", at=1.0)
        assert page.state["life"] == "completed"
        await page.until(save=True)
        assert await kept(browser, site) == (True, [PROMPT, TEXT])
        assert browser.captures.dropped.counts() == {}


@EVERY_SITE
async def test_a_hub_that_is_started_anew_in_mid_answer_goes_on_with_it(path, site):
    async with browsing(path) as browser:
        page = Page(browser, site)
        rest = page.half_an_answer()
    async with browsing(path) as browser:
        page.goes_to(browser, asks=True)
        page.repeat()
        assert page.state["life"] == "streaming"
        rest()
        page.say(kind="moved", url=chat_url(site), title="", at=1.0)
        await page.until(save=True, life="completed")
        assert await kept(browser, site) == (True, [PROMPT, TEXT])


async def test_a_hub_that_is_started_anew_after_the_end_reads_what_was_not_read(path):
    async with browsing(path, serves=False) as browser:
        page = Page(browser, "grok")
        page.answer()
        page.say(kind="moved", url=chat_url("grok"), title="", at=1.0)
    async with browsing(path) as browser:
        page.goes_to(browser, asks=True)
        page.repeat()
        await page.until(save=True, life="completed")
        assert await kept(browser, "grok") == (True, [PROMPT, TEXT])


@EVERY_SITE
async def test_what_is_kept_as_ready_can_be_saved_in_the_next_hub_without_a_reading(path, site):
    """A page loads its conversation once: until now Save came back only with a reload."""
    async with browsing(path) as browser:
        page = Page(browser, site, url=chat_url(site))
        page.load()
        await page.until(save=True)
    async with browsing(path, speed=0.1) as browser:
        page.goes_to(browser, url=chat_url(site))
        await page.until(save=True)
        assert browser.read == []
        page.say(kind="save", request="1", format="common", force=False)
        assert (await page.answered("1"))["kind"] == "file"
        page.load(raw=two_turns(site))
        assert not page.state["save"], "it has grown"


async def test_what_is_not_kept_is_read_again_where_the_person_looks(path):
    async with browsing(path) as browser:
        page = Page(browser, "chatgpt", url=chat_url("chatgpt"), again=True)
        hidden = Page(browser, "grok", url=chat_url("grok"), again=True, visible=False)
        await page.until(save=True)
        assert page.state["life"] == "idle", "nobody asked here"
        assert set(browser.read) == {chat_url("chatgpt")}
        await hidden.until(attempt="grok:stored-1")
        hidden.say(kind="visible", on=True)
        await hidden.until(save=True)


async def test_a_hidden_page_whose_plan_ran_out_is_read_when_the_person_is_back():
    page = Pure("grok", chat_url("grok"))
    page.say(kind="visible", on=False)
    page.page.recorder.miss(ID["grok"])
    page.wait(60.0)
    wanted = len(page.wanted)
    page.wait(60.0)
    assert len(page.wanted) == wanted
    page.say(kind="visible", on=True)
    page.wait(2.0)
    assert len(page.wanted) > wanted
    page.load()
    page.wait(2.0)
    page.load()
    assert page.shown.save


async def test_a_socket_that_spoke_before_the_hub_came_is_heard_from_then_on(path):
    async with browsing(path, serves=False) as browser:
        page = Page(browser, "chatgpt", again=True, asks=True)
        socket = f"chatgpt:{uuid.uuid4()}"
        url = "wss://ws.chatgpt.com/p4/ws/user/x"
        page.say(kind="sent", attempt=socket, method="GET", url=url, via="socket", at=1.0)
        for seq in (41, 42):
            page.say(kind="frame", attempt=socket, seq=seq, sent=False, text="[]", at=1.0)
        page.say(kind="ended", attempt=socket, how="whole", at=1.0, seqs=43)
        page.close()
        assert browser.captures.dropped.counts() == {}


async def test_however_many_want_a_second_reading_at_once_all_get_it(path):
    async with browsing(path) as browser:
        names = [f"5f0c6a1e-1111-4222-8333-0123456789{n:02x}" for n in range(3 * MAX_AT_ONCE + 1)]
        pages = []
        for tab, name in enumerate(names):
            url = SITES["grok"].page.chat.format(name)
            pages.append(Page(browser, "grok", url=url, tab=tab))
            pages[-1].load(named=name)
        for page, name in zip(pages, names, strict=True):
            await page.until(save=True)
            assert (await browser.rows.conversation("grok", name)).ready


@EVERY_SITE
async def test_a_page_that_goes_in_mid_answer_leaves_what_was_heard(path, site):
    """Its tab was closed, or the extension switched off or removed. Promise keep."""
    async with browsing(path) as browser:
        page = Page(browser, site)
        page.half_an_answer()
        page.close()
    async with browsing(path) as browser:
        row = await browser.rows.conversation(site, ID[site], bodies=True)
        assert (row.ready, row.completeness) == (False, Wholeness.PARTIAL)
        asked, answered = rebuild(SITES[site], ID[site], row.bodies).messages()
        assert asked.text == PROMPT
        assert answered.text
        assert TEXT.startswith(answered.text)
