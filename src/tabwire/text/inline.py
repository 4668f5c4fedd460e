"""The marks inside a paragraph of Markdown: read, and left out.

Theory of operation. The text is cut into pieces once, from left to right: code, formulas,
pictures, links, tags and escapes are whole pieces and are never looked into for emphasis.
Runs of `*`, `_` and `~` stay open until one closes them, by the rules of CommonMark, with
two exceptions that save what people mean: `a*b*c` and `2**3**4` are products and powers, and
`__init__` is a name.
"""

import html
import re
from dataclasses import dataclass

from tabwire.text.formula import plain_formula

# Chinese, Japanese and Korean letters and marks: emphasis there has no blanks around it.
_WIDE = "\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef"
_LABEL = r"\[[^\[\]\n]{0,500}\]"
_TARGET = (
    r"\((?:<[^>\n]{0,5000}>|[^()\s]{0,5000}(?:\([^()\s]{0,500}\)[^()\s]{0,5000}){0,9})"
    r"(?:\s+(?:\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'))?\)"
)
_PIECE = re.compile(
    # Bounded, so that a mark nobody closes does not make us look to the end of the text.
    r"(?P<code>(?<!`)(?P<ticks>`+)(?!`)(?P<coded>.{1,5000}?)(?<!`)(?P=ticks)(?!`))"
    r"|\\\((?P<round>.{1,500}?)\\\)|\\\[(?P<square>.{1,500}?)\\\]"
    r"|\$\$(?P<double>[^$]{1,2000})\$\$"
    # Money and variables are no formulas: `$5 and $6`, `$HOME/$USER`, `US$5`.
    r"|(?<![\w$\\])\$(?P<single>(?![\s$])(?:[^$\n\\]|\\.){1,500}(?<!\s))\$(?![\w$])"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<picture>!"
    + _LABEL
    + r"(?:"
    + _TARGET
    + r"|"
    + _LABEL
    + r")|\[Image(?: of|:)[^\]\n]{0,500}\])"
    r"|(?P<link>\[(?P<label>(?:[^\[\]\n]|!?" + _LABEL + r"(?:\([^)\n]{0,500}\))?){1,1000})\]"
    r"(?P<to>" + _TARGET + r"))"
    r"|<(?P<address>(?:https?|mailto):[^<>\s]+)>"
    r"|(?P<break><[bB][rR]\s*/?>)"
    r"|(?P<tag></?(?i:b|i|u|em|strong|s|del|ins|sub|sup|small|mark|kbd|span|p|div|center"
    r"|details|summary|font)(?:\s[^<>]*)?/?>)"
    r"|(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
    r"|(?P<name>(?<!\w)__[a-z0-9]+(?:_[a-z0-9]+)*__(?!\w))"
    r"|(?P<run>\*+|_+|~~+)"
    r"|(?P<words>[^\\$`!\[<&*_~]+|.)",
    re.DOTALL,
)
_JOINED = re.compile(rf"[^\W_{_WIDE}]")  # of a word in a script that sets words apart
_IS_WIDE = re.compile(f"[{_WIDE}]")
_PICTURE = "\x00"  # where one stood
_GAP = re.compile(r"[ \t]*\x00[ \t\x00]*")
_NO_BLANK_BEFORE = frozenset(".,;:!?)\n")
MAX_NESTED = 4  # links in links: deeper is no text


@dataclass(slots=True)
class _Run:
    """A run of marks: where it stands among the pieces, and what it may do."""

    at: int
    mark: str
    count: int
    opens: bool
    closes: bool


def plain_inline(text: str, depth: int = 0) -> str:
    """A paragraph without its marks. Text in code stays as it is."""
    pieces: list[str] = []
    runs: list[_Run] = []
    for found in _PIECE.finditer(text):
        if run := found["run"]:
            runs.append(_read_run(text, found.start(), run, len(pieces)))
            pieces.append(run)
        else:
            pieces.append(_say(found, depth))
    _pair(runs)
    for one in runs:
        pieces[one.at] = one.mark * one.count
    whole = "".join(pieces)
    return _GAP.sub(_close_gap, whole) if _PICTURE in whole else whole


def _say(found: re.Match[str], depth: int) -> str:
    match found.lastgroup:
        case "code":
            return _coded(found["coded"])
        case "round" | "square" | "double" | "single" as how:
            return plain_formula(found[how])
        case "escaped" | "address" | "name" | "words" as how:
            return found[how]
        case "picture":
            return _PICTURE
        case "tag":
            return ""
        case "break":
            return "\n"
        case "entity":
            return html.unescape(found["entity"])
        case _:
            return _link(found["label"], found["to"], depth)


def _coded(code: str) -> str:
    """One blank on either side belongs to the marks, so that code may begin with a backtick."""
    padded = code.startswith(" ") and code.endswith(" ") and bool(code.strip())
    return code[1:-1] if padded else code


def _link(label: str, to: str, depth: int) -> str:
    """The words of a link, and where it leads unless the words say that."""
    said = plain_inline(label, depth + 1) if depth < MAX_NESTED else label
    inside = to[1:-1].split()
    address = inside[0].strip("<>") if inside else ""
    told = said.strip() in (address, address.removeprefix("mailto:"))
    return said if told or not address else f"{said} ({address})".lstrip()


def _close_gap(found: re.Match[str]) -> str:
    """What is left where a picture stood: at most one blank between two words."""
    text, start, end = found.string, found.start(), found.end()
    at_edge = start == 0 or text[start - 1] == "\n" or end == len(text)
    has_blank = found[0].strip("\x00") != ""
    return "" if at_edge or text[end] in _NO_BLANK_BEFORE or not has_blank else " "


def _read_run(text: str, start: int, run: str, at: int) -> _Run:
    """What a run may do, by the characters beside it (CommonMark 0.31, section 6.2)."""
    before = text[start - 1] if start else " "
    after = text[start + len(run)] if start + len(run) < len(text) else " "
    opens = not after.isspace() and (not _is_mark(after) or _is_edge(before))
    closes = not before.isspace() and (not _is_mark(before) or _is_edge(after))
    joined_before = _JOINED.match(before) is not None
    joined_after = _JOINED.match(after) is not None
    if run[0] == "_":
        opens, closes = opens and not joined_before, closes and not joined_after
    elif joined_before and joined_after:  # a*b*c, 2**3; but `**bold**ed` may close
        opens, closes = False, closes and len(run) > 1
    return _Run(at, run[0], len(run), opens, closes)


def _is_mark(char: str) -> bool:
    return not char.isalnum() and not char.isspace()


def _is_edge(char: str) -> bool:
    return char.isspace() or _is_mark(char) or _IS_WIDE.match(char) is not None


def _pair(runs: list[_Run]) -> None:
    """Take away every mark that opens or closes an emphasis; the others stay."""
    waiting: dict[str, list[_Run]] = {}
    for run in runs:
        opened = waiting.setdefault(run.mark, [])
        while run.closes and run.count and opened:
            used = min(run.count, opened[-1].count)
            run.count -= used
            opened[-1].count -= used
            if not opened[-1].count:
                opened.pop()
        if run.opens and run.count:
            opened.append(run)
