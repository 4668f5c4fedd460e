"""Stories in ChatGPT's pages, by hand: where the rest of an answer comes from, what is refused,
and what the page itself does meanwhile."""

import json

import pytest

from kit.lab import has_arrived
from kit.turns import by_turns
from lab.replicas.chatgpt.at_chatgpt import (
    CLASSIC,
    ENDLESS,
    LOOKS,
    OCTANE,
    QUICK,
    STEADY,
    TURN_KEY,
    address,
    asks,
    begins,
    chat_of,
    deeds,
    is_over,
    planned,
    there,
    words_of,
)

pytestmark = pytest.mark.asyncio

ALERT = '[role="alert"]:not(.sr-only)'
FAST = "lab: pieces=40 every=0.005 first=0.02 chars=9 pace=20"
EITHER = {  # of the ways to get the rest: what the ledger holds besides the prompt
    "cut": {"resume", "read"},
    "no-end": {"resume", "read"},
    "handoff-resume": {"resume"},
    "handoff-socket": {"resume"},
    "socket-duplicate": {"resume"},
    "socket-reorder": {"resume"},
    "handoff-poll": {"read"},
}


def last_words(look):
    """The whole text of the newest answer."""
    return f"([...document.querySelectorAll({json.dumps(look.root)})].at(-1)?.textContent ?? '')"


def stored_words(lab, prompt):
    """What the site has of the answer, as far as it got."""
    return chat_of(lab, prompt).exchanges[-1].text.rstrip()


@pytest.mark.parametrize("story", EITHER)
@pytest.mark.rows(2, first=1)
async def test_the_rest_of_an_answer_is_fetched_wherever_it_is(lab, lab_tab, story):
    person = await lab_tab(address(story=story))
    prompt = f"The rest, {story}\n{FAST}"
    assert await asks(person, TURN_KEY, prompt) == planned(prompt)
    done = deeds(lab, prompt)
    assert done.count("prompt") == 1
    assert set(done[1:]) <= EITHER[story]
    assert len(done) > 1
    assert await person.counts(ALERT) == 0


@pytest.mark.parametrize("look", [OCTANE, CLASSIC], ids=lambda look: look.name)
async def test_other_layouts_fetch_the_rest_too(lab_tab, look):
    person = await lab_tab(address(look, story="handoff-socket"))
    prompt = f"The rest in {look.name}\n{FAST}"
    assert await asks(person, look, prompt) == planned(prompt)


async def test_an_answer_lost_for_good_is_said_and_asked_again_only_by_hand(lab, lab_tab):
    """A few tries, a look at what is stored, then a notice: nothing is sent by itself."""
    person = await lab_tab(address(story="cut-for-good"))
    prompt = f"Lost\n{FAST}"
    await begins(person, TURN_KEY, prompt)
    said = await person.sees(f"{there(ALERT)}?.textContent")
    assert said.startswith("Network error")
    assert await person.counts(TURN_KEY.stop) == 0
    half = await person.finds(words_of(TURN_KEY.root))
    assert half == stored_words(lab, prompt)
    assert planned(prompt).startswith(half)
    assert half != planned(prompt)
    assert await person.counts(TURN_KEY.bar) == 0
    assert lab.ledger.prompts("chatgpt").count(prompt) == 1
    await person.clicks(f"{ALERT} .retry")
    await person.sees(f"document.querySelectorAll({json.dumps(TURN_KEY.root)}).length === 2")
    await has_arrived(lab, prompt, times=2)


REFUSED = [
    # story           where it is said, in the new layout      the words it begins with
    ("fault", ALERT, "Something went wrong"),
    ("blocked", ALERT, "Our systems have detected unusual activity"),
    ("limit", '[role="dialog"]', "Too many requests"),
    ("limit-until", ".banner", "You’ve reached your limit"),
    ("session-over", '[role="dialog"]', "Your session has expired"),
]


@pytest.mark.parametrize("story, where, words", REFUSED, ids=[one[0] for one in REFUSED])
@pytest.mark.rows(2, first=2)
async def test_a_refusal_is_said_in_the_page_s_own_words(lab, lab_tab, story, where, words):
    person = await lab_tab(address(story=story))
    prompt = f"Refuse me, {story}\n{QUICK}"
    await begins(person, TURN_KEY, prompt)
    said = await person.sees(f"{there(where)}?.textContent")
    assert said.startswith(words)
    assert (" after " in said) == (story == "limit-until")
    assert await person.counts(f"{TURN_KEY.stop}, {TURN_KEY.bar}") == 0
    assert await person.finds(f"{there(TURN_KEY.question)}.textContent") == prompt
    assert lab.ledger.prompts("chatgpt").count(prompt) == 1


