"""What a page says against asking: it is believed of the page as it is now, and named soon."""

from dataclasses import replace

import pytest

from kit.asking import (
    all_once,
    answered,
    asked,
    asking_home,
    in_words,
    lab_stage,
    new_prompt,
    prompts_in,
    tabs_of,
)
from kit.carriers import both_carriers
from tabwire.lab.plan import plan_for
from tabwire.model.ask import AskRequest
from tabwire.model.ask_errors import (
    AskError,
    ChallengeShown,
    LimitReached,
    LoginRequired,
    SiteFailed,
)
from tabwire.model.errors import Retry
from tabwire.sites.known import SITES, site_of_url

__all__ = ["asking_home", "both_carriers"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking"),
    pytest.mark.usefixtures("asking_home"),
]


@pytest.mark.parametrize(
    "site, stage, error",
    [
        *((site, "login:wall", LoginRequired) for site in SITES),
        ("grok", "challenge", ChallengeShown),
    ],
)
@pytest.mark.rows(1)
async def test_after_a_login_the_same_question_is_asked(site, stage, error, lab, lab_browser_url):
    """Our own tab still shows the wall; the site does not any more."""
    await close_all(lab_browser_url, site)
    prompt = new_prompt(pieces=4)
    with lab_stage(lab, stage):
        for _ in range(2):  # and while it stands it is named each time
            ((refused,), _events) = await asked(lab_browser_url, AskRequest(site, prompt))
            assert isinstance(refused, error), in_words(refused)
    assert not prompts_in(lab, prompt)
    answer = await answered(lab_browser_url, AskRequest(site, prompt))
    assert answer.complete
    assert len(prompts_in(lab, prompt)) == 1


async def close_all(url, site):
    """None stands there that was loaded before."""
    async with tabs_of(url) as tabs:
        for info in await tabs.list():
            if site_of_url(info.url) is SITES[site]:
                await tabs.close(info.target)


@pytest.mark.parametrize(
    "site, story, error",
    [
        (site, story, error)
        for story, error in (("limit", LimitReached), ("error", SiteFailed), ("fault", SiteFailed))
        for site in SITES
    ],
)
@pytest.mark.rows(1, first=2)
async def test_after_a_limit_or_a_failure_the_next_question_is_asked_in_our_own_tab(
    site, story, error, lab, lab_browser_url
):
    """It still shows what the site said; that is of the question before."""
    await close_all(lab_browser_url, site)
    refused = []
    with lab_stage(lab, f"story:{story}"):
        for _ in range(2):  # and while it lasts it is named each time
            request = AskRequest(site, new_prompt(pieces=8))
            ((result,), _events) = await asked(lab_browser_url, request)
            assert isinstance(result, error), in_words(result)
            refused.append(request.prompt)
    assert all_once(lab, refused)
    prompt = new_prompt(pieces=4)
    answer = await answered(lab_browser_url, AskRequest(site, prompt))
    assert answer.complete
    assert answer.text == plan_for(prompt).text
    assert len(prompts_in(lab, prompt)) == 1
    async with tabs_of(lab_browser_url) as tabs:
        ours = [one for one in await tabs.list() if site_of_url(one.url) is SITES[site]]
    assert len(ours) == 1, "in the same tab"


@pytest.mark.parametrize("site", ["chatgpt", "grok"])  # the third one's looks alive before it is
@pytest.mark.rows(1, first=1)
async def test_a_page_that_had_no_composer_once_is_read_anew(
    site, lab, lab_browser_url, monkeypatch
):
    """It never came alive; in our own tab it is loaded anew for the next question."""
    await close_all(lab_browser_url, site)
    known = SITES[site]
    timings = replace(known.page.timings, composer_seconds=2.0, reuse_seconds=1.0)
    prompt = new_prompt(pieces=4)
    with lab_stage(lab, "hydrate:86400"), monkeypatch.context() as soon:
        quick = replace(known, page=replace(known.page, timings=timings))
        soon.setitem(SITES, site, quick)
        for _ in range(2):
            ((refused,), _events) = await asked(lab_browser_url, AskRequest(site, prompt))
            assert isinstance(refused, AskError), in_words(refused)
            assert "wait `composer`" in str(refused)
            assert refused.retry is Retry.SAME
    assert not prompts_in(lab, prompt)
    answer = await answered(lab_browser_url, AskRequest(site, prompt))
    assert answer.complete
    assert len(prompts_in(lab, prompt)) == 1


@pytest.mark.parametrize(
    "layout, guest, lang",
    [
        ("turn_key", False, "en"),
        ("turn_key", True, "ja"),
        ("turn_key", False, "de"),
        ("classic", True, "en"),
    ],
)
@pytest.mark.rows(1)
async def test_a_wall_of_any_build_is_a_login_and_quotes_its_words(
    layout, guest, lang, lab, lab_browser_url
):
    """The newest one has no mark that we know: it was taken for a changed layout, after 32 s."""
    prompt = new_prompt()
    url = f"https://chatgpt.com/?lab=login:wall,layout:{layout},lang:{lang}"
    wish = AskRequest("chatgpt", prompt, url=url, guest=guest)
    ((refused,), _events) = await asked(lab_browser_url, wish)
    assert isinstance(refused, LoginRequired), in_words(refused)
    assert {"en": "(Log in)", "ja": "(ログイン)", "de": "(Anmelden)"}[lang] in str(refused)
    assert not prompts_in(lab, prompt)


async def test_a_logged_out_page_is_quoted_by_its_words_not_by_its_glyphs(lab_browser_url):
    url = "https://chatgpt.com/?lab=layout:octane"
    wish = AskRequest("chatgpt", new_prompt(), url=url)
    ((refused,), _events) = await asked(lab_browser_url, wish)
    assert str(refused).casefold() == "chatgpt requires a login (log in)"
