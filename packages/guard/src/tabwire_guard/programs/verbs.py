"""Programs whose first words say what they do (`npm run`, `docker compose ps`), as tables.

A table names the verbs that are let pass, asked about or refused, and those that need a look of
their own. A verb that no table names is asked about.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product

from tabwire_guard import paths
from tabwire_guard.call import Call
from tabwire_guard.options import SHORTEST, options
from tabwire_guard.paths import Place
from tabwire_guard.pattern import pattern
from tabwire_guard.record import NamedTuple, field, record
from tabwire_guard.values import MARKS, SHOWN, Value
from tabwire_guard.verdict import Verdict

Look = Callable[[Call, list[Value]], None]
"""Judges what follows a verb."""


class Said(NamedTuple):
    """What is said of a verb or an option."""

    verdict: Verdict
    rule: str = ""
    reason: str = ""

    def of(self, call: Call, what: str) -> None:
        """Say it of a command."""
        what = what.translate(SHOWN)
        if self.verdict is Verdict.ASK:
            call.ask(self.rule, f"{what} {self.reason}")
        elif self.verdict is Verdict.DENY:
            call.deny(self.rule, f"{what} {self.reason}")


PASS = Said(Verdict.ALLOW)


def ask(rule: str, reason: str) -> Said:
    """Somebody should look first."""
    return Said(Verdict.ASK, rule, reason)


def deny(rule: str, reason: str) -> Said:
    """Never."""
    return Said(Verdict.DENY, rule, reason)


Leaf = Said | Look

_HELP_ALWAYS = frozenset(("--help", "-help"))
_HELP = _HELP_ALWAYS | {"--version", "-version", "help"}
_NOT_DRY = frozenset("--no-dry-run --dry-run=false --dry-run=no --dry-run=none --dry-run=0".split())
_BRACES = pattern(r"\{([^{}]*)\}")


@record
class _Node:
    leaf: Leaf | None = None
    children: dict[str, "_Node"] = field(default_factory=dict)


class Verbs:
    """The verbs of one program.

    `verbs` pairs what is said with a text of verbs: `ps images compose/{ps,config}`; a step `*`
    is any word. `takes` and `flags` are options that may stand before the verb, with a value and
    without. `options` are those that matter wherever they stand; with one of `dry` it only says
    what it would do. `other` judges what no table names (a script of the project, say); `bare`
    is said when there is no verb at all. `files`: its options may name files to load or write, so
    one that leads out of the project is asked about; `quiet` are those that do no harm there.
    """

    def __init__(
        self,
        verbs: Sequence[tuple[Leaf, str]],
        *,
        takes: str = "",
        flags: str = "",
        options: Mapping[str, Said] | None = None,
        other: Look | None = None,
        bare: Leaf = PASS,
        dry: str = "",
        taints: Sequence[str] = (),
        files: bool = False,
        quiet: str = "",
    ) -> None:
        self._root = _Node()
        self._takes = frozenset(takes.split())
        self._flags = frozenset(flags.split())
        self._options = each(options or {})
        self._other = other
        self._bare = bare
        self._dry = frozenset(dry.split())
        self._taints = taints
        self._files = files
        self._quiet = frozenset(quiet.split())
        for leaf, text in verbs:
            for spelled in _spellings(text):
                node = self._root
                for step in spelled.split("/"):
                    node = node.children.setdefault(step, _Node())
                node.leaf = leaf

    def __call__(self, call: Call, args: Sequence[Value] | None = None) -> None:
        """Judge a command."""
        rest = list(call.args if args is None else args)
        if len(rest) == 1 and rest[0].text in ("-v", "-V", "-h"):
            return
        flagged(call, rest, self._options)
        if self._files:
            elsewhere(call, rest, self._quiet)
        node, said = self._root, [call.said]
        while rest:
            text = rest[0].text
            # Behind a verb, `--version 1.0` and `help` may be what it is about.
            alone = node is self._root or (text != "help" and not rest[1:])
            helps = text in _HELP_ALWAYS or (alone and text in _HELP)
            if helps and text not in node.children and text not in self._takes:
                return
            if node.leaf is not None and not node.children:
                break
            if len(text) > 1 and text[0] == "-":
                if not self._option(rest):
                    if node.leaf is None:
                        call.ask("unknown.option", f"{text} before the subcommand of {call.said}")
                        return
                    break
                continue
            child = node.children.get(text)
            if child is None and MARKS.isdisjoint(text):
                child = node.children.get("*")
            if child is None:
                break
            node = child
            said.append(rest.pop(0).shown)
        self._say(call, node, said, rest)

    def _option(self, rest: list[Value]) -> bool:
        """Take an option that may stand before the verb."""
        text = rest[0].text
        name, equals, _ = text.partition("=")
        if name in self._takes:
            del rest[: 1 if equals else 2]
        elif name in self._flags or (text[:2] in self._takes and text[1] != "-"):
            del rest[0]
        else:
            return False
        return True

    def _say(self, call: Call, node: _Node, said: list[str], rest: list[Value]) -> None:
        leaf = node.leaf
        if leaf is None and node is self._root:
            leaf = self._other if rest else self._bare
        if leaf is None:
            if rest:
                call.ask(
                    "unknown.verb", f"the effect of {' '.join(said)} {rest[0].shown} is unknown"
                )
        elif not isinstance(leaf, Said):
            leaf(call, rest)
        elif only_help(rest):
            return
        elif leaf.verdict is Verdict.DENY or not has(rest, self._dry) or has(rest, _NOT_DRY):
            leaf.of(call, f"{' '.join(said)}:")
        call.taint(*self._taints)


def _spellings(text: str) -> Iterator[str]:
    """`a/{b,c}` as `a/b` and `a/c`."""
    for word in re.sub(r",\s+", ",", text).split():
        parts = _BRACES.split(word)
        choices = [part.split(",") if at % 2 else [part] for at, part in enumerate(parts)]
        yield from map("".join, product(*choices))


def each(table: Mapping[str, Said]) -> dict[str, Said]:
    """A table of names in one text, by name."""
    return {name: said for names, said in table.items() for name in names.split()}


def only_help(rest: Sequence[Value]) -> bool:
    """Whether only help is asked for."""
    texts = [one.text for one in rest]
    return bool(texts) and texts[-1] in ("--help", "-help") and "--" not in texts


def has(rest: Iterable[Value], names: Collection[str]) -> bool:
    """Whether one of these words is there, before `--`."""
    return any(one.text in names for one in before_dashes(rest))


_OFF = frozenset(("false", "no", "0", "f", "off"))


def flag(args: Iterable[Value], names: Collection[str]) -> bool:
    """Whether one of these is switched on, however it is spelled: `--raw=true`, `--enable-ex`."""
    for one in before_dashes(args):
        name, equals, value = one.text.partition("=")
        if equals and value.lower() in _OFF:
            continue
        if name in names or any(wanted.startswith(name) for wanted in names if _begins(name)):
            return True
    return False


def _begins(name: str) -> bool:
    """Whether it is enough of a long option to be taken for the whole of it."""
    return len(name) >= SHORTEST and name.startswith("--")


def before_dashes(args: Iterable[Value]) -> Iterator[Value]:
    """The arguments up to `--`: what follows is somebody else's."""
    for one in args:
        if one.text == "--":
            return
        yield one


