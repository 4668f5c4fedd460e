"""Linters, formatters, type checkers, test runners, bundlers, compilers.

They read the project and may write into it. What matters is what else they can be told: settings
and plugins from elsewhere, programs to run, files to write outside.
"""

from collections.abc import Iterator, Mapping, Sequence

from tabwire_guard import secret_paths
from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.paths import Place
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import (
    Said,
    after_dashes,
    ask,
    deny,
    each,
    elsewhere,
    flagged,
    is_url,
    loads,
    outside,
)
from tabwire_guard.record import field, record
from tabwire_guard.values import Value

CODE = deny("option.code", "makes it run something else")
NAMES = ask("option.code", "names a program or plugin to run")
SENDS = ask("network.report", "sends results to another machine")


@record(frozen=True)
class Checker:
    """How one such program is told things."""

    takes: str = ""
    """Options with a value that does no harm."""
    loads: str = "-c --config"
    """Options that name code or settings; the project's own are fine."""
    out: str = ""
    """Options that name a file or folder to write."""
    commands: str = ""
    """Options whose value is a command to run."""
    empties: bool = False
    """The folder it writes is emptied first."""
    rest: str = ""
    """The command that is handed what follows `--`."""
    loose: bool = False
    """Options have one dash or two, and capitals do not matter."""
    options: dict[str, Said] = field(default_factory=dict)
    """What is said of options wherever they stand."""
    writes: bool = False
    """It changes the files it is given."""
    runs: bool = False
    """It runs the files it is given."""
    single: bool = False
    """Long options have one dash."""
    verbs: dict[str, Said] = field(default_factory=dict)
    """What is said of a first word; any other is a file."""
    only: str = ""
    """If given: the first words that are known. Others are asked about."""

    def __call__(self, call: Call) -> None:
        """Judge a command."""
        args = [_plain(one) for one in call.args] if self.loose else call.args
        flagged(call, args, each(self.options))
        loading, out, run = (self._names(text) for text in (self.loads, self.out, self.commands))
        takes = self._names(self.takes) | loading | out | run
        args = [*_each_alone(args, takes)]
        said = options(args, takes, single=self.single)
        for value in said.values(*loading):
            obeys(call, value)
        for value in said.values(*run):
            call.script_of(value, f"run by {call.said}")
        for value in said.values(*out):
            self._output(call, value)
        elsewhere(call, args, takes)
        if self.rest and (handed := after_dashes(args)):
            command = [*map(Value, self.rest.split()), *handed]
            call.runs(command, f"run by {call.said}")
            args = args[: len(args) - len(handed)]
            said = options(args, takes, single=self.single)
        operands = said.operands
        if operands and (self.verbs or self.only):
            first = operands[0]
            if (of := each(self.verbs).get(first.text)) is not None:
                of.of(call, f"{call.said} {first.shown}:")
            elif self.only and first.text not in words(self.only):
                call.ask("unknown.verb", f"the effect of {call.said} {first.shown} is unknown")
            operands = operands[1:] if self.only or of is not None else operands
        for one in operands:
            self._file(call, one)

    def _names(self, text: str) -> frozenset[str]:
        return words(text.lower() if self.loose else text)

    def _output(self, call: Call, value: Value) -> None:
        where = call.place(value)
        if self.empties and where not in (Place.INSIDE, Place.TEMP, Place.NOWHERE):
            call.deletes(value, deep=True)
        if where not in (Place.TOUCHY, Place.WORKSPACE):
            call.writes(value)

    def _file(self, call: Call, one: Value) -> None:
        if is_url(one.text):
            return
        where = call.place(one)
        if self.runs and _names_a_file(one) and where is not Place.UNKNOWN:
            loads(call, one, "what it runs:")
        elif self.writes and where not in _FORMATTED:
            call.ask("write.outside", f"changes {one.shown}: {where.value}")
        if where in _SENSITIVE or secret_paths.secret(one.text, call.state) == "key":
            call.reads(one)


def obeys(call: Call, value: Value) -> None:
    """It loads code or settings: a file of the project, the name of a package, or neither."""
    path = outside(call, value)
    if _INLINE.search(value.text):
        call.ask("option.code", f"settings or code in an argument: {value.shown}")
    if path is not None and path.text != value.text:
        call.ask("option.elsewhere", f"{path.shown} does not belong to the project")
    elif not _INLINE.search(value.text):
        loads(call, value, "what it loads:")


_INLINE = pattern(r"[{}`;\n]|=[^/]*\(")


def _each_alone(args: Sequence[Value], takes: frozenset[str]) -> Iterator[Value]:
    """`-c --watch`: where a value may be left out, the next option is none."""
    for at, one in enumerate(args):
        after = args[at + 1].text if at + 1 < len(args) else ""
        meant = one.text in takes or (
            one.text[:2] == "--" and any(name.startswith(one.text) for name in takes)
        )
        if meant and len(after) > 1 and after[0] == "-":
            yield one._replace(text=f"{one.text}=")
        else:
            yield one


def _plain(one: Value) -> Value:
    """`-OutDir=x` as `--outdir=x`."""
    if one.text[:1] != "-" or len(one.text.partition("=")[0].lstrip("-")) < 2:
        return one
    name, equals, value = one.text.lstrip("-").partition("=")
    return one._replace(text=f"--{name.lower()}{equals}{value}")


def _names_a_file(one: Value) -> bool:
    return "/" in one.text or "." in one.text or "\\" in one.text


_FORMATTED = frozenset(
    (Place.INSIDE, Place.WORKSPACE, Place.TOUCHY, Place.TEMP, Place.NOWHERE, Place.UNKNOWN)
)
_SENSITIVE = frozenset((Place.SECRETS, Place.HOMES, Place.ROOT, Place.DEVICE, Place.NETWORK))

INSTALLS = ask("package.install", "downloads and installs")
PUBLISHES = ask("package.publish", "publishes")
CREATES = ask("package.create", "downloads a template and runs it")
REWRITES = ask("checker.rewrite", "rewrites the project's settings")
CLEARS = ask("delete.build", "deletes what was built or cached")
SERVES = ask("network.listen", "accepts connections from other machines")


def register(table: Mapping[str, Checker]) -> None:
    """Say which programs these judge."""
    for names, checker in table.items():
        program(*names.split(), runs_project=True)(checker)
