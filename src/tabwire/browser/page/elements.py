"""What we look for in a page and what we found there. Data only."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from tabwire.sites.page import Selector

Candidates = str | Selector | Sequence[str | Selector]
"""CSS selectors, best first. The first that matches something usable is used."""


def css_of(*lists: Candidates) -> tuple[str, ...]:
    """The CSS of each candidate, in order."""
    found: list[str] = []
    for one in lists:
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, Selector):
            found.append(one.css)
        else:
            found.extend(css_of(*one))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Wish:
    """What to look for. `part` is our word for it, for errors."""

    candidates: tuple[str, ...]
    decoys: tuple[str, ...] = ()
    part: str = "such element"
    editable: bool = False  # only what text can be written into
    upload: bool = False  # a file input may be hidden

    def said(self) -> dict[str, Any]:
        """As the functions of page.js take it."""
        return {
            "candidates": self.candidates,
            "decoys": self.decoys,
            "editable": self.editable,
            "upload": self.upload,
        }


class Box(msgspec.Struct, frozen=True):
    """Where an element stands in the window, in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


class Found(msgspec.Struct, frozen=True):
    """The first usable element of the first candidate that has one."""

    css: str  # the candidate that matched
    index: int  # its place among the candidates
    matched: int  # how many elements it matched, decoys not counted
    usable: int  # how many of those are visible and enabled
    tag: str
    role: str
    label: str
    box: Box
    number: int  # the page's own number for the element, until its document ends


class Looked(msgspec.Struct, frozen=True):
    """The outcome of one look; without `found`, what was there and why it was of no use."""

    found: Found | None = None
    seen: int = 0
    why: str = ""


class Surveyed(msgspec.Struct, frozen=True):
    """How one candidate fares on a page. `wrong` says why it is no selector at all."""

    css: str
    matched: int
    usable: int
    decoys: int
    wrong: str = ""


class Filled(msgspec.Struct, frozen=True):
    """Text that stands on the page: `read_back` as it was read there, and `how` it got there."""

    read_back: str
    how: str
    found: Found


class Attached(msgspec.Struct, frozen=True):
    """Files given to a page: by a file `input`, or through the `chooser` a button opened."""

    names: tuple[str, ...]
    how: str
