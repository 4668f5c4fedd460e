"""From a plan and a story to the cues of one answer: what is told, and after how long."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tabwire.lab.plan import Plan
from tabwire.lab.stories.steps import (
    Befall,
    GiveUp,
    Mark,
    Pause,
    Preamble,
    Say,
    Silence,
    Step,
    Think,
    Tool,
    Wire,
    Withhold,
)


class Part(StrEnum):
    """What a piece belongs to."""

    THOUGHT = "thought"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Said:
    """One piece of an answer."""

    part: Part
    text: str


Told = Said | Tool | Mark
"""What ends up in an exchange, in order."""


@dataclass(frozen=True, slots=True)
class Cue:
    """So long after the cue before it, this happens."""

    after: float
    what: Told | Befall | Silence | GiveUp


def cues(plan: Plan, script: Sequence[Step]) -> Iterator[Cue]:
    """The script in detail. What it does not tell of the answer is told at its end."""
    wait = plan.first_seconds
    thoughts, said, silent = list(plan.thoughts), 0, False
    fails = any(isinstance(step, Mark) and step.what in FAILS for step in script)
    for step in (*script, *(() if fails else (Say(),))):
        match step:
            case Pause(seconds):
                wait += seconds / plan.pace
                continue
            case Withhold():
                continue
            case Think(count):
                told: list[Told | Befall | Silence | GiveUp] = [
                    Said(Part.THOUGHT, text) for text in thoughts or made_up(count)
                ]
                thoughts = []
            case Say(upto):
                end = round(upto * len(plan.pieces))
                told = [Said(Part.TEXT, text) for text in plan.pieces[said:end]]
                said = max(said, end)
            case Preamble(text):
                told = [Said(Part.TEXT, text)]
            case _:
                told = [step]
                silent = silent or isinstance(step, Silence | GiveUp)
        for one in told:
            yield Cue(wait, one)
            # a piece is followed by its time; what is no words takes none
            wait = plan.every_seconds if isinstance(one, Said) else 0.0
        if silent:
            return


FAILS = frozenset({Wire.ERROR, Wire.LIMIT})
"""Marks after which a site says nothing more."""


def made_up(count: int) -> list[str]:
    """Thoughts where a plan has none."""
    return [f"Thought {number}: this wants a closer look. " for number in range(1, count + 1)]


def text_of(plan: Plan, script: Sequence[Step]) -> str:
    """The whole answer that this script tells."""
    told = (cue.what for cue in cues(plan, script))
    return "".join(one.text for one in told if isinstance(one, Said) and one.part is Part.TEXT)
