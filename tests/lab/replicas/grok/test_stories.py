"""Every story in which Grok answers, lived through by a person before its page."""

import asyncio

import pytest

from kit.lab import has_arrived
from lab.replicas.grok.at_grok import (
    ANSWER,
    BAR,
    FAST,
    HOME,
    STOP,
    TEXT,
    all_of,
    asked,
    entry_of,
    noted,
    one,
    over,
    texts,
    words,
)
from tabwire.lab.ledger import Deed
from tabwire.lab.plan import plan_for, plan_in_story
from tabwire.lab.room import Standing
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.script import text_of
from tabwire.lab.stories.story import Outcome

pytestmark = pytest.mark.asyncio

ENDS = (Outcome.COMPLETE, Outcome.PARTIAL)
FOR_GOOD = ("cut-for-good", "no-end-for-good")
ANSWERED = [
    story.name
    for story in STORIES.values()
    if "grok" in story.sites and story.asks and not story.fate and story.outcome in ENDS
    # where names drift, the person here would not find them: tests/lab/test_drift.py does
    if story.name not in ("gigantic", *FOR_GOOD) and not story.name.startswith("drift-")
]
EVEN = "lab: pieces=60 chars=8 every=0.03 first=0.02 think=2"


def told(prompt, name):
    story = STORIES[name]
    return text_of(plan_in_story(plan_for(prompt), story, prompt), story.script)


@pytest.mark.parametrize("name", FOR_GOOD)
async def test_what_the_site_never_finishes_stays_in_part(lab_tab, lab, name):
    prompt = f"Grok loses {name}\n{FAST} think=2 story={name}"
    person = await lab_tab(HOME)
    await asked(person, prompt)
    await person.sees(over())
    entry = entry_of(lab, prompt)
    (exchange,) = lab.room.chat("grok", entry.conversation_id).exchanges
    assert exchange.standing is Standing.FAILED
    assert await texts(person) == [words(exchange.text)]
    assert len(exchange.text) == 120


@pytest.mark.parametrize("name, deed", [("cut", Deed.RESUME), ("handoff-resume", Deed.RESUME)])
async def test_a_broken_stream_is_taken_up_again(lab_tab, lab, name, deed):
    prompt = f"Grok takes up {name}\n{EVEN} story={name}"
    person = await lab_tab(HOME)
    seen = await noted(person, prompt, f"{one(TEXT)}?.innerText.length ?? 0")
    assert max(seen) == seen[-1], "what came before was drawn twice"
    named = entry_of(lab, prompt).conversation_id
    assert [one.conversation_id for one in lab.ledger.of(deed, "grok")].count(named) == 1
    assert Deed.READ in {one.kind for one in lab.ledger.entries if one.conversation_id == named}
    assert await texts(person) == [words(plan_for(prompt).text)]


async def test_an_answer_that_ends_while_its_page_is_opened_is_there(lab_tab, lab, aside):
    """Between two looks of the page: it was under way, and cannot be taken up any more."""
    prompt = f"Grok ends between two looks\n{EVEN} story=stall"
    early = await lab_tab(HOME)
    await asked(early, prompt)
    await early.sees(one(TEXT))
    late = await lab_tab("about:blank")
    await late.session.call("Fetch.enable", {"patterns": [{"urlPattern": "*reconnect-response*"}]})
    named = entry_of(lab, prompt).conversation_id
    with late.session.subscribe(["Fetch.requestPaused"]) as held:
        await late.goes_to(f"{HOME}c/{named}")
        event = await anext(aiter(held))

    async def end():
        lab.room.stop("grok", named)

    await asyncio.wrap_future(aside.begin(end()))
    await late.session.call("Fetch.continueRequest", {"requestId": event.read()["requestId"]})
    await late.sees(over())
    (exchange,) = lab.room.chat("grok", named).exchanges
    assert await texts(late) == [words(exchange.text)]
    assert await late.counts(".error") == 0


REFUSED = [
    ("limit", ".banner[role='status']", "limit"),
    ("limit-until", ".banner[role='status']", "30 minutes"),
    ("session-over", ".banner a[href='/sign-in']", "Sign in"),
    ("challenged", "#challenge-error-text", "Enable JavaScript"),
    ("blocked", ".error[role='alert'] button", "Retry"),
    ("fault", ".error[role='alert'] button", "Retry"),
]


@pytest.mark.parametrize("name, css, says", REFUSED)
@pytest.mark.rows(1, first=2)
async def test_a_refusal_is_shown_as_what_it_is(lab_tab, lab, name, css, says):
    prompt = f"Grok says no: {name}\nlab: story={name}"
    person = await lab_tab(HOME)
    await asked(person, prompt)
    await person.sees(f"{one(css)} && !{one(STOP)}")
    assert says in await person.finds(f"{one(css)}.textContent")
    assert entry_of(lab, prompt).refused == str(STORIES[name].refuse)
    assert await person.counts(TEXT) == 0


