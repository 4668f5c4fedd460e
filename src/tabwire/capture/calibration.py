"""Which way of capture worked at a site, and how patient each is.

There are four ways to come by a stored conversation, each a step with a strategy of its own,
so that one tells the other. The way that worked last is tried first the next time; the
snapshot of the page is never tried by itself, because it proves nothing: it is Force Save.

Capture uses seed 003's manual-strict tier for every strategy. It trusts neither the page's hints
nor its snapshot, so it needs a page to be quiet for less long.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from tabwire.fusion.profile import CLASSIC_PAGE_QUIET_SECONDS, DEFAULT, Profile
from tabwire.model.signals import Source


class Step(StrEnum):
    """How a stored conversation is come by, in the order it is tried."""

    QUEUED = "queued"  # it was heard before anybody asked for it
    PASSIVE_WAIT = "passive-wait"  # the page reads it by itself soon
    REREAD = "reread"  # the page is let read it again, in a background tab
    PAGE_SNAPSHOT = "page-snapshot"  # what stands on the page


class Strategy(StrEnum):
    """The temper of a profile."""

    AGGRESSIVE = "aggressive"
    BALANCED = "balanced"
    CONSERVATIVE = "conservative"
    SNAPSHOT = "snapshot"


STRATEGY_OF: dict[Step, Strategy] = {
    Step.QUEUED: Strategy.AGGRESSIVE,
    Step.PASSIVE_WAIT: Strategy.BALANCED,
    Step.REREAD: Strategy.CONSERVATIVE,
    Step.PAGE_SNAPSHOT: Strategy.SNAPSHOT,
}
STEP_OF: dict[Strategy, Step] = {strategy: step for step, strategy in STRATEGY_OF.items()}

MAX_REREAD = 5000

Key = tuple[str, str]  # site and conversation
UNTRUSTED = frozenset({Source.PAGE, Source.SNAPSHOT})


@dataclass(frozen=True, slots=True)
class CaptureProfile:
    """How one site is captured."""

    site: str
    strategy: Strategy
    quiet_seconds: float
    untrusted: frozenset[Source] = frozenset()

    @property
    def step(self) -> Step:
        """The way that is tried first."""
        return STEP_OF[self.strategy]

    @property
    def for_fusion(self) -> Profile:
        """The same in fusion's words."""
        return replace(
            DEFAULT,
            name=f"capture {self.strategy}",
            page_quiet_seconds=self.quiet_seconds,
            ignored_hints=self.untrusted,
        )


def strict(site: str, step: Step = Step.PASSIVE_WAIT) -> CaptureProfile:
    """What capture uses, whichever step is tried first."""
    return CaptureProfile(site, STRATEGY_OF[step], CLASSIC_PAGE_QUIET_SECONDS, UNTRUSTED)


def step_named(word: str | None) -> Step | None:
    """A step as it was kept; None for a word no version of ours knows."""
    return next((step for step in Step if step == word), None)


class Steps:
    """Which step is tried first at each site, as it was learnt."""

    def __init__(self) -> None:
        self._first: dict[str, Step] = {}
        self._reread: set[Key] = set()  # had to be read again since they were ready

    def first(self, site: str) -> Step:
        """Where nothing was learnt yet, the one that never fails to begin."""
        return self._first.get(site, Step.REREAD)

    def knows(self, site: str) -> bool:
        """Whether it was asked for before; from now on it was."""
        known = site in self._first
        self._first.setdefault(site, Step.REREAD)
        return known

    def learn(self, site: str, step: Step) -> bool:
        """This one worked; whether that is news."""
        news = self._first.get(site) is not step
        self._first[site] = step
        return news

    def read_again(self, key: Key) -> None:
        """This conversation did not become ready by itself."""
        if len(self._reread) >= MAX_REREAD:
            self._reread.clear()  # only how they got ready is forgotten
        self._reread.add(key)

    def became_ready(self, key: Key) -> Step:
        """By which step."""
        step = Step.REREAD if key in self._reread else Step.PASSIVE_WAIT
        self._reread.discard(key)
        return step