def after_dashes(args: Sequence[Value]) -> list[Value]:
    """The arguments after the first `--`, if there is one."""
    return next((list(args[at + 1 :]) for at, one in enumerate(args) if one.text == "--"), [])


def flagged(call: Call, args: Iterable[Value], table: Mapping[str, Said]) -> None:
    """Say what a table says of the options that are there.

    `-X`, `-Xvalue`, `--name=value`, and the beginning of a name (`--script-sh`).
    """
    for one in before_dashes(args):
        text = one.text
        if len(text) < 2 or text[0] != "-":
            continue
        name = text.partition("=")[0]
        said = table.get(name)
        if said is None and _begins(name) and name not in _WHOLE:
            meant = (of for whole, of in table.items() if whole.startswith(name))
            said = max(meant, key=lambda of: of.verdict, default=None)
        if said is None and text[1] != "-":
            said = table.get(text[:2])
        if said is not None:
            said.of(call, one.shown)


_OWN = frozenset((Place.INSIDE, Place.WORKSPACE, Place.TOUCHY, Place.NOWHERE, Place.SECRETS))
_URL = pattern(r"[a-z][a-z0-9+.-]+://|git@|[a-z]+\+[a-z]+:|(?:github|gitlab|bitbucket|gist):", re.I)


def is_url(text: str) -> bool:
    """Whether it names something on another machine."""
    return _URL.match(text) is not None


def host(url: str) -> str:
    """The machine a URL names; empty where it names none."""
    from urllib.parse import urlsplit  # most commands name no address

    try:
        return urlsplit(url if "://" in url else f"//{url}").hostname or ""
    except ValueError:
        return ""


LOCAL = frozenset(("", "localhost", "127.0.0.1", "::1", "0.0.0.0", "host.docker.internal"))
"""This machine."""


_WHOLE = frozenset("--config --host --git --test --json --build --watch --ext --fix".split())
"""Options of their own, though others begin so."""
_PIECE = pattern(
    r"(?:^|(?<=[=,:;@\s\"'(\[{|]))(?:/|\.\.(?=[/\\]|$)|[A-Za-z]:[\\/]|\\\\|~)[^=,;\s\"'()\[\]{}|]*"
)
_FAR = pattern(r"(?!file:)[a-zA-Z][a-zA-Z0-9+.-]*://[^\s,;\"']*")
_FLAGS = frozenset(
    """--check --write --fix --diff --verbose --quiet --watch --coverage --recursive --strict --all
    --list --silent --json --no-cache --cache -v -q -r -w -l -a -n -s -i -x -d --stdin --color
    --release --locked --frozen --offline --dry-run -y --yes --force -f""".split()
)
"""Options that take no value, mostly: what follows them is an operand."""


