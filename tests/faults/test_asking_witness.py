"""A page that shows other words than came: read once more, and what the site has stored decides."""

import pytest

from kit.asking import asked, asking_home, in_words, new_prompt, prompts_in, staged_url
from kit.carriers import both_carriers
from kit.turns import by_turns
from tabwire.asking.recovery.second_look import LOOK_TWICE
from tabwire.lab.plan import plan_for
from tabwire.model.ask import Amended, Answer, AskRequest, StillWaiting
from tabwire.model.signals import Source

__all__ = ["asking_home", "both_carriers"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking"),
    pytest.mark.usefixtures("asking_home"),
]

MADE_UP = "Nobody has ever said what stands in this paragraph"


@pytest.mark.parametrize("site", by_turns("witness", ("grok", "chatgpt", "gemini")))
async def test_a_page_with_another_paragraph_is_read_once_more_and_both_texts_are_kept(
    site, lab, lab_browser_url
):
    """net-dom-disagree. The site has stored what it sent, so that stays the answer."""
    request = AskRequest(site, new_prompt(), url=staged_url(site, "misdrawn"))
    ((answer,), events) = await asked(lab_browser_url, request)
    assert isinstance(answer, Answer), in_words(answer)
    assert answer.text == plan_for(request.prompt).text
    assert answer.complete, (in_words(answer), answer.problems)
    assert f"{Source.CANONICAL}: same text" in answer.evidence
    assert LOOK_TWICE in answer.suspicious
    (other,) = answer.others
    assert other.source == Source.PAGE
    assert MADE_UP in other.text
    assert [one.why for one in events if isinstance(one, StillWaiting)]
    assert isinstance(events[-1], Amended)
    assert events[-1].answer == answer
    assert len(prompts_in(lab, request.prompt)) == 1
