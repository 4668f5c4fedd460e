"""Words of bash: quotes, escapes, variables, substitutions, patterns, braces.

A scanner over one text with a position. It follows bash to the letter where it follows it at
all; where it does not, it says so (`Unparsable`) and never skips.
"""

import re
from collections.abc import Iterable, Sequence

from tabwire.guard.bash_braces import Item, Mark, expand_braces, without_marks
from tabwire.guard.script import (
    Glob,
    Home,
    Lit,
    Piece,
    Script,
    Sub,
    Unknown,
    Unparsable,
    Var,
    Word,
)
from tabwire.guard.words import ANY, CLASS, STAR

MAX_MARKS = 120
"""Braces and commas in one word."""
MAX_DEPTH = 40
"""Substitutions in substitutions: nobody writes five by hand."""

_ENDS = frozenset(" \t\n;&|<>()")
_PLAIN = re.compile(r"[^\s;&|<>()'\"\\$`*?\[\]{},~!#]+")
_QUOTED = re.compile(r"[^\"\\$`]+")
_BRACE_TEXT = re.compile(r"[^\"'\\$`}]+")
_CLASS = re.compile(r"\[[!^]?\]?[^\s;&|<>()\]'\"\\$`]*\]?")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BRACED = re.compile(r"(?P<name>[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*?$!-])(?P<index>\[[^\]$`]*\])?")
_ESCAPES = {
    "n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v",
    "e": "\x1b", "E": "\x1b", "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_ANSI = re.compile(
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


class Words:
    """Reads words; a subclass reads the scripts in them."""

    def __init__(self, text: str, depth: int = 0) -> None:
        self.text = text
        self.at = 0
        self.depth = depth
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

    def words(self, *, braces: bool = True) -> list[Word]:
        """The word that begins here; several where braces make them."""
        start = self.at
        items = self._items()
        raw = self.text[start : self.at]
        if not any(isinstance(one, Mark) for one in items):
            return [Word(tuple(items), raw)]  # type: ignore[arg-type]
        if not braces:
            return [Word(without_marks(items), raw)]
        if sum(isinstance(one, Mark) for one in items) > MAX_MARKS:
            raise Unparsable("very many braces")
        made = expand_braces(items)
        return [Word(without_marks(one), raw) for one in made]

    def word(self) -> Word:
        """The word that begins here, where braces have no meaning."""
        return self.words(braces=False)[0]

    def _items(self) -> list[Item]:
        items: list[Item] = []
        text = self.text
        while self.at < len(text):
            char = text[self.at]
            if char in "<>" and self.peek(1) == "(" and not items:
                items.append(self._process(char))
                continue
            if char == "\r" and self.peek(1) in ("\n", ""):
                break
            if char in _ENDS:
                if char == "(" and items and isinstance(items[-1], Glob):
                    raise Unparsable("an extended pattern")
                break
            if plain := _PLAIN.match(text, self.at):
                items.append(Lit(plain[0]))
                self.at = plain.end()
            elif char == "'":
                items.append(Lit(self._until_quote(self.at + 1), quoted=True))
            elif char == '"':
                self.at += 1
                items.extend(self._double())
            elif char == "\\":
                self._escape(items)
            elif char == "$":
                items.extend(self._dollar(quoted=False))
            elif char == "`":
                items.append(Sub(self._backquoted()))
            elif char == "*":
                self.at += 1
                items.append(Glob(STAR))
            elif char == "?":
                self.at += 1
                items.append(Glob(ANY))
            elif char == "[":
                self._bracket(items)
            elif char == "~" and (not items or self._after_equals(items)):
                items.append(self._tilde())
            elif char in "{},":
                self.at += 1
                items.append(Mark(char))
            else:  # `]`, `~`, `!`, `#` within a word mean themselves
                self.at += 1
                items.append(Lit(char))
        return items or [Lit("", quoted=True)]

    def _escape(self, items: list[Item]) -> None:
        following = self.peek(1)
        self.at += 2
        if following == "\n":
            return
        items.append(Lit(following or "\\", quoted=True))

    def _until_quote(self, start: int) -> str:
        end = self.text.find("'", start)
        if end < 0:
            raise Unparsable("a quote that is never closed")
        self.at = end + 1
        return self.text[start:end]

    def _double(self) -> list[Piece]:
        pieces = self.expandable('"')
        return pieces or [Lit("", quoted=True)]

    def expandable(self, end: str, *, quoted: bool = True) -> list[Piece]:
        """Text in which `$`, backquotes and some escapes work, up to `end`, which is taken.

        Without an `end` up to the end of the text (a here-document). With `}` it is the inside
        of a `${…}`, where quotes hold; single ones only where no double ones are around it.
        """
        pieces: list[Piece] = []
        text = self.text
        while True:
            if self.at >= len(text):
                if end:
                    raise Unparsable("a quote that is never closed")
                return pieces
            char = text[self.at]
            if end and char == end:
                self.at += 1
                return pieces
            if char == "\\":
                following = self.peek(1)
                self.at += 2
                if following == "\n":
                    continue
                kept = following if following in '$`"\\' else "\\" + following
                pieces.append(Lit(kept, quoted=True))
            elif char == "$":
                pieces.extend(self._dollar(quoted=True))
            elif char == "`":
                pieces.append(Sub(self._backquoted(), quoted=True))
            elif char == '"':
                self.at += 1
                if end == "}":
                    pieces.extend(self.expandable('"'))
                else:
                    pieces.append(Lit(char, quoted=True))
            elif char == "'" and end == "}" and not quoted:
                pieces.append(Lit(self._until_quote(self.at + 1), quoted=True))
            else:
                found = (_BRACE_TEXT if end == "}" else _QUOTED).match(text, self.at)
                stretch = found[0] if found else char
                pieces.append(Lit(stretch, quoted=True))
                self.at += len(stretch)

    def _dollar(self, *, quoted: bool) -> list[Piece]:
        following = self.peek(1)
        if following == "\\" and self.peek(2) == "\n":
            raise Unparsable("a line joined behind a `$`")
        if following == "'" and not quoted:
            return [self._ansi_quoted()]
        if following == '"' and not quoted:
            self.at += 2
            return self._double()
        if following == "(":
            if self.peek(2) == "(" and (sum_ := self._arithmetic(self.at + 3, "))")):
                return [sum_]
            self.at += 2
            return [Sub(self.script(")"), quoted)]
        if following == "[":
            if sum_ := self._arithmetic(self.at + 2, "]"):
                return [sum_]
            raise Unparsable("a `$[` that is never closed")
        if following == "{":
            return [self._braced(quoted=quoted)]
        if name := _NAME.match(self.text, self.at + 1):
            self.at = name.end()
            return [Var(name[0], quoted)]
        if following and following in "@*#?$!-0123456789":
            self.at += 2
            if following in "#?$!":
                return [Unknown(f"${following}", harmless=True)]
            return [Var(following, quoted)]
        self.at += 1
        return [Lit("$", quoted)]

    def _ansi_quoted(self) -> Lit:
        start = self.at + 2
        end = start
        while end < len(self.text) and self.text[end] != "'":
            end += 2 if self.text[end] == "\\" else 1
        if end >= len(self.text):
            raise Unparsable("a quote that is never closed")
        self.at = end + 1
        return Lit(ansi_c(self.text[start:end]), quoted=True)

    def _arithmetic(self, start: int, end: str) -> Unknown | None:
        """A sum; scripts in it run. None if this is no sum after all."""
        depth = 0
        at = start
        while at < len(self.text):
            char = self.text[at]
            if depth == 0 and self.text.startswith(end, at):
                break
            if char in "'\"":
                return None
            depth += {"(": 1, ")": -1}.get(char, 0)
            if depth < 0:
                return None
            at += 1
        else:
            return None
        inside = self.text[start:at]
        scripts = self._scripts_in(inside)
        self.at = at + len(end)
        return Unknown(inside, scripts, harmless=True)

    def _scripts_in(self, text: str) -> tuple[Script, ...]:
        """Substitutions in a stretch that is otherwise a sum."""
        if "$(" not in text and "`" not in text:
            return ()
        return scripts_of(type(self)(text, self.depth + 1).expandable(""))

    def _braced(self, *, quoted: bool) -> Piece:
        start = self.at
        self.at += 2
        if self.peek() == "#" and self.peek(1) != "}":
            scripts = self._past_brace(quoted)
            return Unknown(self.text[start : self.at], scripts, harmless=not scripts)
        if self.peek() == "!":
            scripts = self._past_brace(quoted)
            return Unknown(self.text[start : self.at], scripts)
        found = _BRACED.match(self.text, self.at)
        if not found:
            raise Unparsable("a variable in a form that is not followed")
        self.at = found.end()
        name = found["name"] + (found["index"] if found["index"] in ("[@]", "[*]") else "")
        edited = bool(found["index"]) and found["index"] not in ("[@]", "[*]")
        char = self.peek()
        if char == "}":
            self.at += 1
            return Var(name, quoted, edited=edited)
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
        return Var(name, quoted, edited=True)

    def _past_brace(self, quoted: bool) -> tuple[Script, ...]:
        return scripts_of(self.expandable("}", quoted=quoted))

    def _backquoted(self) -> Script:
        start = self.at + 1
        end = start
        while end < len(self.text) and self.text[end] != "`":
            end += 2 if self.text[end] == "\\" else 1
        if end >= len(self.text):
            raise Unparsable("a backquote that is never closed")
        self.at = end + 1
        return self.inner(re.sub(r"\\([$`\\])", r"\1", self.text[start:end]))

    def _process(self, char: str) -> Piece:
        self.at += 2
        return Sub(self.script(")"), as_file=True, fed=char == ">")

    def _bracket(self, items: list[Item]) -> None:
        found = _CLASS.match(self.text, self.at) if self.at >= self._no_class else None
        if found is not None and found[0].endswith("]"):
            self.at = found.end()
            items.append(Glob(CLASS))
            return
        if found is not None:
            # What is quoted or put in inside of it is read as elsewhere; it may close or not.
            following = self.text[found.end() : found.end() + 1]
            if following and following in "'\"\\$`":
                self.at += 1
                items.append(Glob(CLASS))
                return
            self._no_class = found.end()
        self.at += 1
        items.append(Lit("["))

    def _tilde(self) -> Piece:
        found = re.compile(r"~([A-Za-z0-9._-]*|[+-])(?=[/:\s;&|<>()]|$)").match(self.text, self.at)
        if not found:
            self.at += 1
            return Lit("~")
        self.at = found.end()
        if found[1] in ("+", "-"):
            return Var("PWD" if found[1] == "+" else "OLDPWD")
        return Home(found[1])

    def _after_equals(self, items: Sequence[Item]) -> bool:
        last = items[-1]
        return isinstance(last, Lit) and not last.quoted and last.text.endswith(("=", ":"))
