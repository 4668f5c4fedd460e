"""Following one answer by polls, told to a clock that nobody waits for."""

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest

from tabwire.monitor.classic import (
    ClassicDone,
    ClassicLeft,
    ClassicMissed,
    ClassicPolled,
    ClassicStuck,
    ClassicTimedOut,
    follow_classic,
    read_whole_page,
)
from tabwire.sites.chatgpt.classic import CLASSIC as CHATGPT
from tabwire.sites.classic import Poll
from tabwire.sites.classic_wait import StuckBy
from tabwire.sites.gemini.classic import CLASSIC as GEMINI

pytestmark = pytest.mark.asyncio

CHAT = "https://chatgpt.com/c/11111111-2222-3333-4444-555555555555"
OTHER = "https://chatgpt.com/c/99999999-2222-3333-4444-555555555555"
ENDLESS = 5000
"""Looks after which a story that does not end is called endless."""


@dataclass
class Told:
    """A tab that shows, at each second, the last page of its story at or before it."""

    story: dict[float, dict[str, Any] | None]
    slow: float = 0.0  # seconds one look takes
    now: float = 0.0
    focus: bool = False
    looks: list[tuple[float, str, bool]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        assert seconds > 0
        self.now = round(self.now + seconds, 6)

    def _shown(self, what: str) -> dict[str, Any] | None:
        assert len(self.looks) < ENDLESS
        self.looks.append((self.now, what, self.focus))
        shown = self.story[max(at for at in self.story if at <= self.now)]
        self.now += self.slow
        return shown

    async def poll(self) -> Any | None:
        shown = self._shown("poll")
        return None if shown is None else _poll(shown)

    async def read(self, *, answer: int = 0, whole_page: bool = False) -> Any | None:
        self.numbers.append(answer)
        shown = self._shown("read")
        if shown is None:
            return None
        text = shown.get("text", "")
        rung = {"number": 1, "what": ".markdown", "text": text}
        page = {"number": 5, "what": "main and body innerText", "text": "Everything there is"}
        return {"poll": _poll(shown), "rungs": [rung] * bool(text) + [page] * whole_page}

    @asynccontextmanager
    async def focused(self) -> AsyncIterator[None]:
        self.focus = True
        try:
            yield
        finally:
            self.focus = False

    async def follow(self, classic=CHATGPT, initial=None, most=ENDLESS):
        """The events, without the looks that saw something."""
        heard = []
        way = follow_classic(self, classic, initial=initial, clock=self.clock, sleep=self.sleep)
        async with aclosing(way):
            async for event in way:
                if not isinstance(event, ClassicPolled):
                    heard.append(event)
                if len(self.looks) >= most:
                    break
        return heard

    def at(self, what: str) -> list[float]:
        return [at for at, kind, _ in self.looks if kind == what]


def _poll(shown: dict[str, Any]) -> dict[str, Any]:
    text = shown.get("text", "")
    names = {name: value for name, value in shown.items() if name != "text"}
    return msgspec.to_builtins(Poll(**{"url": CHAT, "text_length": len(text), **names}))


IDLE = {"questions": 1, "answers": 1, "text": "Old.", "composer_empty": True}
ASKED = {"questions": 2, "answers": 1, "text": "Old.", "stop": True}
WRITING = {"questions": 2, "answers": 2, "text": "New", "stop": True}
DRAWING = {"questions": 2, "answers": 2, "text": "", "composer_empty": True}
DONE = {"questions": 2, "answers": 2, "text": "New.", "composer_empty": True}


async def test_a_watched_answer_is_told_with_its_condition_its_rung_and_its_seconds():
    told = Told({0: IDLE, 3: ASKED, 5: WRITING, 9: DONE})
    (done,) = await told.follow()
    assert isinstance(done, ClassicDone)
    assert (done.text, done.seconds, done.at) == ("New.", 6.0, 9.0)
    assert done.evidence == (
        "classic: chatgpt condition 2: stop control came and went, a new answer, composer empty",
        "classic: chatgpt rung 1 .markdown",
    )
    assert told.at("poll") == [float(second) for second in range(10)]
    assert told.numbers == [2]


async def test_each_look_is_told():
    told = Told({0: IDLE, 1: ASKED, 2: WRITING, 3: DONE})
    way = follow_classic(told, CHATGPT, clock=told.clock, sleep=told.sleep)
    polls = [event.poll async for event in way if isinstance(event, ClassicPolled)]
    assert [(poll.answers, poll.stop) for poll in polls[:4]] == [
        (1, False),
        (1, True),
        (2, True),
        (2, False),
    ]


async def test_the_focus_is_emulated_while_an_answer_is_awaited_and_read_and_not_before():
    told = Told({0: IDLE, 3: ASKED, 5: WRITING, 9: DONE})
    await told.follow()
    assert [focus for _, _, focus in told.looks] == [False] * 4 + [True] * 7
    assert told.focus is False


async def test_the_focus_is_given_back_when_nobody_listens_any_more():
    told = Told({0: IDLE, 1: WRITING})
    await told.follow(most=5)
    assert told.looks[-1][2] is True
    assert told.focus is False


async def test_a_tab_nobody_asks_in_is_watched_without_end_and_without_focus():
    told = Told({0: IDLE})
    assert await told.follow(most=2000) == []
    assert told.now > 480
    assert not any(focus for _, _, focus in told.looks)


async def test_an_answer_that_was_asked_for_is_awaited_at_once():
    told = Told({0: IDLE, 2: WRITING, 4: DONE})
    (done,) = await told.follow(initial=1)
    assert (done.text, done.seconds) == ("New.", 4.0)
    assert all(focus for _, _, focus in told.looks)


async def test_an_old_answer_is_never_taken_for_the_awaited_one():
    told = Told({0: {**IDLE, "send": True, "send_enabled": True}})
    (end,) = await told.follow(initial=1)
    assert isinstance(end, ClassicTimedOut)
    assert (end.waiting_for, end.seconds, end.text) == ("the end of the answer", 480.0, "")
    assert told.numbers == []


async def test_after_eight_minutes_what_stands_there_is_told_as_not_known_to_be_whole():
    told = Told({0: ASKED, 5: WRITING})
    (end,) = await told.follow(initial=1)
    assert isinstance(end, ClassicTimedOut)
    assert (end.at, end.text, end.decision) == (480.0, "New", None)


async def test_the_text_is_looked_for_every_200_ms_until_it_is_drawn():
    told = Told({0: ASKED, 1: WRITING, 2: DRAWING, 62: DONE})
    (done,) = await told.follow(initial=1)
    assert (done.text, done.at) == ("New.", 62.0)
    reads = told.at("read")
    assert len(reads) == 301
    assert reads[:3] == [2.0, 2.2, 2.4]


async def test_a_text_that_is_not_drawn_in_120_seconds_is_given_up():
    told = Told({0: ASKED, 1: WRITING, 2: DRAWING})
    (end,) = await told.follow(initial=1)
    assert isinstance(end, ClassicTimedOut)
    assert (end.waiting_for, end.at, end.text) == ("the text of the answer", 122.0, "")
    assert end.decision is not None
    assert end.decision.condition == "condition 2"


async def test_while_thinking_may_be_skipped_no_end_is_believed():
    thinking = {**DONE, "text": "Intermediate", "skip_thinking": True}
    told = Told({0: ASKED, 1: WRITING, 2: thinking, 60: DONE})
    (done,) = await told.follow(initial=1)
    assert (done.text, done.at) == ("New.", 60.0)


async def test_an_answer_longer_than_condition_four_waits_is_still_read_whole():
    """Condition 4 does not ask for the stop control; the reading does."""
    told = Told({0: ASKED, 1: {**WRITING, "composer_empty": True}, 300: DONE})
    (done,) = await told.follow(initial=1)
    assert (done.decision.condition, done.text, done.at) == ("condition 4", "New.", 300.0)


async def test_a_page_that_lets_nobody_in_is_said_and_waited_for():
    told = Told({0: ASKED, 1: None, 4: WRITING, 5: DONE})
    *missed, done = await told.follow(initial=1)
    assert missed == [ClassicMissed(1.0), ClassicMissed(2.0), ClassicMissed(3.0)]
    assert done.text == "New."


async def test_a_page_that_lets_nobody_in_for_ever_is_given_up_all_the_same():
    told = Told({0: ASKED, 1: None})
    *missed, end = await told.follow(initial=1)
    assert {type(event) for event in missed} == {ClassicMissed}
    assert isinstance(end, ClassicTimedOut)


async def test_a_page_that_shuts_while_its_text_is_awaited_is_given_up_in_time():
    told = Told({0: ASKED, 1: WRITING, 2: DRAWING, 3: None})
    *_, end = await told.follow(initial=1)
    assert isinstance(end, ClassicTimedOut)
    assert end.at == 122.0


async def test_slow_looks_keep_their_distance_and_do_not_pile_up():
    told = Told({0: ASKED, 5: WRITING}, slow=2.5)
    await told.follow(initial=1, most=4)
    assert told.at("poll") == [0.0, 3.0, 6.0, 9.0]


async def test_the_tab_that_went_to_another_conversation_is_not_read():
    told = Told({0: ASKED, 1: WRITING, 3: {**DONE, "url": OTHER, "answers": 9, "text": "Else."}})
    assert await told.follow(initial=1) == [ClassicLeft(3.0, OTHER)]
    assert told.numbers == []


async def test_neither_if_it_goes_while_the_text_is_awaited():
    told = Told({0: ASKED, 1: WRITING, 2: DRAWING, 5: {**DONE, "url": OTHER, "text": "Else."}})
    assert await told.follow(initial=1) == [ClassicLeft(5.0, OTHER)]


APP = {"url": "https://gemini.google.com/app/0123456789abcdef"}


async def test_gemini_that_begins_no_answer_is_stuck():
    told = Told({0: {**IDLE, **APP}, 2: {**IDLE, **APP, "questions": 2}})
    assert await told.follow(GEMINI) == [ClassicStuck(32.0, StuckBy.NO_RESPONSE, 30.0)]


async def test_gemini_without_a_text_is_not_over_and_looked_at_further():
    empty = {**DRAWING, **APP, "feedback": True}
    told = Told({0: {**WRITING, **APP}, 2: empty, 7: {**empty, "text": "New."}})
    (done,) = await told.follow(GEMINI, initial=1)
    assert (done.text, done.at) == ("New.", 7.0)
    assert done.evidence[0].startswith("classic: gemini condition 0: ")
    assert told.at("poll") == [float(second) for second in range(8)]
    assert told.at("read") == [2.0, 3.0, 4.0, 5.0, 6.0, 7.0]


async def test_gemini_that_never_has_a_text_is_given_up_after_eight_minutes():
    told = Told({0: {**DRAWING, **APP}})
    (end,) = await told.follow(GEMINI, initial=1)
    assert isinstance(end, ClassicTimedOut)
    assert (end.at, end.text) == (480.0, "")


async def test_a_snapshot_may_read_the_whole_page():
    told = Told({0: {"text": ""}})
    rung = await read_whole_page(told, CHATGPT)
    assert rung is not None
    assert (rung.number, rung.text) == (5, "Everything there is")
    assert told.looks == [(0.0, "read", True)]
    assert await read_whole_page(Told({0: None}), CHATGPT) is None
