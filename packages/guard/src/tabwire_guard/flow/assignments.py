"""Which variables a script sets, and what it starts again, by its words alone.

A loop runs its body again after what it set; a branch may not run at all. What they set is
then known no more.
"""

from collections.abc import Iterator

from tabwire_guard.script import Block, Function, Lit, Node, Opaque, Pipeline, Script, Simple, Word

CWD = "the folder"
"""Stands for the folder it is in: `cd` sets that."""

_SETTERS = frozenset(
    "read export declare local typeset readonly printf mapfile readarray unset let getopts set "
    "shift eval source .".split()
)
_MOVERS = frozenset("cd pushd popd chdir set-location sl push-location pop-location".split())


def names_set(script: Script) -> set[str]:
    """Names of everything that is assigned somewhere in it."""
    return {name for node in script.nodes for name in _of(node)}


def _of(node: Node) -> Iterator[str]:
    match node:
        case Simple(words, assigns):
            yield from (one.name for one in assigns)
            yield from (one.name.lower() for one in assigns)
            name = _text(words[0]).lower() if words else ""
            if name in _MOVERS:
                yield CWD
            elif name in _SETTERS:
                for one in words[1:]:
                    yield _text(one).lstrip("-v").partition("=")[0]
                yield from ("@", *map(str, range(1, 10)))
        case Pipeline(parts):
            for part in parts:
                yield from _of(part)
        case Block(_, scripts, _, name):
            if name:
                yield name
            for script in scripts:
                yield from names_set(script)
        case Function(_, body):
            yield from names_set(body)
        case Opaque(_, _, _, scripts):
            for script in scripts:
                yield from names_set(script)


def _text(word: Word) -> str:
    return "".join(one.text for one in word.pieces if isinstance(one, Lit))


def starts_itself(name: str, body: Script) -> bool:
    """Whether a function starts itself beside itself: `:|:&`."""
    for node in body.nodes:
        match node:
            case Pipeline(parts):
                named_so = [
                    one for one in parts
                    if isinstance(one, Simple) and one.words and one.words[0].raw == name
                ]  # fmt: skip
                if len(named_so) > 1:
                    return True
            case Block(_, scripts):
                if any(starts_itself(name, one) for one in scripts):
                    return True
            case Simple(words):
                if words and words[0].raw == name:
                    return True
    return False
