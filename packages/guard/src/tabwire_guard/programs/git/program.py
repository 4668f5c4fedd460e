"""git, by subcommand."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.paths import Place
from tabwire_guard.programs.foreign_paths import unknown
from tabwire_guard.programs.git import settings
from tabwire_guard.programs.git.subcommands import VERBS
from tabwire_guard.programs.registry import program, words
from tabwire_guard.secret_paths import secret
from tabwire_guard.values import HOLE, SECRET, Value

_READS = words(
    "status log show shortlog describe rev-parse rev-list ls-files ls-tree cat-file blame annotate "
    "name-rev merge-base count-objects fsck version whatchanged cherry range-diff show-ref "
    "for-each-ref show-branch check-ignore check-attr check-ref-format diff diff-tree diff-files "
    "diff-index verify-commit verify-tag var get-tar-commit-id patch-id column stripspace "
    "check-mailmap rerere request-pull merge-tree interpret-trailers help --version --help "
    "fmt-merge-msg mktree hash-object unpack-file grep init add archive show-index verify-pack"
)
"""They change nothing, or nothing but the index."""

_ASKS = {
    "merge": "merges another history into this one",
    "cherry-pick": "cherry-picks commits",
    "revert": "reverts a commit",
    "pull": "fetches code from elsewhere and merges it",
    "am": "applies patches",
    "mv": "moves files",
    "gc": "tidies the repository",
    "sparse-checkout": "hides files",
    "bundle": "packs the repository",
    "replace": "replaces objects",
    "maintenance": "schedules work",
    "svn": "talks to another server",
    "p4": "talks to another server",
    "subtree": "joins histories",
    "send-email": "sends patches by mail",
    "update-index": "changes the index",
    "read-tree": "changes the index",
    "write-tree": "writes objects",
    "commit-tree": "writes objects",
    "update-ref": "moves branches",
    "symbolic-ref": "moves HEAD",
    "fast-import": "writes history",
    "instaweb": "starts a server",
    "lfs": "moves large files",
    "flow": "moves branches",
    "repack": "rewrites packs",
    "init-db": "makes a repository",
    "pack-refs": "rewrites references",
    "prune-packed": "removes objects",
    "quiltimport": "applies patches",
    "checkout-index": "writes files over those that are there",
    "gui": "waits for interactive input",
    "citool": "waits for interactive input",
    "commit-graph": "writes objects",
    "multi-pack-index": "writes packs",
    "imap-send": "sends mail",
}
_DENIES = {
    "filter-branch": "rewrites all history",
    "filter-repo": "rewrites all history",
    "credential": "reveals passwords",
    "credential-store": "reveals passwords",
    "credential-cache": "reveals passwords",
    "credential-osxkeychain": "reveals passwords",
    "daemon": "opens the repository to the network",
    "prune": "removes what could be brought back",
    "shell": "opens a shell",
    "upload-pack": "serves the repository",
    "receive-pack": "serves the repository",
    "http-backend": "serves the repository",
    "fetch-pack": "runs a program on another machine",
    "send-pack": "runs a program on another machine",
    "remote-ext": "runs a program",
    "remote-fd": "runs a program",
}
_FIRST_TAKES = (
    "-C",
    "-c",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--exec-path",
    "--config-env",
    "--super-prefix",
)


_RUNS_THE_REST = frozenset(("submodule", "bisect", "filter-branch", "for-each-repo"))
"""Subcommands for which the last words may be another command's."""
_ANYWHERE = frozenset("--version --help version help init clone check-ref-format".split())
"""Subcommands that ask no repository for its settings."""


@program("git")
def git(call: Call) -> None:
    """The version control of the project."""
    first = options(call.args, _FIRST_TAKES, first=True)
    for one in first.values("-c"):
        settings.once(call, one)
    for one in first.values("--exec-path", "--config-env"):
        call.deny("run.option", f"git takes its programs from {one.shown}")
    for one in first.values("--git-dir", "--work-tree"):
        if call.place(one) not in (Place.INSIDE, Place.GIT, Place.WORKSPACE):
            call.ask("git.elsewhere", f"works on the repository {one.shown}")
    elsewhere = next(first.values("-C"), None)
    here = call.place(elsewhere or Value("."))
    outside = here not in (Place.INSIDE, Place.WORKSPACE, Place.GIT, Place.TOUCHY)
    if not first.operands:
        if not first.has("--version", "--help", "--exec-path", "--html-path", "--man-path"):
            call.ask("unknown.form", "git without a subcommand")
        return
    word, rest = first.operands[0], first.operands[1:]
    verb = word.text
    helps = rest and "--help" in (rest[0].text, rest[-1].text)
    if helps and word.known and verb not in _RUNS_THE_REST and all(x.text != "--" for x in rest):
        return
    if not word.known:
        call.ask("name.hidden", "the subcommand of git is known only at run time")
        return
    _transports(call, rest)
    if verb in _DENIES:
        call.deny("git.danger", f"git {verb} {_DENIES[verb]}")
    elif verb in VERBS:
        VERBS[verb](call, rest)
    elif verb in _READS:
        _reading(call, verb, rest)
    elif verb in _ASKS:
        said = options(rest)
        if verb == "lfs" and [one.text for one in rest[:1]] in (
            ["ls-files"],
            ["status"],
            ["env"],
            ["version"],
        ):
            return
        if verb in ("gc", "repack") and any(one.startswith("--prune") for one in said.names()):
            call.deny("git.prune", "removes what could be brought back")
        if verb == "symbolic-ref" and len(said.operands) < 2 and not said.has("-d", "--delete"):
            return
        call.ask("git.change", f"git {verb} {_ASKS[verb]}")
    else:
        call.ask("unknown.verb", f"`git {verb}` is not known; it may be an alias")
    trees = [*first.values("--work-tree"), *first.values("-C")]
    lost = any(call.place(one) not in (Place.INSIDE, Place.WORKSPACE, Place.TEMP) for one in trees)
    if lost and (verb == "clean" or verb in ("reset", "checkout", "restore", "rm")):
        call.deny("delete.lost", f"git {verb} discards files outside the workspace")
    if outside and verb not in _READS and elsewhere is not None:
        call.ask("git.elsewhere", "changes a repository outside the workspace")
    elif elsewhere is not None and elsewhere.holed and unknown(call, elsewhere):
        call.ask("git.elsewhere", "uses the settings of an unknown repository")
    elif outside and here not in (Place.ABOVE, Place.UNKNOWN) and verb not in _ANYWHERE:
        call.ask("git.elsewhere", "uses the settings of a repository outside the workspace")


