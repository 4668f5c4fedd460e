"""cmd's characters: carets, quotes, percent signs, redirections.

cmd puts the text of a variable into the line before it reads the line, so a variable may hold
several words, an operator or half a command. Variables that the text itself has set are put in
here in the same way; those of the system stay variables, for the walker knows what they hold.
"""

import re

from tabwire_guard.pattern import pattern
from tabwire_guard.script import Glob, Lit, Piece, Redirect, Unknown, Unparsable, Var, Word
from tabwire_guard.values import ANY, STAR

MAX_LENGTH = 32_768
"""cmd itself reads 8,191 characters of a line."""
MAX_PUT_IN = 200
"""How often the text of a variable is put in: one that holds itself must come to an end."""

_NAME = r"[A-Za-z_][\w()#$@.+-]*"
_PERCENT = pattern(
    rf"%(?P<name>{_NAME})(?::(?P<change>[^%\r\n]*))?%|%%(?P<twice>{_NAME})%%"
    r"|%%?~(?P<marks>[A-Za-z$:]*)(?P<number>\d)|%(?P<argument>[\d*])"
)
_DELAYED = pattern(rf"!(?P<name>{_NAME})(?::(?P<change>[^!\r\n]*))?!")
_LOOP = pattern(r"%%?([A-Za-z])(?!\w+%)")
_LOOP_CHANGED = pattern(r"%%?~([A-Za-z$:]+)")
_PART = pattern(r"~\s*(-?\d+)?\s*(?:,\s*(-?\d+))?")
_REDIRECT = pattern(r"(>>|>|<)(?:[ \t]*&[ \t]*(\d))?")
_NUMBERS = frozenset("random errorlevel date time number_of_processors cmdextversion".split())

SURE = {
    "comspec": r"C:\Windows\System32\cmd.exe", "systemroot": r"C:\Windows", "windir": r"C:\Windows",
    "os": "Windows_NT", "programfiles": r"C:\Program Files", "systemdrive": "C:",
    "homedrive": "C:", "public": r"C:\Users\Public", "programdata": r"C:\ProgramData",
    "allusersprofile": r"C:\ProgramData", "commonprogramfiles": r"C:\Program Files\Common Files",
    "pathext": ".COM;.EXE;.BAT;.CMD;.VBS;.VBE;.JS;.JSE;.WSF;.WSH;.MSC",
}  # fmt: skip
"""What every Windows has set: letters cut out of these spell commands."""


