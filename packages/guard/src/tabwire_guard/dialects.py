"""Which shells may read a text, and in what they differ from bash.

`sh` is dash on Debian and Ubuntu, ash on Alpine, bash on many others. A text is judged by every
grammar that may read it, and the worst verdict counts. bash is always one of them.
"""

import re
from collections.abc import Callable
from importlib import import_module

from tabwire_guard.pattern import pattern
from tabwire_guard.record import record
from tabwire_guard.script import Script

_BASH = frozenset(
    """
    sums tests ansi bracket-sums processes here-strings both pipe-both fd-names long-fds braces
    function select coproc time arrays appends edits declares
    """.split()
)
"""What bash has and others lack: `((…))`, `[[ … ]]`, `$'…'`, `$[…]`, `<(…)`, `<<<`, `&>`, `|&`,
`{fd}>`, `10>`, `{a,b}`, four keywords, `a=(…)`, `a+=`, `${a/b}`, `export` that splits nothing."""


@record(frozen=True)
class Dialect:
    """One grammar of a shell that is read as bash is, apart from what it has or lacks.

    Of its own: `half-tests` (`&&` and `||` of a `[[`, nothing else), `echoes` (`echo` knows
    `\\n`), `zsh`, `unsplit` (variables stay one word), `tied` (`path` is PATH), `typed` (`#`
    begins no comment), `last-pipe` (the end of a pipe runs in this very shell), `test-sums` (`[`
    and `printf` take what they compare for sums).
    """

    name: str
    has: frozenset[str]


BASH = Dialect("bash", _BASH)
DASH = Dialect("dash", frozenset(("echoes",)))
ASH = Dialect(
    "ash", frozenset("half-tests ansi both pipe-both processes function edits long-fds".split())
)
KSH = Dialect(
    "ksh",
    _BASH - {"both", "bracket-sums", "coproc", "fd-names"} | {"echoes", "last-pipe", "test-sums"},
)
_ZSH = _BASH | {"zsh", "echoes", "last-pipe", "test-sums"}
ZSH = Dialect("zsh", _ZSH | {"unsplit", "tied"})
ZSH_AS_SH = Dialect("zsh as sh", _ZSH)
TYPED_ZSH = Dialect("zsh at a prompt", _ZSH | {"unsplit", "tied", "typed"})

READ_BY: dict[str, tuple[Dialect, ...]] = {
    "bash": (BASH,),
    "sh": (BASH, DASH, ASH, KSH, ZSH_AS_SH),
    "dash": (BASH, DASH),
    "ash": (BASH, ASH, DASH),
    "ksh": (BASH, KSH, DASH),
    "zsh": (BASH, ZSH),
    "login": (BASH, DASH, ASH, KSH, ZSH),
    "unix": (BASH, DASH, ASH, KSH, ZSH, TYPED_ZSH),
}
"""By name of a shell. `login`: somebody's own; `unix`: a prompt, and nobody knows which."""

NAMES = {
    "bash": "bash", "rbash": "bash", "git-bash": "bash", "sh": "sh", "dash": "dash", "ash": "ash",
    "busybox": "ash", "ksh": "ksh", "mksh": "ksh", "ksh93": "ksh", "oksh": "ksh", "pdksh": "ksh",
    "zsh": "zsh",
}  # fmt: skip
"""Programs that are shells, by the name under which they are judged; others are `login`."""


def family(shell: str) -> str:
    """`bash`, `powershell` or `cmd`: whose words and paths they are."""
    return "bash" if shell in READ_BY else shell


def parsed(text: str, shell: str, dialect: Dialect = BASH) -> Script:
    """The tree of a text; a shell's parser is imported when it is needed."""
    parse: Callable[..., Script] = import_module(f"tabwire_guard.{shell}.parser").parse
    return parse(text) if dialect is BASH else parse(text, dialect)


_MAY_DIFFER = pattern(
    r"""\(\(|\[\[|\$["'\[=~^+(]|[<>]\(|<<|&>|\|&|[<>]&|[<>][!|]|[<>]\d*-|\{|\}|=\(|;&|[\\#!`]
    |\$\w+[\[:]|\]=|\+=|\d\d[<>]
    |\b(?:function|select|coproc|time|export|local|readonly|typeset|declare|shift|\w*path)\b
    |\s-(?:eq|ne|[lg][te])\s|\|\s*(?:read|\w+=|eval|cd|export)\b|printf\b.*%[^s%]*[a-zA-Z]""",
    re.VERBOSE,
)
_UNSPLIT = pattern(r"\$")


def read_by(shell: str, text: str) -> tuple[Dialect, ...]:
    """The grammars that may read that text, where they may differ; bash is the first."""
    dialects = READ_BY[shell]
    if len(dialects) == 1 or _MAY_DIFFER.search(text):
        return dialects
    if _UNSPLIT.search(text):
        return tuple(one for one in dialects if one is BASH or "unsplit" in one.has)
    return (BASH,)


_IN_QUOTES = pattern(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\.", re.DOTALL)
_EVENT = pattern(r"!(?![\s=(\"]|$)")


def typed_trap(text: str) -> str:
    """What a prompt makes of a text that no script would: words of older commands, and so on."""
    rest = re.sub(r"^#!.*$", "", text, flags=re.MULTILINE)
    for quoted in _IN_QUOTES.findall(rest):
        if quoted[0] == "'" and (len(quoted) - 1 - len(quoted[:-1].rstrip("\\"))) % 2:
            return "a backslash before the end of a quote, which fish reads differently"
    bare = _IN_QUOTES.sub(lambda one: one[0] if one[0][0] == '"' else " ", rest)
    if _EVENT.search(re.sub(r"\\.|\$!|\$\{!|\[!|#!", "", bare)):
        return "a `!`, which an interactive shell replaces with an older command"
    if re.search(r">\?", bare):
        return "a redirection that fish reads otherwise"
    return ""
