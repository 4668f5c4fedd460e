"""PowerShell's commands: a name, arguments, parameters, redirections.

Arguments are read by other rules than expressions: `a*b` is a pattern, `"a"b` are two arguments,
`a"b"` is one.
"""

import re

from tabwire_guard.pattern import pattern
from tabwire_guard.powershell.assignments import SETS, mutates, often, variables_set
from tabwire_guard.powershell.expressions import Expressions
from tabwire_guard.powershell.values import Val
from tabwire_guard.programs import known_program
from tabwire_guard.programs.registry import CMDLETS
from tabwire_guard.script import (
    Block,
    Glob,
    Home,
    Lit,
    Node,
    Opaque,
    Piece,
    Redirect,
    Script,
    Simple,
    Unknown,
    Unparsable,
    Word,
)
from tabwire_guard.values import ANY, CLASS, STAR

_CHUNK = pattern(r"[^\s`'\"$(){};,|&<>*?\[~]+")
_BRACKETS = pattern(r"\[(?:[^\s`'\"$(){};,|&<>\]]{64}|[^\s`'\"$(){};,|&<>\]]{1,63}\])")
_END = pattern(r"[\s(){};,|&<>]|$")
_PARAMETER = pattern(r"-[A-Za-z_?][\w?-]*")
_REDIRECT = pattern(r"([1-6*])?(>>?)(?:&([12]))?")
_SPLAT = pattern(r"@([A-Za-z_]\w*)(?=[\s;|)}&]|$)")
_MODULE = pattern(r"Microsoft\.[\w.]+\\(?=[A-Za-z]+-)", re.IGNORECASE)
_MOVES = frozenset(
    "set-location cd sl chdir push-location pushd pop-location popd set-psdebug".split()
)
MAX_WORDS = 1_000
"""Arguments of one command."""

COMMA = Word((Lit(","),), ",")
"""Stands between the elements of a list. In quotes a comma is quoted, so nothing else looks so."""


