"""Every documented wait is a bound of something, and named where it runs out.

One table, all thirteen: each row sets its wait to next to nothing, lets the part of an ask run
that waits for it, and hears its name: in the error, in what is told meanwhile, or in the answer.
"""

import asyncio
import re
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace

import pytest

from kit.listening import listening
from tabwire.asking import composer as compose
from tabwire.asking import page_readiness as ready
from tabwire.asking import submission as submit
from tabwire.asking import tab as room
from tabwire.asking.answer_watch import Watch
from tabwire.asking.ear import Ear
from tabwire.asking.recovery.second_look import second_look
from tabwire.asking.timeouts import Wait
from tabwire.asking.timings import Stopwatch
from tabwire.browser import line as lines
from tabwire.browser.endpoint import Endpoint
from tabwire.browser.errors import DidNotLoad, TabDidNotOpen, TabNotResponding
from tabwire.browser.observed import PageState
from tabwire.browser.reach import Reached
from tabwire.browser.tabs import TabInfo
from tabwire.hub.relay.diagnosis import Whereabouts, not_connected
from tabwire.hub.relay.pairing import Known
from tabwire.model.ask import Answer, AskRequest, Completeness
from tabwire.model.ask_errors import AnswerTimedOut
from tabwire.model.errors import TabwireError
from tabwire.sites.known import SITES
from tabwire.sites.page import Timings

pytestmark = pytest.mark.asyncio

SHORT = Timings(**{f"{wait.value}_seconds": 0.01 for wait in Wait})
PROMPT = "Why?"


def short(name):
    return replace(SITES[name], page=replace(SITES[name].page, timings=SHORT))


GROK = short("grok")
LAYOUT = GROK.page.layouts[0]
ASKED = AskRequest("grok", PROMPT)


def given(told):
    """What a flow is handed, as far as waits need it."""

    async def preferred():
        return None

    async def nothing(*_given, **_named):
        return None

    async def ours():
        return []

    tabs = SimpleNamespace(
        preferred=preferred, saw=nothing, ours=ours, own=nothing, asked_in=lambda _tab: None
    )
    return SimpleNamespace(
        tell=lambda event: told.append(getattr(event, "why", "")),
        clock=lambda: 0.0,
        wall=lambda: 0.0,
        attempt_id="a1",
        checkpoint=nothing,
        tabs=tabs,
    )


def state(**said):
    usual = {"url": GROK.page.home, "title": "Grok", "layout": LAYOUT.name, "newest": ""}
    usual |= dict.fromkeys(("exchanges", "answers", "text_length"), 0)
    usual |= dict.fromkeys(("generating", "actions", "thinking", "composer", "send"), False)
    return PageState(**{**usual, "composer_empty": True, "logged_in": True, **said})


def placed(now, *, texts=(), url=GROK.page.home, fresh=True):
    """A page that shows this, and does nothing more."""

    async def done(*_given, **_named):
        return None

    async def read(*_given, **_named):
        return list(texts)

    async def survey(*_given, **_named):
        return [SimpleNamespace(matched=1)]

    ear = Ear(PROMPT)
    ear.state = now
    page = SimpleNamespace(click=done, fill=done, read=read, survey=survey)
    tab = SimpleNamespace(target="T", url=url, unreachable=False, navigate=done, reload=done)
    return SimpleNamespace(ear=ear, page=page, tab=tab, fresh=fresh, ours=True)


class Tabs:
    """The tabs of a browser in which everything takes too long."""

    leases = SimpleNamespace(holder=lambda _target: None)

    def __init__(self, *, lets_in):
        self.lets_in = lets_in

    async def attach(self, target, *, seconds):
        assert seconds == 0.01
        if not self.lets_in:
            raise TabNotResponding(target, "it did not respond")
        return SimpleNamespace(healthy=self.healthy, let_go=lambda: None)

    async def healthy(self, seconds):
        assert seconds == 0.01
        return False

    async def list(self):
        return ()

    async def open(self, url, *, seconds):
        assert seconds == 0.01
        raise TabDidNotOpen(url, 2, "nothing came")


async def taken(told, *, lets_in):
    """A tab that is there is tried."""

    async def take(_target):
        return True

    info = TabInfo("T", GROK.page.home, "Grok", attached=False)
    line, hold = SimpleNamespace(tabs=Tabs(lets_in=lets_in)), SimpleNamespace(take=take)
    assert await room._taken(line, hold, info, GROK, given(told)) is None


async def reuse(told, _patch):
    await taken(told, lets_in=False)


async def health(told, _patch):
    await taken(told, lets_in=True)


async def opens(told, _patch):
    line = SimpleNamespace(tabs=Tabs(lets_in=False))
    await room._tab(GROK, ASKED, line, given(told), None, set(), ours_only=False)


async def connect(told, patch):
    """A browser that takes the connection and says nothing; and an extension that is away."""
    away = Known("i", "laptop", "", 0.0)
    pairing = SimpleNamespace(known=[away])
    with pytest.raises(TabwireError) as missing:
        raise not_connected(pairing, Whereabouts(), 0.01)
    assert "wait `connect`" in str(missing.value)
    patch.setattr(lines, "CONNECT_SECONDS", 0.01)

    async def silent(reader, _writer):
        await reader.read()

    async with listening(silent) as port:
        endpoint = Endpoint("127.0.0.1", port, "/devtools/browser/1")
        await lines._dial(Reached(endpoint, "a browser"), 0.01)


