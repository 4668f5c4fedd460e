"""What helps to find a cause: bundles of what is odd, debug fields, where a text was looked for."""

import json
from pathlib import Path

import pytest

from config.test_logs import SECRETS, TAIL
from kit.asking import (
    asked,
    asking_home,
    begun,
    home_at,
    in_words,
    new_prompt,
    staged_url,
    tab_where,
    tabs_of,
)
from kit.carriers import both_carriers
from kit.extension import value_of
from kit.turns import by_turns
from tabwire.asking.anomaly import SUSPICIOUS
from tabwire.asking.suspicion import suspicious
from tabwire.hub.jobs.books import opened_books
from tabwire.lab.plan import plan_for
from tabwire.model.ask import (
    Answer,
    AskRequest,
    ConversationKnown,
    Phase,
    PhaseBegan,
    TextCame,
)
from tabwire.model.ask_errors import AnswerTimedOut, AskError, GeminiStuckNoResponse

__all__ = ["asking_home", "both_carriers"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking"),
    pytest.mark.usefixtures("asking_home"),
]
SOURCES = ["network_stream", "canonical_fetch", "dom_hint"]


def bundle_of(result, request):
    """What was kept of it, without a word of what was said."""
    assert result.debug is not None, in_words(result)
    text = Path(str(result.debug["bundle"])).read_text()
    assert request.prompt.splitlines()[0] not in text
    return json.loads(text)


def right(facts, site, code):
    assert (facts["site"], facts["error"]) == (site, code)
    assert facts["parts"], "how our selectors fare"
    assert {one["source"] for one in facts["extraction"]} <= set(SOURCES)
    assert facts["extraction"][0]["source"] == SOURCES[0]


@pytest.mark.parametrize("site", by_turns("debug-timeout", ("grok", "chatgpt", "gemini")))
async def test_an_answer_that_ran_out_of_time_leaves_a_bundle(site, lab_browser_url):
    prompt = new_prompt(told="story=stall", every=0.01)
    request = AskRequest(site, prompt, timeout_seconds=5.0, debug=True)
    ((result,), _events) = await asked(lab_browser_url, request)
    assert isinstance(result, AnswerTimedOut), in_words(result)
    right(bundle_of(result, request), site, AnswerTimedOut.code)
    assert "debug_bodyLen" in result.debug
    stream = result.debug["extraction"][0]
    assert stream["source"] == "network_stream"
    assert 0 < stream["length"] < len(plan_for(prompt).text)


# a document that is only beginning has no element to hang a style on, but takes a sheet
NO_STOP = """(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("button.send-button.stop { display: none !important; }");
  document.adoptedStyleSheets.push(sheet);
})()"""


async def test_a_gemini_that_stays_silent_leaves_a_bundle(lab_browser_url):
    """The prompt is taken and nothing happens: no Stop is seen, no word comes. The page comes
    alive late, so there is time to take its Stop away."""
    prompt = new_prompt(told="story=unconfirmed")
    url = staged_url("gemini", "hydrate:3")
    request = AskRequest("gemini", prompt, url=url, timeout_seconds=12.0, debug=True)
    async with begun(lab_browser_url, request) as ask, tabs_of(lab_browser_url) as tabs:
        await ask.until(PhaseBegan, lambda one: one.phase is Phase.WAIT_INPUT)
        tab = await tab_where(tabs, lambda info: url.partition("?")[2] in info.url)
        await value_of(tab.session, NO_STOP)
        result = await ask.result()
    assert isinstance(result, GeminiStuckNoResponse), in_words(result)
    right(bundle_of(result, request), "gemini", GeminiStuckNoResponse.code)
    assert "debug_bodyLen" in result.debug


@pytest.mark.parametrize("site", by_turns("debug-suspicious", ("grok", "chatgpt", "gemini")))
async def test_a_suspicious_answer_leaves_a_bundle_and_says_where(site, lab_browser_url):
    prompts = [new_prompt("What is 12 + 30?", pieces=1, chars=1) for _ in range(200)]
    odd = [one for one in prompts if suspicious(plan_for(one).text, one)]  # a letter, no number
    request = AskRequest(site, odd[0])
    ((answer,), _events) = await asked(lab_browser_url, request)
    assert isinstance(answer, Answer), in_words(answer)
    assert answer.suspicious, answer.text
    facts = bundle_of(answer, request)
    right(facts, site, SUSPICIOUS)
    assert facts["reasons"] == list(answer.suspicious)


