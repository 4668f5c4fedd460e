"""What Tabwire's own eyes and hands make of the three layouts."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from lab.replicas.chatgpt.at_chatgpt import LOOKS, OCTANE, TURN_KEY, address, planned
from tabwire.browser.observe import Observer
from tabwire.browser.page.page import Page
from tabwire.sites.chatgpt.page import PAGE
from tabwire.sites.page import NoticeKind

pytestmark = pytest.mark.asyncio

SEE_SECONDS = 60.0
WORDY = "lab: every=0.02 first=0.1"


class Seen:
    """The states of a page, and a way to wait for one."""

    def __init__(self) -> None:
        self.states = []
        self._looked = 0  # at so many of them: a state that is over counts, one before does not
        self._news = asyncio.Event()

    def see(self, state) -> None:
        self.states.append(state)
        self._news.set()

    async def until(self, fits):
        async with asyncio.timeout(SEE_SECONDS):
            while True:
                self._news.clear()
                for at in range(self._looked, len(self.states)):
                    if fits(self.states[at]):
                        self._looked = at
                        return self.states[at]
                await self._news.wait()


@asynccontextmanager
async def observed(person):
    seen = Seen()
    observer = Observer(person.session, PAGE, seen.see)
    await observer.arm()
    try:
        yield seen, observer
    finally:
        observer.close()


def layout_named(name):
    return next(layout for layout in PAGE.layouts if layout.name == name)


# In German, French and Arabic the new layout's Stop has no mark but its label: not known yet.
CASES = [(look, "en") for look in LOOKS.values()]
CASES += [(look, "ar") for look in LOOKS.values() if look is not TURN_KEY]
CASES += [(TURN_KEY, "ja"), (TURN_KEY, "zh")]


@pytest.mark.parametrize("look, lang", CASES, ids=[f"{look.name} {lang}" for look, lang in CASES])
@pytest.mark.rows(2)
async def test_an_exchange_is_asked_and_seen_from_beginning_to_end(lab, lab_tab, look, lang):
    person = await lab_tab(address(look, lang=lang))
    prompt = f"Observe {look.name} {lang}\n{WORDY}"
    async with observed(person) as (seen, observer):
        state = await seen.until(lambda state: state.composer)
        assert state.layout == look.name
        layout, hands = layout_named(look.name), Page(person.session)
        await hands.fill(layout.composer, prompt, decoys=layout.decoys)
        await seen.until(lambda state: state.send)
        await hands.click(layout.send, decoys=layout.stop)
        await seen.until(lambda state: state.generating and not state.actions)
        await seen.until(lambda state: state.text_length > 50)
        state = await seen.until(lambda state: state.actions and not state.generating)
        assert (state.exchanges, state.answers) == (1, 1)
        assert state.logged_in is (look is not OCTANE)
        read = await observer.read()
    assert read.text == planned(prompt).replace("|---|---|---|", "| --- | --- | --- |")
    assert lab.ledger.prompts("chatgpt").count(prompt) == 1


async def test_a_wall_is_seen_as_a_request_to_log_in(lab_tab):
    person = await lab_tab(address(login="wall", layout="classic"))
    async with observed(person) as (seen, _):
        await seen.until(lambda state: state.notice(NoticeKind.LOGIN) is not None)


async def test_a_wall_without_any_mark_is_seen_by_what_its_buttons_say(lab_tab):
    person = await lab_tab(address(login="wall", lang="fr"))
    async with observed(person) as (seen, _):
        await seen.until(lambda state: any(one.text == "Se connecter" for one in state.notices))


async def test_a_page_one_can_write_in_is_no_wall(lab_tab):
    person = await lab_tab(address(TURN_KEY, login="pinned"))
    async with observed(person) as (seen, _):
        await seen.until(lambda state: state.composer and state.logged_in is True)
        await seen.until(lambda state: state.notice(NoticeKind.LOGIN) is None)


NOTICES = [
    (TURN_KEY, "fault", NoticeKind.ERROR),
    (OCTANE, "fault", NoticeKind.ERROR),
    (TURN_KEY, "limit", NoticeKind.LIMIT),
    (OCTANE, "limit", NoticeKind.LIMIT),
    (TURN_KEY, "challenged", NoticeKind.CHALLENGE),
]


@pytest.mark.parametrize(
    "look, story, kind", NOTICES, ids=[f"{one[0].name} {one[1]}" for one in NOTICES]
)
@pytest.mark.rows(1)
async def test_a_refusal_is_seen_as_what_it_is(lab_tab, look, story, kind):
    person = await lab_tab(address(look, story=story))
    async with observed(person) as (seen, _):
        await seen.until(lambda state: state.composer)
        layout, hands = layout_named(look.name), Page(person.session)
        await hands.fill(layout.composer, f"Notice {story}\n{WORDY}", decoys=layout.decoys)
        await seen.until(lambda state: state.send)
        await hands.click(layout.send, decoys=layout.stop)
        await seen.until(lambda state: state.notice(kind) is not None)
