"""Bun and Deno: package managers that are interpreters as well."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.programs.packages.npm import npm_like
from tabwire_guard.programs.packages.sources import (
    CREATE,
    INSTALL,
    PUBLISH,
    REMOVE,
    UPGRADE,
    fetch_and_run,
    file,
    run_here,
    run_script,
)
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import (
    PASS,
    Verbs,
    ask,
    elsewhere,
    is_url,
    loads_in,
    own,
)
from tabwire_guard.values import Value


def _bun_run(call: Call, args: list[Value]) -> None:
    said = options(args, ("--cwd", "--env-file", "-r", "--preload", "--filter"), first=True)
    if said.operands:
        _bun_file(call, said.operands)


def _bun_file(call: Call, args: list[Value]) -> None:
    """A script of package.json, or a file."""
    name = args[0]
    if re.fullmatch(r"(?:/usr)?/s?bin/[\w.+-]+", name.text):
        call.runs(args, f"run by {call.said}")
    elif re.search(r"[/\\]|\.[cm]?[jt]sx?$|^-$", name.text):
        file(call, name)
    else:
        run_here(call, args)


def _bun_build(call: Call, args: list[Value]) -> None:
    out = words("--outdir --outfile --coverage-dir --reporter-outfile --metafile")
    for one in options(args, out).values(*out):
        if not own(call, one):
            call.writes(one)
    elsewhere(call, args, out)


_BUN = Verbs(
    [
        (_bun_build, "test build"),
        (PASS, "outdated why pm/{ls,bin,cache,hash,whoami,view} info audit"),
        (_bun_run, "run"),
        (fetch_and_run, "x"),
        (INSTALL, "install i add a update link patch patch-commit pm/{trust,migrate}"),
        (REMOVE, "remove rm unlink pm/cache/rm"),
        (CREATE, "create c init"),
        (PUBLISH, "publish"),
        (UPGRADE, "upgrade"),
        (ask("run.file", "runs code given in its arguments or typed in"), "repl exec"),
    ],
    takes="--cwd --env-file --filter -F --registry --config -c",
    flags="--bun -b --watch --hot --silent --smol --no-install",
    options={
        "-e --eval -p --print": ask("run.inline", "runs code given in the argument"),
        "-r --preload --import --require": ask("option.code", "loads other code first"),
        "--shell --plugin": ask("option.code", "names what runs the scripts"),
    },
    other=_bun_file,
    dry="--dry-run",
)  # fmt: skip


def _deno_run(call: Call, args: list[Value]) -> None:
    takes = words("-c --config --import-map --lock --cert --location --seed --env-file")
    for one in options(args, takes, first=True).operands[:1]:
        file(call, one)


def _deno_eval(call: Call, args: list[Value]) -> None:
    """Code that stands in the argument."""
    call.ask("run.inline", "deno runs code given in its arguments")
    for one in options(args).operands:
        if re.search(r"Deno\.(?:remove|run|Command|rename)|fetch\s*\(|import\s*\(|\[", one.text):
            call.deny("run.inline", "the code deletes, runs programs or loads more code")


def _deno_checks(call: Call, args: list[Value]) -> None:
    elsewhere(call, args)
    for one in options(args, words("-c --config --filter --import-map")).operands:
        if is_url(one.text):
            file(call, one)
        elif not own(call, one):
            call.ask("run.elsewhere", f"{one.shown} does not belong to the project")


_DENO = Verbs(
    [
        (_deno_checks, "test lint fmt check info doc bench types coverage outdated"),
        (run_script, "task"),
        (_deno_run, "run serve compile bundle cache x"),
        (_deno_eval, "eval"),
        (INSTALL, "install add i update approve-scripts"),
        (REMOVE, "remove uninstall rm clean"),
        (PUBLISH, "publish deploy"),
        (UPGRADE, "upgrade"),
        (CREATE, "create"),
        (ask("run.typed", "runs whatever is typed into it"), "repl jupyter"),
        (PASS, "init completions"),
    ],
    flags="-q --quiet",
    options={"--cert --unsafely-ignore-certificate-errors": ask("option.unsafe", "loosens checks")},
    other=_deno_run,
    bare=ask("run.typed", "runs whatever is typed into it"),
    dry="--dry-run",
)


@program("bun", runs_project=True)
def bun(call: Call) -> None:
    """Bun as a package manager and as an interpreter."""
    npm_like(call, _BUN)


@program("deno", runs_project=True)
def deno(call: Call) -> None:
    """Deno."""
    loads_in(call, call.args, words("-c --config --import-map --lock --preload --import"))
    _DENO(call)
