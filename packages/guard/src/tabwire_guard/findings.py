"""What is said of one command: by its program, or because nobody knows it."""

from importlib import import_module

from tabwire_guard.call import Call
from tabwire_guard.dialects import BASH
from tabwire_guard.flow.arithmetic import EVALUATE, evaluates
from tabwire_guard.paths import DANGEROUS, absolute
from tabwire_guard.pattern import pattern
from tabwire_guard.program_names import NAMES_ONLY, Name
from tabwire_guard.programs import known_program
from tabwire_guard.values import Value

_RUNS_PROJECT = frozenset(
    """
    ava bazel bun bundle bunx cargo cmake composer coverage ctest cypress dart deno docker
    docker-compose dotnet dune flutter go gradle gradlew hatch jest just lein make mix mocha mvn
    mvnw ninja node nox npm npx nx pdm phpunit playwright pnpm podman poetry py.test pytest python
    python3 rake rspec sbt stack swift tox turbo uv vitest yarn zig
    """.split()
)
"""Programs that run the project's own code."""
_NO_PROGRAM = pattern(r"-[A-Za-z]|\d+")
"""What a shell without `[[` and `((` takes for commands in them: `[[ -f a && -d b ]]`."""


def _does_nothing(call: Call) -> bool:
    """Whether a program nobody knows only tells about itself, or cannot be there."""
    if call.texts in (["--version"], ["--help"]) and "/" not in call.said:
        return True
    return call.state.dialect is not BASH and bool(_NO_PROGRAM.fullmatch(call.said))


def told(name: Name, call: Call) -> None:
    """Say what is to be said of one command."""
    if name.problem:
        (call.deny if name.deny else call.ask)(name.rule, name.problem)
    handler = known_program(name.base, call.state.shell) if name.base else None
    if handler is not None:
        if name.base in EVALUATE and not call.state.windows:
            evaluates(call)
        handler(call)
        if name.base in _RUNS_PROJECT and call.state.files:
            import_module("tabwire_guard.programs.inline.code").written_before(call)
        if not call.spoken and name.base not in NAMES_ONLY:
            call.names_protected()
        return
    full = absolute(call.said, call.state)
    if call.state.downloaded(full):
        call.deny("download.run", f"runs {call.said}, which was just downloaded")
    elif full in call.state.files:
        call.script(call.state.files[full], f"{call.said}, as it was just written")
        call.ask("run.written", f"runs {call.said}, which it has just written")
    elif not name.problem and _does_nothing(call):
        return
    elif not name.problem:
        call.ask("unknown.program", f"unknown program `{Value(call.said).shown}`")
    elif any(call.place(one) in DANGEROUS for one in call.args):
        call.deny("name.hidden", "an unnamed program is given something that must not be lost")