async def load(told, patch):
    async def late(_tab, url, seconds):
        assert seconds == 0.01
        raise DidNotLoad(f"{url} did not load", seconds)

    async def tab(*_given, **_named):
        return SimpleNamespace(target="T", url="about:blank", on_life=lambda _hear: tab), False

    patch.setattr(room, "lead", late)
    patch.setattr(room, "_tab", tab)
    patch.setattr(room, "_followed", lambda *_given: nullcontext())
    async with room.placed(None, GROK, ASKED, given(told), Ear(PROMPT)):
        pass


async def load_new_chat(told, _patch):
    """The page still shows the chat of before."""
    await ready._right_chat(placed(state(composer=True, exchanges=1)), GROK, ASKED)


async def settle(told, patch):
    """The composer is emptied again and again by the page as it comes alive."""
    patch.setattr(compose, "SEND_SOON_SECONDS", 0.01)
    place = placed(state(composer=True, composer_empty=False))
    draft = compose.Draft(given(told), PROMPT)
    await compose.compose(place, GROK, LAYOUT, PROMPT, draft, files=False)


async def after_input(told, patch):
    """The page never shows that anything was typed."""
    patch.setattr(compose, "SEND_SOON_SECONDS", 0.01)
    draft = compose.Draft(given(told), PROMPT)
    place = placed(state(composer=True))
    await compose.compose(place, GROK, LAYOUT, PROMPT, draft, files=False)


async def composer(told, _patch):
    await ready.ready(placed(None), GROK, ASKED)


async def composer_unknown(told, _patch):
    """The page is there, and what one types into is not."""
    await ready.ready(placed(state()), GROK, ASKED)


async def send(told, patch):
    """The text stands there, and Send stays off."""
    patch.setattr(compose, "SEND_SOON_SECONDS", 0.01)
    place = placed(state(composer=True, composer_empty=False), texts=[PROMPT])
    draft = compose.Draft(given(told), PROMPT)
    await compose.compose(place, GROK, LAYOUT, PROMPT, draft, files=False)


async def send_busy(told, _patch):
    """Another answer is written in this chat."""
    await ready._not_busy(placed(state(composer=True, stop=True)), GROK, ASKED)


async def sent(told, _patch):
    """The page did something with the press, and no request is heard."""
    await submit._left_late(placed(state(composer=True)), GROK, LAYOUT, PROMPT)


async def watched(site, told, *, seconds=0.05, **shows):
    handed = given(told)
    request = AskRequest(site, PROMPT, timeout_seconds=seconds)
    ear = Ear(PROMPT)
    ear.state = state(**shows)
    clock = Stopwatch(site, handed.tell, handed.clock)
    watch = Watch(ear, clock, short(site), request, handed)
    return watch, await watch.answer()


async def first_output(told, _patch):
    with pytest.raises(AnswerTimedOut):
        await watched("chatgpt", told)


async def first_output_stop(told, _patch):
    """A page that shows Stop, and to which nothing comes: it was said of no such page."""
    with pytest.raises(AnswerTimedOut):
        await watched("grok", told, generating=True)


async def answer(told, _patch):
    await watched("chatgpt", told)


async def answer_gemini(told, _patch):
    """It shows Stop and never writes: it waited for the whole hour."""
    watch, found = await watched("gemini", told, seconds=3600.0, generating=True)
    assert found is None
    assert watch.silent is Wait.ANSWER


async def render(told, _patch):
    async def never(*_given, **_named):
        await asyncio.Event().wait()

    whole = Answer("a1", "grok", PROMPT, "It is so.", Completeness.COMPLETE, "end of turn")
    page = SimpleNamespace(read=never)
    seen = await second_look(whole, "It is so.", None, page, GROK, LAYOUT, given(told))
    told += seen.problems


TABLE = {
    Wait.REUSE: (reuse,),
    Wait.OPEN: (opens,),
    Wait.CONNECT: (connect,),
    Wait.LOAD: (load, load_new_chat),
    Wait.SETTLE: (settle,),
    Wait.COMPOSER: (composer, composer_unknown),
    Wait.AFTER_INPUT: (after_input,),
    Wait.SEND: (send, send_busy),
    Wait.SENT: (sent,),
    Wait.FIRST_OUTPUT: (first_output, first_output_stop),
    Wait.ANSWER: (answer, answer_gemini),
    Wait.RENDER: (render,),
    Wait.HEALTH: (health,),
}


async def test_all_thirteen_are_in_the_table():
    assert list(TABLE) == list(Wait)
    assert len(TABLE) == 13


ROWS = [pytest.param(wait, row, id=row.__name__) for wait, rows in TABLE.items() for row in rows]


@pytest.mark.parametrize("wait, row", ROWS)
async def test_a_wait_that_runs_out_is_named(wait, row, monkeypatch):
    told = []
    async with asyncio.timeout(60):
        try:
            await row(told, monkeypatch)
        except TabwireError as exc:
            told.append(str(exc))
    named = [name for words in told for name in re.findall("wait `([a-z_]+)`", words)]
    assert wait in named, told


async def test_what_did_not_load_says_how_long_it_had():
    assert "within 0.01 s" in str(DidNotLoad("it did not load", 0.01))