@pytest.mark.parametrize("story", ["limit", "limit-until"])
async def test_a_guest_s_limit_is_a_dialog(lab_tab, story):
    person = await lab_tab(address(OCTANE, story=story))
    await begins(person, OCTANE, f"A guest's limit, {story}\n{QUICK}")
    said = await person.sees(f"{there('dialog#no-auth-soft-rate-limit-dialog[open]')}?.textContent")
    assert ("after" in said) == (story == "limit-until")
    assert await person.counts('li[data-message-role="assistant"]') == 0


async def test_a_guest_s_failure_stands_under_the_composer_with_retry(lab, lab_tab):
    """Both are in the page all the time, hidden."""
    person = await lab_tab(address(OCTANE, story="fault"))
    retry = there("[data-composer-submission-retry]")
    assert not await person.finds(f"{retry}.checkVisibility()")
    prompt = f"A guest's failure\n{QUICK}"
    await begins(person, OCTANE, prompt)
    await person.sees(f"{retry}.checkVisibility()")
    await person.clicks("[data-composer-submission-retry]")
    await person.sees("document.querySelectorAll('li[data-message-role=user]').length === 2")
    await person.sees(f"{retry}.checkVisibility()")
    await has_arrived(lab, prompt, times=2)


async def test_a_challenge_takes_the_page_s_place(lab_tab):
    person = await lab_tab(address(story="challenged"))
    await begins(person, TURN_KEY, f"Are you human\n{QUICK}")
    await person.sees("document.title === 'Just a moment...'")
    assert await person.counts("form[data-chatgpt-composer]") == 0
    assert await person.counts('script[src*="/cdn-cgi/challenge-platform/"]') == 1


@pytest.mark.parametrize(
    "story, where, words",
    [("error", ALERT, "Something went wrong"), ("limit-midway", '[role="dialog"]', "Too many")],
)
async def test_an_answer_that_fails_midway_keeps_what_it_has(lab, lab_tab, story, where, words):
    person = await lab_tab(address(story=story))
    prompt = f"Fail midway, {story}\n{FAST}"
    await begins(person, TURN_KEY, prompt)
    assert (await person.sees(f"{there(where)}?.textContent")).startswith(words)
    assert await person.finds(words_of(TURN_KEY.root)) == stored_words(lab, prompt)
    assert await person.counts(f"{TURN_KEY.stop}, {TURN_KEY.bar}") == 0


# -- what the page itself does ------------------------------------------------------------


@pytest.mark.parametrize("look", by_turns("stop_goes_and_comes", tuple(LOOKS.values())))
async def test_stop_goes_and_comes_while_an_answer_is_written(lab_tab, look):
    person = await lab_tab(address(look, story="flicker"))
    await begins(person, look, f"Flicker in {look.name}\n{ENDLESS}")
    for _ in range(2):
        await person.sees(there(look.stop))
        await person.sees(f"!{there(look.stop)}")
    await person.sees(there(look.stop))


@pytest.mark.parametrize("look", by_turns("the_action_bar_flashes", tuple(LOOKS.values())))
async def test_the_action_bar_flashes_in_the_middle_of_thinking(lab_tab, look):
    person = await lab_tab(address(look, story="flash"))
    await begins(person, look, f"Flash in {look.name}\nlab: every=0.2 first=0.1 pieces=9")
    bar = look.bar.replace("[data-message-complete]", "")
    await person.sees(f"{there(bar)} && {there(look.stop)}")
    await person.sees(f"!{there(bar)} && {there(look.stop)}")
    await is_over(person, look)


async def test_stop_gets_a_name_nobody_knows(lab_tab):
    person = await lab_tab(address(story="nameless-stop"))
    await begins(person, TURN_KEY, f"Rename\n{ENDLESS}")
    await person.sees(f"{there(TURN_KEY.stop)}?.ariaLabel === 'Enough'")
    await person.clicks(TURN_KEY.stop)
    await is_over(person, TURN_KEY)


async def test_reading_aloud_says_stop_outside_the_composer_and_stays(lab_tab):
    person = await lab_tab(address(story="read-aloud"))
    await asks(person, TURN_KEY, f"Aloud\n{FAST}")
    assert await person.finds(f"{there('#player button')}.ariaLabel") == "Stop"
    assert await person.counts("form #player") == 0
    assert await person.counts(TURN_KEY.stop) == 0


