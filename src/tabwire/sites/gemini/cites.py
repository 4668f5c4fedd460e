"""Gemini: the sources an answer names, and the marks it leaves in its text.

Where it answers from files or from the web, its text may have `[cite_start]` before and
`[cite: 12, 13]` behind what a source speaks for. What the numbers mean stands in the candidate's
rich content, [12][43]: groups `[["[cite: 12, 13]", …], [source, source]]`, a source for each number
in their order, its icon, address and title at `[3][0]`. A public client of the site reads it so
(2026-08); we have no recording of it. What the answer repeats word for word stands at [2]:
`[[[start, end, ["address", "name", …], …], …]]`, as recorded in 2023; its places count other
units than ours, so those are sources of the answer as a whole. The marks themselves are as they
stand in texts that people copied (2025-06 to 2026-09).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tabwire.model.citations import Citation, Reference
from tabwire.sites.gemini.fields import at, list_at, text_at
from tabwire.sites.marks import Marks, beginnings

_REPEATED = 2
_RICH, _GROUPS = 12, 43
_MAX_RANGE = 100  # numbers in one `1-3`
_NUMBERS = r"\d{1,5}(?:\s*[-\u2013,]\s*\d{1,5}){0,100}"
_RANGE = re.compile(r"(\d+)(?:\s*[-\u2013]\s*(\d+))?")
_START = "[cite_start]"

MARKS = Marks(
    whole=re.compile(rf"\[cite_start\]|\[cite:\s?{_NUMBERS}\]"),
    begun=re.compile(rf"(?:\[cite:[\d\s,\u2013-]{{0,600}}|{beginnings(_START[:-1])}|\[cite)\Z"),
    cut=re.compile(r"\[cite_start\Z"),
    strays=re.compile(r"\[cite_start\]"),
    hint=re.compile(r"\["),
)


@dataclass(frozen=True, slots=True)
class Sources:
    """What a candidate names: sources by the number its marks have, and those without one."""

    numbered: tuple[tuple[int, Citation], ...] = ()
    others: tuple[Citation, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.numbered or self.others)


NONE = Sources()


def read_sources(candidate: Any) -> Sources:
    """The sources a candidate names, each once."""
    numbered: dict[int, Citation] = {}
    for number, citation in _numbered(list_at(candidate, _RICH, _GROUPS)):
        numbered.setdefault(number, citation)
    others = {one.url: one for one in _repeated(at(candidate, _REPEATED))}
    return Sources(tuple(numbered.items()), tuple(others.values()))


def references_of(text: str, sources: Sources) -> tuple[Reference, ...]:
    """What the marks of a text stand for, and the sources of all of it."""
    if not sources:
        return ()
    known = dict(sources.numbered)
    marked = [
        Reference(mark, citations=cited)
        for mark in dict.fromkeys(MARKS.whole.findall(text))
        if (cited := tuple(known[one] for one in _numbers_in(mark) if one in known))
    ]
    return (*marked, Reference("", citations=(*known.values(), *sources.others)))


def _numbered(groups: list[Any]) -> Iterator[tuple[int, Citation]]:
    """Number and source of each group: the numbers of its mark name its sources in order."""
    for group in groups:
        numbers = _numbers_in(text_at(group, 0, 0) or "")
        for number, source in zip(numbers, list_at(group, 1), strict=False):
            url = text_at(source, 3, 0, 1)
            if url and _is_address(url):
                yield number, Citation(url, text_at(source, 3, 0, 2) or "")


def _repeated(node: Any, depth: int = 4) -> Iterator[Citation]:
    """Every `[start, end, ["address", "name", …], …]` below; one without an address names none."""
    match node:
        case [int(), int(), [str(url), *rest], *_] if _is_address(url):
            yield Citation(url, next((one for one in rest if isinstance(one, str) and one), ""))
        case [int(), int(), str(url), *_] if _is_address(url):
            yield Citation(url)
        case list() if depth:
            for inner in node:
                yield from _repeated(inner, depth - 1)


def _numbers_in(mark: str) -> list[int]:
    return [number for found in _RANGE.finditer(mark) for number in _range(*found.groups())]


def _range(first: str, last: str | None) -> Iterable[int]:
    begin = int(first)
    return range(begin, min(int(last or first), begin + _MAX_RANGE) + 1)


def _is_address(url: str) -> bool:
    return url.startswith(("http://", "https://"))
