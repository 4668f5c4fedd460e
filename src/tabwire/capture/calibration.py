"""Which way of capture worked at a site, and how patient each is.

There are four ways to come by a stored conversation, each a step with a strategy of its own,
so that one tells the other. The way that worked last is tried first the next time; the
snapshot of the page is always last, because it proves nothing.

Two tiers: `generic` has a strategy's own numbers, `strict` is what capture uses. Strict trusts
neither the page's hints nor its snapshot, so it needs a page to be quiet for less long.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from tabwire.fusion.profile import CLASSIC_PAGE_QUIET_SECONDS, DEFAULT, PAGE_QUIET_SECONDS, Profile
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

PATIENT = (Strategy.CONSERVATIVE, Strategy.SNAPSHOT)
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


def generic(site: str, strategy: Strategy) -> CaptureProfile:
    """A strategy with its own numbers."""
    quiet = PAGE_QUIET_SECONDS if strategy in PATIENT else CLASSIC_PAGE_QUIET_SECONDS
    return CaptureProfile(site, strategy, quiet)


def strict(site: str, step: Step = Step.PASSIVE_WAIT) -> CaptureProfile:
    """What capture uses, whichever step is tried first."""
    return CaptureProfile(site, STRATEGY_OF[step], CLASSIC_PAGE_QUIET_SECONDS, UNTRUSTED)


def order(first: Step | None = None) -> tuple[Step, ...]:
    """The steps, the one that worked last at the head. The snapshot stays at the end."""
    steps = [step for step in Step if step not in (first, Step.PAGE_SNAPSHOT)]
    ahead = [first] if first is not None and first is not Step.PAGE_SNAPSHOT else []
    return (*ahead, *steps, Step.PAGE_SNAPSHOT)


def step_named(word: str | None) -> Step | None:
    """A step as it was kept; None for a word no version of ours knows."""
    return next((step for step in Step if step == word), None)
