"""The manner of an ask: nobody's tab or window is disturbed, and nobody's trouble is ours."""

import asyncio

import pytest

from kit.asking import (
    answered,
    asked,
    asking_home,
    in_words,
    new_prompt,
    prompts_in,
    tab_where,
    tabs_of,
)
from kit.carriers import both_own_browsers
from kit.chromium import connect_to
from kit.front import tab_in_front
from kit.lab import Person
from tabwire.lab.plan import plan_for
from tabwire.model.ask import Answer, AskRequest
from tabwire.sites.known import SITES

__all__ = ["asking_home", "both_own_browsers"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking"),
    pytest.mark.usefixtures("asking_home"),
]

ROUNDS = 2  # of three asks at once; `make soak` has many more


async def rounds(lab, url, count, offset=0):
    """Ask all sites at once, several times; each is answered."""
    for number in range(count):
        requests = [AskRequest(site, new_prompt(seed=300 + offset + number)) for site in SITES]
        results, _events = await asked(url, *requests)
        for request, result in zip(requests, results, strict=True):
            assert isinstance(result, Answer), in_words(result)
            assert result.text == plan_for(request.prompt).text
            assert len(prompts_in(lab, request.prompt)) == 1


@pytest.mark.parametrize(
    "count", [ROUNDS, pytest.param(7, marks=pytest.mark.soak)], ids=["few", "many"]
)
async def test_no_ask_takes_the_person_out_of_their_tab(count, own_browser, lab):
    """bg-no-theft: active tab and focused window never change."""
    async with (
        own_browser(lab) as browser,
        await connect_to(browser.endpoint.url) as line,
    ):
        sees = await tab_in_front(line, barred=own_browser.barred)
        before = await sees()
        assert '"seen":"visible"' in before[0]
        assert '"element":"INPUT"' in before[0]
        await rounds(lab, browser.endpoint.url, count)
        assert await sees() == before


async def test_a_tab_that_never_answers_holds_up_nobody(own_browser, lab):
    """bg-bad-foreign-tab: one of them even stands at the very site we ask.

    In a browser of its own: a page that never returns outlives its tab, and would take a core
    from all tests after this one.
    """
    async with (
        own_browser(lab) as browser,
        await connect_to(browser.endpoint.url) as line,
    ):
        for url in ("about:blank", SITES["grok"].page.home):
            where = {"url": "about:blank", "background": True}
            target = (await line.call("Target.createTarget", where))["targetId"]
            attached = {"targetId": target, "flatten": True}
            session = (await line.call("Target.attachToTarget", attached))["sessionId"]
            person = Person(line.session(session), target)
            await person.goes_to(url)
            await person.finds("setTimeout(() => { for (;;); }, 0)")
        async with asyncio.timeout(60):
            await rounds(lab, browser.endpoint.url, 1, offset=50)


async def test_tabs_are_used_again_and_none_is_left_over(own_browser, lab):
    """Ten asks one after the other need one tab for each site, and recovering leaves none."""
    async with own_browser(lab) as browser:
        url = browser.endpoint.url
        await rounds(lab, url, 1, offset=60)
        async with tabs_of(url) as tabs:
            few = len(await tabs.list())
        await rounds(lab, url, 2, offset=70)
        async with tabs_of(url) as tabs:
            assert len(await tabs.list()) == few, [info.url for info in await tabs.list()]


async def test_a_person_who_reads_an_answer_keeps_their_tab(own_browser, lab):
    """The tab of the last answer is in front when the next is asked: it stays as it is."""
    async with own_browser(lab) as browser:
        url = browser.endpoint.url
        first = await answered(url, AskRequest("chatgpt", new_prompt(seed=390)))
        async with tabs_of(url) as tabs:
            read = await tab_where(tabs, lambda info: first.conversation_id in info.url)
            await tabs.connection.call("Target.activateTarget", {"targetId": read.target})
            request = AskRequest("chatgpt", new_prompt(seed=391))
            second = await answered(url, request)
            assert second.text == plan_for(request.prompt).text
            (still,) = [one for one in await tabs.list() if one.target == read.target]
            assert first.conversation_id in still.url
