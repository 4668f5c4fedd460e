"""A real page, moved by hand, and what the observer says of it."""

import pytest
import pytest_asyncio

from browser.pages_observe import LAYOUTS, Hand, observing, serving
from tabwire.browser.observe import Observer
from tabwire.browser.page.errors import PageWentAway

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]


@pytest_asyncio.fixture
async def origin():
    async with serving() as one:
        yield one


@pytest.fixture
def hand(blank):
    return Hand(blank)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.rows(2)
async def test_an_answer_is_followed_from_question_to_action_bar(blank, hand, origin, layout):
    await hand.go(f"{origin}/?layout={layout}")
    async with observing(blank, layout) as (ear, _):
        assert ear.last.layout == layout
        assert (ear.last.exchanges, ear.last.answers, ear.last.newest) == (0, 0, "")
        assert ear.last.composer
        assert ear.last.composer_empty
        await hand.ask("What is a fjord?")
        asked = await ear.until(lambda s: s.exchanges == 1)
        assert (asked.answers, asked.text_length, asked.actions) == (0, 0, False)
        assert asked.newest
        await hand.stop(True)
        await ear.until(lambda s: s.generating)
        await hand.answer()
        await ear.until(lambda s: s.answers == 1)
        await hand.grow("A fjord")
        assert (await ear.until(lambda s: s.text_length > 0)).text_length == 7
        await hand.grow(" is a valley.")
        assert (await ear.until(lambda s: s.text_length > 7)).text_length == 20
        assert ear.last.generating
        assert not ear.last.actions
        await hand.stop(False)
        await hand.done()
        over = await ear.until(lambda s: s.actions)
        over = await ear.until(lambda s: not s.generating)
        assert over.text_length == 20
        assert {s.newest for s in ear.states if s.exchanges} == {asked.newest}


async def test_a_page_that_goes_elsewhere_while_we_arm_is_observed_there(
    blank, hand, origin, monkeypatch
):
    await hand.go(origin)
    ask, went = Observer._ask, []

    async def gone_first(self, function, *rest, **more):
        if not went:
            went.append(function)
            await hand.go(f"{origin}/?layout={LAYOUTS[0]}")
            raise PageWentAway(f"observe.{function}")
        return await ask(self, function, *rest, **more)

    monkeypatch.setattr(Observer, "_ask", gone_first)
    async with observing(blank, LAYOUTS[0]) as (ear, _):
        assert (await ear.until(lambda s: s.layout)).layout == LAYOUTS[0]
    assert went == ["start"]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.rows(2, first=2)
async def test_an_old_answer_is_never_the_new_questions(blank, hand, origin, layout):
    """Promise: truth. While a new question stands alone, the old answer says nothing."""
    await hand.go(f"{origin}/?layout={layout}")
    await hand.whole("First?", "The first answer.")
    async with observing(blank, layout) as (ear, observer):
        first = ear.last
        assert (first.text_length, first.actions, first.exchanges, first.answers) == (
            17,
            True,
            1,
            1,
        )
        told = await observer.read()
        assert (told.text, told.question, told.newest) == (
            "The first answer.",
            "First?",
            first.newest,
        )
        await hand.ask("Second?")
        second = await ear.until(lambda s: s.exchanges == 2)
        assert (second.text_length, second.actions, second.answers) == (0, False, 1)
        assert second.newest != first.newest
        assert await observer.read() is None
        await hand.answer()
        await hand.grow("Two")
        grown = await ear.until(lambda s: s.text_length > 0)
        assert (grown.text_length, grown.actions, grown.answers) == (3, False, 2)
        assert (await observer.read()).text == "Two"


@pytest.mark.parametrize("layout", LAYOUTS)
async def test_composer_and_login_are_told(blank, hand, origin, layout):
    await hand.go(f"{origin}/?layout={layout}")
    async with observing(blank, layout) as (ear, _):
        assert ear.last.logged_in is None
        await hand.write("Hello")
        await ear.until(lambda s: s.composer and not s.composer_empty)
        await hand.write("")
        await ear.until(lambda s: s.composer_empty)
        if layout != "octane":  # which is what one sees without an account
            await hand.logIn()
            await ear.until(lambda s: s.logged_in)


