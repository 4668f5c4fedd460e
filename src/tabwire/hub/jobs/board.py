"""What is known of jobs under way, in this process, at once: for those who wait and listen.

The store knows the same a little later, and for ever. Events have numbers that rise by one; those
of a hub that was restarted begin far above all of before, so a listener never hears one twice.
"""

import asyncio
import time
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

from tabwire.hub import event_log as event_lines
from tabwire.hub.changes import Changes
from tabwire.hub.jobs.ask_runner import AskControl
from tabwire.model.ask import (
    Amended,
    Answered,
    AskEvent,
    ConversationKnown,
    Failed,
    PhaseBegan,
    PromptLeft,
    Step,
    StillWaiting,
    TextCame,
)
from tabwire.model.job import Job, JobState
from tabwire.model.job_events import JobEvent, StateChanged

FAR = 1_000_000  # events of one job in one process; a long answer has some ten thousand
MAX_EVENTS = 4_000  # kept of one job; the older half then becomes one piece of text
MAX_RESTED = 200  # jobs that rest and are still on the board


class Entry:
    """One job on the board. Changed in the loop only, and at once."""

    def __init__(
        self,
        job: Job,
        first: int,
        clock: Callable[[], float],
        told: Callable[[], None] = lambda: None,
    ) -> None:
        self.job = job
        self._told = told
        self.control = AskControl()
        self.rests = asyncio.Event()  # waiting longer brings nothing
        self.over = asyncio.Event()  # nor does listening
        self.changed = asyncio.Event()  # a phase began: for whoever keeps that
        self._number = first
        self._events: list[JobEvent] = []
        self._heard = asyncio.Event()
        self._clock = clock

    # --- what happens ----------------------------------------------------------------------------

    def hear(self, event: AskEvent) -> None:
        """Something happened on the way of its ask."""
        event_lines.happened(self.job, event)
        match event:
            case PhaseBegan(phase=phase, note=note):
                self._know(phase=phase, phase_at=self._clock(), note=note)
                self._tell(event)
                self.changed.set()
            case PromptLeft(conversation_id=named):
                self._know(step=Step.SENT, conversation_id=named or self.job.conversation_id)
                self._tell(event)
            case ConversationKnown(conversation_id=named, url=url):
                self._know(conversation_id=named, url=url)
                self._tell(event)
            case TextCame(text=text, thinking=thinking, anew=anew):
                if not thinking:
                    self._know(characters=len(text) + (0 if anew else self.job.characters))
                self._tell(event)
            case StillWaiting(why=why):
                self._know(note=why)
                self._tell(event)
            case Answered(answer=answer) | Amended(answer=answer):
                self._know(
                    answer=answer,
                    characters=len(answer.text),
                    conversation_id=answer.conversation_id or self.job.conversation_id,
                    url=answer.url or self.job.url,
                )
                self._tell(event)
                self._to(JobState.COMPLETED)
            case Failed():
                pass  # told as the state that the job rests in, once that is on disk

    def note(self, text: str) -> None:
        """A word about what goes on."""
        self.hear(StillWaiting(self.job.request.site, text, time.monotonic()))

    def be(self, job: Job) -> None:
        """This is what the store knows of it."""
        kept = self.job
        self.job = replace(
            job,
            state=kept.state,
            phase=kept.phase,
            phase_at=kept.phase_at,
            note=kept.note,
            characters=kept.characters,
        )
        self._to(job.state)

    def end(self) -> None:
        """Nothing more will happen to it."""
        self.rests.set()
        self.over.set()
        self._heard.set()
        self._told()

    def wake(self) -> None:
        """It goes on after a rest."""
        self.rests.clear()
        self.over.clear()
        self._know(error=None)
        self._to(JobState.WORKING)

    def _to(self, state: JobState) -> None:
        if state is self.job.state or self.job.state is JobState.CANCELLED:
            return
        self._know(state=state)
        self.tell_state()
        if self.job.at_rest:
            event_lines.rests(self.job)
            self.rests.set()

    def _know(self, **facts: object) -> None:
        self.job = replace(self.job, updated_at=self._clock(), **facts)  # type: ignore[arg-type]

    # --- who listens -----------------------------------------------------------------------------

    def tell_state(self) -> None:
        """Say which state it is in."""
        job = self.job
        self._tell(StateChanged(job.request.site, job.state, job.error, time.monotonic()))

    def _tell(self, event: AskEvent | StateChanged) -> None:
        self._number += 1
        self._events.append(JobEvent(self.job.id, self._number, self._clock(), event))
        if len(self._events) > MAX_EVENTS:
            self._shorten()
        self._heard.set()
        self._told()

    def _shorten(self) -> None:
        """The older half becomes the text it had told, in one piece."""
        half = len(self._events) // 2
        old, rest = self._events[:half], self._events[half:]
        pieces: dict[bool, list[str]] = {True: [], False: []}  # thinking, then text
        for one in old:
            match one.event:
                case TextCame(text=text, thinking=thinking, anew=anew):
                    if anew:
                        pieces[thinking].clear()
                    pieces[thinking].append(text)
        last = old[-1]
        site, at = self.job.request.site, last.event.at
        whole = [
            TextCame(site, "".join(said), thinking, True, at) for thinking, said in pieces.items()
        ]
        self._events = [
            replace(last, number=last.number - 1 + index, event=event)
            for index, event in enumerate(whole)
        ] + rest

    async def news(self, after: int) -> AsyncIterator[JobEvent]:
        """What happened after that number, then what happens, until it is over."""
        while True:
            while fresh := self._events[bisect_right(self._events, after, key=_number) :]:
                for one in fresh:
                    after = one.number
                    yield one
            if self.over.is_set():
                return
            self._heard.clear()
            await self._heard.wait()


def _number(event: JobEvent) -> int:
    return event.number


class JobBoard:
    """The jobs under way, and those that came to rest lately."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._entries: dict[str, Entry] = {}
        self.changes = Changes()

    def put(self, job: Job, carried: int) -> Entry:
        """Its entry, made if need be. `carried`: how often a hub has taken it up before."""
        if (entry := self._entries.get(job.id)) is None:
            self._forget_some()
            entry = self._entries[job.id] = Entry(job, carried * FAR, self._clock, self.changes.one)
            entry.tell_state()
            event_lines.taken(job)
        return entry

    def get(self, job_id: str) -> Entry | None:
        """Its entry, if it is here."""
        return self._entries.get(job_id)

    def active(self) -> tuple[Entry, ...]:
        """Those under way."""
        return tuple(entry for entry in self._entries.values() if not entry.over.is_set())

    def _forget_some(self) -> None:
        over = [job_id for job_id, entry in self._entries.items() if entry.over.is_set()]
        for job_id in over[: max(0, len(over) - MAX_RESTED + 1)]:
            del self._entries[job_id]
