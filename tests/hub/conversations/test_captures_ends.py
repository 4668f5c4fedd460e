"""How a question ends that was not answered whole: each has its own state and reason."""

import json

import pytest

from hub.conversations.extension_pages import Page, browsing, chat_url
from monitor.wire import ASK, ID, PROMPT, TEXT, body, pieces
from tabwire.capture.standing import Badge
from tabwire.sites.known import SITES

pytestmark = pytest.mark.asyncio

EVERY_SITE = pytest.mark.parametrize("site", SITES)
STOPPED = "answer_stopped"
STOP = {
    "chatgpt": ("POST", "https://chatgpt.com/backend-api/stop_conversation"),
    "grok": (
        "POST",
        f"https://grok.com/rest/app-chat/conversations/{ID['grok']}/stop-inflight-responses",
    ),
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "home" / "tabwire.db"


@EVERY_SITE
async def test_after_a_refused_question_a_ready_conversation_can_be_saved(path, site):
    async with browsing(path) as browser:
        page = Page(browser, site, url=chat_url(site))
        page.load()
        await page.until(save=True)
        name = page.begin(ASK[site], "POST", body(site, "And?"), status=429)
        await page.until(save=False, life="prompt-sent")
        page.end(name, 0)
        state = await page.until(save=True)
        assert (state["life"], state["why_code"]) == (Badge.REFUSED, "answer_refused")
        page.say(kind="save", request="1", format="common", force=False)
        made = await page.answered("1")
        assert json.loads(made["text"])["exportMeta"]["completeness"] == "complete"


@EVERY_SITE
async def test_after_a_failed_answer_in_a_new_chat_what_there_is_can_be_saved_by_force(path, site):
    async with browsing(path, serves=False) as browser:
        page = Page(browser, site)
        name = page.begin(ASK[site], "POST", body(site))
        chunks = list(pieces(site, complete=False))
        page.go_on(name, chunks)
        page.end(name, len(chunks), "failed")
        page.say(kind="moved", url=chat_url(site), title="", at=1.0)
        state = await page.until(force=True)
        assert state["life"] in (Badge.PARTIAL, Badge.FAILED, Badge.STOPPED)
        page.say(kind="save", request="1", format="common", force=True)
        made = json.loads((await page.answered("1"))["text"])
        assert made["exportMeta"]["completeness"] == "partial"
        said = [one["text"] for one in made["turns"] if one["is_message"]]
        assert [one for one in said if one] == [PROMPT, TEXT]


async def test_an_error_in_mid_answer_is_a_failure_and_can_be_saved_by_force(path):
    async with browsing(path, serves=False) as browser:
        page = Page(browser, "chatgpt")
        name = page.begin(ASK["chatgpt"], "POST", body("chatgpt"))
        chunks = [*list(pieces("chatgpt", complete=False))[:-1], ERROR]
        page.go_on(name, chunks)
        page.end(name, len(chunks))
        state = await page.until(force=True)
        assert (state["life"], state["why_code"]) == (Badge.FAILED, "answer_failed")


ERROR = b'data: {"message": null, "conversation_id": "%s", "error": "Something went wrong"}\n\n' % (
    ID["chatgpt"].encode()
)


@pytest.mark.parametrize("site", ["gemini", "grok"])
async def test_a_stop_is_never_saved_as_complete_in_whichever_tab_or_hub(path, site):
    """Both may store what was stopped as if it were whole. Of Gemini only the hang-up is seen."""
    async with browsing(path) as browser:
        page, other = Page(browser, site, tab=1), Page(browser, site, url=chat_url(site), tab=2)
        name = page.begin(ASK[site], "POST", body(site))
        chunks = list(pieces(site, complete=False))
        page.go_on(name, chunks)
        page.say(kind="moved", url=chat_url(site), title="", at=1.0)
        if site in STOP:
            page.exchange(STOP[site][1], STOP[site][0], b"{}", [b"{}"])
        page.end(name, len(chunks), "canceled")
        await page.until(life=Badge.STOPPED)
        state = await page.until(force=True)
        assert (state["save"], state["why_code"]) == (False, STOPPED)
        other.load()
        page.load()
        await other.until(force=True)
        assert not other.state["save"]
        page.say(kind="save", request="1", format="common", force=True)
        made = json.loads((await page.answered("1"))["text"])
        assert made["exportMeta"]["completeness"] == "partial"
        row = await browser.rows.conversation(site, ID[site])
        assert not row.ready
        assert STOPPED in row.reasons
    async with browsing(path) as browser:
        page = Page(browser, site, url=chat_url(site))
        page.load()
        state = await page.until(force=True)
        assert (state["save"], state["why_code"]) == (False, STOPPED)
        page.say(kind="save", request="1", format="common", force=False)
        assert (await page.answered("1"))["code"] == "not_ready"
        assert not (await browser.rows.conversation(site, ID[site])).ready


@pytest.mark.parametrize("site", ["gemini", "grok"])
async def test_a_page_that_hung_up_on_an_answer_the_site_finished_is_no_stop(path, site):
    """The person went elsewhere, and the site went on writing."""
    async with browsing(path) as browser:
        page = Page(browser, site)
        name = page.begin(ASK[site], "POST", body(site))
        chunks = list(pieces(site, complete=False, texts=("Air scatters ",)))
        page.go_on(name, chunks)
        page.say(kind="moved", url=chat_url(site), title="", at=1.0)
        page.end(name, len(chunks), "canceled")
        await page.until(save=True)
        assert (await browser.rows.conversation(site, ID[site])).ready
