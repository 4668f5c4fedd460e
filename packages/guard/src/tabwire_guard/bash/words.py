"""Words of bash: quotes, escapes, variables, substitutions, patterns, braces.

A scanner over one text with a position. It follows bash to the letter where it follows it at
all; where it does not, it says so (`Unparsable`) and never skips.
"""

import re
from collections.abc import Sequence

from tabwire_guard.bash.braces import Item, Mark, expand_braces, without_marks
from tabwire_guard.bash.dollars import Dollars
from tabwire_guard.pattern import pattern
from tabwire_guard.script import (
    Glob,
    Home,
    Lit,
    Piece,
    Sub,
    Unparsable,
    Var,
    Word,
)
from tabwire_guard.values import ANY, CLASS, STAR

MAX_MARKS = 120
"""Braces and commas in one word."""

_ENDS = frozenset(" \t\n;&|<>()")
_PLAIN = pattern(r"[^\s;&|<>()'\"\\$`*?\[\]{},~!#]+")
_QUOTED = pattern(r"[^\"\\$`]+")
_BRACE_TEXT = pattern(r"[^\"'\\$`}]+")
_CLASS = pattern(r"\[[!^]?\]?[^\s;&|<>()\]'\"\\$`]*\]?")


class Words(Dollars):
    """Reads words; a subclass reads the scripts in them."""

    def words(self, *, braces: bool = True) -> list[Word]:
        """The word that begins here; several where braces make them."""
        start = self.at
        items = self._items()
        raw = self.text[start : self.at]
        if not any(isinstance(one, Mark) for one in items):
            return [Word(tuple(items), raw)]  # type: ignore[arg-type]
        if not braces or "braces" not in self.has:
            return [Word(without_marks(items), raw)]
        if sum(isinstance(one, Mark) for one in items) > MAX_MARKS:
            raise Unparsable("too many braces")
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
                items.extend(self.double())
            elif char == "\\":
                self._escape(items)
            elif char == "$":
                items.extend(self.dollar(quoted=False))
            elif char == "`":
                items.append(Sub(self.backquoted()))
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
            raise Unparsable("an unclosed quote")
        self.at = end + 1
        return self.text[start:end]

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
                    raise Unparsable("an unclosed quote")
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
                pieces.extend(self.dollar(quoted=True))
            elif char == "`":
                pieces.append(Sub(self.backquoted(), quoted=True))
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
