"""Every number of this room, with its reason, and the profiles made of them.

`DEFAULT` is what we think right; `CLASSIC` is what the seed did. All times are seconds.
"""

from dataclasses import dataclass

from tabwire.model.signals import Source

STABILITY_SECONDS = 0.9  # two equal samples closer than this may be one cached reading
MAX_WAIT_SECONDS = 30.0  # after this long of changing samples we say that it does not settle
CLASSIC_MAX_WAIT_SECONDS = 3.2  # what the seed's runner used instead
RETRY_SECONDS = 1.15  # above the stability window, so each re-read can be the second sample
MAX_RETRIES = 6  # a stored conversation that lags more is rather not coming
GRACE_SECONDS = 0.4  # for the last re-read to arrive; 6 * 1.15 + 0.4 = 7.3 in all
STALL_SECONDS = 60.0  # no silent stall is longer: the promise "say"
HANDOFF_SECONDS = 5.0  # a page that hears of a hand-off opens its socket well within this
UNFINISHED_SECONDS = 180.0  # an unfinished stored answer that stays the same is not being written
HOLD_SECONDS = 5.0  # the first pause where the site still writes; then twice as long each time
PAGE_QUIET_SECONDS = 1.2  # a page's text must stand still this long to hint at an end
CLASSIC_PAGE_QUIET_SECONDS = 0.8  # the seed's manual-strict policy

SAMPLE_TTL_SECONDS = 600.0  # a sample older than this says nothing about a new one
TERMINAL_TTL_SECONDS = 600.0  # how long an attempt that is over is kept in full
RESOLUTION_TTL_SECONDS = 3600.0  # how long a signal of a forgotten attempt is known as late
PRUNE_SECONDS = 1.0  # pruning more often than this costs more than it frees
WARN_SHARE = 0.9  # a cache this full warns before it forgets

SAME_ATTEMPT_HINT_SECONDS = 4.5  # one ending makes several hints: they are one
OTHER_ATTEMPT_HINT_SECONDS = 0.9  # a new attempt may end soon after the old one
PAGE_HINT_SECONDS = 1.5  # the page re-renders its controls in bursts


@dataclass(frozen=True, slots=True)
class Profile:
    """How patient one machine is, and whom it believes.

    `ignored_hints`: whose completion hints are recorded and not followed.
    `hints_end_open_streams`: whether a hint may move an attempt whose stream is still open.
    The seed lets it; a stream that is open is the better witness, so by default it may not.
    `give_up_seconds`: end after this long without any sign of life; None waits, because a
    model may think for 45 minutes, and whoever asked has a budget of their own.
    """

    name: str
    stability_seconds: float = STABILITY_SECONDS
    max_wait_seconds: float = MAX_WAIT_SECONDS
    retry_seconds: float = RETRY_SECONDS
    max_retries: int = MAX_RETRIES
    grace_seconds: float = GRACE_SECONDS
    stall_seconds: float = STALL_SECONDS
    handoff_seconds: float = HANDOFF_SECONDS
    hold_seconds: float = HOLD_SECONDS
    unfinished_seconds: float = UNFINISHED_SECONDS
    page_quiet_seconds: float = PAGE_QUIET_SECONDS
    give_up_seconds: float | None = None
    hints_end_open_streams: bool = False
    ignored_hints: frozenset[Source] = frozenset()

    @property
    def witness_seconds(self) -> float:
        """How long witnesses have after a stream broke off: one whole plan of re-reads."""
        return self.retry_seconds * self.max_retries + self.grace_seconds


DEFAULT = Profile("default")
CLASSIC = Profile(
    "classic",
    max_wait_seconds=CLASSIC_MAX_WAIT_SECONDS,
    page_quiet_seconds=CLASSIC_PAGE_QUIET_SECONDS,
    hints_end_open_streams=True,
    ignored_hints=frozenset({Source.PAGE, Source.SNAPSHOT}),
)


@dataclass(frozen=True, slots=True)
class Caps:
    """How much is remembered of one tab. The numbers are the seed's; a day of hard use of
    one tab stays far below them.
    """

    attempts: int = 500
    resolutions: int = 800
    bindings: int = 250
    aliases: int = 500
    pending: int = 320
    samples: int = 500


CAPS = Caps()