class Commands(Expressions):
    """Reads commands."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.literals: dict[str, Val] = {}
        """Lists and tables that variables surely hold here: for splatting."""
        self.changed: dict[str, None] = {}
        """Variables that brackets may have changed; the walker looks into brackets with a copy
        of its state, so they are said to be unknown afterwards. `cd` is the folder."""
        self.noted: dict[str, None] = {}
        """Variables that commands set by name (`Set-Variable`, `-OutVariable`)."""
        self.set_by_functions: dict[str, None] = {}
        self.inner = 0
        self._mutates = mutates(self.text)
        self._assigned_often = often(self.text)

    def lasting(self, name: str) -> bool:
        """Whether what a variable is given here it surely holds wherever it is used."""
        return not self._mutates and name.lstrip("$") not in self._assigned_often

    def calls_functions(self) -> bool:
        """See Expressions."""
        return bool(self.set_by_functions)

    def command(self) -> Node:
        """One command."""
        start = self.at
        operator = self._operator()
        if operator and self.sees("{"):
            return self._called_block(start)
        name = self._called() if operator else self._name()
        words: list[Word] = [name]
        redirects: list[Redirect] = []
        while True:
            self.skip()
            if self._ends():
                break
            if (redirect := self._redirect()) is not None:
                redirects += redirect
                continue
            if self.sees("--%"):
                words += self._verbatim()
                break
            words += self.argument()
            if len(words) > MAX_WORDS:
                raise Unparsable("too many arguments")
        said = _text_of(name).lower()
        self._notice(said.rsplit("\\", 1)[-1], words)
        if said and COMMA in words and not _is_cmdlet(said):
            words = [one for one in words if one is not COMMA]
        return Simple(tuple(words), redirects=tuple(redirects), text=self.raw(start))

    def _notice(self, name: str, words: list[Word]) -> None:
        """What a command changes that brackets and splatting must know of."""
        if name in _MOVES and self.inner:
            self.changed["cd"] = None
        if self.inner:
            self.changed.update(self.set_by_functions)
        names = variables_set(name, words)
        if names or name in SETS:
            self.literals.clear()
        (self.changed if self.inner else self.noted).update(dict.fromkeys(names))

    def _operator(self) -> str:
        """`&` or `.` before what is called."""
        if self.sees("&") and not self.sees("&&"):
            self.at += 1
            self.skip()
            return "&"
        if self.sees(".") and re.match(r"\.[\s'\"$({]", self.peek(2)):
            self.at += 1
            self.skip()
            return "."
        return ""

    def _called_block(self, start: int) -> Node:
        self.inner += 1
        self.at += 1
        script = self.statements_in("}")
        self.inner -= 1
        words: list[Word] = []
        redirects: list[Redirect] = []
        while True:
            self.skip()
            if self._ends():
                break
            if (redirect := self._redirect()) is not None:
                redirects += redirect
                continue
            words += self.argument()
        kind = "subshell"
        return Block(
            kind, (script,), tuple(words), redirects=tuple(redirects), text=self.raw(start)
        )

    def _called(self) -> Word:
        words = self.argument()
        if len(words) != 1:
            raise Unparsable("a list where a command is called")
        (word,) = words
        return word

    def _name(self) -> Word:
        start = self.at
        if self.peek() in ("%", "?") and _END.match(self.text, self.at + 1):
            self.at += 1
            return Word((Lit(self.text[start]),), self.raw(start))
        if self._ends() or self.peek() in "'\"":
            raise Unparsable(f"unexpected start of a command: {self.said[start : start + 20]!r}")
        if module := _MODULE.match(self.text, self.at):
            self.at = module.end()
        return self._generic([], start)

    def _ends(self) -> bool:
        return not self.peek() or self.peek() in "\r\n;|)}" or self.sees("&")

    def _redirect(self) -> list[Redirect] | None:
        found = _REDIRECT.match(self.text, self.at)
        if found is None:
            if self.sees("<"):
                raise Unparsable("`<` is not an operator of PowerShell")
            return None
        self.at = found.end()
        number = found[1] or ""
        if found[3]:
            return [Redirect(">&", Word((Lit(found[3]),), found[3]), number)]
        self.skip()
        if self._ends():
            raise Unparsable("a redirection without a target")
        words = self.argument()
        if len(words) != 1:
            raise Unparsable("a redirection to a list")
        if words[0].raw.lower() == "$null":
            return []
        return [Redirect(found[2], words[0], number)]

    def _verbatim(self) -> list[Word]:
        """`--%`: the rest of the line goes to the program as it stands."""
        self.at += 3
        rest = re.compile(r"[^\r\n|]*").match(self.text, self.at)
        line = rest[0] if rest else ""
        if "%" in line or line.count('"') % 2:
            raise Unparsable("unsupported text after --%")
        self.at += len(line)
        said = re.findall(r'(?:"[^"]*"|\S)+', line)
        return [Word((Lit(one.replace('"', ""), quoted='"' in one),), one) for one in said]

    # Arguments

    def argument(self) -> list[Word]:
        """One argument; a list gives its elements with COMMA between them."""
        words = self._element()
        while True:
            before = self.at
            self.skip()
            if not self.takes(","):
                self.at = before
                return words
            self.skip(lines=True)
            words += [COMMA, *self._element()]

    def _element(self) -> list[Word]:
        start = self.at
        char = self.peek()
        if char == "," or not char:
            raise Unparsable("an argument is missing")
        if char == "-" and (found := _PARAMETER.match(self.text, self.at)):
            return self._parameter(found[0])
        if splat := _SPLAT.match(self.text, self.at):
            self.at = splat.end()
            return self._splat(splat[1].lower(), splat[0])
        if char == "$" and not self.sees("$("):
            return self._variable(start)
        if char in "'\"({" or self.sees("$(", "@(", "@{", "@'", '@"'):
            value = self.postfix(self.primary(), start)
            return self._words(value, start)
        return [self._generic([], start)]

    def _words(self, value: Val, start: int) -> list[Word]:
        raw = self.raw(start)
        if value.items is None or not value.items:
            return [Word(value.pieces, raw)]
        words: list[Word] = []
        for at, one in enumerate(value.items):
            words += [COMMA] if at else []
            words.append(Word(one.pieces, raw))
        return words

    def _variable(self, start: int) -> list[Word]:
        value = self.variable()
        if value is None:
            return [self._generic([], start)]
        name, behind = value.name, self.at
        value = self.postfix(value, start)
        if not _END.match(self.text, self.at):
            return [self._generic(list(value.pieces), start)]
        if self.at == behind and name in self.literals:
            value = self.literals[name]
        return self._words(value, start)

    def _parameter(self, name: str) -> list[Word]:
        start = self.at
        self.at += len(name)
        if self.takes(":"):
            pieces: list[Piece] = [Lit(f"{name}:")]
            self.skip()
            if self._ends():
                return [Word(tuple(pieces), self.raw(start))]
            first, *more = self._element()
            return [Word((*pieces, *first.pieces), self.raw(start)), *more]
        if _END.match(self.text, self.at):
            return [Word((Lit(name),), self.raw(start))]
        return [self._generic([Lit(name)], start)]

    def _splat(self, name: str, raw: str) -> list[Word]:
        """`@p`: what the variable holds, as parameters."""
        value = self.literals.get(f"${name}")
        if value is None or (value.table is None and value.items is None):
            node = Opaque("parameters that are known only at run time", raw)
            return [Word((Unknown(raw, (Script((node,)),)),), raw)]
        if value.table is None:
            return [Word(one.pieces, raw) for one in value.items or ()]
        words: list[Word] = []
        for key, one in value.table:
            if one.const is True:
                words.append(Word((Lit(f"-{key}"),), raw))
                continue
            first, *more = self._words(one, self.at) or [Word((Lit(""),), raw)]
            words.append(Word((Lit(f"-{key}:"), *first.pieces), raw))
            words += more
        return words

    def _generic(self, pieces: list[Piece], start: int) -> Word:
        """An unquoted word, with quotes and variables anywhere in it."""
        if not pieces and self.sees("~") and re.match(r"~(?:[\\/\s;|)},]|$)", self.peek(2)):
            self.at += 1
            pieces.append(Home())
        while True:
            begin = self.at
            if chunk := _CHUNK.match(self.text, self.at):
                pieces.append(Lit(chunk[0]))
                self.at = chunk.end()
            char = self.peek()
            if char == "`":
                if self.peek(2) in ("`\n", "`\r"):
                    break
                pieces.append(Lit(self.escape()))
            elif char == "'":
                pieces.append(Lit(self.single(), quoted=True))
            elif char == '"':
                pieces += self.double().pieces
            elif self.sees("$("):
                self.at += 2
                pieces += self.value_in(")").pieces
            elif char == "$":
                value = self.variable()
                if value is None:
                    self.at += 1
                pieces += value.pieces if value is not None else (Lit("$"),)
            elif char and char in "*?[~":
                pieces.append(self._pattern(char))
            if self.at == begin:
                break
        if not pieces:
            raise Unparsable(f"unexpected start of an argument: {self.said[start : start + 20]!r}")
        return Word(_merged(pieces), self.raw(start))

    def _pattern(self, char: str) -> Piece:
        if char == "[" and (found := _BRACKETS.match(self.text, self.at)):
            self.at = found.end()  # a long one is a pattern too, wherever it ends
            return Glob(CLASS)
        self.at += 1
        if char == "*":
            while self.takes("*"):
                pass
            return Glob(STAR)
        return Glob(ANY) if char == "?" else Lit(char)


def _is_cmdlet(name: str) -> bool:
    """Whether it knows lists; other programs get the elements as arguments side by side."""
    return known_program(name, "powershell") is not None and name in CMDLETS


def _text_of(word: Word) -> str:
    """What stands there, if nothing in it is left open."""
    match word.pieces:
        case (Lit(text),):
            return text
    return ""


def _merged(pieces: list[Piece]) -> tuple[Piece, ...]:
    """Texts side by side as one."""
    done: list[Piece] = []
    texts: list[Lit] = []
    for piece in (*pieces, None):
        if isinstance(piece, Lit):
            texts.append(piece)
            continue
        if texts:
            done.append(Lit("".join(one.text for one in texts), any(one.quoted for one in texts)))
            texts = []
        if piece is not None:
            done.append(piece)
    return tuple(done)
