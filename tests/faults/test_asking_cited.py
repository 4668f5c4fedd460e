"""Sites mark their sources by signs of their own: whoever asks has links, wherever it is read.

The lab's `cited` answer has one such mark, and explains it as its site does: ChatGPT in the stream
as hidden at first and whole with its end, Gemini with the whole answer, Grok by a card before the
end and by the stored answer; all of them in the stored conversation.
"""

import json
import re

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
from kit.watched import watching
from tabwire.hub import LocalHub
from tabwire.hub.browsers.sightings import as_data
from tabwire.hub.browsers.watch import Readable
from tabwire.lab.citing import citation_tag
from tabwire.lab.play.play import planned
from tabwire.lab.stories.known import STORIES
from tabwire.model.ask import AskRequest, ConversationKnown, TextCame
from tabwire.model.citations import Citation
from tabwire.monitor import sightings as told
from tabwire.sites.known import SITES

__all__ = ["asking_home", "both_carriers"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking"),
    pytest.mark.usefixtures("asking_home"),
]

SOURCES = {
    "chatgpt": Citation("https://example.com/lab/0/search/0", "The lab, search 0", "The lab"),
    "gemini": Citation("https://example.com/lab/0/search/0", "The lab, search 0"),
    "grok": Citation("https://example.com/lab/0/search/0", "The lab, search 0", "The lab"),
}
ENDS = {"chatgpt": "end_turn", "gemini": "candidate_complete", "grok": "model_response"}
RAW = re.compile("[\ue200-\ue2ff]|\\[cite|grok:render|citation_id")  # a mark, or a part of one


def link(site):
    source = SOURCES[site]
    return f" ([{source.publisher or source.title}]({source.url}))"


def text_for(prompt, site):
    """As the lab sends it."""
    return planned(prompt, STORIES["plain"], site).text


def cites(answer, prompt):
    site = answer.site
    assert answer.complete, (answer.why, answer.problems)
    assert answer.text.endswith(f"signs of its own{link(site)}, which no reader sees.")
    assert answer.text == as_read(site, text_for(prompt, site))
    assert answer.citations == (SOURCES[site],)
    assert not RAW.search(answer.text)
    assert not answer.others
    assert not answer.problems


@pytest.mark.parametrize("site", SOURCES)
async def test_an_answer_has_links_and_its_growth_no_marks(lab, lab_browser_url, site):
    request = AskRequest(site, new_prompt(answer="cited", seed=501))
    async with begun(lab_browser_url, request) as ask:
        answer = await ask.answer()
    cites(answer, request.prompt)
    assert answer.text_from == "network_stream"
    assert any(ENDS[site] in one for one in answer.evidence), answer.evidence
    assert ask.text() == as_told(site, text_for(request.prompt, site))
    assert not [one for one in ask.events if isinstance(one, TextCame) and RAW.search(one.text)]
    (row,) = [one for one in await LocalHub().asks.history(5) if one.id == answer.id]
    assert row.answer == answer


@pytest.mark.parametrize("site", SOURCES)
async def test_the_same_is_read_from_the_stored_conversation(lab, lab_browser_url, tmp_path, site):
    request = AskRequest(site, new_prompt(answer="cited", seed=502))
    answer = await answered(lab_browser_url, request)
    with home_at(tmp_path):  # in which nobody has asked anything
        hub = LocalHub()
        found = await hub.asks.fetch(str(answer.url), browser=f"attach={lab_browser_url}")
    cites(found, request.prompt)
    assert found.text_from == "canonical_fetch"
    assert len(prompts_in(lab, request.prompt)) == 1


@pytest.mark.parametrize("site", SOURCES)
async def test_a_watcher_and_an_export_tell_the_same(lab, lab_browser_url, site):
    prompt = new_prompt(answer="cited", seed=503)
    seen = []
    async with watching(lab_browser_url, site) as tab:
        await tab.ask(prompt)
        await tab.verdict()
        readable = Readable(SITES[site], seen.append)
        for sighting in tab.told:
            readable.tell(sighting)
    sent = text_for(prompt, site)
    grown = [one.text for one in seen if isinstance(one, told.Grew) and not one.thinking]
    assert not RAW.search("".join(grown)), grown
    verdicts = [as_data(one, 0.0)["verdict"] for one in seen if isinstance(one, told.Judged)]
    cited = [SOURCES[site]]
    assert (verdicts[-1]["text"], verdicts[-1]["complete"]) == (as_read(site, sent), True)
    assert [Citation(**one) for one in verdicts[-1]["citations"]] == cited

    request = AskRequest(site, new_prompt(answer="cited", seed=504))
    answer = await answered(lab_browser_url, request)
    _row, made = await LocalHub().conversations.export(str(answer.url), "common")
    told_turns = [one for one in json.loads(made.text)["turns"] if one["role"] == "assistant"]
    assert told_turns[-1]["shown_text"] == as_read(site, text_for(request.prompt, site))
    references = [one for one in told_turns[-1]["references"] if one["mark"]]
    assert [Citation(**one) for entry in references for one in entry["citations"]] == cited


WORDS = {  # of an echo: a mark, and what its link is
    "chatgpt": "Known\ue200cite\ue202turn0search0\ue201. ",
    "gemini": "[cite_start]Known [cite: 1]. ",
    "grok": f"Known{citation_tag(0)}. ",
}


@pytest.mark.parametrize("site", SOURCES)
async def test_what_was_heard_with_marks_agrees_with_what_is_stored(lab, lab_browser_url, site):
    """The tab closes soon after the first mark: heard and stored are compared as sent."""
    words = WORDS[site] + "and so on " * 60
    request = AskRequest(site, new_prompt(words, answer="echo", every=0.05))
    async with begun(lab_browser_url, request) as ask, tabs_of(lab_browser_url) as tabs:
        known = await ask.until(ConversationKnown)
        await ask.until(TextCame, lambda one: "so" in one.text and not one.thinking)
        grown = ask.text()
        tab = await tab_where(tabs, lambda info: known.conversation_id in info.url)
        await tabs.close(tab.target)
        answer = await ask.answer()
    assert answer.complete, (answer.why, answer.problems)
    sent = text_for(request.prompt, site)
    assert answer.text == as_read(site, sent)
    assert answer.text.startswith(f"Known{link(site)}. and")
    assert (answer.citations, answer.text_from) == ((SOURCES[site],), "canonical_fetch")
    assert not answer.others
    assert as_told(site, sent).startswith(ask.text())
    assert re.match(r"Known ?\. and so", grown)
