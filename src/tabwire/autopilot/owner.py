"""Who drives a window: one at a time, known by its process and its signs of life. Pure.

A claim says which process (pid, and when it started), in which run of the machine, and counts
its beats. Its age is told by the machine's own steady clock, which is the same for all its
processes and does not move when somebody sets the time. Where that clock cannot be compared
(another machine, or before a restart) a claim is stale once its beats stood still before our
eyes for as long.
"""

from dataclasses import dataclass

BEAT_SECONDS = 5.0
STALE_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Claim:
    """Who drives. `number` is of this one driver alone; `at` is steady seconds of `boot`."""

    number: str
    pid: int
    started: str
    boot: str
    at: float
    beat: int = 0


@dataclass(frozen=True, slots=True)
class Watched:
    """A claim that somebody looks at, and since when it says the same (our steady seconds)."""

    claim: Claim
    since: float


def watched(before: Watched | None, claim: Claim, now: float) -> Watched:
    """Look at it again."""
    same = before is not None and before.claim == claim
    return before if same and before is not None else Watched(claim, now)


def is_stale(seen: Watched, *, boot: str, now: float, runs: bool) -> bool:
    """Whether its window is free. `runs`: its process does, as far as we can know."""
    if now - seen.since >= STALE_SECONDS:
        return True
    if seen.claim.boot != boot:
        return False
    return not runs or now - seen.claim.at >= STALE_SECONDS


def is_ours(beat_at: float, now: float) -> bool:
    """Whether we may still act on a claim we last gave a sign of life for at `beat_at`: nobody
    else may have taken it, with a beat to spare."""
    return now - beat_at < STALE_SECONDS - BEAT_SECONDS
