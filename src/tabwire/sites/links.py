"""A text with a site's private marks -> the text a person reads, and what it cites. Pure.

This is done last, where an answer is made: witnesses are compared by what the site sent. A mark
becomes links to its sources, or the words it stands for. One that nobody explains is dropped,
with a blank that stood only for it. In code a mark goes as well, and nothing else is touched:
a link would be no link there.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from urllib.parse import urlsplit

from tabwire.model.citations import Citation, Reference
from tabwire.sites.marks import Marks

_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)")
_INLINE = re.compile(r"(?<!`)(`+)(?!`).{1,5000}?(?<!`)\1(?!`)")
_BLANKS = frozenset(" \t")
_OPENS, _SHUTS = ("Ps", "Pi"), ("Pe", "Pf")  # brackets and quotes of every script
_NO_STOPS = frozenset("\"'*#&@%/\\¿¡")  # the other signs of that class follow a word
_BRACKETS = str.maketrans("[]`\n\r\t", "()'   ")
_ACTIVE = re.compile(r"([\\*_|<~])")  # what Markdown would take for a mark of its own
_UNSAFE = re.compile(r"[\s<>()|\\`\"]")  # in an address: it would end there


def linked(
    text: str, references: Iterable[Reference], marks: Marks | None
) -> tuple[str, tuple[Citation, ...]]:
    """The text with what its marks stand for, and the sources of those marks, each once."""
    known = {one.mark: one for one in references}
    cited: dict[str, Citation] = {}
    if marks is None or not marks.hint.search(text):
        return text, _cited(cited, known)
    flags = marks.whole.flags & re.DOTALL
    any_mark = re.compile(
        f"{marks.whole.pattern}|{marks.cut.pattern}|{marks.strays.pattern}", flags
    )
    code = _Code(text)
    made = _Made()
    at = 0
    for found in any_mark.finditer(text):
        mark, start = found[0], found.start()
        in_code, alone = code.holds(start), len(mark) == 1
        if alone and in_code:
            continue  # an icon of some font
        made.add(text[at:start])
        at = found.end()
        if alone:
            continue
        reference = known.get(mark) or Reference(mark, marks.words(mark))
        for one in reference.citations:
            cited.setdefault(one.url, one)
        if reference.words or in_code:
            made.add(reference.words)
        elif reference.citations:
            made.link(_links(reference.citations), text[at : at + 1])
        else:
            at = made.drop(text, at)
    made.add(text[at:])
    return "".join(made.pieces), _cited(cited, known)


def _cited(cited: dict[str, Citation], known: dict[str, Reference]) -> tuple[Citation, ...]:
    """The sources, each once: those of marks, then those of the answer as a whole."""
    whole = known.get("")
    for one in whole.citations if whole is not None else ():
        cited.setdefault(one.url, one)
    return tuple(cited.values())


class _Made:
    """The text as far as it is made."""

    def __init__(self) -> None:
        self.pieces: list[str] = []

    def add(self, piece: str) -> None:
        """Go on with this."""
        if piece:
            self.pieces.append(piece)

    def link(self, links: str, after: str) -> None:
        """Links stand apart from the words around them."""
        before = self._last()
        if before and not before.isspace() and unicodedata.category(before) not in _OPENS:
            links = f" {links}"
        self.pieces.append(f"{links} " if after.isalnum() else links)

    def drop(self, text: str, at: int) -> int:
        """Nothing stands here: close the gap. Where the text goes on."""
        before, after = self._last(), text[at : at + 1]
        line_began, line_ends = before in ("", "\n"), after in ("", "\n")
        if line_began and line_ends:
            return self._drop_line(text, at)
        if line_ends:
            while self._last() in _BLANKS:
                self._take_back()
        elif line_began and after in _BLANKS:
            return at + 1
        elif before in _BLANKS and (after in _BLANKS or _closes(after)):
            self._take_back()
        return at

    def _drop_line(self, text: str, at: int) -> int:
        """A line that held nothing else goes, and with it one of the empty lines around."""
        if not text[at:].strip("\n"):
            while self._last() == "\n":
                self._take_back()
            return len(text)
        at += 1
        paragraph = len(self.pieces) == 0 or "".join(self.pieces[-2:]).endswith("\n\n")
        return at + 1 if paragraph and text[at : at + 1] == "\n" else at

    def _last(self) -> str:
        return self.pieces[-1][-1] if self.pieces else ""

    def _take_back(self) -> None:
        rest = self.pieces.pop()[:-1]
        self.add(rest)


class _Code:
    """Where a text is code: fenced, or between backticks on one line."""

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        fence = ""
        began = at = 0
        for line in text.split("\n"):
            found = _FENCE.match(line)
            end = at + len(line)
            if fence:
                if found and found[1].startswith(fence) and not found[2].strip():
                    self._span(began, end)
                    fence = ""
            elif found and not (found[1][0] == "`" and "`" in found[2]):
                fence, began = found[1], at
            else:
                for one in _INLINE.finditer(line) if "`" in line else ():
                    self._span(at + one.start(), at + one.end())
            at = end + 1
        if fence:
            self._span(began, at)

    def _span(self, start: int, end: int) -> None:
        self._starts.append(start)
        self._ends.append(end)

    def holds(self, at: int) -> bool:
        """Whether this place is code."""
        nearest = bisect_right(self._starts, at) - 1
        return nearest >= 0 and at < self._ends[nearest]


def _closes(sign: str) -> bool:
    kind = unicodedata.category(sign)
    return kind in _SHUTS or (kind == "Po" and sign not in _NO_STOPS)


def _links(citations: tuple[Citation, ...]) -> str:
    return f"({', '.join(f'[{_label(one)}]({_address(one.url)})' for one in citations)})"


def _label(citation: Citation) -> str:
    """What the link says: who published it, its title, or where it leads. Never empty."""
    said = citation.publisher or citation.title or _host(citation.url)
    return _ACTIVE.sub(r"\\\1", " ".join(said.translate(_BRACKETS).split())) or "source"


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _address(url: str) -> str:
    return _UNSAFE.sub(lambda one: "".join(f"%{byte:02X}" for byte in one[0].encode()), url)
