"""The lab's Gemini under stories: what its page then does, seen by somebody before it."""

from itertools import pairwise

import pytest

from kit.lab import has_arrived
from lab.replicas.gemini.reader import (
    ACTIONS,
    COMPOSER,
    HOME,
    LAYOUT,
    QUESTION,
    SEND,
    STOP,
    TEXT,
    deep,
    over,
    words,
)
from tabwire.lab.ledger import Deed
from tabwire.lab.plan import plan_for
from tabwire.lab.room import Standing
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.script import text_of
from tabwire.lab.stories.stage import LANGUAGES

pytestmark = pytest.mark.asyncio

PACE = "lab: pieces=30 every=0.02 first=0.02 chars=9 pace=20"
SLOWLY = "lab: pieces=60 every=0.05 first=0.02 chars=9 pace=20"
ALERT = ".error-message"

# Everything that is true of the page at some time, in order, without repeating itself.
NOTE = """seen = [], new Promise((begun) => {
  const look = () => {
    const now = JSON.stringify(EXPRESSION);
    if (seen.at(-1) !== now) seen.push(now);
  };
  until(() => { look(); return false; });
  begun(1);
})"""


def prompt_of(story, pace=PACE):
    return f"Gemini plays {story}\n{pace} story={story}"


async def note(reader, expression):
    await reader.person.finds(NOTE.replace("EXPRESSION", expression))


async def noted(reader):
    return await reader.person.finds("seen.map((one) => JSON.parse(one))")


def exchanges(lab, prompt):
    named = {one.conversation_id for one in lab.ledger.asked("gemini") if one.prompt == prompt}
    chats = [lab.room.chat("gemini", one) for one in named]
    return [one for chat in chats if chat for one in chat.exchanges if one.prompt == prompt]


def told(story, pace=PACE):
    return words(text_of(plan_for(prompt_of(story, pace)), STORIES[story].script))


# -- languages --------------------------------------------------------------------------

