"""PowerShell's characters: blanks, comments, quotes, variables.

PowerShell takes typographic dashes for dashes, typographic quotes for quotes and no-break spaces
for spaces. So the text is first put into plain ones, character for character: places in it stay
the same, and what is shown to people is cut from what they wrote.
"""

import re
import unicodedata

from tabwire_guard.cmd.scanner import SURE
from tabwire_guard.pattern import pattern
from tabwire_guard.powershell.values import NOTHING, Val, blend, constant, harmless, text
from tabwire_guard.script import Home, Lit, Node, Opaque, Piece, Script, Unknown, Unparsable, Var

MAX_LENGTH = 32_768
"""Windows starts no longer command line, and nobody reads one."""
MAX_DEPTH = 20
"""Brackets in brackets; ten are rare. Each costs a dozen frames of Python's stack."""

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2013\u2014\u2015", "-"),
        **dict.fromkeys("\u2018\u2019\u201a\u201b", "'"),
        **dict.fromkeys("\u201c\u201d\u201e", '"'),
    }
)
_BLANK = pattern(r"(?:[ \t\f\v]|`\r?\n|<#(?s:.*?)#>)*")
_COMMENT = pattern(r"#[^\r\n]*")
_NEWLINES = pattern(r"[\r\n]+")
_VARIABLE = pattern(
    r"\$(?:(?P<odd>[$^?](?!\w))|\{(?P<braced>(?:[^{}`]|`.)+)\}"
    r"|(?P<scope>\w+:(?![:\\/]))?(?P<name>[\w?]+))"
)
_SINGLE = pattern(r"'((?:[^']|'')*)'")
_HERE = pattern(r"@(['\"])[ \t]*\r?\n")
_CHUNK = pattern(r"[^\"`$\r\n]+")
_ESCAPES = {
    "n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v",
}  # fmt: skip
"""Not `e`: it is an escape in PowerShell 7 only, and before that a letter of a command's name."""

_OWN_SCOPES = frozenset(("global", "script", "local", "private", "using", "variable", "workflow"))
_SHAPELESS = frozenset(
    """? lastexitcode error host pid psversiontable psculture psuiculture iswindows islinux ismacos
    iscoreclr psedition nestedpromptlevel shellid stacktrace executioncontext""".split()
)
"""Variables that are never a path or a command. `$ExecutionContext` has methods, which ask."""
_PROFILE = r"\Documents\WindowsPowerShell\Microsoft.PowerShell_profile.ps1"


