"""sed's scripts: what of them runs, writes or reads.

sed's are not all alike: for some a bracket hides the delimiter (`s/[/]/x/`), for some a label
goes on to the end of the line. A script is read in every way. In a way in which it has a fault
sed does nothing; of all others it is said what they do.
"""

import re

from tabwire_guard.pattern import pattern

Done = tuple[str, str, str, str]
"""(rule, kind, reason, value)."""

_NUMBERS = pattern(r"\d+(?:~\d+)?|\$|[+~]\d+")
_BLANKS = pattern(r"[ \t]*")
_LETTERS = "{}=dDgGhHnNpPxzvF"


class _Fault(Exception):
    """sed would not take the script."""


def sed_script(text: str) -> list[Done]:
    """What a script runs, writes or reads; kinds are `run`, `write`, `read`, `ask`."""
    found: dict[Done, None] = {}
    faults: list[str] = []
    ways = 0
    for classes in (True, False):
        for lines in (False, True):
            ways += 1
            try:
                found.update(dict.fromkeys(_Reader(text, classes=classes, lines=lines).read()))
            except _Fault as problem:
                faults.append(str(problem))
    if len(faults) == ways:
        found[("run.inline", "ask", f"a sed script that cannot be analysed: {faults[0]}", "")] = (
            None
        )
        found.update(dict.fromkeys(_guessed(text)))
    return list(found)


def _guessed(text: str) -> list[Done]:
    """Of a script that is not followed: what looks like a command that runs."""
    said = re.findall(r"(?:^|[;\n{}])[\d$,/ ]*e[ \t]+([^\n]+)", text)
    return [("run.inline", "run", "a sed script that runs a command", one) for one in said]


class _Reader:
    def __init__(self, text: str, *, classes: bool, lines: bool) -> None:
        self._text = text
        self._at = 0
        self._classes = classes
        self._lines = lines
        self._found: list[Done] = []

    def read(self) -> list[Done]:
        while self._at < len(self._text):
            if self._text[self._at] in " \t\n;":
                self._at += 1
                continue
            self._address()
            if self._at >= len(self._text):
                raise _Fault("an address without a command")
            self._command()
        return self._found

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _blanks(self) -> None:
        blank = _BLANKS.match(self._text, self._at)
        self._at = blank.end() if blank else self._at

    def _address(self) -> None:
        for _ in range(2):
            if number := _NUMBERS.match(self._text, self._at):
                self._at = number.end()
            elif self._peek() in ("/", "\\"):
                self._at += self._peek() == "\\"
                self._part(self._delimiter(), classes=self._classes)
                while self._peek() in ("I", "M"):
                    self._at += 1
            self._blanks()
            if self._peek() != ",":
                break
            self._at += 1
            self._blanks()
        while self._peek() == "!":
            self._at += 1
            self._blanks()

    def _delimiter(self) -> str:
        char = self._peek()
        if not char or char in "\n\\":
            raise _Fault("no delimiter")
        self._at += 1
        return char

    def _part(self, delimiter: str, *, classes: bool) -> None:
        """Past the next delimiter."""
        text = self._text
        while self._at < len(text):
            char = text[self._at]
            if char == "\\":
                self._at += 2
                continue
            if char == "[" and classes and delimiter != "[":
                self._at = self._past_class()
                continue
            self._at += 1
            if char == delimiter:
                return
        raise _Fault("an unclosed expression")

    def _past_class(self) -> int:
        """Past `[…]`; only past the bracket where nothing closes it."""
        text = self._text
        at = self._at + 1
        at += text[at : at + 1] == "^"
        at += text[at : at + 1] == "]"
        while at < len(text) and text[at] != "\n":
            if text[at] == "[" and text[at + 1 : at + 2] in (":", ".", "="):
                end = text.find(text[at + 1] + "]", at + 2)
                if end > 0:
                    at = end + 2
                    continue
            if text[at] == "]":
                return at + 1
            at += 1
        raise _Fault("an unclosed bracket")

    def _line(self) -> str:
        """The rest of the line, which is taken."""
        end = self._text.find("\n", self._at)
        end = len(self._text) if end < 0 else end
        said = self._text[self._at : end].strip()
        self._at = end
        return said

    def _does(self, kind: str, reason: str, value: str) -> None:
        self._found.append(("run.inline" if kind in ("run", "ask") else "", kind, reason, value))

    def _command(self) -> None:
        letter = self._text[self._at]
        self._at += 1
        if letter == "s":
            self._substitutes()
        elif letter == "y":
            delimiter = self._delimiter()
            self._part(delimiter, classes=False)
            self._part(delimiter, classes=False)
        elif letter == "e":
            self._does("run", "a sed script that runs a command", self._line())
        elif letter in "wW":
            self._does("write", "", self._line())
        elif letter in "rR":
            self._does("read", "", self._line())
        elif letter in "aic":
            self._adds()
        elif letter in "btT:":
            self._label(letter)
        elif letter == "#":
            self._line()
        elif letter in "qQlL":
            while self._peek() and self._peek() in " 0123456789":
                self._at += 1
        elif letter not in _LETTERS:
            raise _Fault(f"`{letter}`")

    def _label(self, letter: str) -> None:
        if self._lines or (letter == ":" and "}" in self._text):
            stop = re.compile(r"\n" if self._lines else r"[;\n]").search(self._text, self._at)
        else:
            stop = re.compile(r"[;\n}]").search(self._text, self._at)
        self._at = stop.start() if stop else len(self._text)

    def _adds(self) -> None:
        """Text to the end of the line, and on where a backslash ends it."""
        while True:
            end = self._text.find("\n", self._at)
            if end < 0:
                self._at = len(self._text)
                return
            back = 0
            while self._text[end - 1 - back] == "\\" and end - 1 - back >= self._at:
                back += 1
            self._at = end + 1
            if back % 2 == 0:
                self._at = end
                return

    def _substitutes(self) -> None:
        delimiter = self._delimiter()
        self._part(delimiter, classes=self._classes)
        self._part(delimiter, classes=False)
        while (char := self._peek()) and char not in " \t\n;}#":
            self._at += 1
            if char == "e":
                self._does("run", "a sed script that runs what it makes", "")
            elif char == "w":
                self._does("write", "", self._line())
                return
            elif char == "\ufdd0":
                self._does("ask", "a sed script with unknown flags", "")
            elif char not in "gpiImM0123456789\r":
                raise _Fault(f"`{char}` after a substitution")