def _transports(call: Call, rest: list[Value]) -> None:
    for one in rest:
        if re.match(r"(?:ext|fd)::", one.text):
            call.deny("git.transport", "an address that runs a command")
            call.script(one.text.split("::", 1)[1], "git ext::", shell="sh")
        name = one.text.partition("=")[0]
        if len(name) > 5 and any(known.startswith(name) for known in _RUNNING):
            call.deny("run.option", f"`git {name}` runs a program")


_CONTENT = words("show cat-file diff log whatchanged blame annotate grep range-diff add")
"""They print what stands in files, or take it over."""
_PATCH = ("-p", "-u", "--patch", "-L", "-U", "--unified", "-c", "--cc", "-G")
_NO_CONTENT = ("--stat", "--name-only", "--name-status", "--numstat", "--shortstat", "--summary",
               "-s", "--no-patch", "-l", "--files-with-matches", "-c", "--count", "-q", "--quiet",
               "-t", "-n", "--dry-run")  # fmt: skip


def _secrets(call: Call, verb: str, rest: list[Value]) -> None:
    """A path, or one at some commit (`HEAD:.env`)."""
    if verb not in _CONTENT:
        return
    takes = words("-e -f -A -B -C -m --threads") if verb == "grep" else words("-L -S -G -n -U")
    said = options(rest, takes)
    names = said.operands
    if verb == "grep":
        names = names if said.has("-e", "-f") else names[1:]
        told = said.has("-l", "--files-with-matches", "-c", "--count", "-q", "--quiet")
    elif verb in ("log", "whatchanged"):
        told = not said.has(*_PATCH)
    else:
        told = said.has(*_NO_CONTENT) and not said.has("-p", "-u", "--patch")
    for one in [] if told else [*names, *said.values("-L")]:
        kind = secret(one.text.rpartition(":")[2], call.state)
        if not kind:
            continue
        call.taint(SECRET)
        if kind == "key" and verb != "add":
            call.deny("secret.read", f"git {verb} shows {one.shown}, which contains keys")
        else:
            call.ask("secret.project", f"git {verb} takes {one.shown}, which may contain secrets")


_RUNNING = ("--upload-pack", "--receive-pack", "--exec", "--extcmd", "--template")
"""Options that name a program; git takes the beginning of one too."""


def _reading(call: Call, verb: str, rest: list[Value]) -> None:
    said = options(
        rest,
        (
            "-n",
            "-S",
            "-G",
            "--format",
            "--pretty",
            "--since",
            "--until",
            "--author",
            "--grep",
            "-L",
            "--output",
            "--contents",
            "-o",
            "-e",
            "--prefix",
            "--remote",
        ),
    )
    for one in said.values("--output"):
        call.writes(one)
    for one in said.values("--contents", "-O"):
        call.reads(one)
    if said.has("--no-index"):
        for one in said.operands:
            call.reads(one, deep=True)
    if verb == "archive":
        for one in said.values("-o"):
            call.writes(one)
        if said.has("--remote"):
            call.ask("network.remote", "fetches from another machine")
    if verb == "init" and any(
        call.place(one) not in (Place.INSIDE, Place.WORKSPACE, Place.TEMP) for one in said.operands
    ):
        call.ask("write.outside", "makes a repository outside the workspace")
    if verb == "grep" and (said.has("-O") or said.has("--open-files-in-pager")):
        call.deny("run.option", "`git grep -O` runs a program")
    if said.has("--ext-diff"):
        call.ask("run.option", "`--ext-diff` runs a program")
    if verb == "add" and any(
        name == "-i" or name == "-p" or name == "--patch" for name in said.names()
    ):
        call.ask("interactive", "waits for interactive input")
    if verb == "hash-object":
        for one in said.operands:
            call.reads(one)
    _secrets(call, verb, rest)
    if verb == "rerere" and any(one.text in ("clear", "forget", "gc") for one in rest):
        call.ask("git.change", "forgets resolved conflicts")
    if verb == "ls-files":
        call.output = call.output._replace(items=(f"./{HOLE}",))
    call.taint("project")
