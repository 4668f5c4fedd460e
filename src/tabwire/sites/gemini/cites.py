"""Gemini: the sources an answer names, and the marks it leaves in its text.

A candidate may hold citation metadata at [2]: `[[[start, end, "address", "licence", …], …]]`, laid
out as in Google's public API. Its places count other units than ours, so the sources are those of
the answer as a whole. Where it answers from files, its text has `[cite_start]` before and
`[cite: 12, 13]` behind what a place in a file speaks for; a number is that of a source where there
are so many, else it stands for nothing that can be shown. No recording has the first; the marks
are as they stand in texts that people copied (2025-06 to 2026-09).
"""

import re
from collections.abc import Iterator
from typing import Any

from tabwire.model.citations import Citation, Reference
from tabwire.sites.gemini.fields import at
from tabwire.sites.marks import Marks, beginnings

_METADATA = 2
_NUMBERS = r"\d{1,5}(?:\s*[-\u2013,]\s*\d{1,5}){0,100}"
_START = "[cite_start]"

MARKS = Marks(
    whole=re.compile(rf"\[cite_start\]|\[cite:\s?{_NUMBERS}\]"),
    begun=re.compile(rf"(?:\[cite:[\d\s,\u2013-]{{0,600}}|{beginnings(_START[:-1])}|\[cite)\Z"),
    cut=re.compile(r"\[cite_start\Z"),
    strays=re.compile(r"\[cite_start\]"),
    hint=re.compile(r"\["),
)


def read_sources(candidate: Any) -> tuple[Citation, ...]:
    """The sources a candidate names, each once."""
    return tuple({one.url: one for one in _sources(at(candidate, _METADATA))}.values())


def references_of(text: str, sources: tuple[Citation, ...]) -> tuple[Reference, ...]:
    """What the marks of a text stand for, and the sources of all of it."""
    if not sources:
        return ()
    marked = [
        Reference(mark, citations=cited)
        for mark in dict.fromkeys(MARKS.whole.findall(text))
        if (cited := tuple(_numbered(mark, sources)))
    ]
    return (*marked, Reference("", citations=sources))


def _sources(node: Any, depth: int = 4) -> Iterator[Citation]:
    """Every `[start, end, "address", …]` below."""
    match node:
        case [int(), int(), str(url), *rest] if url.startswith(("http://", "https://")):
            titles = [one for one in rest if isinstance(one, str) and one.strip()]
            yield Citation(url, titles[-1] if len(titles) > 1 else "")
        case list() if depth:
            for inner in node:
                yield from _sources(inner, depth - 1)


def _numbered(mark: str, sources: tuple[Citation, ...]) -> Iterator[Citation]:
    for number in re.findall(r"\d+", mark):
        if 0 < int(number) <= len(sources):
            yield sources[int(number) - 1]