async def test_a_bundle_that_cannot_be_kept_costs_nobody_the_answer(lab_browser_url, tmp_path):
    (tmp_path / "debug").write_text("a file, where the folder should be")
    prompts = [new_prompt("What is 12 + 30?", pieces=1, chars=1) for _ in range(200)]
    odd = [one for one in prompts if suspicious(plan_for(one).text, one)]
    with home_at(tmp_path):
        ((answer,), _events) = await asked(lab_browser_url, AskRequest("grok", odd[0]))
    assert isinstance(answer, Answer), in_words(answer)
    assert answer.complete
    assert "bundle_not_kept" in answer.debug


async def test_an_answer_whose_page_objects_leaves_one_as_well(lab_browser_url):
    request = AskRequest("grok", new_prompt(), url=staged_url("grok", "misdrawn"))
    ((answer,), events) = await asked(lab_browser_url, request)
    assert not isinstance(answer, AskError), in_words(answer)
    right(bundle_of(answer, request), "grok", SUSPICIOUS)
    assert events[-1].answer == answer, "whoever waits is told"


@pytest.mark.parametrize("site", by_turns("debug-tries", ("grok", "chatgpt", "gemini")))
async def test_debug_lists_where_the_text_was_looked_for(site, lab_browser_url):
    request = AskRequest(site, new_prompt(), debug=True)
    ((answer,), _events) = await asked(lab_browser_url, request)
    assert isinstance(answer, Answer), in_words(answer)
    assert "bundle" not in answer.debug, "nothing is odd"
    tries = {one["source"]: one for one in answer.debug["extraction"]}
    assert list(tries) == SOURCES
    assert tries["network_stream"] == {
        "source": "network_stream",
        "length": len(answer.text),
        "rejected": None,
    }
    assert all(tries[source]["rejected"] for source in SOURCES[1:])


async def test_of_an_answer_that_was_found_elsewhere_it_is_told_as_well(lab_browser_url):
    """The tab is closed in the middle; the answer is read from the conversation in another."""
    prompt = new_prompt(pieces=80, every=0.05)
    request = AskRequest("grok", prompt, debug=True)
    async with begun(lab_browser_url, request) as ask, tabs_of(lab_browser_url) as tabs:
        known = await ask.until(ConversationKnown)
        await ask.until(TextCame)
        tab = await tab_where(tabs, lambda info: known.conversation_id in info.url)
        await tabs.close(tab.target)
        answer = await ask.result()
    assert isinstance(answer, Answer), in_words(answer)
    assert answer.text == plan_for(prompt).text
    stream, stored = answer.debug["extraction"]
    assert (stream["source"], stored["source"]) == ("network_stream", "canonical_fetch")
    assert 0 < stream["length"] < stored["length"]
    assert stream["rejected"]
    assert stored["rejected"] is None


async def test_no_secret_of_prompt_answer_title_or_error_is_in_a_bundle(lab_browser_url, tmp_path):
    """T55: a bundle is made to be passed on. What was said is in the store alone."""
    texts = [text.replace("\n", " ") for name, text in SECRETS if name != "our token"]
    pieces = (TAIL, TAIL[:20], "A1B2C3D4A1", "jane.doe")
    with home_at(tmp_path):
        prompt = new_prompt(" | ".join(texts), told="answer=echo story=stall")
        request = AskRequest("chatgpt", prompt, timeout_seconds=5.0, debug=True)
        ((result,), _events) = await asked(lab_browser_url, request)
        assert isinstance(result, AnswerTimedOut), in_words(result)
        assert result.debug["bundle"].startswith(str(tmp_path / "debug"))
        # and what nobody thinks of: a fact that quotes a page, an error, a header
        async with opened_books() as books:
            odd = {"site": "chatgpt", "reasons": texts, "page": {"title": list(texts)}, "n": 1}
            await books.anomaly(odd | dict.fromkeys(texts, 1))
    kept = list((tmp_path / "debug").iterdir())
    assert len(kept) == 2
    for path in kept:
        said = path.read_text(encoding="utf-8")
        assert json.loads(said)["site"] == "chatgpt"
        assert [one for one in pieces if one in said] == [], path
