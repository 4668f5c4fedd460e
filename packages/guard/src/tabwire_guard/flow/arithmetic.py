"""Where a shell takes text for a sum or for a variable's name: there it runs what is in it.

`a[$(id)]` is such a text, and nobody sees it where it comes from a file: `read x < f; ((x))`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from tabwire_guard.call import Call
from tabwire_guard.pattern import pattern
from tabwire_guard.script import Block, Lit, Pipeline, Script, Simple, Word
from tabwire_guard.values import Value

DATA = "text from elsewhere is evaluated as arithmetic or as a name, and may run something"

_NAME = pattern(r"[A-Za-z_]\w*|(?<=[$\{])[0-9@*]")
_COMPARE = frozenset(("-eq", "-ne", "-lt", "-le", "-gt", "-ge"))
_PRINTS = pattern(r"%[^s%]*[diouxXeEfFgG]")
_HIDES = pattern(r"\[[^\]]*(?:\$\(|`)")
MAX_STEPS = 40
"""Names that are followed from one variable to the next."""


def names_data(text: str, variables: Mapping[str, Value]) -> bool:
    """Whether a sum names a variable that holds what was read from elsewhere.

    A variable that holds another's name stands for that one.
    """
    seen: set[str] = set()
    names = _NAME.findall(text)
    while names and len(seen) < MAX_STEPS:
        name = names.pop()
        value = variables.get(name)
        if value is None or name in seen:
            continue
        seen.add(name)
        if value.data:
            return True
        names += _NAME.findall(value.text)
    return bool(names)


_SUM = pattern(r"(?:for\s*)?\(\((.*?)\)\)", re.DOTALL)


def block_data(block: Block, values: Sequence[Value], variables: Mapping[str, Value]) -> bool:
    """Whether a `((…))`, `for ((…))` or `[[ … ]]` takes what was read from elsewhere for a sum."""
    if block.kind == "test":
        return any(one.data or names_data(one.text, variables) for one in compared(values))
    found = _SUM.match(block.text) if block.kind in ("sum", "for") else None
    return found is not None and names_data(found[1], variables)


def compared(values: Sequence[Value]) -> Iterator[Value]:
    """What stands beside an operator that compares numbers, or behind `-v`."""
    for at, one in enumerate(values):
        if one.text in _COMPARE:
            yield from values[max(at - 1, 0) : at]
            yield from values[at + 1 : at + 2]
        elif one.text in ("-v", "-R"):
            yield from values[at + 1 : at + 2]


def _test(call: Call) -> Iterator[Value]:
    for at, one in enumerate(call.args[:-1]):
        if one.text in ("-v", "-R"):
            yield call.args[at + 1]
    if "test-sums" in call.state.dialect.has:
        yield from compared(call.args)


def _printed(call: Call) -> Iterator[Value]:
    if call.texts[:1] and call.texts[0][:2] == "-v":
        yield from _behind(call, "-v")
    if "test-sums" in call.state.dialect.has and any(_PRINTS.search(one) for one in call.texts):
        yield from call.args


def _behind(call: Call, *options: str) -> Iterator[Value]:
    for at, one in enumerate(call.args):
        for option in options:
            if one.text == option:
                yield from call.args[at + 1 : at + 2]
            elif one.text.startswith(option):
                yield one._replace(text=one.text.removeprefix(option))


def _evaluated(call: Call) -> Iterator[Value]:
    """Arguments that a builtin takes for names or sums."""
    match call.name:
        case "test" | "[":
            yield from _test(call)
        case "printf" | "print":
            yield from _printed(call)
        case "wait":
            yield from _behind(call, "-p")
        case "getopts":
            yield from call.args[1:2]
        case "unset" | "read" | "mapfile" | "readarray" | "let":
            yield from call.args
        case "shift" | "exit" | "return" | "break" | "continue":
            yield from call.args[:1]


EVALUATE = frozenset(
    "test [ printf print wait getopts unset read mapfile readarray let shift exit return break "
    "continue".split()
)


def evaluates(call: Call) -> None:
    """Say what is to be said of a builtin's names and sums."""
    for one in _evaluated(call):
        if _HIDES.search(one.text):
            call.deny("run.hidden", "a variable's name that runs something")
        elif one.data or (
            call.name in ("let", "test", "[") and names_data(one.text, call.state.variables)
        ):
            call.ask("run.hidden", DATA)


_COUNTS = frozenset("wc nproc date id expr stat seq bc getconf jot tput".split())
_PASSES = frozenset("tr xargs cut head tail awk sort".split())


def is_number(script: Script) -> bool:
    """Whether what a substitution gives is plainly a number: `$(ls | wc -l)`."""
    if len(script.nodes) != 1:
        return False
    node = script.nodes[0]
    parts = node.parts if isinstance(node, Pipeline) else (node,)
    number = False
    for part in parts:
        if not isinstance(part, Simple) or not part.words:
            return False
        name, *rest = (_text(one) for one in part.words)
        if name in ("grep", "rg", "pgrep"):
            number = any(re.fullmatch(r"-[A-Za-z]*c[A-Za-z]*|--count", one) for one in rest)
        elif name == "git":
            number = rest[:1] == ["rev-list"] and "--count" in rest
        else:
            number = name in _COUNTS or (number and name in _PASSES)
    return number


def _text(word: Word) -> str:
    return "".join(one.text for one in word.pieces if isinstance(one, Lit))
