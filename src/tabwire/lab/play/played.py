"""What came out of a play, and whether it is what the story promises."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tabwire.fusion.verdict import Judgement, Verdict
from tabwire.lab.ledger import Entry
from tabwire.lab.stories.story import Outcome, Story
from tabwire.model.signals import Refusal, Source
from tabwire.monitor import sightings as told
from tabwire.monitor.sightings import Sighting

REFUSALS = {
    Refusal.RATE_LIMIT: Outcome.LIMIT,
    Refusal.LOGIN: Outcome.LOGIN,
    Refusal.CHALLENGE: Outcome.CHALLENGE,
    Refusal.ERROR: Outcome.ERROR,
    Refusal.BLOCKED: Outcome.ERROR,
}
NOTICES = {"login": Outcome.LOGIN, "challenge": Outcome.CHALLENGE}
STOPPED = "stopped"  # why a verdict is partial where the person stopped the answer


@dataclass(frozen=True, slots=True)
class Played:
    """One play, over. `why` says what was not as promised, "" where all was.

    `expected_text` is the lab's own text as far as the story tells it; `hindered` is what kept
    the scripted person from asking, in stories in which nobody can ask.
    """

    story: Story
    site: str
    prompt: str
    outcome: Outcome
    verdict: Verdict | None
    sightings: tuple[Sighting, ...]
    entries: tuple[Entry, ...]  # of the ledger: what was received while it played
    expected_text: str
    why: str
    hindered: str = ""
    seconds: float = 0.0

    @property
    def as_promised(self) -> bool:
        """Whether everything came out as the story says."""
        return not self.why


def outcome_of(sightings: Iterable[Sighting]) -> Outcome:
    """What the watcher came to say."""
    verdict: Verdict | None = None
    lost, noticed = False, Outcome.NOTHING
    for one in sightings:
        if isinstance(one, told.Judged):
            verdict = one.verdict
        elif isinstance(one, told.Befell) and one.over:
            lost = True
        elif isinstance(one, told.PageNotice):
            noticed = NOTICES.get(one.kind, noticed)
    if verdict is None or verdict.judgement is Judgement.OPEN:
        return Outcome.LOST if lost else noticed
    if verdict.complete:
        return Outcome.COMPLETE
    if verdict.refusal is not None:
        return REFUSALS[verdict.refusal.kind]
    if lost:
        return Outcome.LOST
    return Outcome.STOPPED if verdict.why == STOPPED else Outcome.PARTIAL


def verdicts(sightings: Iterable[Sighting]) -> list[Verdict]:
    """Every verdict that was told, in order, those that are none left out."""
    judged = (one.verdict for one in sightings if isinstance(one, told.Judged))
    return [one for one in judged if one.judgement is not Judgement.OPEN]


def told_text(sightings: Iterable[Sighting]) -> str:
    """The answer as whoever listened has it."""
    said: list[str] = []
    for one in sightings:
        if isinstance(one, told.Grew) and not one.thinking:
            said.append(one.text)
        elif isinstance(one, told.Rewritten) and not one.thinking:
            said = [one.text]
    return "".join(said)


def faults(
    story: Story,
    prompt: str,
    expected: str,
    sightings: Sequence[Sighting],
    entries: Sequence[Entry],
) -> list[str]:
    """Everything that is not as the story promises, in words."""
    found = []
    outcome = outcome_of(sightings)
    if outcome is not story.outcome:
        found.append(f"{outcome} instead of {story.outcome}")
    all_of_them = verdicts(sightings)
    for verdict in all_of_them:
        found += _text_faults(verdict, expected)
    if any(one.complete for one in all_of_them) and not all_of_them[-1].complete:
        found.append("it was reported complete, and that was withdrawn")
    if not expected.startswith(told_text(sightings)):
        found.append("the streamed text is not the lab's")
    asked = sum(entry.prompt == prompt for entry in entries)
    if asked != (1 if story.asks else 0):
        found.append(f"the prompt is in the ledger {asked} times")
    return list(dict.fromkeys(found))


def _text_faults(verdict: Verdict, expected: str) -> list[str]:
    """The text of one verdict against the lab's: whole where complete, else its beginning."""
    text = verdict.text
    if verdict.complete:
        if text == expected:
            return []
        return [f"complete with {_compared(text, expected)}"]
    if verdict.text_from is Source.PAGE:  # Markdown that was read off a page is not the same to
        text, expected = letters(text), letters(expected)  # the letter
    if expected.startswith(text):
        return []
    return [f"{verdict.judgement} with {_compared(text, expected)}"]


def letters(text: str) -> str:
    """The letters and digits alone."""
    return "".join(filter(str.isalnum, text))


def _compared(text: str, expected: str) -> str:
    if expected.startswith(text):
        return f"{len(text)} of the lab's {len(expected)} characters"
    pairs = zip(text, expected, strict=False)
    at = next((at for at, (ours, theirs) in enumerate(pairs) if ours != theirs), len(expected))
    return (
        f"a text that is not the lab's from character {at} on: {text[at : at + 40]!r} "
        f"instead of {expected[at : at + 40]!r}"
    )