class Scanner:
    """A place in a text, and what is read from there on."""

    def __init__(self, text: str) -> None:
        if len(text) > MAX_LENGTH:
            raise Unparsable(f"longer than {MAX_LENGTH} characters")
        self.said = text
        """As it was written."""
        plain = text.translate(_PLAIN)
        if not plain.isascii():
            plain = "".join(map(_spaced, plain))
        if odd := re.search(r"[\0-\x08\x0e-\x1f\x7f]", plain):
            raise Unparsable(f"a control character, U+{ord(odd[0]):04X}")
        self.text = plain
        self.at = 0
        self.depth = 0

    def statements_in(self, close: str) -> Script:
        """A list of statements up to a closing bracket, which is taken."""
        raise NotImplementedError

    def value_in(self, close: str) -> Val:
        """The same, as a value: an expression is itself, commands are what they give."""
        raise NotImplementedError

    # Places

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

    def needs(self, start: str) -> None:
        """Take it, or say that it is missing."""
        if not self.takes(start):
            found = self.peek(12).split("\n")[0] or "the end"
            raise Unparsable(f"{start} expected, found {found}")

    def raw(self, start: int) -> str:
        """What was written from there to here."""
        return self.said[start : self.at].strip()

    def deeper(self) -> None:
        """One bracket more; `depth` is taken back by whoever closes it."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise Unparsable("nested too deeply")

    def skip(self, *, lines: bool = False) -> None:
        """Blanks and comments; with `lines`, ends of lines too."""
        while True:
            start = self.at
            if blank := _BLANK.match(self.text, self.at):
                self.at = blank.end()
            if self.sees("#") and (comment := _COMMENT.match(self.text, self.at)):
                self.at = comment.end()
            if self.sees("<#"):
                raise Unparsable("an unclosed comment")
            if lines and (ends := _NEWLINES.match(self.text, self.at)):
                self.at = ends.end()
            if self.at == start:
                return

    # Variables

    def variable(self) -> Val | None:
        """`$x`, `${x}`, `$env:X`; None where the dollar is only a dollar."""
        found = _VARIABLE.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        if found["odd"]:
            return harmless(found[0]) if found["odd"] == "?" else blend(found[0])
        if found["braced"] is not None:
            scope, colon, name = found["braced"].replace("`", "").rpartition(":")
            scope = scope if colon else ""
        else:
            scope, name = (found["scope"] or "").rstrip(":"), found["name"]
        return variable(scope.lower(), name.lower(), found[0])

    # Quotes

    def single(self) -> str:
        """`'…'`, a doubled quote is one."""
        found = _SINGLE.match(self.text, self.at)
        if found is None:
            raise Unparsable("an unclosed single quote")
        self.at = found.end()
        return found[1].replace("''", "'")

    def double(self) -> Val:
        """`"…"`, with variables and `$(…)` in it."""
        self.at += 1
        return self._expandable('"')

    def here_string(self) -> Val | None:
        """`@'` or `@"` to the line that begins with the same; None if there is none here."""
        begin = _HERE.match(self.text, self.at)
        if begin is None:
            return None
        self.at = begin.end()
        if begin[1] == '"':
            if self.takes('"@'):
                return text("")
            return self._expandable('"@')
        end = re.compile(r"(?:^|\r?\n)'@", re.MULTILINE).search(self.text, self.at)
        if end is None:
            raise Unparsable("an unclosed here-string")
        content = self.text[self.at : end.start()]
        self.at = end.end()
        return text(content)

    def _expandable(self, close: str) -> Val:
        pieces: list[Piece] = []
        literal: list[str] = []

        def add(*more: Piece) -> None:
            if literal:
                pieces.append(Lit("".join(literal), quoted=True))
                literal.clear()
            pieces.extend(more)

        while True:
            if chunk := _CHUNK.match(self.text, self.at):
                literal.append(chunk[0])
                self.at = chunk.end()
            char = self.peek()
            if not char:
                raise Unparsable("an unclosed double quote")
            if char in "\r\n":
                ends = re.compile(r'\r?\n"@').match(self.text, self.at)
                if close == '"@' and ends:
                    self.at = ends.end()
                    break
                literal.append(char)
                self.at += 1
            elif char == '"':
                self.at += 1
                if close == '"@':
                    literal.append(char)
                elif self.takes('"'):
                    literal.append('"')
                else:
                    break
            elif char == "`":
                literal.append(self.escape())
            elif self.sees("$("):
                self.at += 2
                add(*(_quoted(one) for one in self.value_in(")").pieces))
            elif (value := self.variable()) is not None:
                add(*value.pieces)
            else:
                literal.append("$")
                self.at += 1
        add()
        if all(isinstance(one, Lit) for one in pieces):
            return text("".join(one.text for one in pieces if isinstance(one, Lit)))
        return Val(tuple(pieces))

    def escape(self) -> str:
        """A backtick and what it escapes."""
        char = self.text[self.at + 1 : self.at + 2]
        if not char:
            raise Unparsable("a backtick at the end")
        self.at += 2
        if char == "u" and (
            code := re.compile(r"\{([0-9a-fA-F]{1,6})\}").match(self.text, self.at)
        ):
            self.at = code.end()
            number = int(code[1], 16)
            if number > 0x10FFFF or 0xD800 <= number < 0xE000 or 0xFDD0 <= number <= 0xFDEF:
                raise Unparsable("an escape that is not a character")
            return chr(number)
        return _ESCAPES.get(char, char)


def _spaced(char: str) -> str:
    """PowerShell takes every kind of space for one."""
    if char == "\x85" or (char > "\x7f" and unicodedata.category(char)[0] == "Z"):
        return " "
    return char


def _quoted(piece: Piece) -> Piece:
    return Lit(piece.text, quoted=True) if isinstance(piece, Lit) else piece


def variable(scope: str, name: str, raw: str) -> Val:
    """What a variable is known to be before anything runs.

    Variables of the environment and PowerShell's own have different names in the state
    (`path`, `$path`): `$path = 'src'` changes no search path, `$temp` is not `%TEMP%`.
    """
    if scope == "env":
        sure = SURE.get(name, NOTHING)
        return Val((Var(name, quoted=True),), sure, name=name)
    if scope and scope not in _OWN_SCOPES:
        node: Node = Opaque(f"a variable of another kind: {raw}", raw, deny=scope == "function")
        return Val((Unknown(raw, (Script((node,)),)),), name=f"{scope}:{name}")
    if name in ("true", "false"):
        return constant(name == "true")
    if name == "null":
        return Val((Lit("", quoted=True),), None, name="$null")
    if name in ("home", "pwd"):
        return Val((Var(name, quoted=True),), name=f"${name}")
    if name == "profile":
        return Val((Home(), Lit(_PROFILE, quoted=True)), name="$profile")
    if name == "pshome":
        return text(r"C:\Windows\System32\WindowsPowerShell\v1.0")
    if name in ("verbosepreference", "debugpreference", "informationpreference"):
        return Val((Var(f"${name}", quoted=True),), "SilentlyContinue", name=f"${name}")
    if name in _SHAPELESS:
        return Val((Unknown(raw, harmless=True),), kind=name, name=f"${name}")
    if name in ("_", "psitem"):
        return Val((Var("$_", quoted=True),), name="$_")
    if name in ("args", "input", "matches", "this"):
        return Val((Unknown(raw),), name=f"${name}")
    return Val((Var(f"${name}", quoted=True),), name=f"${name}")
