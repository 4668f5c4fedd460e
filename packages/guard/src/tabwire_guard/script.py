"""A command line as a tree: one shape for bash, PowerShell and cmd.

Parsers make it, flow/walker.py goes through it. A word is a list of pieces, because what a piece
means depends on what was assigned before it.
"""

from tabwire_guard.record import field, record


@record(frozen=True)
class Lit:
    """Text that stands there."""

    text: str
    quoted: bool = False


@record(frozen=True)
class Glob:
    """An active pattern: one of the marks of values.py."""

    mark: str


@record(frozen=True)
class Var:
    """A variable. `fallback` is `${X:-…}`; `required` is `${X:?}`; `edited` is any other change."""

    name: str
    quoted: bool = False
    fallback: "Word | None" = None
    required: bool = False
    edited: bool = False
    assigns: bool = False
    """`${X:=…}`: it gets the fallback where it is empty."""
    sums: str = ""
    """What of it is a sum: `${X:sum}`, `${X[sum]}`."""


@record(frozen=True)
class Sub:
    """The output of a script: `$(…)`, backquotes, `<(…)`, PowerShell's `(…)`."""

    script: "Script"
    quoted: bool = False
    as_file: bool = False
    """A process substitution: the word is a name, the output its content."""
    fed: bool = False
    """`>(…)`: what a command writes to it goes into the script."""


@record(frozen=True)
class Home:
    """`~` or `~name`."""

    user: str = ""


@record(frozen=True)
class Unknown:
    """What cannot be known: arithmetic, an expression. Scripts in it run all the same."""

    text: str
    scripts: tuple["Script", ...] = ()
    harmless: bool = False
    """A number or the like: unknown, but never a path, an option or a command."""


Piece = Lit | Glob | Var | Sub | Home | Unknown


@record(frozen=True)
class Word:
    """Pieces side by side, and how they were written."""

    pieces: tuple[Piece, ...]
    raw: str = ""


@record(frozen=True)
class Assign:
    """`NAME=value` before a command or alone; `append` is `+=`."""

    name: str
    value: Word
    append: bool = False


@record(frozen=True)
class Redirect:
    """`op` as written: `>`, `>>`, `<`, `<<`, `<<<`, `>&`, `&>`, `<>`, `>|`.

    For a here-document `target` is its text.
    """

    op: str
    target: Word
    number: str = ""


@record(frozen=True)
class Simple:
    """One command with its words."""

    words: tuple[Word, ...]
    assigns: tuple[Assign, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    text: str = ""


@record(frozen=True)
class Pipeline:
    """Commands whose output is the next one's input."""

    parts: tuple["Node", ...]
    text: str = ""


@record(frozen=True)
class Block:
    """Anything that holds scripts: a subshell, a group, a loop, a branch, a script block."""

    kind: str
    """`subshell`, `group`, `if`, `for`, `while`, `case`, `block`; `nothing` only has words."""
    scripts: tuple["Script", ...]
    words: tuple[Word, ...] = ()
    """What a `for` runs over, what a `case` looks at: substitutions in them run."""
    name: str = ""
    """The variable of a `for`."""
    redirects: tuple[Redirect, ...] = ()
    text: str = ""


@record(frozen=True)
class Function:
    """A function of the script's own."""

    name: str
    body: "Script"
    text: str = ""


@record(frozen=True)
class Opaque:
    """A stretch that no parser of ours follows. It is never allowed."""

    reason: str
    text: str = ""
    deny: bool = False
    scripts: tuple["Script", ...] = ()


Node = Simple | Pipeline | Block | Function | Opaque


@record(frozen=True)
class Script:
    """Commands one after the other.

    Each may run. Whether one surely does matters only for what it sets: `joins` has what stands
    before each of them (`;`, `&&`, `||`), `aside` those that run beside the others (`&`).
    """

    nodes: tuple[Node, ...] = field(default_factory=tuple)
    joins: tuple[str, ...] = ()
    aside: frozenset[int] = frozenset()


class Unparsable(Exception):
    """The text is no command line we follow; the message says what stands in the way."""


class Refused(Unparsable):
    """The shell itself does not take it, and runs nothing of that command line."""