SHRINKS = """(() => {
  let most = 0;
  new MutationObserver(() => {
    const now = LENGTH;
    most = Math.max(most, now);
    globalThis.shrunk ||= most >= 40 && now < 30;
  }).observe(document, { subtree: true, childList: true, characterData: true });
})()"""


async def test_most_of_the_text_goes_for_a_moment(lab_tab):
    person = await lab_tab(address(story="shrink"))
    prompt = f"Shrink\n{ENDLESS}"
    length = f"{last_words(TURN_KEY)}.length"
    await person.finds(SHRINKS.replace("LENGTH", length))  # before it begins: it lasts a moment
    await begins(person, TURN_KEY, prompt)
    await person.sees(f"globalThis.shrunk && {length} > 70")


async def test_a_toast_with_retry_stands_over_an_answer_that_goes_on(lab, lab_tab):
    person = await lab_tab(address(story="toast"))
    prompt = f"Toast\n{FAST}"
    assert await asks(person, TURN_KEY, prompt) == planned(prompt)
    assert await person.finds(f"{there('.toast .retry')}.checkVisibility()")
    assert lab.ledger.prompts("chatgpt").count(prompt) == 1


async def test_the_page_asks_whether_an_answer_is_done_long_before_it_is(lab_tab):
    person = await lab_tab(address(story="early-hint"))
    prompt = f"Poll\n{FAST}"
    assert await asks(person, TURN_KEY, prompt) == planned(prompt)
    asked = await person.finds(
        "performance.getEntriesByType('resource')"
        ".filter(({ name }) => name.endsWith('/stream_status')).length"
    )
    assert asked == 1


@pytest.mark.parametrize("look", by_turns("thinking", tuple(LOOKS.values())))
@pytest.mark.parametrize("story", ["think", "tools", "preamble"])
async def test_thinking_is_beside_the_answer_s_words(lab, lab_tab, look, story):
    person = await lab_tab(address(look, story=story))
    prompt = f"{story} in {look.name}\n{FAST}"
    shown = await asks(person, look, prompt)
    assert shown == chat_of(lab, prompt).exchanges[-1].text
    thinking = await person.finds(f"{there('.thinking button[aria-expanded]')}.textContent")
    assert thinking.startswith("Thought for")
    await person.finds(f"{there('.thinking button[aria-expanded]')}.click()")
    assert "Thought 1" in await person.sees(f"{there('.thoughts')}?.textContent")


async def test_skipping_is_offered_while_it_thinks_and_asks_nothing_of_the_site(lab, lab_tab):
    person = await lab_tab(address(story="think", lang="ja"))
    prompt = "Skip\nlab: every=0.25 first=0 pieces=4 chars=9"
    await begins(person, TURN_KEY, prompt)
    assert await person.sees(f"{there('.thinking .skip')}?.textContent") == "今すぐ回答"
    await person.clicks(".thinking .skip")
    await person.sees(there(".thinking[data-skipped]"))
    await is_over(person, TURN_KEY)
    assert await person.counts(".skip") == 0
    assert deeds(lab, prompt) == ["prompt"]
    assert await person.finds(words_of(TURN_KEY.root)) == planned(prompt)


async def test_a_reload_in_a_failed_chat_shows_what_is_stored(lab, lab_tab):
    person = await lab_tab(address(story="error"))
    prompt = f"Failed and loaded anew\n{FAST}"
    await begins(person, TURN_KEY, prompt)
    await person.sees(there(ALERT))
    await person.goes_to(await person.finds("location.href"))
    await person.sees(f"{last_words(TURN_KEY)}.length > 20")
    assert await person.finds(words_of(TURN_KEY.root)) == stored_words(lab, prompt)


async def test_a_steady_answer_disturbs_nobody_who_reads_further_up(lab_tab):
    """Who has scrolled up is left where he is while words come."""
    person = await lab_tab(address(path="c/6890a1b2-0000-4000-8000-00000000c0de", past=12))
    await person.sees(there(TURN_KEY.bar))
    await begins(person, TURN_KEY, STEADY.replace("chars=9", "chars=60"))
    await person.finds(f"{there('#scroll')}.scrollTo(0, 0)")
    await is_over(person, TURN_KEY)
    assert await person.finds(f"{there('#scroll')}.scrollTop") < 50
