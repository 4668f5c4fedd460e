"""What a replica will answer to a prompt, and how fast: pieces with times, made from the prompt.

A prompt may direct the lab with a line of its own, everything in it optional:

    lab: pieces=50 every=0.02 first=0.1 think=3 seed=7 chars=12
    lab: story=cut pace=10 answer=rich

50 pieces of 12 characters, one every 0.02 s, the first after 0.1 s, three thoughts before
them; the same seed gives the same words. Where nothing is said of pieces, chars or seed, the
answer is one to look at: headings, lists, code, a table, other scripts. `story` names a story
(lab/stories), `pace` makes its pauses shorter, `answer` names a kind of answer (lab/answers).
"""

import random
import zlib
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace
from typing import Any

from tabwire.lab.answers import KINDS, answer_of
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.story import Story
from tabwire.lab.words import DIRECTION, MAX_QUOTE, SPOILS_MARKDOWN, in_words, mark_of, quoted

MAX_TITLE = 40  # characters of a title; the sites write about as much
MAX_PIECES = 1_000_000  # a slip of the finger must not fill the memory
MAX_CHARS = 100_000  # in one piece: ten times the longest a site sends
MAX_SECONDS = 3_600.0
ENOUGH = 50_000  # characters by chance; a longer answer repeats them, for twenty MB at once
PARAGRAPH = 60  # words in one, in answers made of chance

WORDS = (
    "a tab holds the page while light and time go by and every word that comes is "
    "kept in order so that nothing falls between two pieces of one answer 光 と 時間 は "
    "流れる naïve façade Straße 😀 👩‍🚀 42"
).split()

THOUGHTS = (
    "The person wants to see something worth reading. ",
    "First a few words, then a list, then code and a table. ",
    "Short sentences are enough.",
)


@dataclass(frozen=True, slots=True)
class Plan:
    """One answer as it will be told: the text's pieces, the thoughts before it, and the times."""

    pieces: tuple[str, ...]
    thoughts: tuple[str, ...] = ()
    every_seconds: float = 0.05
    first_seconds: float = 0.2
    title: str | None = None
    model: str | None = None
    story: str = ""  # the prompt's own wish
    pace: float = 1.0  # a story's pauses are divided by it
    answer: str = ""  # the kind of answer the prompt wants, see lab/answers.py
    timed: bool = False  # whether the prompt itself said how fast

    @property
    def text(self) -> str:
        """The whole answer."""
        return "".join(self.pieces)


def plan_for(prompt: str) -> Plan:
    """What to answer. The same prompt gets the same answer."""
    told, unknown = _direction(prompt)
    seed = int(told.get("seed", zlib.crc32(prompt.encode("utf-8", "replace"))))
    rng = random.Random(seed)
    if told.keys() & {"pieces", "chars", "seed"}:
        count, chars = int(told.get("pieces", 40)), int(told.get("chars", 12))
        pieces = tuple(_by_chance(rng, count, chars, mark_of(prompt)))
        thoughts: tuple[str, ...] = ()
    else:
        pieces, thoughts = tuple(in_words(_pleasant(prompt))), THOUGHTS
    if unknown:
        pieces = (f"The lab does not understand {', '.join(unknown)}.\n\n", *pieces)
    if "think" in told:
        thoughts = tuple(f"Thought {count + 1}: {_line(rng)}. " for count in range(told["think"]))
    return Plan(
        pieces,
        thoughts,
        every_seconds=told.get("every", 0.05),
        first_seconds=told.get("first", 0.2),
        title=_title(prompt),
        story=told.get("story", ""),
        pace=told.get("pace", 1.0),
        answer=told.get("answer", ""),
        timed="every" in told,
    )


def plan_in_story(plan: Plan, story: Story, prompt: str, site: str = "chatgpt") -> Plan:
    """The plan with the kind of answer the story wants, unless the prompt chose its own."""
    kind = plan.answer or story.answer
    if not kind:
        return plan
    every = 0.0005 if kind == "gigantic" and not plan.timed else plan.every_seconds
    return replace(plan, pieces=answer_of(kind, prompt, site), every_seconds=every)


def _between(kind: Callable[[str], Any], low: float, high: float) -> Callable[[str], Any]:
    def read(said: str) -> Any:
        value = kind(said)
        if not low <= value <= high:
            raise ValueError(said)
        return value

    return read


def _one_of(names: Container[str]) -> Callable[[str], str]:
    def read(said: str) -> str:
        if said not in names:
            raise ValueError(said)
        return said

    return read


READERS: dict[str, Callable[[str], Any]] = {
    "pieces": _between(int, 1, MAX_PIECES),
    "chars": _between(int, 1, MAX_CHARS),
    "think": _between(int, 0, MAX_PIECES),
    "seed": int,
    "every": _between(float, 0.0, MAX_SECONDS),
    "first": _between(float, 0.0, MAX_SECONDS),
    "pace": _between(float, 0.001, 1e6),
    "story": _one_of(STORIES),
    "answer": _one_of(KINDS),
}


def _direction(prompt: str) -> tuple[dict[str, Any], list[str]]:
    """What the prompt tells the lab, and what of that nobody understands."""
    told: dict[str, Any] = {}
    unknown: list[str] = []
    for line in DIRECTION.findall(prompt):
        for word in line.split():
            name, _, said = word.partition("=")
            try:
                told[name] = READERS[name](said)
            except (KeyError, ValueError):
                unknown.append(f"“{SPOILS_MARKDOWN.sub('', word)[:MAX_QUOTE]}”")
    return told, unknown


def _title(prompt: str) -> str:
    words = " ".join(DIRECTION.sub(" ", prompt).split())
    return words if len(words) <= MAX_TITLE else words[: MAX_TITLE - 1].rstrip() + "…"


def _line(rng: random.Random) -> str:
    return " ".join(rng.choices(WORDS, k=8))


def _by_chance(rng: random.Random, count: int, chars: int, mark: str) -> Iterator[str]:
    """Exactly `count` pieces of exactly `chars` characters, with nothing blank at either end."""
    size = count * chars
    words: list[str] = [mark]
    length = 0
    while length <= min(size, ENOUGH):
        word = rng.choice(WORDS)
        words.append(word if len(words) % PARAGRAPH else f"\n\n{word}")
        length += len(words[-1]) + 1
    text = " ".join(words).replace(" \n\n", "\n\n").strip() + "\n\n"
    text = (text * (size // len(text) + 1))[:size]
    if text != text.rstrip():
        text = text.rstrip().ljust(size, "x")
    return (text[start : start + chars] for start in range(0, size, chars))


def _pleasant(prompt: str) -> str:
    return PLEASANT.replace("PROMPT", quoted(prompt) or "nothing")


PLEASANT = """\
You asked: “PROMPT”. This is the **lab**, a local stand-in, so the answer is *invented*; \
the way it reaches you is not.

## What happens here

1. Your words left the page in one request.
2. The answer comes back in pieces:
   - each piece is **read** as it arrives,
   - nothing is read twice,
   - the stream itself reports the end.
3. The page draws it, with `code` and all.

```python
def answer(pieces):
    for piece in pieces:  # one at a time
        yield piece
```

| part | where from | proof |
|---|---|---|
| text | the stream | `end_turn` |
| thinking | beside it | none |

日本語でも同じです。Größe, naïve, façade and 😀 arrive whole. \
Tell the lab more with a line such as `lab: pieces=20 every=0.1`."""
