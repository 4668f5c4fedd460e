"""Stories in seconds: what is heard when, and what has become of it. Nothing sleeps."""

from collections.abc import Iterable

from tabwire.fusion.attempts import Fusion, Seen
from tabwire.fusion.machine import Machine
from tabwire.fusion.outcomes import Happened, Outcome
from tabwire.fusion.profile import DEFAULT, Profile
from tabwire.model.signals import (
    CanonicalRead,
    HintSeen,
    PageSaw,
    PromptSent,
    Signal,
    Source,
    StreamClosed,
    TextGrew,
    TurnEnded,
    TurnStopped,
)
from tabwire.sites.titles import better_title

PROMPT = PromptSent("What is the capital of Assyria?")
GREW = TextGrew("It was Assur.")
ENDED = TurnEnded("end_turn")
STOPPED = TurnStopped("finished_partial")
CLOSED = StreamClosed(whole=True)
CUT = StreamClosed(whole=False, lost_bytes=7)
HINT = HintSeen("stream_status")
STORED = CanonicalRead("It was Assur.", terminal=True, complete=True)
LONGER = CanonicalRead("It was Assur. Later Nineveh.", terminal=True, complete=True)
OTHER = CanonicalRead("I cannot say.", terminal=True, complete=True)
UNFINISHED = CanonicalRead("It was", terminal=False, complete=False)
SHORT = CanonicalRead("It was Assur.", terminal=True, complete=False)
SNAPSHOT = CanonicalRead("It was Assur.", terminal=True, complete=True, degraded=True)
BUSY = PageSaw(generating=True)
PAGE_OTHER = PageSaw(generating=False, text="Bananas keep best when they are hung up.")
FINISHED = PageSaw(generating=False, actions=True)

# A story: at which second, which signal; None lets the clocks run up to that second.
Story = Iterable[tuple[float, Signal | None]]


def machine(profile: Profile = DEFAULT, previous_text: str | None = None) -> Machine:
    """An attempt born at second 0."""
    return Machine(
        "a", 0.0, better_title=better_title, profile=profile, previous_text=previous_text
    )


def play(attempt: Machine, story: Story) -> list[Outcome]:
    """Feed a story, ticking at every deadline on the way. A signal wins over a deadline."""
    outcomes: list[Outcome] = []
    for at, signal in story:
        while (due := attempt.next_deadline()) is not None and (
            due < at or (due == at and signal is None)
        ):
            outcomes += attempt.tick(due)
        if signal is not None:
            outcomes += attempt.feed(signal, at)
    return outcomes


def told(story: Story, profile: Profile = DEFAULT) -> Machine:
    """The attempt after a story."""
    attempt = machine(profile)
    play(attempt, story)
    return attempt


def fusion(**options: object) -> Fusion:
    """An empty tab."""
    return Fusion(better_title=better_title, **options)  # type: ignore[arg-type]


def see(
    tab: Fusion,
    attempt_id: str,
    signal: Signal,
    now: float,
    conversation_id: str | None = None,
    source: Source = Source.STREAM,
) -> tuple[Happened, ...]:
    """Feed one signal to a tab."""
    return tab.feed(Seen(attempt_id, signal, source, conversation_id), now)
