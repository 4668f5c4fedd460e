"""ChatGPT marks its sources by signs of its own: whoever asks has links, wherever it is read.

The lab's `cited` answer has one such mark, and explains it as the site does: in the stream as
hidden at first, and whole with its end; in the stored conversation whole.
"""

import unicodedata

import pytest

from kit.asking import (
    answered,
    asking_home,
    begun,
    home_at,
    new_prompt,
    prompts_in,
    tab_where,
    tabs_of,
)
from kit.carriers import both_carriers
from kit.cited import as_read, as_told
from tabwire.hub import Hub
from tabwire.lab.play.prompts import planned
from tabwire.lab.stories.known import STORIES
from tabwire.model.ask import AskRequest, ConversationKnown, TextCame
from tabwire.model.citations import Citation

__all__ = ["asking_home", "both_carriers"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking"),
    pytest.mark.usefixtures("asking_home"),
]

MARK = "\ue200cite\ue202turn0search0\ue201"
SOURCE = Citation("https://example.com/lab/0/search/0", "The lab, search 0", "The lab")
LINK = "signs of its own ([The lab](https://example.com/lab/0/search/0)), which no reader sees."


def private(text):
    return [char for char in text if unicodedata.category(char) == "Co"]


def text_for(prompt):
    """As the lab sends it."""
    return planned(prompt, STORIES["plain"]).text


def cites(answer, prompt):
    assert answer.complete, (answer.why, answer.problems)
    assert answer.text.endswith(LINK)
    assert answer.text == as_read("chatgpt", text_for(prompt))
    assert answer.citations == (SOURCE,)
    assert not private(answer.text)
    assert not answer.others
    assert not answer.problems


async def test_an_answer_has_links_and_its_growth_no_marks(lab, lab_browser_url):
    request = AskRequest("chatgpt", new_prompt(answer="cited", seed=501))
    async with begun(lab_browser_url, request) as ask:
        answer = await ask.answer()
    cites(answer, request.prompt)
    assert answer.text_from == "network_stream"
    assert any("end_turn" in one for one in answer.evidence)
    assert ask.text() == as_told("chatgpt", text_for(request.prompt))
    assert not [one for one in ask.events if isinstance(one, TextCame) and private(one.text)]
    (row,) = [one for one in await Hub().history(5) if one.id == answer.id]
    assert row.answer == answer


async def test_the_same_is_read_from_the_stored_conversation(lab, lab_browser_url, tmp_path):
    request = AskRequest("chatgpt", new_prompt(answer="cited", seed=502))
    answer = await answered(lab_browser_url, request)
    with home_at(tmp_path):  # in which nobody has asked anything
        found = await Hub().fetch(str(answer.url), browser=f"attach={lab_browser_url}")
    cites(found, request.prompt)
    assert found.text_from == "canonical_fetch"
    assert len(prompts_in(lab, request.prompt)) == 1


async def test_what_was_heard_with_marks_agrees_with_what_is_stored(lab, lab_browser_url):
    """The tab closes soon after the first mark: heard and stored are compared as sent."""
    words = f"Known{MARK}. " + "and so on " * 60
    request = AskRequest("chatgpt", new_prompt(words, answer="echo", every=0.05))
    async with begun(lab_browser_url, request) as ask, tabs_of(lab_browser_url) as tabs:
        known = await ask.until(ConversationKnown)
        await ask.until(TextCame, lambda one: "so" in one.text)
        tab = await tab_where(tabs, lambda info: known.conversation_id in info.url)
        await tabs.close(tab.target)
        answer = await ask.answer()
    assert answer.complete, (answer.why, answer.problems)
    assert answer.text == as_read("chatgpt", text_for(request.prompt))
    assert answer.text.startswith("Known ([The lab](https://example.com/lab/0/search/0)). and")
    assert (answer.citations, answer.text_from) == ((SOURCE,), "canonical_fetch")
    assert not answer.others
    assert as_told("chatgpt", text_for(request.prompt)).startswith(ask.text())
    assert ask.text().startswith("Known. and so")
