"""Values of PowerShell expressions, as far as they can be known before anything runs.

Names that are put together from pieces (`'Rem' + 'ove-Item'`, `[char]82`, `-join`, `-f`) are
worked out here, so that the walker sees the command that would run. What cannot be worked out
stays a piece that nobody knows; variables stay variables, for the walker knows what they hold.
"""

from collections.abc import Iterable, Sequence

from tabwire_guard.record import record, replace
from tabwire_guard.script import (
    Lit,
    Node,
    Piece,
    Pipeline,
    Script,
    Simple,
    Sub,
    Unknown,
    Var,
    Word,
)
from tabwire_guard.values import MARKS

MAX_TEXT = 20_000
"""Longest text that is worked out: longer ones are no command's name."""
MAX_ITEMS = 2_000
"""Longest list that is worked out."""

Const = str | int | float | bool | bytes | None


class Nothing:
    """Says that a value is not known; `None` is PowerShell's `$null`."""


NOTHING = Nothing()


@record(frozen=True)
class Val:
    """What an expression gives."""

    pieces: tuple[Piece, ...]
    """It as part of a word."""
    const: Const | Nothing = NOTHING
    items: tuple["Val", ...] | None = None
    """The elements, of a list."""
    table: tuple[tuple[str, "Val"], ...] | None = None
    """Names and values, of a hash table."""
    kind: str = ""
    """What it is, where methods depend on that: `encoding utf-8`, `type io.file`, `block`."""
    name: str = ""
    """The variable it is, if it is nothing else: the left side of an assignment."""

    @property
    def known(self) -> bool:
        """Its value stands in the text."""
        return self.const is not NOTHING


def text(value: str) -> Val:
    """A known text."""
    if any("\ud800" <= one <= "\udfff" for one in value):
        return Val((Unknown("half a character"),))
    if not MARKS.isdisjoint(value):  # from a script around this one: part of it is not known
        return Val((Lit(value, quoted=True),))
    return Val((Lit(value, quoted=True),), value)


def constant(value: Const) -> Val:
    """A known value of any kind."""
    if isinstance(value, bytes):
        return Val((Unknown("bytes"),), value)
    if isinstance(value, str):
        return text(value)
    return Val((Lit(shown(value), quoted=True),), value)


def shown(value: Const) -> str:
    """As PowerShell makes text of it."""
    if value is None:
        return ""
    if isinstance(value, bytes):
        return " ".join(map(str, value))
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def harmless(raw: str, *used: Val) -> Val:
    """A number, a yes or no: unknown, but never a path or a command. What it took runs."""
    return Val((Unknown(raw, scripts_of(used), harmless=True),))


def array(items: Sequence[Val]) -> Val:
    """A list."""
    if len(items) > MAX_ITEMS:
        return blend("a long list", *items)
    return Val(join_pieces(items, " "), items=tuple(items))


def elements(value: Val) -> tuple[Val, ...] | None:
    """Its elements, if they are known: a single value is a list of one."""
    if value.items is not None:
        return value.items
    if isinstance(value.const, bytes):
        return tuple(constant(one) for one in value.const[:MAX_ITEMS])
    return (value,) if value.known else None


def scripts_of(values: Iterable[Val]) -> tuple[Script, ...]:
    """All scripts that run to make these values."""
    found: list[Script] = []
    for value in values:
        for piece in value.pieces:
            if isinstance(piece, Sub):
                found.append(piece.script)
            elif isinstance(piece, Unknown):
                found += piece.scripts
    return tuple(found)


def blend(raw: str, *used: Val) -> Val:
    """Something made of these values in a way that is not followed: where they came from stays."""
    pieces: list[Piece] = []
    for value in used:
        for piece in value.pieces:
            if piece in pieces[-2:]:
                continue
            if isinstance(piece, Var):
                pieces.append(replace(piece, edited=True, quoted=True))
            elif isinstance(piece, Sub):
                pieces.append(Sub(_changed(piece.script), quoted=True))
            elif isinstance(piece, Unknown) and (piece.scripts or piece.harmless):
                pieces.append(piece)
    pieces.append(Unknown(raw))
    return Val(tuple(pieces))


def _changed(script: Script) -> Script:
    """The same script, with an output of which only the origin is known."""
    parts: tuple[Node, ...]
    if len(script.nodes) != 1:
        return script if not script.nodes else Script((*script.nodes, _command("Select-Object")))
    (node,) = script.nodes
    parts = node.parts if isinstance(node, Pipeline) else (node,)
    return Script((Pipeline((*parts, _command("Select-Object"))),))


def _command(name: str) -> Simple:
    return Simple((Word((Lit(name),), name),), text=name)


def command(name: str, raw: str, *words: Val | str) -> Val:
    """What a cmdlet would give: methods that do what a cmdlet does are judged as that cmdlet."""
    said = [Word((Lit(name),), name)]
    for one in words:
        if isinstance(one, str):
            said.append(Word((Lit(one),), one))
        else:
            said.append(Word(one.pieces))
    return Val((Sub(Script((Simple(tuple(said), text=raw),)), quoted=True),))


def join_pieces(items: Sequence[Val], separator: str) -> tuple[Piece, ...]:
    """Side by side, as one word."""
    if items and all(one.known for one in items):
        return (Lit(separator.join(shown(_const(one)) for one in items), quoted=True),)
    pieces: list[Piece] = []
    for at, one in enumerate(items):
        if at and separator:
            pieces.append(Lit(separator, quoted=True))
        pieces += one.pieces
    return tuple(pieces)


def _const(value: Val) -> Const:
    return None if isinstance(value.const, Nothing) else value.const


def pieced(pieces: tuple[Piece, ...]) -> Val:
    """Pieces side by side; all of them texts make a text."""
    if all(isinstance(one, Lit) for one in pieces):
        whole = "".join(one.text for one in pieces if isinstance(one, Lit))
        return text(whole) if len(whole) <= MAX_TEXT else blend("a long text")
    return Val(pieces)
