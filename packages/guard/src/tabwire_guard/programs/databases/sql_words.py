"""SQL as each database reads it: where strings, names and comments begin and end.

Databases differ: what is a comment for one is an operator for another. A text is read as its own
database reads it, in every way that one may be set up; where nobody knows which it is, in all.
"""

import re

from tabwire_guard.pattern import pattern
from tabwire_guard.record import NamedTuple


class Dialect(NamedTuple):
    """What a database takes for a string, a name or a comment."""

    spaced: bool = False
    """`--` begins a comment only where a space follows."""
    hashed: bool = False
    """`#` begins a comment."""
    backslash: bool = False
    """In a string, a backslash takes the next character's meaning away."""
    ticks: bool = False
    """Names stand in backticks."""
    brackets: bool = False
    """Names stand in brackets."""
    dollars: bool = False
    """Strings stand between `$tag$`."""
    nested: bool = False
    """Comments stand in comments."""
    opened: bool = False
    """What stands in `/*! … */` is run."""
    commands: bool = False
    """A backslash begins a command of the client, to the end of the line."""


class Read(NamedTuple):
    """A text as one database reads it."""

    statements: tuple[str, ...]
    """Without comments, strings as `''`, each space one space."""
    strings: tuple[str, ...]
    commands: tuple[str, ...]
    """Of the client: what follows a backslash."""
    whole: bool
    """Every string and comment has an end."""


_POSTGRES = Dialect(dollars=True, nested=True)
_PSQL = _POSTGRES._replace(commands=True)
_MYSQL = Dialect(spaced=True, hashed=True, ticks=True, backslash=True)
_SQLITE = Dialect(ticks=True, brackets=True)
_SERVER = Dialect(brackets=True, nested=True)
_BIG = Dialect(hashed=True, backslash=True, ticks=True, dollars=True)
_DIALECTS = {
    "psql": (_PSQL,),
    "duckdb": (_POSTGRES,),
    "mysql": (_MYSQL,),
    "sqlite": (_SQLITE,),
    "sqlcmd": (_SERVER,),
}
_ALL = (_POSTGRES, _MYSQL, _SQLITE, _SERVER, _BIG)


def readings(text: str, dialect: str = "") -> list[Read]:
    """The text in every way its database may read it."""
    ways = list(_DIALECTS.get(dialect, _ALL))
    if "\\'" in text or '\\"' in text:  # the database may be set up either way
        ways += [one._replace(backslash=not one.backslash) for one in ways if not one.brackets]
    if re.search(r"/\*M?!", text):
        ways += [one._replace(opened=True) for one in ways if one.spaced]
    found: list[Read] = []
    for one in ways:
        if (read := _read(text, one)) not in found:
            found.append(read)
    return found


_NEXT = pattern(r"['\"`\[$#;\\]|--|/\*|\*/")
_TAG = pattern(r"\$(?:[^\W\d]\w*)?\$")
_SPACE = pattern(r"\s+")


class _Reader:
    def __init__(self, text: str, dialect: Dialect) -> None:
        self.text = text
        self.way = dialect
        self.parts: list[str] = []
        self.statements: list[str] = []
        self.strings: list[str] = []
        self.commands: list[str] = []
        self.open = 0

    def end_statement(self) -> None:
        said = _SPACE.sub(" ", "".join(self.parts)).strip()
        self.parts = []
        if said:
            self.statements.append(said)

    def quoted(self, start: int, end: int, after: int) -> int:
        """A string or a name from `start` to `end`; -1 where it has no end."""
        if end < 0:
            self.strings.append(self.text[start:])
            return -1
        self.strings.append(self.text[start:end])
        self.parts.append(" '' ")
        return after

    def step(self, at: int, mark: str) -> int:
        """Go past what begins at a mark; -1 where it has no end."""
        text, way = self.text, self.way
        if mark in "'\"" or (mark == "`" and way.ticks):
            end = _closing(text, at + 1, mark, escapes=way.backslash or _escaped(text, at, way))
            return self.quoted(at + 1, end, end + 1)
        if mark == "[" and way.brackets:
            end = _closing(text, at + 1, "]", escapes=False, doubled=way.nested)
            return self.quoted(at + 1, end, end + 1)
        if mark == "$" and way.dollars and not (text[at - 1 : at].isalnum() and at):
            if tag := _TAG.match(text, at):
                end = text.find(tag[0], tag.end())
                return self.quoted(tag.end(), end, end + len(tag[0]))
        elif mark == "/*":
            return self.comment(at)
        elif mark == "*/" and self.open:
            self.open -= 1
            self.parts.append(" ")
            return at + 2
        elif (mark == "#" and way.hashed) or (mark == "--" and self.dashes(at)):
            end = text.find("\n", at)
            self.parts.append(" ")
            return end if end >= 0 else len(text)
        elif mark == ";":
            self.end_statement()
            return at + 1
        elif mark == "\\":
            return self.command(at)
        self.parts.append(mark)
        return at + len(mark)

    def dashes(self, at: int) -> bool:
        after = self.text[at + 2 : at + 3]
        return not self.way.spaced or not after or after <= " "

    def comment(self, at: int) -> int:
        text = self.text
        self.parts.append(" ")
        if self.way.opened and (found := re.compile(r"/\*M?!\d*").match(text, at)):
            self.open += 1
            return found.end()
        depth, here = 1, at + 2
        while depth:
            found = re.compile(r"/\*|\*/").search(text, here)
            if found is None:
                return -1
            here = found.end()
            if found[0] == "*/":
                depth -= 1
            elif self.way.nested:
                depth += 1
            else:
                here = found.start() + 1
        return here

    def command(self, at: int) -> int:
        text = self.text
        if not self.way.commands:
            self.commands.append(text[at + 1 : at + 2])
            self.parts.append(" ")
            return min(at + 2, len(text))
        if text[at + 1 : at + 2] == ";":
            self.end_statement()
            return at + 2
        end = text.find("\n", at)
        end = end if end >= 0 else len(text)
        apart = text.find("\\", at + 1, end)
        end = apart if apart >= 0 else end
        self.commands.append(text[at + 1 : end])
        self.end_statement()
        return end + 2 if text[end : end + 2] == "\\\\" else end


def _escaped(text: str, at: int, way: Dialect) -> bool:
    """PostgreSQL's `E'…'`."""
    return way.dollars and text[at - 1 : at] in ("e", "E") and text[at] == "'"


def _closing(text: str, at: int, mark: str, *, escapes: bool, doubled: bool = True) -> int:
    """Where a string ends; -1 if it does not."""
    pattern = re.compile(re.escape(mark) + (r"|\\" if escapes else ""))
    while (found := pattern.search(text, at)) is not None:
        if found[0] != mark or (doubled and text.startswith(mark, found.end())):
            at = found.end() + 1
        else:
            return found.start()
    return -1


def _read(text: str, dialect: Dialect) -> Read:
    reader, at, whole = _Reader(text, dialect), 0, True
    while (found := _NEXT.search(text, at)) is not None:
        reader.parts.append(text[at : found.start()])
        at = reader.step(found.start(), found[0])
        if at < 0:
            whole = False
            break
    if whole:
        reader.parts.append(text[at:])
    reader.end_statement()
    return Read(tuple(reader.statements), tuple(reader.strings), tuple(reader.commands), whole)
