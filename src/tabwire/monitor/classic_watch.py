"""Watch a tab the classic way, in the words every watcher is told.

The page is all this profile looks at, so its `complete` is the page's word and no proof:
the evidence says by which condition and from which rung. Whoever wants proof uses the
default profile.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import aclosing

from tabwire.browser import tab_events as life
from tabwire.browser.classic import ClassicPage
from tabwire.browser.tab import Tab
from tabwire.fusion.history import Record
from tabwire.fusion.table import Cause, State
from tabwire.fusion.verdict import Judgement, Verdict
from tabwire.model.signals import Source
from tabwire.monitor import sightings as told
from tabwire.monitor.classic import (
    ClassicDone,
    ClassicEvent,
    ClassicLeft,
    ClassicMissed,
    ClassicPolled,
    ClassicStuck,
    ClassicTimedOut,
    follow_classic,
)
from tabwire.monitor.sightings import Befell, Sighting
from tabwire.sites.classic import Classic
from tabwire.sites.classics import classic_of
from tabwire.sites.site import Site

BY_PAGE = "the page, by the classic conditions"


async def watch_classic(tab: Tab, site: Site, tell: Callable[[Sighting], None]) -> Befell:
    """Follow one answer after the other until the tab ends."""
    classic = classic_of(site.name)
    ended: asyncio.Future[Befell] = asyncio.get_running_loop().create_future()

    def befell(event: life.LifeEvent) -> None:
        over = isinstance(event, life.ENDS)
        what = type(event).__name__.lower()
        sighting = Befell(time.monotonic(), what, event.words, event.remedy, over)
        tell(sighting)
        if over and not ended.done():
            ended.set_result(sighting)

    stop = tab.on_life(befell)
    try:
        tell(told.Watching(time.monotonic(), site.name, tab.url, tab.title, None, None))
        async with asyncio.TaskGroup() as group:
            answers = group.create_task(_answers(tab, site, classic, tell))
            try:
                return await ended
            finally:
                answers.cancel()
    finally:
        stop()


async def _answers(
    tab: Tab, site: Site, classic: Classic, tell: Callable[[Sighting], None]
) -> None:
    page = ClassicPage(tab.session, classic.marks)
    number = 0
    while True:
        number += 1
        account = _Account(f"a{number}", site, tab, tell)
        async with aclosing(follow_classic(page, classic)) as events:
            async for event in events:
                account.hear(event)


class _Account:
    """One answer as it is told: its state, and at its end what it is worth."""

    def __init__(
        self, attempt: str, site: Site, tab: Tab, tell: Callable[[Sighting], None]
    ) -> None:
        self._attempt = attempt
        self._site = site
        self._tab = tab
        self._tell = tell
        self._state = State.IDLE
        self._history: list[Record] = []

    def hear(self, event: ClassicEvent) -> None:
        """Take one event of the poll."""
        match event:
            case ClassicPolled(at=at, poll=poll):
                if poll.stop:
                    self._move(at, State.STREAMING, Cause.PAGE_BUSY)
            case ClassicMissed():
                pass
            case ClassicDone(at=at, text=text, evidence=evidence):
                self._move(at, State.COMPLETED_HINT, Cause.HINTED)
                self._judge(at, Judgement.COMPLETE, BY_PAGE, text, evidence)
            case ClassicTimedOut(at=at, waiting_for=what, text=text):
                self._move(at, State.TERMINATED_PARTIAL, Cause.GAVE_UP)
                self._judge(at, Judgement.PARTIAL, f"timed out waiting for {what}", text, ())
            case ClassicStuck(at=at, by=by):
                self._move(at, State.ERROR, Cause.GAVE_UP)
                self._judge(at, Judgement.PARTIAL, str(by), "", ())
            case ClassicLeft(at=at, url=url):
                self._move(at, State.DISPOSED, Cause.DISPOSED)
                self._judge(at, Judgement.PARTIAL, f"the tab went to {url}", "", ())

    def _move(self, at: float, after: State, cause: Cause) -> None:
        before = self._state
        if before is after:
            return
        self._state = after
        self._history.append(Record(at, "poll", before, after, cause, until=at))
        self._tell(told.StateMoved(at, self._attempt, before, after, cause))

    def _judge(
        self, at: float, judgement: Judgement, why: str, text: str, evidence: tuple[str, ...]
    ) -> None:
        verdict = Verdict(
            judgement,
            why,
            text,
            Source.PAGE,
            conversation_id=self._site.conversation_in_url(self._tab.url),
            evidence=evidence,
        )
        history = tuple(self._history)
        self._tell(told.Judged(at, self._attempt, self._state, verdict, history))
