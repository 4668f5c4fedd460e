"""A guard's tree on one line, for tables in tests.

`'…'` was quoted, `{x}` is a variable (`{x~}` changed), `$(…)` a script whose output it is, `<~>`
the home, `<*>` a pattern, `<?>` what nobody knows, `<0>` the same where it does no harm, each
with the scripts that run in it; `!…!` is refused or asked about, `!!…!!` always refused.
"""

from tabwire_guard.script import (
    Block,
    Function,
    Glob,
    Home,
    Lit,
    Node,
    Opaque,
    Piece,
    Pipeline,
    Redirect,
    Script,
    Simple,
    Sub,
    Unknown,
    Var,
    Word,
)
from tabwire_guard.values import SHOWN


def tree(script: Script) -> str:
    """The whole tree."""
    return "; ".join(map(_node, script.nodes))


def _node(node: Node) -> str:
    match node:
        case Simple(words, assigns, redirects):
            said = [f"{one.name}{'+' * one.append}={_word(one.value)}" for one in assigns]
            said += [_word(one) for one in words]
            return " ".join(said + [_redirect(one) for one in redirects])
        case Pipeline(parts):
            return " | ".join(map(_node, parts))
        case Block(kind, scripts, words, name, redirects):
            head = " ".join([kind, *([name] if name else []), *map(_word, words)])
            tail = "".join(f" {_redirect(one)}" for one in redirects)
            return f"{head}[{' / '.join(map(tree, scripts))}]{tail}"
        case Function(name, body):
            return f"{name}(){{{tree(body)}}}"
        case Opaque(_, text, deny, scripts):
            mark = "!!" if deny else "!"
            inside = "".join(f": {tree(one)}" for one in scripts)
            return f"{mark}{text}{inside}{mark}"


def _redirect(one: Redirect) -> str:
    return f"{one.number}{one.op}{_word(one.target)}"


def _word(word: Word) -> str:
    return "".join(map(_piece, word.pieces)) or "''"


def _piece(piece: Piece) -> str:
    match piece:
        case Lit(text, quoted):
            return f"'{text}'" if quoted else text
        case Glob(mark):
            return f"<{mark.translate(SHOWN)}>"
        case Var(name, edited=edited):
            return f"{{{name}{'~' * edited}}}"
        case Sub(script):
            return f"$({tree(script)})"
        case Home(user):
            return f"<~{user}>"
        case Unknown(_, scripts, harmless):
            inside = "".join(f": {tree(one)}" for one in scripts)
            return f"<{'0' if harmless else '?'}{inside}>"
