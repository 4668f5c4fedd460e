"""How the private marks of a site look in its texts. Data only.

ChatGPT's begin and end with a character that no keyboard has. Fonts with icons use the same
characters, so one of them alone is no mark: a kind must follow at once, then its parts. Grok's
are tags, Gemini's are words in brackets: those are given as patterns.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

MAX_MARK = 20_000  # characters; the longest kind holds a description of pictures, some 2,000


@dataclass(frozen=True, slots=True)
class Marks:
    """The patterns of a site's marks, and what a mark says of itself.

    `whole` is one mark, `strays` any part of one that stands alone. `begun` is the rest of a
    growing text that may become a mark, `cut` the rest of a finished one that surely was to be
    one. `hint` finds at once whether there can be any. `words` gives the words that are inside a
    mark, "" where there are none to read.
    """

    whole: re.Pattern[str]
    begun: re.Pattern[str]
    cut: re.Pattern[str]
    strays: re.Pattern[str]
    hint: re.Pattern[str]
    words: Callable[[str], str] = lambda _mark: ""


def character_marks(
    begin: str, part: str, end: str, others: str, words: Callable[[str], str]
) -> Marks:
    """Marks made of private characters. `others` set text apart for the page and stand for
    nothing."""
    first, parts, last = map(re.escape, (begin, part, end))
    kind = r"[A-Za-z][\w-]{0,63}"
    inside = rf"{parts}[^{first}{last}]{{0,{MAX_MARK}}}"
    begun = re.compile(rf"{first}(?:{kind}(?:{inside})?)?\Z")
    strays = re.compile(rf"[{first}{parts}{last}{re.escape(others)}]")
    whole = re.compile(rf"{first}{kind}(?:{inside})?{last}")
    return Marks(whole, begun, begun, strays, strays, words)


def beginnings(word: str) -> str:
    """A pattern for the word and for each of its beginnings."""
    pattern = ""
    for letter in reversed(word):
        pattern = f"{re.escape(letter)}(?:{pattern})?" if pattern else re.escape(letter)
    return pattern
