"""Whether a page shows other words than came over the wire. Pure.

A page is rendered: marks are gone, captions are added, formulas are drawn, and the end may not
be there yet. So only whole sentences of prose count: one of the page that is not ours, or one of
ours that the page does not have although it has what comes after.
"""

import re
import unicodedata

LEAST_LETTERS = 24  # in a sentence: shorter ones are captions, labels and names
PIECE = 4  # letters compared at a time, in any script
SHARE = 0.4  # of its pieces a sentence shares at least with a text that has it in other words

_ENDS = re.compile(r"[\n.!?…。！？؟]+")  # noqa: RUF001  the same signs in other scripts
_NO_PROSE = re.compile(r"[`$|\\{}]|https?:")


def objects(ours: str, page: str) -> bool:
    """Whether the page says something else in a place. `ours` is plain text, without Markdown."""
    if not page.strip():
        return False
    if not all(_found(page, ours)):
        return True
    here = _found(ours, page)
    while here and not here[-1]:
        here.pop()  # not drawn yet
    return not all(here)


def _found(said: str, text: str) -> list[bool]:
    """Of each sentence of the first, whether it is in the second."""
    whole = _letters(text)
    there = _pieces(whole)
    sentences = [one for one in map(_letters, _sentences(said)) if len(one) >= LEAST_LETTERS]
    return [one in whole or _share(one, there) >= SHARE for one in sentences]


def _sentences(text: str) -> list[str]:
    return [one for one in _ENDS.split(text) if not _NO_PROSE.search(one)]


def _share(sentence: str, there: set[str]) -> float:
    pieces = _pieces(sentence)
    return len(pieces & there) / len(pieces)


def _pieces(letters: str) -> set[str]:
    return {letters[at : at + PIECE] for at in range(len(letters) - PIECE + 1)}


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))
