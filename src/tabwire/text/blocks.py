"""A Markdown text as its blocks, one after the other. Knows lines and nothing inside them.

For whoever reads an answer as text (`plain`, `sentences`): what is code must be left alone,
and what is a table, a list item or a heading is no paragraph. A fence is found at any depth,
since code inside list items is indented; it ends where its like stands, or with the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain


class Kind(StrEnum):
    """What a block is."""

    PROSE = "prose"
    HEADING = "heading"
    ITEM = "item"  # of a list; its further lines belong to it
    ROW = "row"  # of a table
    CODE = "code"
    FORMULA = "formula"
    RULE = "rule"  # a line across, or the line under a table's head: says nothing
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class Block:
    """`text` is what the block says, without the marks that made it one.

    `raw` is the block as it stood. `mark` is a list item's own mark, with its indentation.
    """

    kind: Kind
    text: str
    raw: str
    mark: str = ""


_QUOTES = re.compile(r"^ {0,3}(?:> ?)+")
_FENCE = re.compile(
    r"^(?P<before>\s*(?:[-*+] +|\d{1,9}[.)] +)?)(?P<fence>`{3,}|~{3,})(?P<info>.*)$"
)
_FORMULA = re.compile(r"^\s*(?P<mark>\$\$|\\\[)")
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:[ \t]+|$)")
_HEADING_END = re.compile(r"[ \t]+#+[ \t]*$")
_ITEM = re.compile(r"^(?P<mark>\s*(?:[-*+•]|\d{1,9}[.)]) +)(?=\S)")
_RULE = re.compile(r"^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_UNDERLINE = re.compile(r"^ {0,3}(?:=+|-+)[ \t]*$")
_UNDER_HEAD = re.compile(r"^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_INDENTED = re.compile(r"^(?: {4}|\t)")
_CLOSES = {"$$": "$$", "\\[": "\\]"}


def blocks(markdown: str) -> list[Block]:
    """All blocks of a text, blank lines among them."""
    return list(_Lines(markdown.replace("\r\n", "\n").replace("\r", "\n").split("\n")).read())


class _Lines:
    """The lines of a text, and how far they are read."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at = 0
        self._before = Kind.BLANK
        self._in_list = False

    def read(self) -> Iterator[Block]:
        while self._at < len(self._lines):
            block = self._next()
            still = self._before is not Kind.BLANK or block.raw[:1] in (" ", "\t")
            goes_on = block.kind in (Kind.BLANK, Kind.CODE, Kind.RULE) or still
            self._in_list = block.kind is Kind.ITEM or (self._in_list and goes_on)
            self._before = block.kind
            yield block

    def _next(self) -> Block:
        raw = self._lines[self._at]
        line = _QUOTES.sub("", raw)
        if not line.strip():
            return self._take(Kind.BLANK, "", 1)
        if fence := _fence_in(line):
            return self._code(fence, quoted=raw.lstrip().startswith(">"))
        if (found := _FORMULA.match(line)) and (formula := self._formula(found["mark"])):
            return formula
        if _INDENTED.match(raw) and not self._in_list:
            return self._indented()
        if _HEADING.match(line):
            said = _HEADING_END.sub("", _HEADING.sub("", line)).strip()
            return self._take(Kind.HEADING, said, 1)
        if _RULE.match(line):
            return self._take(Kind.RULE, "", 1)
        if self._is_row(line):
            return (
                self._take(Kind.RULE, "", 1)
                if _UNDER_HEAD.match(line)
                else self._take(Kind.ROW, line.strip(), 1)
            )
        if found := _ITEM.match(line):
            return self._flow(Kind.ITEM, line[found.end() :], found["mark"])
        return self._flow(Kind.PROSE, line, "")

    def _take(self, kind: Kind, text: str, count: int, mark: str = "") -> Block:
        raw = "\n".join(self._lines[self._at : self._at + count])
        self._at += count
        return Block(kind, text, raw, mark)

    def _rest(self) -> Iterator[str]:
        """The lines after this one. Not a slice: of a long text that would be copied often."""
        return (self._lines[at] for at in range(self._at + 1, len(self._lines)))

    def _code(self, opened: re.Match[str], *, quoted: bool) -> Block:
        fence, mark = opened["fence"], opened["before"]
        ends = re.compile(rf"^\s*{re.escape(fence[0])}{{{len(fence)},}}\s*$")
        inside: list[str] = []
        for raw in self._rest():
            line = _QUOTES.sub("", raw) if quoted else raw
            if ends.match(line):
                return self._take(Kind.CODE, "\n".join(inside), len(inside) + 2, mark)
            # What the fence is indented by, its code is: that much is not the code's own.
            blanks = len(line) - len(line.lstrip(" "))
            inside.append(line[min(len(mark), blanks) :])
        return self._take(Kind.CODE, "\n".join(inside), len(inside) + 1, mark)

    def _formula(self, mark: str) -> Block | None:
        """A formula on lines of its own; None where it is not closed, or something follows."""
        closes, said = _CLOSES[mark], []
        line = _QUOTES.sub("", self._lines[self._at]).lstrip().removeprefix(mark)
        for raw in chain([line], self._rest()):
            line = _QUOTES.sub("", raw)
            inside, closed, rest = line.partition(closes)
            said.append(inside)
            if closed:
                whole = "\n".join(said).strip()
                return None if rest.strip(" .,;") else self._take(Kind.FORMULA, whole, len(said))
            if not line.strip() and len(said) > 1:
                return None
        return None

    def _indented(self) -> Block:
        inside = [self._lines[self._at]]
        for raw in self._rest():
            if raw.strip() and not _INDENTED.match(raw):
                break
            inside.append(raw)
        while not inside[-1].strip():
            inside.pop()
        return self._take(Kind.CODE, "\n".join(inside), len(inside), "    ")

    def _is_row(self, line: str) -> bool:
        """A row has a pipe at its edge, or belongs to a table by what stands around it."""
        if "|" not in line:
            return False
        if line.lstrip().startswith("|"):
            return True
        if self._before is Kind.ROW or (self._before is Kind.RULE and "|" in self._above()):
            return True
        after = self._lines[self._at + 1] if self._at + 1 < len(self._lines) else ""
        return "|" in after and _UNDER_HEAD.match(after) is not None

    def _above(self) -> str:
        return self._lines[self._at - 1] if self._at else ""

    def _flow(self, kind: Kind, first: str, mark: str) -> Block:
        """A paragraph, or a list item: as many lines as belong to it."""
        said = [first.strip()]
        for raw in self._rest():
            line = _QUOTES.sub("", raw)
            if kind is Kind.PROSE and _UNDERLINE.match(line):
                return self._take(Kind.HEADING, "\n".join(said), len(said) + 1)
            if _begins(line):
                break
            said.append(line.strip())
        return self._take(kind, "\n".join(said), len(said), mark)


def _fence_in(line: str) -> re.Match[str] | None:
    """A fence that opens code. With another backtick behind it, it is code within a line."""
    found = _FENCE.match(line)
    inline = found is not None and found["fence"][0] == "`" and "`" in found["info"]
    return None if inline else found


def _begins(line: str) -> bool:
    """Whether this line is of a block of its own."""
    marks = (_HEADING, _RULE, _ITEM)
    return (
        not line.strip()
        or _fence_in(line) is not None
        or any(mark.match(line) for mark in marks)
        or line.lstrip().startswith(("|", "$$", "\\["))
    )
