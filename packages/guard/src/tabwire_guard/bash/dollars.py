"""Variables, substitutions and sums of bash: all that begins with `$` or a backquote."""

import re
from collections.abc import Iterable

from tabwire_guard.dialects import BASH, Dialect
from tabwire_guard.pattern import pattern
from tabwire_guard.script import Lit, Piece, Script, Sub, Unknown, Unparsable, Var, Word

MAX_DEPTH = 40
"""Substitutions in substitutions: nobody writes five by hand."""

_IN_QUOTES = pattern(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_PLAIN_BRACED = pattern(r"\$\{#?(?:\w+|[@*#?$!-])(?::?[-=?+]|%%?|##?|\})")
_NOTHING_IN = pattern(r"\$\{[^'\"\\$`{}]*\}")
_FORMS = pattern(r"[=~^+]+[\w{@*]")
_NAME = pattern(r"[A-Za-z_][A-Za-z0-9_]*")
_BRACED = pattern(r"(?P<name>[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*?$!-])(?P<index>\[[^\]$`]*\])?")
_ESCAPES = {
    "n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v",
    "e": "\x1b", "E": "\x1b", "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_ANSI = pattern(
    r"\\(?:x\{?([0-9a-fA-F]{1,2})(?:[0-9a-fA-F]*\})?|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))",
    re.DOTALL,
)


def scripts_of(pieces: Iterable[Piece]) -> tuple[Script, ...]:
    """Every script that runs when these are put in, however deep it stands."""
    found: list[Script] = []
    for one in pieces:
        if isinstance(one, Sub):
            found.append(one.script)
        elif isinstance(one, Unknown):
            found += one.scripts
        elif isinstance(one, Var) and one.fallback is not None:
            found += scripts_of(one.fallback.pieces)
    return tuple(found)


def ansi_c(text: str) -> str:
    """What stands between `$'` and `'`, as bash reads it.

    A text ends at the first zero byte, as everything does that a program is handed.
    """
    return escaped(text).split("\0", 1)[0]


def escaped(text: str) -> str:
    """The same as `printf` and `echo -e` print it: zero bytes and all."""

    def one(found: re.Match[str]) -> str:
        two, four, eight, octal, control, other = found.groups()
        if code := two or four or eight:
            number = int(code, 16)
            return chr(number) if number < 0x110000 else ""
        if octal:
            return chr(int(octal, 8) & 0xFF)
        if control:
            return chr(ord(control) & 0x1F)
        return _ESCAPES.get(other, "\\" + other)

    return _ANSI.sub(one, text)


class Dollars:
    """Reads what begins with `$` or a backquote; a subclass reads words and scripts."""

    def __init__(self, text: str, depth: int = 0, dialect: Dialect = BASH) -> None:
        self.text = text
        self.at = 0
        self.depth = depth
        self.dialect = dialect
        self.has = dialect.has
        self._no_class = 0
        """Up to here no `[` of this text closes: it is not looked for again."""

    def script(self, until: str) -> Script:
        """Commands up to `until`, which is taken too."""
        raise NotImplementedError(until)

    def inner(self, text: str) -> Script:
        """A text of its own, one level deeper (backquotes)."""
        raise NotImplementedError(text)

    def peek(self, ahead: int = 0) -> str:
        """The character there, or nothing at the end."""
        at = self.at + ahead
        return self.text[at] if at < len(self.text) else ""

    def expandable(self, end: str, *, quoted: bool = True) -> list[Piece]:
        """Text in which `$` and backquotes work, up to `end`, which is taken."""
        raise NotImplementedError(end)

    def double(self) -> list[Piece]:
        """What stands between double quotes, the first of which is taken."""
        return self.expandable('"') or [Lit("", quoted=True)]

    def dollar(self, *, quoted: bool) -> list[Piece]:
        """What begins with this `$`."""
        following = self.peek(1)
        if following == "\\" and self.peek(2) == "\n":
            raise Unparsable("a line continuation after a `$`")
        if following and following in "'\"" and not quoted and "ansi" in self.has:
            if following == "'":
                return [self._ansi_quoted()]
            self.at += 2
            return self.double()
        if following == "(":
            if self.peek(2) == "(" and (sum_ := self.arithmetic(self.at + 3, "))")):
                return [sum_]
            self.at += 2
            return [Sub(self.script(")"), quoted)]
        if following == "[" and "bracket-sums" in self.has:
            if sum_ := self.arithmetic(self.at + 2, "]"):
                return [sum_]
            raise Unparsable("an unclosed `$[`")
        if following == "{":
            return [self._braced(quoted=quoted)]
        if name := _NAME.match(self.text, self.at + 1):
            self.at = name.end()
            return [Var(name[0], quoted, edited="zsh" in self.has and self._modified())]
        if following and following in "@*#?$!-0123456789":
            self.at += 2
            if following in "#?$!":
                return [Unknown(f"${following}", harmless=True)]
            return [Var(following, quoted)]
        if "zsh" in self.has and _FORMS.match(self.text, self.at + 1):
            raise Unparsable("a variable in zsh syntax")
        self.at += 1
        return [Lit("$", quoted)]

    def _modified(self) -> bool:
        """Past what zsh takes from a variable without braces: `$x[1]`, `$x:h`."""
        if self.peek() == "[":
            raise Unparsable("a part of a variable, in zsh syntax")
        found = re.compile(r"(?::[A-Za-z&])+").match(self.text, self.at)
        if found:
            self.at = found.end()
        return found is not None

    def _ansi_quoted(self) -> Lit:
        start = self.at + 2
        end = start
        while end < len(self.text) and self.text[end] != "'":
            end += 2 if self.text[end] == "\\" else 1
        if end >= len(self.text):
            raise Unparsable("an unclosed quote")
        self.at = end + 1
        return Lit(ansi_c(self.text[start:end]), quoted=True)

    def arithmetic(self, start: int, end: str) -> Unknown | None:
        """A sum; scripts in it run. None if this is no sum after all."""
        depth = 0
        at = start
        quotes = False
        while at < len(self.text):
            char = self.text[at]
            if depth == 0 and self.text.startswith(end, at):
                break
            if char in "'\"":
                quotes = True
                found = _IN_QUOTES.match(self.text, at)
                at = found.end() if found else at + 1
                continue
            depth += {"(": 1, ")": -1}.get(char, 0)
            if depth < 0:
                return None
            at += 1
        else:
            return None
        inside = self.text[start:at]
        if quotes:  # they protect nothing there: what they hold is put in and runs
            raise Unparsable("arithmetic with quotes in it")
        scripts = self._scripts_in(inside)
        self.at = at + len(end)
        return Unknown(inside, scripts, harmless=True)

    def _scripts_in(self, text: str) -> tuple[Script, ...]:
        """Substitutions in a stretch that is otherwise a sum."""
        if "$(" not in text and "`" not in text and "${" not in text:
            return ()
        return scripts_of(type(self)(text, self.depth + 1, self.dialect).expandable(""))

    def _braced(self, *, quoted: bool) -> Piece:
        start = self.at
        if "edits" not in self.has and not _PLAIN_BRACED.match(self.text, self.at):
            return self._unlike_any()
        self.at += 2
        if self.peek() == "#" and self.peek(1) != "}":
            scripts = self._past_brace(quoted)
            return Unknown(self.text[start : self.at], scripts, harmless=not scripts)
        if self.peek() == "!":
            scripts = self._past_brace(quoted)
            return Unknown(self.text[start : self.at], scripts)
        found = _BRACED.match(self.text, self.at)
        if not found:
            raise Unparsable("an unsupported form of a variable")
        self.at = found.end()
        name = found["name"] + (found["index"] if found["index"] in ("[@]", "[*]") else "")
        edited = bool(found["index"]) and found["index"] not in ("[@]", "[*]")
        char = self.peek()
        if char == "}":
            self.at += 1
            return Var(name, quoted, edited=edited, sums=found["index"] or "")
        step = 2 if char == ":" and self.peek(1) in "-=?+" else 1
        kind = self.text[self.at + step - 1 : self.at + step]
        if kind in ("-", "=", "?", "+"):
            self.at += step
            word = Word(tuple(self.expandable("}", quoted=quoted)))
            if kind == "?":
                scripts = scripts_of(word.pieces)
                if scripts:
                    return Unknown(self.text[start : self.at], scripts)
                return Var(name, quoted, required=True, edited=edited)
            edited = edited or kind == "+"
            return Var(name, quoted, fallback=word, edited=edited, assigns=kind == "=")
        scripts = self._past_brace(quoted)
        raw = self.text[start : self.at]
        if char == "@" or scripts:  # `${x@P}` runs what stands in x
            return Unknown(raw, scripts)
        sums = raw[2:] if char in ":[" or found["index"] else ""
        return Var(name, quoted, edited=True, sums=sums)

    def _unlike_any(self) -> Piece:
        """`${x/a/b}` where a shell does not know it: an error, but only when it gets there."""
        found = _NOTHING_IN.match(self.text, self.at)
        if not found:
            raise Unparsable("an unsupported form of a variable")
        self.at = found.end()
        return Unknown(found[0])

    def _past_brace(self, quoted: bool) -> tuple[Script, ...]:
        return scripts_of(self.expandable("}", quoted=quoted))

    def backquoted(self) -> Script:
        """The script between these backquotes."""
        start = self.at + 1
        end = start
        while end < len(self.text) and self.text[end] != "`":
            end += 2 if self.text[end] == "\\" else 1
        if end >= len(self.text):
            raise Unparsable("an unclosed backquote")
        self.at = end + 1
        return self.inner(re.sub(r"\\([$`\\])", r"\1", self.text[start:end]))
