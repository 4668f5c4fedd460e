"""Follow one answer the classic way: look once a second, at most eight minutes.

The one place in the house that polls. When to believe what was seen is decided in `sites`
(pure, with time as an argument); here is the clock. The focus of the tab is emulated while
an answer is awaited and read, because a hidden tab may go on receiving without drawing (seed
001, 15); while nothing is awaited it is left alone.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import dataclass
from typing import Any, Protocol

from tabwire.sites.classic import (
    POLL_SECONDS,
    RENDER_POLL_SECONDS,
    Classic,
    Decision,
    Poll,
    Rung,
    pick,
    read_look,
    read_poll,
)
from tabwire.sites.classic_wait import (
    Beginning,
    Following,
    Left,
    RenderWait,
    Stuck,
    StuckBy,
    TimedOut,
)

Sleep = Callable[[float], Awaitable[None]]
Clock = Callable[[], float]


class Looks(Protocol):
    """What we need of a tab: `browser.classic.ClassicPage`."""

    async def poll(self) -> Any | None:
        """One look; None where the page let nobody in."""
        ...

    async def read(self, *, answer: int = 0, whole_page: bool = False) -> Any | None:
        """One attempt to read the answer with this number."""
        ...

    def focused(self) -> AbstractAsyncContextManager[None]:
        """The tab draws as if it were looked at, inside."""
        ...


@dataclass(frozen=True, slots=True)
class ClassicPolled:
    """One look at the page."""

    at: float
    poll: Poll


@dataclass(frozen=True, slots=True)
class ClassicMissed:
    """The page let nobody in, or was just being replaced: nothing was seen this time."""

    at: float


@dataclass(frozen=True, slots=True)
class ClassicDone:
    """The answer is over and its text was read. `seconds`: since it was awaited."""

    at: float
    decision: Decision
    rung: Rung
    seconds: float

    @property
    def text(self) -> str:
        """The answer."""
        return self.rung.text

    @property
    def evidence(self) -> tuple[str, ...]:
        """By which condition it is over, and from which rung its text comes."""
        ladder = f"classic: {self.decision.site} rung {self.rung.number} {self.rung.what}"
        return self.decision.evidence, ladder


@dataclass(frozen=True, slots=True)
class ClassicTimedOut:
    """Too long. `rung` is what stood there, if anything did; it is not known to be whole.
    `decision` is there where the answer was over and its text did not come."""

    at: float
    waiting_for: str
    seconds: float
    rung: Rung | None = None
    decision: Decision | None = None

    @property
    def text(self) -> str:
        """What was read, though it may not be whole."""
        return self.rung.text if self.rung else ""


@dataclass(frozen=True, slots=True)
class ClassicStuck:
    """The site hangs: either its stop control does not go, or no answer begins."""

    at: float
    by: StuckBy
    seconds: float


@dataclass(frozen=True, slots=True)
class ClassicLeft:
    """The tab went to another conversation before the answer was over."""

    at: float
    url: str


ClassicEvent = (
    ClassicPolled | ClassicMissed | ClassicDone | ClassicTimedOut | ClassicStuck | ClassicLeft
)


class _Rounds:
    """Looks at equal distances, counted from the first; late ones are left out."""

    def __init__(self, page: Looks, seconds: float, clock: Clock, sleep: Sleep) -> None:
        self._page = page
        self._seconds = seconds
        self._clock = clock
        self._sleep = sleep
        self._due = clock()

    async def look(self) -> ClassicPolled | ClassicMissed:
        """Wait until the next look is due, and look."""
        early = self._due - self._clock()
        if early > 0:
            await self._sleep(early)
        self._due += self._seconds
        seen = await self._page.poll()
        now = self._clock()
        while self._due < now:
            self._due += self._seconds
        return ClassicMissed(now) if seen is None else ClassicPolled(now, read_poll(seen))


async def follow_classic(
    page: Looks,
    classic: Classic,
    *,
    initial: int | None = None,
    clock: Clock = time.monotonic,
    sleep: Sleep = asyncio.sleep,
) -> AsyncGenerator[ClassicEvent, None]:
    """Follow the next answer; the last event is how it ended.

    `initial` is the number of answers before a question we know was sent: its answer is
    awaited at once. Without it the page is watched, without end, until somebody asks: whoever
    listens hears each look and may stop (`contextlib.aclosing`).
    """
    rounds = _Rounds(page, POLL_SECONDS, clock, sleep)
    beginning = Beginning()
    event: ClassicPolled | ClassicMissed | None = None
    while initial is None:
        event = await rounds.look()
        yield event
        initial = beginning.feed(event.poll) if isinstance(event, ClassicPolled) else None
    began = clock()
    following = Following(classic, initial, began)
    ending = _Ending(page, classic, began, clock, sleep)
    async with page.focused():
        while True:
            if event is None:  # the look that showed the beginning counts as well
                event = await rounds.look()
                yield event
            if isinstance(event, ClassicPolled):
                outcome = following.feed(event.poll, event.at)
            else:
                outcome = following.tick(event.at)
            event = None
            if outcome is None:
                continue
            async with aclosing(ending.of(outcome)) as tellings:
                async for told in tellings:
                    yield told
            if not isinstance(told, ClassicPolled | ClassicMissed):
                return


async def read_whole_page(page: Looks, classic: Classic) -> Rung | None:
    """For a snapshot: the text of the newest answer, or of everything where none is found."""
    async with page.focused():
        seen = await page.read(whole_page=True)
    return None if seen is None else pick(classic, read_look(seen))


@dataclass(frozen=True, slots=True)
class _Ending:
    """From what was decided to what whoever listens is told."""

    page: Looks
    classic: Classic
    began: float
    clock: Clock
    sleep: Sleep

    async def of(
        self, outcome: Decision | Stuck | Left | TimedOut
    ) -> AsyncGenerator[ClassicEvent, None]:
        """What an outcome means, last; before it each look that had to be taken.

        Only looks: the decision was early, the text is not there, go on looking.
        """
        match outcome:
            case Stuck(by, seconds):
                yield ClassicStuck(self.clock(), by, seconds)
            case Left(url):
                yield ClassicLeft(self.clock(), url)
            case TimedOut(waiting_for, seconds, answer=answer):
                seen = await self.page.read(answer=answer) if answer else None
                rung = pick(self.classic, read_look(seen)) if seen is not None else None
                yield ClassicTimedOut(self.clock(), waiting_for, seconds, rung)
            case Decision():
                async with aclosing(self._rendered(outcome)) as tellings:
                    async for told in tellings:
                        yield told

    async def _rendered(self, decision: Decision) -> AsyncGenerator[ClassicEvent, None]:
        """Looks until the text of an answer that is over is drawn."""
        wait = RenderWait(self.classic, decision)
        while True:
            seen = await self.page.read(answer=decision.answer)
            now = self.clock()
            look = None if seen is None else read_look(seen)
            yield ClassicMissed(now) if look is None else ClassicPolled(now, look.poll)
            outcome = wait.tick(now) if look is None else wait.feed(look, now)
            seconds = now - self.began
            match outcome:
                case Rung():
                    yield ClassicDone(now, decision, outcome, seconds)
                    return
                case Left(url):
                    yield ClassicLeft(now, url)
                    return
                case TimedOut(waiting_for, _, rung):
                    if self.classic.render_seconds:
                        yield ClassicTimedOut(now, waiting_for, seconds, rung, decision)
                    return
            await self.sleep(RENDER_POLL_SECONDS)
