"""`--allow-focus`: the last rung before `partial`, and no window moves without it."""

import pytest

from kit.asking import asked, asking_home, in_words, new_prompt, prompts_in
from kit.carriers import both_own_browsers
from kit.chromium import connect_to
from kit.front import tab_in_front
from tabwire.lab.plan import plan_for
from tabwire.lab.serve import serving
from tabwire.lab.stories.stage import stage_from
from tabwire.model.ask import Answer, AskRequest, Completeness
from tabwire.model.signals import Source

__all__ = ["asking_home", "both_own_browsers"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking"),
    pytest.mark.usefixtures("asking_home"),
]

# The wire has no end of the answer: the rest of it is stored, and has to be read.
NO_END = "story=no-end"
READ_SECONDS = 5.0  # a page that loads nothing is given fifteen otherwise


async def asked_on(stage, own_browser, request, reading):
    """Ask in a browser where every page stands on this stage. The result, and what the person's
    own tab in front noted meanwhile."""
    reading.setattr("tabwire.asking.recovery.reread.FIRST_SECONDS", READ_SECONDS)
    async with (
        serving(stage=stage_from(stage)) as lab,
        own_browser(lab) as browser,
        await connect_to(browser.endpoint.url) as line,
    ):
        sees = await tab_in_front(line, barred=own_browser.barred)
        before = await sees()
        assert '"changes":[]' in before[0]
        (result,), _events = await asked(browser.endpoint.url, request)
        assert len(prompts_in(lab, request.prompt)) == 1
        assert isinstance(result, Answer), in_words(result)
        return result, before, await sees()


@pytest.mark.parametrize("site", ["grok", pytest.param("gemini", marks=pytest.mark.soak)])
async def test_a_tab_comes_to_the_front_for_whoever_allowed_it(site, own_browser, monkeypatch):
    """No page loads what is stored while nobody sees it."""
    prompt = new_prompt(told=NO_END, pieces=12)
    request = AskRequest(site, prompt, allow_focus=True)
    answer, _before, after = await asked_on("reads:seen", own_browser, request, monkeypatch)
    assert answer.complete, (in_words(answer), answer.problems)
    assert answer.text == plan_for(prompt).text
    assert '"changes":[]' not in after[0]


async def test_no_tab_comes_to_the_front_for_anybody_else(own_browser, monkeypatch):
    """The same site, the same answer: what was seen of it is kept, and how to fetch the rest."""
    prompt = new_prompt(told=NO_END, pieces=12)
    answer, before, after = await asked_on(
        "reads:seen", own_browser, AskRequest("grok", prompt), monkeypatch
    )
    assert answer.completeness is Completeness.PARTIAL
    assert answer.text
    assert plan_for(prompt).text.startswith(answer.text)
    assert any("tabwire fetch" in one for one in answer.problems)
    assert after == before


@pytest.mark.soak
async def test_no_tab_comes_to_the_front_where_the_background_does(own_browser, monkeypatch):
    """Its own tab does not tell the answer to its end; another one in the background does."""
    request = AskRequest("chatgpt", new_prompt(pieces=12), allow_focus=True)
    answer, before, after = await asked_on("endpoint:renamed", own_browser, request, monkeypatch)
    assert answer.complete, (in_words(answer), answer.problems)
    assert answer.text_from == Source.CANONICAL
    assert after == before
