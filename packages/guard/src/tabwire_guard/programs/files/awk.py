"""awk's programs: what of them runs others, writes files or cannot be followed.

The program is cut into tokens once, from left to right, as awk cuts it: whether a slash divides
or opens a regular expression depends on what stands before it. Where that is not sure, it asks.
"""

from collections.abc import Iterator

from tabwire_guard.pattern import pattern
from tabwire_guard.record import field, record

_BLANK = pattern(r"(?:[ \t\r]|\\\r?\n|#[^\n]*)*")
_TOKEN = pattern(
    r'(?P<string>"(?:[^"\\\n]|\\(?:.|\n))*")|(?P<number>\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+)'
    r"|(?P<name>[A-Za-z_]\w*)|(?P<sign>\|&|>>|\*\*|&&|\|\||\+\+|--|[<>!=]=|.|\n)"
)
_ROUGH = pattern(
    r'(?P<string>"(?:[^"\\\n]|\\(?:.|\n))*"?)|(?P<name>[A-Za-z_]\w*)|(?P<sign>\|&|>>|.|\n)'
)
_REGEX = pattern(r"/(?:[^/\\\n]|\\.)*/")
_CONTROL = frozenset(("if", "while", "for", "switch"))
_TAKES_MORE = frozenset("print printf return in case else do BEGIN END exit".split())
"""Words behind which a value begins."""
_WORDS = _TAKES_MORE | _CONTROL | frozenset(
    "break continue next nextfile delete function func default BEGINFILE ENDFILE getline".split()
)  # fmt: skip
_FUNCTIONS = frozenset(
    """length substr index split sub gsub gensub match sprintf sin cos atan2 exp log sqrt int rand
    srand tolower toupper close fflush strftime systime mktime asort asorti patsplit strtonum and or
    xor lshift rshift compl isarray typeof""".split()
)
_HIDDEN = frozenset("ENVIRON ARGV ARGC SYMTAB FUNCTAB AWKPATH".split())


@record
class Awk:
    """What an awk program does besides reading lines and printing them."""

    strings: list[str] = field(default_factory=list)
    runs: bool = False
    runs_unsaid: bool = False
    """It runs what does not stand in it."""
    connects: bool = False
    writes: list[str] = field(default_factory=list)
    writes_unsaid: bool = False
    odd: str = ""
    """What of it is not followed."""


Token = tuple[str, str]


def awk_program(text: str) -> Awk:
    """What that program does."""
    found = Awk()
    tokens: list[Token] = []
    try:
        tokens.extend(_tokens(text))
    except _Unsure as problem:
        found.odd = str(problem)
        tokens = list(_rough(text))
    found.strings = [one[1:-1].replace('\\"', '"') for kind, one in tokens if kind == "string"]
    found.connects = any("/inet" in one for one in found.strings)
    own = {
        tokens[at + 1][1]
        for at, (_, one) in enumerate(tokens[:-1])
        if one in ("function", "func") and tokens[at + 1][0] == "name"
    }
    if own & (_WORDS | _FUNCTIONS | _HIDDEN | {"system"}):
        found.odd = "a function with the name of another"
    _look(tokens, own, found)
    return found


class _Unsure(Exception):
    """It is not sure how awk cuts the program."""


def _tokens(text: str) -> Iterator[Token]:
    at = 0
    value = unsure = False
    control: list[bool] = []
    """Of each open bracket, whether it is one of `if (…)`: behind it begins a value."""
    before = ""
    while True:
        blank = _BLANK.match(text, at)
        at = blank.end() if blank else at
        if at >= len(text):
            return
        if text[at] == "/" and not value:
            if unsure or not (found := _REGEX.match(text, at)):
                raise _Unsure("an ambiguous slash")
            if _open_class(found[0]):
                raise _Unsure("a slash in square brackets")
            at = found.end()
            value = True
            before = "/"
            yield "regex", found[0]
            continue
        found = _TOKEN.match(text, at)
        if found is None or found.lastgroup is None or found[0] == '"':
            raise _Unsure("an unclosed quote")
        kind, one = found.lastgroup, found[0]
        at = found.end()
        unsure = False
        if one == "(":
            control.append(before in _CONTROL)
            value = False
        elif one == ")":
            value = not (control.pop() if control else False)
        elif kind == "sign":
            value = one == "]"
            unsure = one in ("++", "--")
        elif kind == "name":
            value = one not in _WORDS
            if one in _FUNCTIONS and not text.startswith("(", at):
                value, unsure = False, True
        else:
            value = True
        before = one
        yield kind, one


def _open_class(regex: str) -> bool:
    """Whether the slash stands in square brackets for some awks."""
    inside = False
    at = 1
    while at < len(regex) - 1:
        char = regex[at]
        if char == "\\":
            at += 2
            continue
        if char == "[" and not inside:
            inside = True
            at += 1
            at += regex[at : at + 1] == "^"
            at += regex[at : at + 1] == "]"
            continue
        if char == "]":
            inside = False
        at += 1
    return inside


def _rough(text: str) -> Iterator[Token]:
    """The same, of a program that is asked about anyway."""
    for found in _ROUGH.finditer(text):
        yield found.lastgroup or "sign", found[0]


def _look(tokens: list[Token], own: set[str], found: Awk) -> None:
    depth = 0
    printing = -1
    for at, (kind, one) in enumerate(tokens):
        after = tokens[at + 1] if at + 1 < len(tokens) else ("", "")
        if kind == "name":
            if one in ("print", "printf"):
                printing = depth
            elif one in ("system", "getline"):
                found.runs = True
                behind = tokens[at + 2][0] if at + 2 < len(tokens) else ""
                found.runs_unsaid |= one == "system" and behind != "string"
            elif one in _HIDDEN or (one == "PROCINFO" and not _sorts(tokens, at)):
                found.odd = one
            elif after[1] == "(" and one not in _FUNCTIONS | _WORDS | own:
                # With a blank between it is a variable; then awk does not call it.
                found.odd = f"{one}()"
        elif kind == "sign":
            if one in ("(", "["):
                depth += 1
            elif one in (")", "]"):
                depth -= 1
            elif one in (";", "{", "}"):
                printing = -1
            elif one in ("|", "|&"):
                found.runs = True
            elif one in ("@", "`", "\\") or (one == ":" and after[1] == ":"):
                found.odd = one
            elif one in (">", ">>") and printing == depth:
                _written(tokens, at, found)


def _sorts(tokens: list[Token], at: int) -> bool:
    """`PROCINFO["sorted_in"]`: in which order, nothing more."""
    return [one for _, one in tokens[at + 1 : at + 4]] == ["[", '"sorted_in"', "]"]


def _written(tokens: list[Token], at: int, found: Awk) -> None:
    """A file's name that stands there, and nothing behind it."""
    kind, one = tokens[at + 1] if at + 1 < len(tokens) else ("", "")
    behind = tokens[at + 2][1] if at + 2 < len(tokens) else ""
    if kind == "string" and "\\" not in one and behind in ("", ";", "}", "\n"):
        found.writes.append(one[1:-1])
    else:
        found.writes_unsaid = True