SEND_WORDS = {
    "en": "Send message",
    "ja": "プロンプトを送信",
    "de": "Nachricht senden",
    "fr": "Envoyer un message",
    "ar": "إرسال الرسالة",
    "zh": "发送消息",
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.rows(1, first=2)
async def test_an_exchange_in_every_language(gemini, lab, lang):
    prompt = f"Gemini in {lang}\n{PACE}"
    reader = await gemini(lang=lang)
    label = "document.querySelector('.send-button').ariaLabel"
    assert await reader.person.finds(label) == SEND_WORDS[lang]
    labels = "[...document.querySelectorAll('button, [role=textbox]')].map((one) => one.ariaLabel)"
    assert "" not in await reader.person.finds(labels)
    rtl = await reader.person.finds("getComputedStyle(document.body).direction === 'rtl'")
    assert rtl == (lang == "ar")
    await reader.person.writes(COMPOSER, prompt)
    await reader.person.clicks(SEND)
    await reader.sees(over())
    assert await reader.texts() == [words(plan_for(prompt).text)]
    assert lab.ledger.prompts("gemini").count(prompt) == 1
    assert await reader.person.finds("location.search") == f"?lab=lang:{lang}"


# -- Stop and other signs ----------------------------------------------------------------


async def test_stop_flickers_while_the_answer_goes_on(gemini):
    reader = await gemini()
    await note(reader, "[...document.querySelector('.send-button').classList].at(-1)")
    await reader.asks(
        "Gemini flickers\nlab: pieces=100 every=0.06 first=0.02 chars=9 story=flicker"
    )
    await reader.sees(over())
    assert await noted(reader) == ["submit", *["stop", "submit"] * 4]


async def test_the_action_bar_flashes_while_it_thinks(gemini):
    reader = await gemini()
    await note(reader, f"[{deep(ACTIONS)}.length, {deep(TEXT)}.length]")
    await reader.asks("Gemini flashes\nlab: pieces=9 every=0.12 first=0.02 think=9 story=flash")
    await reader.sees(over())
    seen = await noted(reader)
    assert seen[:3] == [[0, 0], [1, 0], [0, 0]]
    assert seen[-1] == [1, 1]


async def test_a_read_aloud_control_says_stop_after_the_end(gemini):
    reader = await gemini()
    await reader.asks(prompt_of("read-aloud"))
    await reader.sees(over())
    css = "tts-control button[aria-label='Stop listening']"
    assert await reader.counts(css) == 1
    await reader.person.finds(f"{deep(css)}[0].click()")
    assert await reader.counts("tts-control button[aria-label='Listen']") == 1


async def test_a_stop_nobody_knows_still_stops(gemini, lab):
    prompt = prompt_of("nameless-stop", SLOWLY)
    reader = await gemini()
    await reader.asks(prompt)
    await reader.sees("document.querySelector('.send-button.hold')")
    for one in LAYOUT.stop:
        assert await reader.counts(one.css) == 0, one.css
    await reader.person.clicks(".send-button.hold")
    await reader.sees("!document.querySelector('.send-button.hold')")
    await reader.sees(f"{deep('.stopped-draft-message')}.length")
    (exchange,) = exchanges(lab, prompt)
    assert not exchange.text.endswith(plan_for(prompt).text)


async def test_a_toast_over_an_answer_that_goes_on(gemini):
    reader = await gemini()
    await reader.asks(prompt_of("toast"))
    await reader.sees("document.querySelector('simple-snack-bar button')")
    await reader.sees(over())
    assert await reader.texts() == [told("toast")]


async def test_the_text_shrinks_and_comes_back(gemini):
    reader = await gemini()
    await note(reader, f"{deep(TEXT)}[0]?.innerText.length ?? 0")
    await reader.asks(prompt_of("shrink", SLOWLY))
    await reader.sees(over())
    whole = told("shrink", SLOWLY)
    await reader.sees(f"{deep(TEXT)}[0].innerText.length >= {len(whole)}")
    lengths = await noted(reader)
    assert any(after < before for before, after in pairwise(lengths))
    assert await reader.texts() == [whole]


async def test_thinking_has_a_button_to_skip_it_and_can_be_unfolded(gemini):
    reader = await gemini()
    await reader.asks("Gemini ponders\nlab: pieces=9 every=0.1 first=0.02 think=9 story=think")
    await reader.sees(f"{deep('.thoughts-skip-button')}.length")
    await reader.sees(over())
    assert await reader.counts(".thoughts-skip-button") == 0
    hidden = f"{deep('.thoughts-content')}[0].hidden"
    assert await reader.person.finds(hidden)
    await reader.person.finds(f"{deep('.thoughts-header-button')}[0].click()")
    assert not await reader.person.finds(hidden)


async def test_a_tool_is_named_while_it_works(gemini):
    reader = await gemini()
    await note(reader, f"{deep('.response-container-header-processing-state')}[0]?.innerText ?? ''")
    shown = "lab: pieces=6 every=0.8 first=0.02 chars=9 pace=20"  # until the next piece
    await reader.asks(prompt_of("tools", shown))
    await reader.sees(over())
    assert {"Using web.search", "Using python"} & set(await noted(reader))


async def test_early_hints_end_nothing(gemini, lab):
    prompt = prompt_of("early-hint")
    reader = await gemini()
    await note(reader, f"[{deep(STOP)}.length, {deep('.response-footer.complete')}.length]")
    await reader.asks(prompt)
    await reader.sees(over())
    assert await reader.texts() == [told("early-hint")]
    assert (await noted(reader)).count([0, 0]) == 1  # Stop never went before the end
    (chat,) = {one.conversation_id for one in lab.ledger.asked() if one.prompt == prompt}
    assert [one for one in lab.ledger.of(Deed.READ) if one.conversation_id == chat]  # it polled


# -- the wire fails ----------------------------------------------------------------------


@pytest.mark.parametrize("story", ["cut", "no-end", "split", "duplicate", "reorder"])
@pytest.mark.rows(1)
async def test_however_the_wire_carries_it_the_page_has_it_whole(gemini, lab, story):
    reader = await gemini()
    await reader.asks(prompt_of(story))
    await reader.sees(over())
    (exchange,) = exchanges(lab, prompt_of(story))
    await reader.sees(f"{deep(TEXT)}[0].innerText.length >= {len(words(exchange.text))}")
    assert await reader.texts() == [words(exchange.text)]


async def test_what_is_cut_for_good_is_an_error_with_retry(gemini, lab):
    prompt = prompt_of("cut-for-good")
    reader = await gemini()
    await reader.asks(prompt)
    await reader.sees(f"{deep('.retry-button')}.length && !{deep(STOP)}.length")
    assert await reader.counts(ACTIONS) == 0
    (exchange,) = exchanges(lab, prompt)
    assert await reader.texts() == [words(exchange.text)]
    assert exchange.standing is not Standing.WHOLE


@pytest.mark.parametrize(
    "story, says, retry",
    [
        ("fault", "1013", 1),
        ("blocked", "1060", 1),
        ("error", "1013", 1),
        ("limit", "reached your limit", 0),
        ("limit-midway", "reached your limit", 0),
        ("session-over", "session has ended", 0),
        ("challenged", "went wrong", 1),
    ],
)
@pytest.mark.rows(1)
async def test_what_the_site_refuses_is_told(gemini, lab, story, says, retry):
    reader = await gemini()
    await reader.asks(prompt_of(story))
    await reader.sees(f"{deep(ALERT)}.length && !{deep(STOP)}.length")
    (shown,) = await reader.finds(ALERT)
    assert says in shown
    assert await reader.counts(f"{ALERT} .retry-button") == retry
    assert await reader.counts(ACTIONS) == 0
    beside = {"session-over": "a[href*='accounts.google.com/ServiceLogin']"}
    beside |= {"challenged": "form#captcha-form", "limit": "usage-limit-disclaimer"}
    if story in beside:
        assert await reader.person.counts(beside[story]) == 1
    assert lab.ledger.prompts("gemini").count(prompt_of(story)) == 1


async def test_a_limit_says_until_when_and_retry_asks_again(gemini, lab):
    reader = await gemini()
    await reader.asks(prompt_of("limit-until"))
    await reader.sees("document.querySelector('usage-limit-disclaimer')?.innerText.includes(':')")
    await reader.asks(prompt_of("fault", "lab: pieces=3"))
    await reader.sees(f"{deep('.retry-button')}.length")
    await reader.person.finds(f"{deep('.retry-button')}[0].click()")
    await reader.sees(f"{deep(ALERT)}.length === 3")
    await has_arrived(lab, prompt_of("fault", "lab: pieces=3"), times=2)


# -- sending ---------------------------------------------------------------------------


async def test_a_click_is_swallowed_and_the_next_one_sends(gemini, lab):
    prompt = f"Gemini swallows\n{PACE}"
    reader = await gemini(swallow=1)
    await reader.person.writes(COMPOSER, prompt)
    await reader.person.clicks(SEND)
    assert await reader.counts(QUESTION) == 0
    await reader.person.clicks(SEND)
    await reader.sees(over())
    assert lab.ledger.prompts("gemini").count(prompt) == 1


async def test_two_clicks_send_twice_where_send_stays(gemini, lab):
    prompt = f"Gemini doubles\n{PACE}"
    reader = await gemini(slow_send=3)
    await reader.person.writes(COMPOSER, prompt)
    await reader.person.clicks(SEND)
    await reader.person.clicks(SEND)
    await reader.sees(f"{deep(QUESTION)}.length === 2 && {deep(ACTIONS)}.length")
    await has_arrived(lab, prompt, times=2)


@pytest.mark.parametrize("kind", ["cookies", "upsell", "update"])
@pytest.mark.rows(1, first=2)
async def test_an_overlay_keeps_send_from_being_clicked(gemini, kind):
    reader = await gemini(overlay=kind)
    await reader.person.writes(COMPOSER, f"Gemini is covered by {kind}")
    await reader.person.clicks(SEND)
    assert await reader.counts(QUESTION) == 0
    assert await reader.person.counts(f"[data-overlay={kind}] [role=dialog]") == 1
    await reader.person.clicks(f"[data-overlay={kind}] button")
    assert await reader.person.counts("[data-overlay]") == 0
    await reader.person.clicks(SEND)
    await reader.sees(f"{deep(QUESTION)}.length")


async def test_a_person_s_own_message_and_the_address_come_late(gemini):
    reader = await gemini(late_message=2, late_address=2)
    await reader.asks(f"Gemini is late\n{PACE}")
    await reader.sees(f"{deep(TEXT)}[0]?.innerText.length")
    assert await reader.counts(QUESTION) == 0
    assert await reader.person.finds("location.pathname") == "/app"
    await reader.sees(f"{deep(QUESTION)}.length")
    await reader.sees(over())
    await reader.person.finds(
        "new Promise((done) => { const look = () => location.pathname === '/app' "
        "? requestAnimationFrame(look) : done(1); look(); })"
    )
    address = await reader.person.finds("location.href")
    assert address.startswith(f"{HOME}/")
    assert address.endswith("?lab=late_message:2,late_address:2")


async def test_the_answering_request_goes_elsewhere_after_a_rebuild(gemini, lab):
    prompt = f"Gemini was rebuilt\n{PACE}"
    reader = await gemini(endpoint="renamed")
    await reader.asks(prompt)
    await reader.sees(over())
    assert lab.ledger.prompts("gemini").count(prompt) == 1
    called = "performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname)"
    assert not [one for one in await reader.person.finds(called) if one.endswith("/StreamGenerate")]


async def test_a_page_that_draws_by_frames_draws(gemini):
    reader = await gemini(draw="frame")
    await reader.asks(f"Gemini by frames\n{PACE}")
    await reader.sees(over())
    assert await reader.texts() == [words(plan_for(f"Gemini by frames\n{PACE}").text)]
