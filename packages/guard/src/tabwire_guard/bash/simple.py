"""Simple commands of bash: assignments, words, redirections."""

import re

from tabwire_guard.bash.lines import Lines
from tabwire_guard.dialects import BASH
from tabwire_guard.pattern import pattern
from tabwire_guard.script import (
    Assign,
    Block,
    Lit,
    Node,
    Redirect,
    Refused,
    Simple,
    Unknown,
    Unparsable,
    Word,
)

_ASSIGN = pattern(r"([A-Za-z_][A-Za-z0-9_]*)(\[[^\]\s$`]*\])?(\+?=)")
_DECLARE = frozenset(("export", "declare", "local", "readonly", "typeset"))
NOT_EVERYWHERE = frozenset(("select", "function", "coproc"))
"""Keywords that some shells lack: there they are names of programs that nobody has."""


class SimpleCommands(Lines):
    """Reads simple commands; a subclass reads the others."""

    def closed_early(self) -> bool:
        """A `}` that zsh takes for the end of a group, wherever it stands."""
        return "zsh" in self.has and self.keyword() == "}"

    def simple(self) -> Node:
        """The simple command that begins here."""
        start = self.at
        assigns: list[Assign] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        half = "half-tests" in self.has
        while True:
            self.blanks()
            if (redirect := self.redirect()) is not None:
                redirects.append(redirect)
                continue
            if half and self._half_test(words):
                continue
            char = self.peek()
            if not char or char in ";&|\n)" or (char == "}" and words and self.closed_early()):
                break
            if char == "(":
                raise (Unparsable if "zsh" in self.has else Refused)("an unexpected `(`")
            if char == "#" and "typed" not in self.has:
                self.comment()
                break
            found = _ASSIGN.match(self.text, self.at)
            if found and self._assigns(found, words):
                self.at = found.end()
                assigns.append(self._assign(found))
                continue
            words += self.words()
        if not words and not assigns and not redirects:
            raise Unparsable(
                f"an unexpected `{self.peek()}`" if self.peek() else "an unexpected end"
            )
        text = self.text[start : self.at].strip()
        if words and self.dialect is not BASH and self._no_program(words[0].raw):
            words += [one.value for one in assigns]
            return Block("nothing", (), tuple(words), "", tuple(redirects), text)
        return Simple(tuple(words), tuple(assigns), tuple(redirects), text)

    def _assigns(self, found: re.Match[str], words: list[Word]) -> bool:
        if (found[2] and "arrays" not in self.has) or (
            found[3] == "+=" and "appends" not in self.has
        ):
            return False
        return not words or ("declares" in self.has and words[0].raw in _DECLARE)

    def _half_test(self, words: list[Word]) -> bool:
        """Past the `&&` or `||` that ash hands to its `[[` as words."""
        if not words or words[0].raw != "[[":
            return False
        if any(one.raw == "]]" for one in words):
            return False
        found = self.text.startswith(("&&", "||"), self.at)
        if found:
            self.at += 2
            self.blanks()
        return found

    def _no_program(self, raw: str) -> bool:
        """Whether it is a word of other shells, which this one looks for and does not find."""
        foreign = ("[[", *NOT_EVERYWHERE)
        return raw in foreign or raw[:1] == "#" or _ASSIGN.match(raw) is not None

    def _assign(self, found: re.Match[str]) -> Assign:
        name, index, equals = found.groups()
        if self.peek() == "(" and "arrays" not in self.has:
            raise Refused("an unexpected `(`")
        if self.peek() == "(" and not index:
            self.at += 1
            pieces: list[Word] = []
            while True:
                self.gap(semicolons=False)
                if self.peek() == ")":
                    self.at += 1
                    break
                if not self.peek() or self.peek() in ";&|<>(":
                    raise Unparsable("an unsupported form of an array")
                pieces += self.words()
            if self.peek() and self.peek() not in " \t\r\n;&|<>)":
                raise Unparsable("text directly after an array")
            joined = [piece for one in pieces for piece in (*one.pieces, Lit(" "))]
            return Assign(name, Word(tuple(joined)), equals == "+=")
        if not self.peek() or self.peek() in " \t\n;&|<>()":
            return Assign(name, Word((Lit("", quoted=True),)), equals == "+=")
        word = self.word()
        if index:  # one of many: nobody follows which
            word = Word((*word.pieces, Unknown(index)), word.raw)
        return Assign(name, word, equals == "+=")
