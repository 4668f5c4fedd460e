"""ChatGPT's stream falls silent and the page gives it up, or nobody follows where it went on.

The lab's page gives up sooner than the site's (`idle`), everything else takes its real time.
"""

import pytest

from kit.asking import asked, asking_home, in_words, new_prompt, prompts_in, staged_url
from kit.watched import watching
from tabwire.lab.plan import plan_for
from tabwire.model.ask import Answer, AskRequest
from tabwire.monitor import sightings as told

__all__ = ["asking_home"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking"),
    pytest.mark.usefixtures("asking_home"),
]

FIRST_SECONDS = 12  # the page has given up after one, and has asked for the rest in vain for three


async def test_an_answer_that_begins_after_the_page_gave_up_its_stream_is_watched_to_its_end(
    lab, lab_browser_url
):
    address = staged_url("chatgpt", "idle:1")
    prompt = new_prompt(first=FIRST_SECONDS, think=0, pieces=12)
    async with watching(lab_browser_url, "chatgpt", address=address) as tab:
        await tab.ask(prompt)
        verdict = await tab.verdict()
    assert verdict.complete, (verdict.why, tab.story())
    assert verdict.text == plan_for(prompt).text
    assert len(tab.of(told.Judged)) == 1


@pytest.mark.parametrize("words", ["idle:1", "story:handoff-unheard"])
async def test_what_the_page_does_not_bring_is_asked_of_the_site(words, lab, lab_browser_url):
    told_lab = "think=0 pieces=12"
    first = FIRST_SECONDS if words == "idle:1" else 0.1
    prompt = new_prompt(told=told_lab, first=first)
    request = AskRequest("chatgpt", prompt, url=staged_url("chatgpt", words))
    ((answer,), _events) = await asked(lab_browser_url, request)
    assert isinstance(answer, Answer), in_words(answer)
    assert answer.complete, in_words(answer)
    assert answer.text == plan_for(prompt).text
    assert len(prompts_in(lab, prompt)) == 1
    assert answer.timings.total is not None
    assert answer.timings.total > 1000 * first  # nobody had it before its first words
