"""Where one can be in the lab's Gemini: accounts, gems, old chats, and before the page."""

import pytest

from lab.replicas.gemini.reader import (
    ACTIONS,
    COMPOSER,
    EXCHANGE,
    FAST,
    LAYOUT,
    QUESTION,
    STOP,
    TEXT,
    deep,
    over,
    words,
)
from tabwire.lab.plan import plan_for
from tabwire.lab.replicas.gemini.past import LONG
from tabwire.sites.gemini import SITE
from tabwire.sites.page import NoticeKind

pytestmark = pytest.mark.asyncio

AREA = deep(".chat-history-scroll-container") + "[0]"
NOTICES = {one.kind: one.selectors[0].css for one in SITE.page.notices}


@pytest.mark.parametrize(
    "start, below",
    [("/gem/lab-partner", "/gem/lab-partner/"), ("/u/1/app", "/u/1/app/")],
)
async def test_a_chat_stays_where_it_was_begun(gemini, lab, start, below):
    prompt = f"Gemini at {start}\n{FAST}"
    reader = await gemini(start)
    await reader.asks(prompt)
    await reader.sees(over())
    (entry,) = [one for one in lab.ledger.asked() if one.prompt == prompt]
    assert await reader.person.finds("location.pathname") == below + entry.conversation_id
    await reader.person.goes_to(await reader.person.finds("location.href"))
    await reader.sees(over())
    assert await reader.texts() == [words(plan_for(prompt).text)]


async def test_a_temporary_chat_has_no_address_and_is_in_no_list(gemini, lab):
    prompt = f"Gemini forgets\n{FAST}"
    reader = await gemini()
    await reader.person.clicks("[data-test-id='temp-chat-button']")
    await reader.asks(prompt)
    await reader.sees(over())
    assert await reader.person.finds("location.pathname") == "/app"
    (entry,) = [one for one in lab.ledger.asked() if one.prompt == prompt]
    assert not lab.room.chat("gemini", entry.conversation_id).listed


async def test_of_a_long_chat_only_what_is_near_is_in_the_page(gemini):
    reader = await gemini(f"/app/{LONG}")
    await reader.sees(f"{deep(EXCHANGE)}.length > 5")
    assert await reader.counts(EXCHANGE) <= 12
    newest = "Question 60 of 60"
    assert newest in (await reader.questions())[-1]
    first = f"Number(/\\d+/.exec({deep(QUESTION)}[0].shadowRoot.textContent))"
    while (number := await reader.person.finds(first)) > 1:  # older ones are fetched above
        await reader.person.finds(f"{AREA}.scrollTop = 0")
        await reader.sees(f"{first} < {number}")
    assert newest in (await reader.questions())[-1]  # the newest are always there
    assert await reader.counts(EXCHANGE) <= 12
    await reader.asks(f"Gemini, and now?\n{FAST}")
    await reader.sees(f"!{deep(STOP)}.length && {deep(QUESTION)}.length > 5")
    assert "and now?" in (await reader.questions())[-1]


async def test_a_decoy_stands_there_before_the_page_is_alive(gemini, lab):
    reader = await gemini(hydrate=3, alive=False)
    assert await reader.person.counts("textarea.initial-input-area-textarea") == 1
    assert await reader.person.counts(COMPOSER) == 0
    await reader.person.writes("textarea.initial-input-area-textarea", "Gemini sleeps")
    await reader.person.presses("Enter")
    await reader.person.sees(f"document.querySelector({COMPOSER!r})")
    assert await reader.person.counts("textarea") == 0
    assert "Gemini sleeps" not in lab.ledger.prompts("gemini")


async def test_a_login_wall_and_a_challenge_are_all_there_is(gemini):
    wall = await gemini(login="wall", lang="ja", alive=False)
    await wall.sees("document.querySelector('.gate-button').innerText === 'ログイン'")
    assert await wall.person.counts(NOTICES[NoticeKind.LOGIN]) == 1
    asked = await gemini(challenge="on", alive=False)
    assert await asked.person.counts(NOTICES[NoticeKind.CHALLENGE]) == 1
    for reader in (wall, asked):
        assert await reader.person.counts("rich-textarea, textarea") == 0


@pytest.mark.parametrize("login, signs, account", [("out", 1, 0), ("pinned", 1, 1), ("in", 0, 1)])
async def test_who_one_is_stands_at_the_top(gemini, login, signs, account):
    reader = await gemini(login=login)
    assert await reader.person.counts(".sign-in-button") == signs
    assert await reader.person.counts(LAYOUT.logged_in[0].css) == account
    prompt = f"Gemini, who am I ({login})?\n{FAST}"
    await reader.asks(prompt)
    await reader.sees(over())
    assert await reader.texts() == [words(plan_for(prompt).text)]


async def test_a_session_that_ended_is_noticed_when_one_asks(gemini, lab):
    prompt = f"Gemini, am I still here?\n{FAST}"
    reader = await gemini(login="expired")
    await reader.asks(prompt)
    await reader.sees(f"{deep('.error-message')}.length")
    await reader.sees("document.querySelector('session-over-dialog a')")
    (entry,) = [one for one in lab.ledger.asked() if one.prompt == prompt]
    assert entry.refused == "login"
    assert await reader.counts(ACTIONS) == 0
    assert await reader.counts(TEXT) == 0
