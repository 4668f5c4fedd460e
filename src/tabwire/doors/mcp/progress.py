"""How long a call waits for its job, and what its client is told meanwhile.

A client that shows progress and goes by it is kept until the answer is there. Any other gets
the job's id before it would lose patience. Leaving never costs anything: the job goes on.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tabwire.doors.mcp.clients import Client
from tabwire.model.ask import Phase
from tabwire.model.job import Job, JobState
from tabwire.model.phases import PHASE_WORDS, QUEUED
from tabwire.model.products import product

if TYPE_CHECKING:
    from tabwire.hub import Jobs

BEAT_SECONDS = 5.0  # between two words of progress; ten are promised
HTTP_SECONDS = 240.0  # over HTTP: some clients cut a call after five minutes, progress or not
LEAST_STEP = 0.001  # numbers of progress must rise, also within one tick of the clock

Tell = Callable[[float, str], Awaitable[None]]
"""(seconds so far, what is being done)"""

TIMED = frozenset({Phase.WAIT_RESPONSE, Phase.THINKING, Phase.RECOVERING})
"""Phases that may last: how long they have."""

ENDED = {
    JobState.COMPLETED: "done",
    JobState.FAILED: "failed",
    JobState.CANCELLED: "cancelled",
    JobState.INPUT_REQUIRED: "needs the person",
}


@dataclass(frozen=True, slots=True)
class Patience:
    """Of one call: `seconds`, or None for as long as it takes."""

    seconds: float | None

    @classmethod
    def of(
        cls,
        wait: str | float,
        client: Client,
        *,
        has_token: bool,
        over_http: bool,
        seconds: float,
    ) -> "Patience":
        """From what was said; `seconds` is the setting for clients that cannot wait long."""
        if wait == "none":
            return cls(0.0)
        if not isinstance(wait, str):
            return cls(wait)
        if not (has_token and client.honours_progress):
            return cls(seconds)
        return cls(HTTP_SECONDS if over_http else None)


async def wait_for(
    jobs: "Jobs",
    begun: Sequence[Job],
    patience: Patience,
    tell: Tell,
    *,
    beat: float = BEAT_SECONDS,
    clock: Callable[[], float] = time.monotonic,
    now: Callable[[], float] = time.time,
) -> tuple[Job, ...]:
    """The jobs when all of them rest, or when patience is over. Cancelling it is harmless."""
    seen = tuple(begun)
    ids = [job.id for job in seen]
    until = None if patience.seconds is None else clock() + patience.seconds
    last = -1.0
    while not all(job.at_rest for job in seen):
        left = beat if until is None else min(beat, until - clock())
        if left <= 0:
            break
        # counted from the job's beginning: it rises also when the next hub goes on counting
        last = max(last + LEAST_STEP, now() - min(job.created_at for job in seen), 0.0)
        await tell(round(last, 3), sentence(seen, now()))
        seen = await jobs.wait(ids, left)
    return seen


def sentence(jobs: Sequence[Job], now: float) -> str:
    """What all of them do."""
    if len(jobs) == 1:
        return doing(jobs[0], now)
    return "; ".join(f"{product(job.request.site)}: {doing(job, now)}" for job in jobs)


def doing(job: Job, now: float) -> str:
    """What a job does, as a person would say it."""
    if job.at_rest:
        return ENDED[job.state]
    since = age(now - (job.phase_at or job.created_at))
    match job.phase:
        case None:
            return f"{QUEUED} {since}"
        case Phase.ANSWERING as phase:
            return f"{PHASE_WORDS[phase]}, {job.characters:,} characters"
        case phase if phase in TIMED:
            return f"{PHASE_WORDS[phase]} {since}"
        case phase:
            return PHASE_WORDS[phase]


def age(seconds: float) -> str:
    """48s, 3m12s, 1h02m."""
    whole = max(0, int(seconds))
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m{whole % 60:02}s"
    return f"{whole // 3600}h{whole // 60 % 60:02}m"
