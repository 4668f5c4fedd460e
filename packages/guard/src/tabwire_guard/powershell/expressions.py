"""PowerShell's expressions: operators, casts, members, lists, tables.

By climbing precedences, each operator worked out at once (values.py). Blanks matter:
`$x.y` is a member, `$x .y` is not.
"""

import re

from tabwire_guard.flow.assignments import names_set
from tabwire_guard.pattern import pattern
from tabwire_guard.powershell.members import (
    call,
    plain_type,
    read,
    refused,
    static_call,
    static_property,
)
from tabwire_guard.powershell.operators import cast, index, operate, prefix
from tabwire_guard.powershell.scanner import Scanner
from tabwire_guard.powershell.values import (
    MAX_ITEMS,
    Val,
    array,
    blend,
    constant,
    harmless,
    text,
)
from tabwire_guard.script import Block, Script, Sub, Unknown, Unparsable

_OPERATOR = pattern(
    r"(?P<word>-(?:[ic]?(?:eq|ne|gt|ge|lt|le|like|notlike|match|notmatch|replace|split|contains"
    r"|notcontains|in|notin)|join|is|isnot|as|and|or|xor|band|bor|bxor|shl|shr|f)(?![\w-]))"
    r"|\.\.|\?\?(?!=)|[-+](?![-+=])|[*/%](?!=)|,",
    re.IGNORECASE,
)
_LEVELS = {
    "??": 1, "-and": 2, "-or": 2, "-xor": 2, "-band": 3, "-bor": 3, "-bxor": 3, "-shl": 3,
    "-shr": 3, "+": 5, "-": 5, "*": 6, "/": 6, "%": 6, "-f": 7, "..": 8, ",": 9,
}  # fmt: skip
_COMPARISON = 4
_COMMA = 9
_PREFIX = pattern(
    r"(?:-(?:not|bnot|join|[ic]?split)(?![\w-])|\+\+|--|[!,]|[-+](?=[\s\d.$(]))", re.I
)
_NUMBER = pattern(
    r"(?:0x[0-9a-f]+|(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:e[-+]?\d+)?)(?:[ul]?l|[uysdn]|us|uy|ul)?(?:[kmgtp]b)?"
    r"(?![\w\\/:-])",
    re.IGNORECASE,
)
_TYPE = pattern(r"\[\s*([A-Za-z_][\w.+`]*(?:\[[\w.+`,\s\[\]]*\])*)\s*\]")
_OPERAND = pattern(r"\s*(?:[$@('\"{\[]|[-+]?\.?\d|-not\b|-join\b|!)", re.IGNORECASE)
_NAME = pattern(r"[A-Za-z_]\w*")
_SIZES = {"k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40, "p": 2**50}


MAX_CHAIN = 40
"""Members of members."""
MAX_CALLS = 24
"""Calls of methods that do the work of commands, in one text."""


class Expressions(Scanner):
    """Reads expressions."""

    calls = 0

    def expression(self, floor: int = 0, *, comma: bool = True) -> Val:
        """Operators of at least this level. Without `comma`, one stops at commas."""
        start = self.at
        left = self._unary()
        while True:
            before = self.at
            self.skip()
            found = _OPERATOR.match(self.text, self.at)
            op = found[0].lower() if found else ""
            level = _LEVELS.get(op, _COMPARISON)
            if not found or level < floor or (op == "," and not comma):
                if floor == 0 and self.sees("? ") and self.peek(2) == "? ":
                    left = self._choice(left, start)
                    continue
                if not self.sees("="):
                    self.at = before
                return left
            self.at = found.end()
            self.skip(lines=True)
            if op == ",":
                left = self._list(left)
                continue
            right = self.expression(level + 1, comma=comma)
            left = operate(op, left, right, self.raw(start))

    def _list(self, first: Val) -> Val:
        """`a, b, c`, from after the first comma."""
        items = [first]
        while True:
            items.append(self.expression(_COMMA + 1, comma=False))
            if len(items) > MAX_ITEMS:
                raise Unparsable("a list that is too long")
            self.skip()
            if not self.takes(","):
                return array(items)
            self.skip(lines=True)

    def _choice(self, condition: Val, start: int) -> Val:
        """`condition ? one : other`."""
        self.at += 1
        self.skip(lines=True)
        one = self.expression(1)
        self.skip(lines=True)
        self.needs(":")
        self.skip(lines=True)
        return blend(self.raw(start), condition, one, self.expression(1))

    def _unary(self) -> Val:
        start = self.at
        found = _PREFIX.match(self.text, self.at)
        if found is None:
            return self.postfix(self.primary(), start)
        op = found[0].lower()
        self.at = found.end()
        self.deeper()
        self.skip(lines=True)
        value = self._unary()
        self.depth -= 1
        return prefix(op, value, self.raw(start))

    # Operands

    def primary(self) -> Val:
        """A single value, without the members behind it."""
        start = self.at
        char = self.peek()
        if char == "'":
            return text(self.single())
        if char == '"':
            return self.double()
        if char == "$":
            return self._dollar()
        if char == "(":
            self.at += 1
            value = self.value_in(")")
            # What stands in brackets is no longer a variable one can assign to.
            return Val(value.pieces, value.const, value.items, value.table, value.kind)
        if char == "@":
            return self._at()
        if char == "{":
            return self.script_block()
        if char == "[":
            return self._typed()
        if number := _NUMBER.match(self.text, self.at):
            self.at = number.end()
            return _number(number[0])
        raise Unparsable(f"unexpected start of an expression: {self.said[start : start + 20]!r}")

    def _dollar(self) -> Val:
        if self.takes("$("):
            return self.value_in(")")
        value = self.variable()
        if value is None:
            raise Unparsable("a $ without a name")
        return value

    def _at(self) -> Val:
        if (value := self.here_string()) is not None:
            return value
        if self.takes("@("):
            value = self.value_in(")")
            if value.items is None and value.known:
                return array([value])
            return Val(value.pieces, items=value.items)
        if self.takes("@{"):
            return self._table()
        raise Unparsable("an unexpected @")

    def _table(self) -> Val:
        """`@{ name = value; … }`, from after its bracket."""
        start = self.at - 2
        self.deeper()
        pairs: list[tuple[str, Val]] = []
        used: list[Val] = []
        complete = True
        while True:
            self.skip(lines=True)
            while self.takes(";"):
                self.skip(lines=True)
            if self.takes("}"):
                break
            name = self._key()
            self.skip(lines=True)
            self.needs("=")
            self.skip(lines=True)
            value = self.table_value()
            used += [name, value]
            if isinstance(name.const, (str, int)):
                pairs.append((str(name.const), value))
            else:
                complete = False
            self.skip()
            if not self.sees(";", "\n", "\r", "}"):
                raise Unparsable("an unsupported form of a hash table")
        self.depth -= 1
        made = blend(self.raw(start), *used)
        return Val(made.pieces, table=tuple(pairs) if complete else None)

    def _key(self) -> Val:
        if name := _NAME.match(self.text, self.at):
            self.at = name.end()
            return text(name[0])
        start = self.at
        return self.postfix(self.primary(), start)

    def table_value(self) -> Val:
        """The value of an entry: any statement."""
        raise NotImplementedError

    def calls_functions(self) -> bool:
        """Whether functions of the text's own may set something."""
        raise NotImplementedError

    def script_block(self) -> Val:
        """`{ … }`: whoever gets it may run it, so it is judged as if it ran."""
        start = self.at
        self.needs("{")
        script = self.statements_in("}")
        if names_set(script) or self.calls_functions():  # it may run again and again
            script = Script((Block("while", (script,), text=self.raw(start)),))
        return Val((Unknown(self.raw(start), (script,)),), kind="block")

    # Types

    def type_name(self) -> str | None:
        """`[Name]`, `[Name[]]`; None if it is none."""
        found = _TYPE.match(self.text, self.at)
        if found is None:
            return None
        self.at = found.end()
        return plain_type(found[1])

    def _typed(self) -> Val:
        start = self.at
        kind = self.type_name()
        if kind is None:
            raise Unparsable("an unsupported type or attribute")
        if self.sees("::"):
            return Val((Unknown(self.raw(start)),), kind=f"type {kind}")
        if not _OPERAND.match(self.text, self.at):
            return Val((Unknown(self.raw(start)),), kind=f"type {kind}")
        self.skip(lines=True)
        self.deeper()
        value = self._unary()
        self.depth -= 1
        raw = self.raw(start)
        if kind == "scriptblock" and value.kind == "block":
            return value
        made = cast(kind, value, raw)
        if made is None:
            deny = kind in ("scriptblock", "wmi", "wmiclass", "wmisearcher", "adsi", "type")
            return refused(f"a value turned into [{kind}]", raw, value, deny=deny)
        if value.name and made.kind == value.kind:  # `[string]$x = …`
            return Val(made.pieces, made.const, made.items, made.table, made.kind, value.name)
        return made

    # Members

    def postfix(self, value: Val, start: int) -> Val:
        """Members, indexes and counts behind a value."""
        for _ in range(MAX_CHAIN):
            if self.sees("++", "--"):
                self.at += 2
                value = harmless(self.raw(start), value)
            elif self.sees("["):
                self.at += 1
                self.deeper()
                self.skip(lines=True)
                at = self.expression()
                self.skip(lines=True)
                self.needs("]")
                self.depth -= 1
                value = _still(index(value, at, self.raw(start)), value)
            elif self.sees("::"):
                self.at += 2
                value = self._member(value, start, static=True)
            elif self.sees(".") and not self.sees(".."):
                after = self.text[self.at + 1 : self.at + 2]
                if not (after.isalpha() or after in ("_", "'", '"', "$", "(")):
                    return value
                self.at += 1
                value = self._member(value, start, static=False)
            else:
                return value
        raise Unparsable("a chain of members that is too long")

    def _member(self, value: Val, start: int, *, static: bool) -> Val:
        name: str | None
        if found := _NAME.match(self.text, self.at):
            self.at = found.end()
            name = found[0]
        else:
            said = self.primary()
            name = said.const if isinstance(said.const, str) else None
        args = self._arguments() if self.takes("(") else None
        raw = self.raw(start)
        if name is None:
            return refused("a member whose name is hidden", raw, value, *(args or ()))
        kind = value.kind.removeprefix("type ") if value.kind.startswith("type ") else ""
        if static and kind:
            if args is None:
                return static_property(kind, name, raw)
            return self._bounded(static_call(kind, name, args, raw))
        if static:
            return refused("a member of a type that is hidden", raw, value, *(args or ()))
        if args is None:
            return _still(read(value, name, raw), value)
        return self._bounded(call(value, name, args, raw))

    def _bounded(self, value: Val) -> Val:
        """Calls that became commands stand one in the other: only so many, for the walker."""
        if any(isinstance(one, Sub) for one in value.pieces):
            self.calls += 1
            if self.calls > MAX_CALLS:
                raise Unparsable("too many method calls")
        return value

    def _arguments(self) -> list[Val]:
        """What a method is given, from after its bracket."""
        self.deeper()
        given: list[Val] = []
        self.skip(lines=True)
        while not self.takes(")"):
            given.append(self.expression(comma=False))
            self.skip(lines=True)
            if not self.takes(",") and not self.sees(")"):
                raise Unparsable("unsupported method arguments")
            self.skip(lines=True)
        self.depth -= 1
        return given


def _still(made: Val, value: Val) -> Val:
    """A member of a variable: assigning to it changes that variable."""
    owner = value.name if value.name.endswith(".") or not value.name else f"{value.name}."
    return Val(made.pieces, made.const, made.items, made.table, made.kind, owner)


def _number(said: str) -> Val:
    bare = re.sub(r"(?i)(?:[kmgtp]b)$", "", said)
    size = _SIZES[said[-2].lower()] if bare != said else 1
    if bare.lower().startswith("0x"):
        digits = re.match(r"0x[0-9a-f]+", bare, re.IGNORECASE)
        if digits is None or len(digits[0]) > 18:
            return harmless(said)
        return constant(int(digits[0], 16) * size)
    plain = re.sub(r"(?i)[ulysdn]+$", "", bare)
    if plain.isdecimal() and len(plain) < 19:
        return constant(int(plain) * size)
    return harmless(said)