async def test_health_says_which_selector_serves(blank, hand, origin):
    await hand.go(f"{origin}/?layout=grok.com")
    await hand.whole("First?", "One.")
    async with observing(blank, "grok.com") as (_, observer):
        health = await observer.health()
        assert health.layout == "grok.com"
        answer = health.part("assistant_message")
        assert [(one.count, one.used) for one in answer.candidates] == [(1, True), (0, False)]
        assert health.part("composer").found
        assert not health.part("stop").found
    await hand.go(f"{origin}/?layout=none")
    async with observing(blank, "classic") as (ear, observer):
        assert ear.last.layout is None
        health = await observer.health()
        assert {part.part for part in health.parts} == {"recognise"}
        assert not any(part.found for part in health.parts)
        assert await observer.read() is None


async def test_shadow_roots_are_reached_when_they_come_late(blank, hand, origin):
    """Elements that stand in the page before the browser learns what they are."""
    await hand.go(f"{origin}/?layout=app&bare")
    async with observing(blank, "app") as (ear, _):
        await hand.run("main.append(make('<chat-window></chat-window>'))")
        await ear.until(lambda s: s.layout == "app")
        assert not ear.last.composer
        await hand.run(
            "customElements.define('late-one', class extends HTMLElement {});"
            "main.querySelector('chat-window').remove(); chat.show()"
        )
        await ear.until(lambda s: s.composer)
        await hand.whole("First?", "One.")
        assert (await ear.until(lambda s: s.actions)).text_length == 4


async def test_a_layout_is_recognised_when_it_comes_and_again_when_it_changes(blank, hand, origin):
    await hand.go(f"{origin}/?layout=classic&bare")
    async with observing(blank, "classic") as (ear, _):
        assert ear.last.layout is None
        await hand.show()
        await ear.until(lambda s: s.layout == "classic")
        await hand.run("footer.innerHTML = ''; main.innerHTML = ''; LAYOUTS.turn_key.setUp()")
        await ear.until(lambda s: s.layout == "turn_key")


async def test_thinking_is_told_until_there_is_text_and_read_apart(blank, hand, origin):
    await hand.go(f"{origin}/?layout=grok.com")
    async with observing(blank, "grok.com") as (ear, observer):
        await hand.ask("Why?")
        await hand.answer()
        await hand.run(
            "chat.root.before(make('<div class=\"thinking-container\"><p>Let me see</p></div>'))"
        )
        state = await ear.until(lambda s: s.thinking)
        assert state.text_length == 0
        await hand.grow("Because.")
        state = await ear.until(lambda s: s.text_length > 0)
        assert not state.thinking
        told = await observer.read()
        assert (told.text, told.thinking) == ("Because.", "Let me see")


async def test_a_message_without_a_known_text_root_is_read_whole_once_it_is_still(
    blank, hand, origin
):
    await hand.go(f"{origin}/?layout=classic")
    async with observing(blank, "classic") as (ear, observer):
        await hand.ask("Why?")
        await hand.stop(True)
        await hand.run(  # at once: a root that was seen under its own name stays known
            "chat.answer(); chat.root.className = 'renamed';chat.root.innerHTML = '<p>Because.</p>'"
        )
        await ear.until(lambda s: s.answers == 1 and s.generating)
        assert ear.last.text_length == 0
        await hand.stop(False)
        assert (await ear.until(lambda s: s.text_length > 0)).text_length == 8
        told = await observer.read()
        assert (told.text, told.rung) == ("Because.", "assistant_message")


async def test_the_button_of_a_code_block_is_no_action_bar(blank, hand, origin):
    await hand.go(f"{origin}/?layout=grok.com")
    async with observing(blank, "grok.com") as (ear, _):
        await hand.ask("Why?")
        await hand.answer()
        await hand.part('<div data-testid="code-block"><button aria-label="Copy"></button></div>')
        await hand.grow("Because.")
        assert not (await ear.until(lambda s: s.text_length == 8)).actions
        await hand.stop(True)
        assert not (await ear.until(lambda s: s.generating)).actions
        await hand.done()
        await ear.until(lambda s: s.actions)