def outside(call: Call, value: Value) -> Value | None:
    """The first path in a value that leads out of the project: `html:/etc/x`, `a=/tmp/x.jar`."""
    text = _FAR.sub(" ", value.text).replace("file://", "")
    for found in _PIECE.finditer(text):
        piece = value._replace(text=found[0])
        if not own(call, piece):
            return piece
    return None


def elsewhere(call: Call, args: Iterable[Value], quiet: Collection[str] = ()) -> None:
    """Ask about options with a path out of the project: they may load it, or write it."""
    after = ""
    for one in before_dashes(args):
        text = one.text
        name, equals, value = text.partition("=")
        if len(text) > 1 and text[0] == "-":
            after = ""
            if name in quiet or (text[1] != "-" and text[:2] in quiet):
                continue
            if equals:
                given = one._replace(text=value)
            elif text[1] != "-" and len(text) > 2:
                given = one._replace(text=re.sub(r"^-\w[\w.-]*?(?=[/\\:~]|$|\.\.)", "", text))
            else:
                given = one._replace(text="")
            after = name if not equals and name not in _FLAGS else ""
        elif after:
            name, given, after = after, one, ""
        else:
            continue
        if (path := outside(call, given)) is not None:
            call.ask(
                "option.elsewhere",
                f"{name} names {path.shown}, which does not belong to the project",
            )
            return


def own(call: Call, path: Value) -> bool:
    """Whether a path is the project's."""
    return call.place(path) in _OWN


def loads(call: Call, value: Value, what: str) -> None:
    """It runs or obeys a file: the project's own is what it says, any other is not."""
    if re.match(r"data:", value.text, re.I):
        call.deny("run.inline", f"{what} {value.shown} is code in an argument")
    elif is_url(value.text) and not value.text.startswith("file:"):
        call.deny("run.remote", f"{what} {value.shown} comes from another machine")
    elif not own(call, value):
        call.ask("run.elsewhere", f"{what} {value.shown} does not belong to the project")
    elif paths.absolute(value.text, call.state) in call.state.files:
        call.ask("run.written", f"{what} {value.shown} was written moments ago")


_CODE = frozenset(
    "--require --import --loader --experimental-loader --config --plugin --preload --rcfile".split()
)


def loads_in(call: Call, args: Sequence[Value], names: Iterable[str] = _CODE) -> None:
    """Look at the options that name code or settings to load."""
    wanted = frozenset(names)
    handed = [one for one in args if one.text != "--"]
    for value in options(handed, wanted).values(*wanted):
        if re.search(r"[/\\:~]", value.text) or not value.known:
            loads(call, value, "what it loads:")


_RISKY = frozenset(
    """deploy deployment publish release clean cleanup cleanall distclean mrproper clobber reset
    drop migrate migration migrations seed seeds prod production live destroy delete del remove rm
    purge wipe nuke prune truncate erase obliterate install uninstall upgrade update bootstrap
    setup provision push upload ship sync rollback rollout apply teardown down kill stop undeploy
    force hard flush eject promote bump restore backup secrets secret login logout token tokens
    credentials postinstall preinstall prepare prepublish postpublish staging sudo root download
    send notify tag submit terraform ansible kubectl helm danger unsafe exploit pwn hotfix revert
    reinstall init env decrypt""".split()
)
_MILD = frozenset("build test tests lint check typecheck format compile bundle docs verify".split())
_LOOKS = frozenset("check status lint verify diff".split())
"""As the last word: `migrate:status` only looks."""
_NAMES_A_BUILD = frozenset(
    "prod production release staging live migration migrations seed seeds env update".split()
)
_TELLING = pattern(
    r"deploy|publish|release|destroy|delete|migrat|nuke|wipe|purge|install|upload|rollback|teardown"
    r"|clean|reset|drop(?!down)"
)
"""Also as a part of a word: `predeploy`, `dbreset`."""
_STEPS = pattern(r"[A-Z]?[a-z]+|[A-Z]+|\d+")


def risk(name: str) -> str:
    """The word in a script's name that speaks of more than building and testing."""
    steps: list[str] = [step.lower() for step in _STEPS.findall(name)]
    if steps and steps[-1] in _LOOKS:
        return ""
    mild = bool(steps) and steps[0] in _MILD
    for one in steps:
        if mild and one in _NAMES_A_BUILD:
            continue
        if one in _RISKY or _TELLING.search(one):
            return one
    return ""


def script(call: Call, name: Value, args: Sequence[Value] = ()) -> None:
    """It runs a script of the project, by its name."""
    if not name.known:
        call.ask("script.unknown", f"it is unknown which script {call.said} runs")
    elif word := risk(name.text):
        call.ask("script.risky", f"the name of the script {name.shown} suggests {word}")
    loads_in(call, args)