class Scanner:
    """A place in a text, and what is read from there on."""

    def __init__(self, text: str, variables: dict[str, str], loops: frozenset[str]) -> None:
        if len(text) > MAX_LENGTH:
            raise Unparsable(f"longer than {MAX_LENGTH} characters")
        self.text = text
        self.at = 0
        self.variables = variables
        """What the text itself has set, by name in small letters."""
        self.line = dict(variables)
        """The same as this line found them: cmd puts them in when it reads the line, or the whole
        of a block that begins in it."""
        self.here: set[str] = set()
        """Those that this line sets."""
        self.looping = 0
        self.calling = 0
        self.guessed = False
        """Behind `call` a variable was taken for what this line has set: at a prompt it is that."""
        self.loops = loops
        """Letters that loops have set."""
        self.parens = 0
        self.put_in = 0
        self.leaves = False
        """Variables nobody knows are left as they stand: another cmd puts them in."""
        self.redirects: list[Redirect] = []
        """Those of the command that is being read; they may stand anywhere in it."""

    def begins_line(self) -> None:
        """A line begins, outside of all brackets."""
        self.line = dict(self.variables)
        self.here.clear()

    def peek(self, length: int = 1) -> str:
        """What comes next; less at the end."""
        return self.text[self.at : self.at + length]

    def sees(self, *starts: str) -> bool:
        """Whether one of these comes next."""
        return self.text.startswith(starts, self.at)

    def takes(self, start: str) -> bool:
        """Take it if it comes next."""
        if self.text.startswith(start, self.at):
            self.at += len(start)
            return True
        return False

    def blanks(self, also: str = "") -> None:
        """Blanks, lines that go on, and what else separates here."""
        while True:
            if self.sees("^\n", "^\r\n"):
                self.at += 2 if self.sees("^\n") else 3
            elif (char := self.peek()) and (char in " \t\v\f\u00a0" or char in also):
                self.at += 1
            else:
                return

    def ends(self) -> bool:
        """Whether the command ends here."""
        char = self.peek()
        return not char or char in "\r\n&|" or (char == ")" and self.parens > 0)

    def line_end(self) -> None:
        """Skip the rest of the line."""
        found = re.compile(r"[^\r\n]*").match(self.text, self.at)
        self.at = found.end() if found else self.at

    # Words

    def word(self, stops: str = " \t\v\f\u00a0", *, keep: bool = False, name: bool = False) -> Word:
        """A word up to one of `stops`; `keep`: quotes stay in it; `name`: it is a command's."""
        start = self.at
        pieces: list[Piece] = []
        literal: list[str] = []
        quoted = in_quotes = False

        def add(*more: Piece) -> None:
            if literal:
                pieces.append(Lit("".join(literal), quoted))
                literal.clear()
            pieces.extend(more)

        while char := self.peek():
            if char == '"':
                in_quotes = not in_quotes
                if keep:
                    literal.append(char)
                else:
                    quoted = True
                    if not literal:
                        literal.append("")
                self.at += 1
            elif char in "\r\n":
                break
            elif char in "%!":
                piece = self._variable(in_quotes)
                if piece is not None:
                    add(piece)
            elif in_quotes:
                literal.append(char)
                self.at += 1
            elif char == "^" and name and self.peek(2)[1:] in (" ", "\t", ",", ";", "="):
                self.at += 1  # the blank still ends the name
            elif char == "^":
                self._caret(literal)
            elif char in "<>":
                alone = keep or (len(literal) == 1 and not pieces)
                if alone and literal and literal[-1].isdigit():
                    self._redirect(literal.pop())
                    continue
                if not keep and (literal or pieces):
                    break
                self._redirect("")
                if not keep:
                    self.blanks()
                    start = self.at
            elif (
                char in stops
                or self.ends()
                or (name and char in "/\\.:+([]" and not pieces and _name_ends(literal, char))
            ):
                break
            elif char == "*" and not keep:
                add(Glob(STAR))
                self.at += 1
            elif char == "?" and not keep and literal != ["/"]:
                add(Glob(ANY))
                self.at += 1
            else:
                literal.append(char)
                self.at += 1
        add()
        return Word(tuple(pieces), self.text[start : self.at])

    def _caret(self, literal: list[str]) -> None:
        self.at += 1
        if self.sees("\r\n"):
            self.at += 2
        elif self.sees("\n"):
            self.at += 1
        if char := self.peek():
            literal.append(char)
            self.at += 1

    def _redirect(self, number: str) -> None:
        found = _REDIRECT.match(self.text, self.at)
        if found is None:
            raise Unparsable("an unsupported redirection")
        self.at = found.end()
        if found[2]:
            op = ">&" if found[1] != "<" else "<&"
            self.redirects.append(Redirect(op, Word((Lit(found[2]),), found[2]), number))
            return
        self.blanks(",;=")
        if self.ends() or self.peek() in "<>":
            raise Unparsable("a redirection without a target")
        target = self.word(" \t\v\f,;=")
        if found[1] == "<" and is_far(target):
            raise Unparsable("input from another machine")
        self.redirects.append(Redirect(found[1], target, number))
        if len(self.redirects) > 20:
            raise Unparsable("too many redirections")

    # Variables

    def _variable(self, in_quotes: bool) -> Piece | None:
        """A variable; None where its text was put in to be read on, or stands for itself."""
        loop = _LOOP.match(self.text, self.at)
        if loop is not None and loop[1] in self.loops:
            self.at = loop.end()
            return Var(f"%{loop[1]}", quoted=in_quotes)
        if self.loops and (loop := _LOOP_CHANGED.match(self.text, self.at)):
            last = max((at for at, one in enumerate(loop[1]) if one in self.loops), default=-1)
            if last >= 0:
                self.at = loop.start(1) + last + 1
                return Var(f"%{loop[1][last]}", quoted=in_quotes, edited=True)
        expanded = _PERCENT if self.peek() == "%" else _DELAYED
        found = expanded.match(self.text, self.at)
        if found is None:
            self.at += 2 if self.sees("%%") else 1
            return Lit("%" if self.text[self.at - 1] == "%" else "!", in_quotes)
        said = found.groupdict()
        name = (said["name"] or said.get("twice") or "").lower()
        if not name:
            self.at = found.end()
            return Unknown(found[0])
        if name in _NUMBERS and name not in self.variables and name not in self.here:
            self.at = found.end()
            return Unknown(found[0], harmless=True)
        change = said["change"]
        if self.leaves and self.peek() == "!":
            self.at = found.end()
            return Lit(found[0], in_quotes)
        now = self.peek() == "!" or bool(said.get("twice"))  # `call` reads the line again
        if now and self.looping:  # the loop may have set it in its last round
            self.at = found.end()
            return Var(name, in_quotes, edited=change is not None)
        known = (self.variables if now else self.line).get(name)
        if known is None and name in self.here and not now:
            known = self.variables.get(name) if self.calling else None
            if known is None:
                self.at = found.end()
                return Unknown(found[0])
            self.guessed = True
        if known is None and change is not None:
            known = SURE.get(name)
        if known is None and self.leaves:
            self.at = found.end()
            return Lit(found[0], in_quotes)
        if known is None:
            self.at = found.end()
            empty = change is not None and re.fullmatch(r"~\s*-?\d*\s*,\s*0\s*", change)
            return Lit("") if empty else Var(name, in_quotes, edited=change is not None)
        text = known if change is None else _changed(known, change)
        if text is None:
            self.at = found.end()
            return Unknown(found[0])
        self._put(text, found.end())
        return None

    def _put(self, text: str, end: int) -> None:
        self.put_in += 1
        if self.put_in > MAX_PUT_IN or len(self.text) + len(text) > MAX_LENGTH:
            raise Unparsable("variables that refer to each other endlessly")
        self.text = self.text[: self.at] + text + self.text[end:]


