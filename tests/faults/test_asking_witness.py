"""A page that shows something else than came: it never speaks for the answer, nor against it
alone."""

import pytest

from kit.asking import asked, asking_home, in_words, new_prompt, prompts_in, staged_url, tabs_of
from kit.lab import Person
from tabwire.lab.plan import plan_for
from tabwire.model.ask import Answer, AskRequest
from tabwire.model.signals import Source

__all__ = ["asking_home"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking"),
    pytest.mark.usefixtures("asking_home"),
]

MADE_UP = "Nobody has ever said what stands in this paragraph"


async def test_a_page_with_another_paragraph_changes_nothing_and_vouches_for_nothing(
    lab, lab_browser_url
):
    """net-dom-disagree, as far as we go: the wire's proof is for its own text, to the letter. A
    page that is rendered otherwise in a part of it is no witness; it is not read once more."""
    request = AskRequest("grok", new_prompt(), url=staged_url("grok", "misdrawn"))
    ((answer,), _events) = await asked(lab_browser_url, request)
    assert isinstance(answer, Answer), in_words(answer)
    assert answer.complete, (in_words(answer), answer.problems)
    assert answer.text == plan_for(request.prompt).text
    assert f"{Source.PAGE}: same text" not in answer.evidence
    assert len(prompts_in(lab, request.prompt)) == 1
    await comes_to_show(lab_browser_url, str(request.url).rpartition(",")[2], MADE_UP)


async def comes_to_show(url, mark, words):
    """Wait until the page at this address shows these words: it may draw late."""
    async with tabs_of(url) as tabs:
        (info,) = [one for one in await tabs.list() if mark in one.url]
        tab = await tabs.attach(info.target)
        await Person(tab.session, tab.target).sees(f"document.body.textContent.includes({words!r})")