async def test_retry_asks_again(lab_tab, lab):
    prompt = "Grok, once more\nlab: story=fault"
    person = await lab_tab(HOME)
    await asked(person, prompt)
    await person.clicks(".error button")
    await person.sees(f"{all_of('.error button')}.length === 1 && {all_of(ANSWER)}.length === 2")
    await has_arrived(lab, prompt, times=2)


@pytest.mark.parametrize("name, css", [("error", ".error"), ("limit-midway", ".banner")])
async def test_the_site_gives_up_in_the_middle(lab_tab, lab, name, css):
    prompt = f"Grok gives up: {name}\n{EVEN} story={name}"
    person = await lab_tab(HOME)
    await asked(person, prompt)
    await person.sees(f"{one(css)} && !{one(STOP)}")
    (shown,) = await texts(person)
    whole = words(plan_for(prompt).text)
    assert whole.startswith(shown)
    assert 0 < len(shown) < len(whole)


async def test_an_answer_without_end_can_be_stopped(lab_tab, lab, aside):
    prompt = f"Grok halts\n{EVEN} story=stall"
    person = await lab_tab(HOME)
    await asked(person, prompt)
    await person.sees(f"{one(TEXT)}?.innerText.length > 200")
    telling = lab.room.telling("grok", entry_of(lab, prompt).conversation_id)
    await person.clicks(STOP)
    await person.sees(over())
    await asyncio.wrap_future(aside.begin(telling.over()))  # the page does not wait for it
    exchange = telling.exchange
    assert exchange.standing is Standing.STOPPED
    assert len(exchange.text) <= 240, "the story goes no further than half of it"


async def test_nothing_comes_to_a_request_that_is_withheld(lab_tab, lab):
    prompt = "Grok keeps quiet\nlab: story=unconfirmed"
    person = await lab_tab(HOME)
    await asked(person, prompt)
    await person.sees(one(STOP))
    assert await person.counts(ANSWER) == 0
    await person.clicks(STOP)
    await person.sees(f"!{one(STOP)}")
    lab.room.stop("grok", entry_of(lab, prompt).conversation_id)


async def test_stop_flickers(lab_tab):
    prompt = "Grok flickers\nlab: pieces=150 every=0.03 first=0.02 story=flicker"
    seen = await noted(await lab_tab(HOME), prompt, f"Boolean({one(STOP)})")
    assert seen[-7:] == [True, False, True, False, True, False, True, False][-7:]
    assert seen.count(False) >= 4


async def test_the_bar_flashes_before_the_end(lab_tab):
    prompt = "Grok flashes\nlab: pieces=60 every=0.03 first=0.02 think=8 story=flash"
    seen = await noted(await lab_tab(HOME), prompt, f"Boolean({one(BAR)})")
    assert seen == [False, True, False, True]


async def test_stop_has_a_label_nobody_knows(lab_tab):
    prompt = f"Grok is nameless\n{EVEN} story=nameless-stop"
    seen = await noted(await lab_tab(HOME), prompt, f"{one(STOP)}?.getAttribute('aria-label')")
    assert "⏹ 7f3a" in seen


async def test_most_of_the_text_goes_for_a_moment(lab_tab):
    prompt = "Grok shrinks\nlab: pieces=90 chars=40 every=0.03 first=0.02 story=shrink"
    seen = await noted(await lab_tab(HOME), prompt, f"{one(TEXT)}?.innerText.length ?? 0")
    assert any(0 < length <= 12 for length in seen), "shorter than any piece of it"
    assert seen[-1] == max(seen)


async def test_a_notice_with_retry_stands_over_an_answer_that_goes_on(lab_tab, lab):
    prompt = f"Grok toasts\n{EVEN} story=toast"
    person = await lab_tab(HOME)
    seen = await noted(person, prompt, f"Boolean({one('.toast button')}) + '' + !{one(STOP)}")
    assert "truefalse" in seen
    assert await texts(person) == [words(plan_for(prompt).text)]


async def test_reading_aloud_says_stop_after_the_end(lab_tab):
    prompt = f"Grok reads aloud\n{EVEN} story=read-aloud"
    person = await lab_tab(HOME)
    await asked(person, prompt)
    await person.sees(over())
    assert await person.counts("#player button[aria-label='Stop']") == 1


async def test_several_agents_and_their_tools_are_told_apart(lab_tab):
    person = await lab_tab(HOME)
    await asked(person, "Grok calls for help\nlab: story=think every=0.01")
    await person.sees(over())
    agents = await person.finds(f"{all_of('.thought')}.map((one) => one.dataset.agent)")
    assert agents == ["Grok", "Harper", "Benjamin"]
    await asked(person, "Grok takes tools\nlab: story=tools every=0.01")
    await person.sees(over(2))
    used = await person.finds(f"{all_of('.tool-usage')}.map((one) => one.textContent)")
    assert used == ["Searched the web: weather in the lab", "Ran code: 1 + 1"]
    assert "always fine" not in (await texts(person))[1]