def is_far(word: Word) -> bool:
    """Whether it is a path on another machine."""
    first = word.pieces[0] if word.pieces else None
    return isinstance(first, Lit) and re.match(r"[\\/]{2}", first.text) is not None


def _name_ends(letters: list[str], char: str) -> bool:
    """`echo.`, `cd\\`, `rd/s`: names that end without a blank."""
    if len(letters) > 20:
        return False
    name = "".join(letters).lower()
    if char == "/":
        return name.isalnum()
    if name == "echo":
        return True
    if char == ".":
        return name in ("cd", "chdir", "md", "rd", "dir")
    own = ("cd", "chdir", "rd", "rmdir", "md", "mkdir", "dir", "del", "type", "pushd")
    return char in "\\:" and name in own


def _changed(text: str, change: str) -> str | None:
    """`%X:~1,2%` and `%X:a=b%`."""
    if part := _PART.fullmatch(change):
        start = int(part[1] or 0)
        start = max(0, len(text) + start) if start < 0 else start
        if part[2] is None:
            return text[start:]
        length = int(part[2])
        return text[start : start + length] if length >= 0 else text[start:length]
    old, equals, new = change.partition("=")
    if not equals or not old or old.startswith("~") or len(text) * (len(new) + 1) > MAX_LENGTH:
        return None
    if old.startswith("*"):
        at = text.lower().find(old[1:].lower())
        return text if at < 0 else new + text[at + len(old) - 1 :]
    return re.sub(re.escape(old), lambda _: new, text, flags=re.IGNORECASE)


def cut_at_quote(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """`set "x=value" more`: what stands behind the last quote is dropped."""
    kept = list(pieces)
    while kept:
        last = kept[-1]
        if isinstance(last, Lit) and '"' in last.text:
            kept[-1] = Lit(last.text.rpartition('"')[0], quoted=True)
            break
        if not isinstance(last, Lit):
            return pieces
        kept.pop()
    return tuple(kept) or pieces


def unquoted(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Without the quotes around the whole, as `cmd /c "…"` takes them off."""
    if not pieces or not isinstance(pieces[0], Lit) or not pieces[0].text.startswith('"'):
        return pieces
    kept = list(pieces)
    kept[0] = Lit(pieces[0].text[1:], quoted=True)
    last = kept[-1]
    if isinstance(last, Lit) and '"' in last.text:
        before, _, after = last.text.rpartition('"')
        kept[-1] = Lit(before + after, quoted=True)
    return tuple(kept)
