"""A conversation in which a question is under way is ready in no tab, and for no command."""

import json
import time

import pytest

from capture.pages import two_turns
from hub.conversations.extension_pages import Page, browsing, chat_url
from monitor.wire import ASK, ID, TEXT, body, pieces
from tabwire.capture.export import NotReady
from tabwire.hub.conversations import catalogue as conversations
from tabwire.model.ask import AskRequest, Step
from tabwire.sites.known import SITES
from tabwire.store.opening import opened
from tabwire.store.rows import Owner

pytestmark = pytest.mark.asyncio

EVERY_SITE = pytest.mark.parametrize("site", SITES)


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "tabwire.db"


async def exports(site):
    """Whether `tabwire export` gives it out without being forced to."""
    try:
        row, _made = await conversations.exported(ID[site], "common")
    except NotReady:
        return False
    return row.ready


@EVERY_SITE
async def test_asked_in_one_tab_it_is_ready_in_none_until_it_is_answered(path, site):
    async with browsing(path) as browser:
        one = Page(browser, site, url=chat_url(site), tab=1)
        two = Page(browser, site, url=chat_url(site), tab=2)
        one.load()
        await two.until(save=True)
        await one.until(save=True)
        assert await exports(site)
        rest = one.half_an_answer("And?", texts=("And that ", "is ", "all."))
        state = await two.until(save=False)
        assert (state["why_code"], state["force"]) == ("question_under_way", False)
        two.say(kind="save", request="1", format="common", force=True)
        assert (await two.answered("1"))["code"] == "not_ready"
        two.say(kind="named", title="Another title")  # nor does a mere title make it ready
        two.say(kind="copy", request="2")
        assert (await two.answered("2"))["code"] == "not_ready"
        assert not await exports(site)
        rest()
        two.load()  # what is stored lags behind: read again, it is still of before the question
        await one.until(life="completed")
        assert not two.state["save"]
        assert not await exports(site)
        browser.raw = two_turns(site)
        await one.until(save=True)
        await two.until(save=True)
        assert await exports(site)


async def test_a_question_that_was_refused_leaves_the_conversation_as_it_was(path):
    async with browsing(path) as browser:
        one = Page(browser, "chatgpt", url=chat_url("chatgpt"), tab=1)
        two = Page(browser, "chatgpt", url=chat_url("chatgpt"), tab=2)
        one.load()
        await two.until(save=True)
        name = one.begin(ASK["chatgpt"], "POST", body("chatgpt"), status=429)
        await two.until(save=False)
        one.end(name, 0)
        await two.until(save=True)
        assert await exports("chatgpt")


async def test_a_tab_closed_in_the_middle_of_a_question_leaves_it_not_ready(path):
    """Until the other tab has had it read again, twice the same."""
    async with browsing(path) as browser:
        one = Page(browser, "grok", url=chat_url("grok"), tab=1)
        two = Page(browser, "grok", url=chat_url("grok"), tab=2)
        one.load()
        await two.until(save=True)
        name = one.begin(ASK["grok"], "POST", body("grok"))
        one.go_on(name, list(pieces("grok"))[:1])
        assert two.state["why_code"] == "question_under_way"
        browser.text = TEXT + " And more."
        count = len(browser.read)
        one.close()
        assert not two.state["save"]
        await two.until(save=True)
        assert len(browser.read) - count >= 2
        _row, made = await conversations.exported(ID["grok"], "common")
        assert browser.text in [turn["text"] for turn in json.loads(made.text)["turns"]]


async def test_asked_by_a_program_it_is_not_given_out_either(path):
    site = "gemini"
    async with browsing(path) as browser:
        page = Page(browser, site, url=chat_url(site))
        page.load()
        await page.until(save=True)
        async with opened(path) as store:
            request = AskRequest(site, "And?", conversation_id=ID[site])
            attempt, _new = await store.begin(request, Owner(1, 1.0), time.time())
            await store.note(
                attempt.id, Step.SENT, time.time(), conversation_id=ID[site], url=chat_url(site)
            )
            assert not await exports(site)
            page.say(kind="save", request="1", format="common", force=False)
            assert (await page.answered("1"))["code"] == "not_ready"
            await store.note(attempt.id, Step.FAILED, time.time())
            assert await exports(site)
