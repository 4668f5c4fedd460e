"""A press of Send that does nothing, and the routine requests a page makes all the same.

ChatGPT's page renews its leave to ask (`…/conversation/prepare`), counts the press and polls its
list whether or not the press was taken: none of them can carry a prompt. So the press is tried
once more; and an answer that was there before the press is never taken for the answer to it.
"""

import pytest

from kit.asking import (
    answered,
    asked,
    asking_home,
    home_at,
    in_words,
    new_prompt,
    prompts_in,
    staged_url,
)
from kit.carriers import both_carriers
from kit.turns import by_turns
from tabwire.lab.plan import plan_for
from tabwire.model.ask import Answer, AskRequest
from tabwire.model.ask_errors import SendNotConfirmed
from tabwire.model.errors import Retry
from tabwire.sites.known import SITES

__all__ = ["asking_home", "both_carriers"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking"),
    pytest.mark.usefixtures("asking_home"),
]

LOOKS = ("turn_key", "octane", "classic")


def right(lab, request, result, times=1):
    assert isinstance(result, Answer), in_words(result)
    assert result.complete, (in_words(result), result.problems)
    assert result.text == plan_for(request.prompt).text
    assert len(prompts_in(lab, request.prompt)) == times


@pytest.mark.parametrize("look", LOOKS)
async def test_a_swallowed_press_at_chatgpt_is_tried_once_more(look, lab, lab_browser_url):
    url = staged_url("chatgpt", f"layout:{look},swallow:1")
    guest = look == "octane"
    request = AskRequest("chatgpt", new_prompt(seed=701, pieces=4), url=url, guest=guest)
    (result,), _events = await asked(lab_browser_url, request)
    right(lab, request, result)


@pytest.mark.parametrize("site", by_turns("presses_swallowed", tuple(SITES)))
async def test_when_both_presses_are_swallowed_nothing_was_sent(site, lab, lab_browser_url):
    """It may be asked again, and is: from a page that takes the press."""
    url = staged_url(site, "swallow:2")
    request = AskRequest(site, new_prompt(seed=702, pieces=4), url=url)
    (result,), _events = await asked(lab_browser_url, request)
    assert isinstance(result, SendNotConfirmed), in_words(result)
    assert not result.unknown
    assert result.retry is Retry.SAME
    assert not prompts_in(lab, request.prompt)
    again = AskRequest(site, request.prompt)
    right(lab, again, await answered(lab_browser_url, again))


@pytest.mark.parametrize("site", by_turns("answer_of_before", tuple(SITES)))
async def test_an_answer_of_before_is_not_given_where_the_press_is_swallowed(
    site, lab, lab_browser_url, tmp_path
):
    """The same words were asked by somebody else a moment ago."""
    prompt = new_prompt(seed=703, pieces=4)
    with home_at(tmp_path / "theirs"):
        theirs = AskRequest(site, prompt)
        right(lab, theirs, await answered(lab_browser_url, theirs))
    request = AskRequest(site, prompt, url=staged_url(site, "swallow:2"))
    (result,), _events = await asked(lab_browser_url, request)
    assert not isinstance(result, Answer), in_words(result)
    assert len(prompts_in(lab, prompt)) == 1
