"""Checkers that need a look of their own: they run or write what their operands say."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.paths import Place
from tabwire_guard.programs.checkers.checker import CLEARS, INSTALLS, PUBLISHES, SENDS, obeys
from tabwire_guard.programs.checkers.python import PYTEST
from tabwire_guard.programs.packages.sources import LOCAL_TOOLS, PYTHON_TOOLS
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import (
    PASS,
    Verbs,
    after_dashes,
    ask,
    elsewhere,
    loads,
    own,
    script,
)
from tabwire_guard.values import Value


def _coverage_run(call: Call, args: list[Value]) -> None:
    """`coverage run -m pytest` is python in other words."""
    takes = words(
        "--source --omit --include --rcfile --concurrency --context --data-file -m --module"
    )
    rest = list(args)
    for at, one in enumerate(rest):
        if one.text in ("-m", "--module"):
            call.runs([Value("python"), Value("-m"), *rest[at + 1 :]], "run by coverage")
            return
    said = options(rest, takes, first=True)
    if said.operands:
        call.runs([Value("python"), *said.operands], "run by coverage")


@program("coverage", "coverage3", runs_project=True)
def coverage(call: Call) -> None:
    """Measures which lines ran."""
    if call.texts[:1] == ["run"]:
        loading = words("--rcfile --source --omit --include --concurrency --data-file")
        for one in options(call.args[1:], loading, first=True).values("--rcfile"):
            loads(call, one, "settings of")
        _coverage_run(call, call.args[1:])
        return
    said = options(
        call.args, words("-o -d --directory --rcfile -i --omit --include --fail-under --data-file")
    )
    for one in said.values("-o", "-d", "--directory"):
        if not own(call, one):
            call.writes(one)
    first = said.operands[0].text if said.operands else "help"
    if first == "erase":
        CLEARS.of(call, "coverage erase:")
    elif first not in words("report html xml json lcov combine debug annotate help"):
        call.ask("unknown.verb", f"the effect of coverage {first} is unknown")


@program("pytest", "py.test", runs_project=True)
def pytest(call: Call) -> None:
    """pytest; `-p` loads a plugin by its name."""
    PYTEST(call)
    for one in options(call.args, ("-p", "-k", "-m", "-n", "-c", "-o", "-W", "-r")).values("-p"):
        if not one.text.startswith("no:") and one.text not in (
            "xdist",
            "pytester",
            "asyncio",
            "anyio",
        ):
            call.ask("option.code", f"pytest loads the plugin {one.shown}")
    for one in options(call.args, ("-o", "--override-ini")).values("-o", "--override-ini"):
        if re.search(r"addopts=.*-p|python_files|pythonpath", one.text):
            call.ask("option.code", f"{one.shown} changes what pytest loads")


@program("hyperfine", "bench", "multitime", "perf", runs_project=True)
def hyperfine(call: Call) -> None:
    """Measures commands by running them."""
    if call.name == "perf":
        command = after_dashes(call.args)
        if call.texts[:1] in (["stat"], ["record"], ["trace"]) and command:
            call.runs(command, "run by perf")
        elif call.texts[:1] not in (["report"], ["list"], ["annotate"], ["script"], ["--version"]):
            call.ask("unknown.verb", "perf in an unknown form")
        return
    takes = words(
        """-w --warmup -m --min-runs -M --max-runs -r --runs -s --setup -p --prepare -c --cleanup
        -C --conclude -P --parameter-scan -L --parameter-list -D -S --shell -n --command-name -u
        --export-json --export-csv --export-markdown --export-asciidoc --style --sort --output
        --input --reference -i-x --time-unit"""
    )
    said = options(call.args, takes)
    for one in said.values("-S", "--shell"):
        if one.text not in ("none", "default", "bash", "sh", "zsh"):
            call.ask("option.code", f"hyperfine runs its commands with {one.shown}")
    for one in said.values(
        "--export-json", "--export-csv", "--export-markdown", "--export-asciidoc"
    ):
        call.writes(one)
    for one in [
        *said.values("-s", "--setup", "-p", "--prepare", "-c", "--cleanup", "-C", "--conclude")
    ]:
        call.script_of(one, "run by hyperfine")
    for one in said.operands:
        call.script_of(one, "run by hyperfine")


# Tools that run a task in every package

_TAKES = words(
    """--filter -F --scope --project --projects -p -t --target --targets --concurrency
        --parallel --base --head --exclude --since --ignore --cache-dir -c --configuration
        --log-order --output-logs"""
)


def _tasks(call: Call, args: list[Value]) -> None:
    said = options(args[: len(args) - len(after_dashes(args))], _TAKES)
    for one in [*said.operands, *said.values("-t", "--target", "--targets")]:
        for name in one.text.split(","):
            if name != "--":
                script(call, one._replace(text=name))


def _exec(call: Call, args: list[Value]) -> None:
    command = after_dashes(args) or options(args, _TAKES, first=True).operands
    if command:
        call.runs(command, f"run by {call.said}")


def _first_only(call: Call, args: list[Value]) -> None:
    """`nx build app`: what stands there is the task, then the project."""
    script(call, args[0])


_MONOREPO = Verbs(
    [
        (_tasks, "run run-many affected watch"),
        (_exec, "exec"),
        (PASS, """graph show report list ls dep-graph print-affected format:check format:write
            format changed diff info explain query ps daemon bin scan boundaries telemetry why
            lint-staged"""),
        (PUBLISHES, "publish version release deploy login logout link unlink connect"),
        (INSTALLS, """bootstrap add migrate init install update import create g generate gen
            repair prune"""),
        (CLEARS, "clean reset purge unlock"),
    ],
    takes="--filter -F --cwd --cache-dir --concurrency",
    flags="--no-daemon --parallel --force --dry-run --dry --no-cache --verbose",
    options={
        "--api --team --token --remote-only": SENDS,
        "--runner --tasks-runner-options": ask("option.code", "names another runner"),
    },
    other=_first_only,
    dry="--dry-run --dry -d",
)  # fmt: skip


@program("turbo nx lerna rush moon lage", runs_project=True)
def monorepo(call: Call) -> None:
    """Runs a task in every package of a repository."""
    for one in options(call.args, ("--cwd",)).values("--cwd"):
        loads(call, one, "tasks of")
    _MONOREPO(call)


# Those that wrap a command, and those whose last operand is written


@program("c8", "nyc", runs_project=True)
def covered(call: Call) -> None:
    """Runs a command and measures it."""
    loading = words("-c --config --nycrc-path -r --reporter --require -i --cwd --temp-dir")
    out = words("-o --reports-dir --report-dir --temp-directory -t")
    takes = words("-n --include -x --exclude -e --extension --src --lines --branches --functions")
    said = options(call.args, loading | out | takes, first=True)
    for value in said.values(*loading):
        obeys(call, value)
    for value in said.values(*out):
        call.writes(value)
    head = call.args[: len(call.args) - len(said.operands)]
    elsewhere(call, head, loading | out | takes)
    command = said.operands
    if command and command[0].text in words("report check-coverage merge instrument"):
        for one in options(command, loading | out | takes).values(*out):
            call.writes(one)
        for one in command[2:] if command[0].text in ("merge", "instrument") else ():
            call.writes(one)
    elif command:
        call.runs(command, f"run by {call.said}")


@program("sass", "lessc", runs_project=True)
def stylesheets(call: Call) -> None:
    """`sass in out`, `sass in:out`: what stands last is written."""
    loading = words("--plugin --pkg-importer --js")
    takes = words("-I --load-path --include-path -s --style --rootpath --modify-var --global-var")
    said = options(call.args, loading | takes)
    for value in said.values(*loading):
        obeys(call, value)
    if said.has("--js"):
        call.ask("option.code", "runs JavaScript in stylesheets")
    elsewhere(call, call.args, loading | takes)
    pairs = [one for one in said.operands if re.search(r"(?<!^[A-Za-z]):", one.text)]
    for one in pairs:
        call.writes(one._replace(text=re.split(r"(?<!^[A-Za-z]):", one.text, maxsplit=1)[1]))
    plain = [one for one in said.operands if one not in pairs]
    for one in plain[:1]:
        call.reads(one)
    for one in plain[1:]:
        if not own(call, one):
            call.writes(one)


@program("sphinx-build", runs_project=True)
def sphinx(call: Call) -> None:
    """Runs the conf.py of a folder, writes another."""
    said = options(call.args, words("-b -d -j -D -A -c -t -w --builder --jobs --define --tag"))
    for one in [*said.values("-c"), *said.operands[:1]]:
        loads(call, one, "settings of")
    for one in [*said.values("-d", "-w"), *said.operands[1:2]]:
        if call.place(one) is not Place.WORKSPACE:
            call.writes(one)
    for one in said.values("-D", "--define"):
        obeys(call, one)
    elsewhere(call, call.args, words("-d -w -c -D --define -A"))


LOCAL_TOOLS |= {name: name for name in ("turbo", "nx", "lerna", "hyperfine")}
LOCAL_TOOLS |= {name: name for name in ("c8", "nyc", "sass", "lessc")}
PYTHON_TOOLS.update(("pytest", "sphinx-build"))
