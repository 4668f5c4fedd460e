"""The lab's Grok on x.com in a real browser: two hosts, one conversation."""

import pytest

from lab.replicas.grok.at_grok import FAST, all_of, entry_of, one, words
from tabwire.lab.ledger import Deed
from tabwire.lab.plan import plan_for
from tabwire.lab.room import Standing
from tabwire.sites.grok.requests import conversation_in_url

pytestmark = pytest.mark.asyncio

HOME = "https://x.com/i/grok"
BOX = "textarea[data-testid='grok-composer']"
ANSWER = "[data-testid='grok-agent-message']"
OVER = f"{one(f'{ANSWER} .bar button')} && {one('form button[type=submit]')}"
STOP = "form button[type=button]"
RELOADS = 10


async def asked(person, prompt):
    await person.writes(BOX, prompt)
    await person.presses("Enter")


async def shown(person):
    return [words(text) for text in await person.finds(
        f"{all_of(f'{ANSWER} .words')}.map((one) => one.innerText)")]  # fmt: skip


@pytest.mark.parametrize("lang", ["en", "ja", "de", "fr", "ar", "zh"])
@pytest.mark.rows(1, first=2)
async def test_an_exchange_in_every_language(lab_tab, lab, lang):
    prompt = f"Grok on X in {lang}\n{FAST} think=1"
    person = await lab_tab(f"{HOME}?lab=lang:{lang}")
    await asked(person, prompt)
    await person.sees(OVER)
    assert await shown(person) == [words(plan_for(prompt).text)]
    named = entry_of(lab, prompt).conversation_id
    assert conversation_in_url(await person.finds("location.href")) == named
    assert "Tabwire lab: a stand-in, not X" in await person.finds("document.body.innerText")


async def test_it_is_there_after_a_reload_and_in_the_list(lab_tab, lab):
    prompt = f"Grok on X remembers\n{FAST}"
    person = await lab_tab(HOME)
    await asked(person, prompt)
    await person.sees(OVER)
    await person.goes_to(await person.finds("location.href"))
    await person.sees(OVER)
    assert await shown(person) == [words(plan_for(prompt).text)]
    await person.sees(f"{one('h1')}.textContent === 'Grok on X remembers'")


@pytest.mark.parametrize("story", ["cut", "no-end", "handoff-resume", "early-hint", "tools"])
@pytest.mark.rows(1)
async def test_the_rest_is_read_from_what_is_stored(lab_tab, lab, story):
    """The story is the tab's: across two hosts only the whole referer tells it."""
    prompt = f"Grok on X, {story}\n{FAST}"
    person = await lab_tab(f"{HOME}?lab=story:{story}")
    await asked(person, prompt)
    await person.sees(OVER)
    assert entry_of(lab, prompt).story == story
    whole = [words(plan_for(prompt).text)]
    for _ in range(RELOADS):
        if await shown(person) == whole:
            break
        # read before the site had stored all of it, on a busy machine: a person looks again
        await person.goes_to(await person.finds("location.href"))
        await person.sees(OVER)
    assert await shown(person) == whole


async def test_the_person_stops_an_answer(lab_tab, lab):
    prompt = "Grok on X stops\nlab: pieces=4000 every=0.02 first=0.02"
    person = await lab_tab(HOME)
    await asked(person, prompt)
    await person.sees(f"{one(f'{ANSWER} .words')}?.innerText")
    await person.clicks(STOP)
    await person.sees(OVER)
    named = entry_of(lab, prompt).conversation_id
    await person.goes_to(f"{HOME}?conversation={named}")
    await person.sees(one(ANSWER))
    (exchange,) = lab.room.chat("grok", named).exchanges
    assert exchange.standing is Standing.STOPPED
    assert named in {one.conversation_id for one in lab.ledger.of(Deed.STOP, "grok")}


@pytest.mark.parametrize(
    "story, css, says",
    [("limit-until", ".said", "30 minutes"), ("session-over", ".said a", "Sign in"),
     ("fault", "[role=alert]", "unable"), ("challenged", "[role=dialog]", "human")],
)  # fmt: skip
@pytest.mark.rows(2)
async def test_a_refusal_is_shown(lab_tab, lab, story, css, says):
    prompt = f"Grok on X says no: {story}"
    person = await lab_tab(f"{HOME}?lab=story:{story}")
    await asked(person, prompt)
    await person.sees(f"{one(css)}?.textContent.includes({says!r})")
    assert entry_of(lab, prompt).refused
