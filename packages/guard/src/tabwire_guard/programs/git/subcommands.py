"""git's subcommands that need a look at their options."""

import re
from collections.abc import Callable

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.paths import Place, absolute, beneath, slashed
from tabwire_guard.programs.git import settings
from tabwire_guard.programs.registry import words
from tabwire_guard.values import HOLE, LISTED, Value


def _clone(call: Call, rest: list[Value]) -> None:
    said = options(
        rest,
        words(
            """-b --branch --depth -o --origin -c --config -j --filter --reference
            --separate-git-dir -u --upload-pack --template"""
        ),
    )
    for one in said.values("-c", "--config"):
        settings.once(call, one)
    if said.has("-u"):
        call.deny("run.option", "`git clone -u` runs a program")
    names = [one.text for one in said.operands]
    folder = (
        names[1] if len(names) > 1 else names[0].rstrip("/").rsplit("/", 1)[-1] if names else "."
    )
    if full := absolute(folder.removesuffix(".git"), call.state):
        call.state.downloads.add(full)
    call.writes(Value(f"{folder}/x"), append=True)
    call.ask("git.change", "git clone fetches code from elsewhere")


def _commit(call: Call, rest: list[Value]) -> None:
    said = options(
        rest,
        words(
            """-m --message -F --file --author --date -C -c --fixup --squash -t --template --trailer
            --cleanup"""
        ),
    )
    if said.has("--amend"):
        call.ask("git.history", "rewrites the last commit")
    if said.has("--no-verify", "-n"):
        call.ask("git.hooks", "skips the project's own checks")
    for one in said.values("-F", "--file", "-t", "--template"):
        if one.text != "-":
            call.reads(one)


def _push(call: Call, rest: list[Value]) -> None:
    said = options(rest, ("-o", "--push-option", "--repo", "--receive-pack", "--exec"))
    if said.has("-n", "--dry-run"):
        return
    remote = said.operands[0].text if said.operands else ""
    refs = [one.text for one in said.operands[1:]]
    if said.has("-f", "--force") or any(one.startswith("+") for one in refs):
        call.deny("git.force", "a forced push rewrites shared history")
    if said.has("--mirror", "--prune"):
        call.deny("git.force", "deletes remote branches")
    if said.has("-d", "--delete") or any(one.startswith(":") and len(one) > 1 for one in refs):
        if any(
            re.fullmatch(
                r":?(?:refs/heads/)?(?:main|master|trunk|develop|production|release.*)", one
            )
            for one in refs
        ):
            call.deny("git.force", "deletes a main branch on the remote")
        if any(one.holed and (one.data or LISTED in one.taints) for one in said.operands[1:]):
            call.deny("git.force", "deletes every remote branch in a list")
        call.ask("git.delete", "deletes a remote branch")
    if said.has("--force-with-lease") and any(
        re.search(r"(?:^|[:/])(?:main|master|trunk)$", one) for one in refs
    ):
        call.deny("git.force", "a forced push rewrites the main branch")
    if (
        remote in call.state.remotes
        or (call.state.remotes and not remote)
        or re.match(r"(?:https?|git|ssh|file)://|[\w.-]+@[\w.-]+:", remote)
    ):
        call.deny(
            "network.project",
            f"sends the sources to {remote or 'an address just set'}, which has not been checked",
        )
    call.ask("git.publish", "publishes commits")


def _remote(call: Call, rest: list[Value]) -> None:
    said = options(rest, ("-t", "-m"))
    verb = said.operands[0].text if said.operands else ""
    if verb in ("", "show", "get-url"):
        return
    if verb in ("add", "set-url", "rename"):
        call.state.remotes.update(one.text for one in said.operands[1:2])
    call.ask("git.remote", f"git remote {verb} changes where code comes from and goes to")


def _config(call: Call, rest: list[Value]) -> None:
    said = options(
        rest,
        words(
            """--get --get-all --get-regexp -f --file --blob --type --default --unset --unset-all
            --get-urlmatch --rename-section --remove-section --add --replace-all --comment
            --value --url"""
        ),
    )
    operands = list(said.operands)
    for one in said.values("-f", "--file"):
        call.reads(one)
    if operands and operands[0].text in ("get", "list", "get-all"):
        return
    if operands and operands[0].text in ("set", "unset", "edit"):
        operands.pop(0)
    everywhere = said.has("--global", "--system", "--worktree", "-f", "--file")
    adding = [*said.values("--add", "--replace-all")]
    if said.has("--list", "-l", "--get", "--get-all", "--get-regexp", "--get-urlmatch"):
        return
    if said.has("-e", "--edit"):
        call.ask("interactive", "waits for interactive input")
    elif said.has("--unset", "--unset-all", "--remove-section", "--rename-section"):
        call.ask("git.settings", "removes a setting")
    elif adding or len(operands) > 1:
        name = adding[0] if adding else operands[0]
        value = (
            operands[0]
            if adding and operands
            else operands[1]
            if len(operands) > 1
            else Value(HOLE)
        )
        settings.kept(call, name.text, value, everywhere=everywhere)


def _branch(call: Call, rest: list[Value]) -> None:
    said = options(
        rest,
        words(
            """--contains --no-contains --merged --no-merged --sort --format --points-at -u
            --set-upstream-to -t"""
        ),
    )
    if said.has(
        "-D",
        "-d",
        "--delete",
        "-f",
        "--force",
        "-M",
        "-m",
        "--move",
        "-C",
        "-c",
        "--edit-description",
    ):
        call.ask("git.branch", "deletes, moves or renames a branch")


def _tag(call: Call, rest: list[Value]) -> None:
    said = options(
        rest, ("-m", "-F", "-u", "--sort", "--format", "--contains", "--points-at", "-n")
    )
    if said.has("-d", "--delete", "-f", "--force"):
        call.ask("git.tag", "deletes or moves a tag")


def _checkout(call: Call, rest: list[Value]) -> None:
    said = options(
        [one for one in rest if one.text != "--"],
        ("-b", "-B", "--orphan", "--conflict", "--pathspec-from-file"),
    )
    apart = any(one.text == "--" for one in rest)
    if said.has("-f", "--force", "-B", "--ours", "--theirs", "-p", "--patch", "-m", "--orphan"):
        call.ask("git.discard", "may discard changes")
    elif not said.has("-b") and (
        apart or len(said.operands) > 1 or any(_looks_a_path(one.text) for one in said.operands)
    ):
        call.ask("git.discard", "discards changes to files")


_FOLDERS = frozenset(
    "src lib app apps test tests docs dist build public packages scripts bin cmd pkg internal "
    "include assets static config spec examples tools".split()
)


def _looks_a_path(text: str) -> bool:
    """Whether `git checkout` would throw changes to a file away; a branch may look alike."""
    ending = re.search(r"\.[A-Za-z]\w{0,4}$", text)
    return (
        text in (".", "*")
        or text in _FOLDERS
        or text.startswith(("./", ":"))
        or text.endswith("/")
        or ending is not None
    )


def _switch(call: Call, rest: list[Value]) -> None:
    said = options(rest, ("-c", "-C", "--create", "--force-create", "--orphan"))
    if said.has("-f", "--force", "--discard-changes", "-C", "--force-create", "--orphan"):
        call.ask("git.discard", "may discard changes")


def _restore(call: Call, rest: list[Value]) -> None:
    said = options(rest, ("-s", "--source"))
    if not (said.has("-S", "--staged") and not said.has("-W", "--worktree")):
        call.ask("git.discard", "discards changes to files")


def _reset(call: Call, rest: list[Value]) -> None:
    said = options(rest)
    if said.has("--hard", "--merge", "--keep", "--soft") or any(
        re.search(r"[~^]|^[0-9a-f]{7,40}$|^origin/", one.text) for one in said.operands
    ):
        call.ask("git.discard", "moves the branch, or discards changes")


def _clean(call: Call, rest: list[Value]) -> None:
    said = options(rest, ("-e", "--exclude"))
    for one in said.operands:
        where = call.place(one)
        if where not in (Place.INSIDE, Place.WORKSPACE, Place.UNKNOWN):
            call.deny("delete.lost", f"deletes {one.shown}: {where.value}")
    if not said.has("-n", "--dry-run"):
        call.ask("git.clean", "deletes untracked files")


def _rm(call: Call, rest: list[Value]) -> None:
    said = options(rest)
    if said.has("-n", "--dry-run") or said.has("--cached"):
        return
    call.ask("delete.workspace", "deletes files of the workspace")


def _fetch(call: Call, rest: list[Value]) -> None:
    said = options(
        rest, ("--depth", "-j", "--upload-pack", "-o", "--refmap", "--shallow-since", "--filter")
    )
    if any(re.match(r"\w+://|[\w.-]+@[\w.-]+:|/|\.\./", one.text) for one in said.operands[:1]):
        call.ask("network.fetch", "fetches from an address the project does not know")
    if said.has("-f", "--force", "-u", "--update-head-ok") or any(
        one.text.startswith("+") for one in said.operands
    ):
        call.ask("git.change", "moves local branches")


def _stash(call: Call, rest: list[Value]) -> None:
    said = options(rest, ("-m", "--message"))
    words_said = [one.text for one in said.operands]
    verb = words_said[0] if words_said else "push"
    if rest and rest[0].text.startswith("-"):
        verb = "push"  # `git stash -m list`: without a verb first, it is a push
    if said.has(
        "-u", "--include-untracked", "-a", "--all", "-p", "--patch", "--pathspec-from-file"
    ):
        if verb != "show":
            call.ask("git.stash", "removes untracked files, or waits for input")
    elif verb not in ("list", "show", "push", "save"):
        call.ask("git.stash", "restores changes, or discards them")


def _worktree(call: Call, rest: list[Value]) -> None:
    """Another copy of the files: beside the project, inside of it, or in a temporary folder."""
    verb = rest[0].text if rest else ""
    if verb == "list":
        return
    said = options(rest[1:], words("-b -B --reason --orphan"))
    dry = verb == "prune" and said.has("-n", "--dry-run")
    if verb != "add" or said.has("-f", "--force", "-B", "--orphan"):
        if not dry:
            call.ask("git.change", "makes or removes another copy of the files")
        return
    for one in said.operands[:1]:
        if not _beside(call, one):
            call.writes(one)
    if not said.operands:
        call.ask("unknown.form", "git worktree add without a folder")


def _beside(call: Call, folder: Value) -> bool:
    """Whether it is a folder next to the project: `../app-fix`."""
    full = absolute(folder.text, call.state)
    if full is None or not folder.known:
        return False
    parent = slashed(call.state.workspace).rpartition("/")[0]
    name = beneath(full, parent) if parent else None
    return name is not None and re.fullmatch(r"[A-Za-z0-9][\w.+-]*", name) is not None


def _reflog(call: Call, rest: list[Value]) -> None:
    if rest and rest[0].text in ("expire", "delete"):
        call.deny("git.prune", "removes what could be brought back")


def _submodule(call: Call, rest: list[Value]) -> None:
    said = options(rest, (), first=True)
    verb = said.operands[0].text if said.operands else "status"
    if verb == "foreach":
        inner = options(said.operands[1:], (), first=True).operands
        call.script_of(
            Value(" ".join(one.text for one in inner)), "git submodule foreach", shell="sh"
        )
    elif verb not in ("status", "summary"):
        call.ask("git.change", "fetches or moves code from elsewhere")


def _bisect(call: Call, rest: list[Value]) -> None:
    if rest and rest[0].text == "run":
        call.runs(rest[1:], "git bisect run")
    if not (rest and rest[0].text in ("log", "visualize", "view", "terms", "help")):
        call.ask("git.change", "moves through history")


def _rebase(call: Call, rest: list[Value]) -> None:
    said = options(rest, ("-x", "--exec", "--onto", "-s", "-X", "--strategy-option", "-C"))
    for one in said.values("-x", "--exec"):
        call.script_of(one, "git rebase -x", shell="sh")
    call.ask("git.change", "git rebase rewrites history")


def _listing(reading: frozenset[str], what: str) -> Callable[[Call, list[Value]], None]:
    def judged(call: Call, rest: list[Value]) -> None:
        if not (rest and rest[0].text in reading):
            call.ask("git.change", what)

    return judged


def _ls_remote(call: Call, rest: list[Value]) -> None:
    said = options(rest, ("--upload-pack", "--sort", "-o"))
    if any(one.holed for one in said.operands):
        call.ask("network.fetch", "asks an unknown address")


def _apply(call: Call, rest: list[Value]) -> None:
    if not options(rest).has("--check", "--stat", "--numstat", "--summary"):
        call.ask("write.patch", "changes files by applying a patch")


def _format_patch(call: Call, rest: list[Value]) -> None:
    for one in options(rest, ("-o", "--output-directory")).values("-o", "--output-directory"):
        call.writes(one._replace(text=f"{one.text}/x"))


def _tool(call: Call, rest: list[Value]) -> None:
    said = options(rest, ("-x", "--extcmd", "-t", "--tool"))
    for one in said.values("-x", "--extcmd"):
        call.deny("run.option", "`git difftool -x` runs a program")
        call.script_of(one, "git difftool")
    call.ask("interactive", "opens another program")


def _hook(call: Call, _rest: list[Value]) -> None:
    call.ask("git.hooks", "runs the repository's hooks")


VERBS: dict[str, Callable[[Call, list[Value]], None]] = {
    "clone": _clone,
    "commit": _commit,
    "push": _push,
    "remote": _remote,
    "config": _config,
    "branch": _branch,
    "tag": _tag,
    "checkout": _checkout,
    "switch": _switch,
    "restore": _restore,
    "reset": _reset,
    "clean": _clean,
    "rm": _rm,
    "fetch": _fetch,
    "stash": _stash,
    "reflog": _reflog,
    "submodule": _submodule,
    "bisect": _bisect,
    "rebase": _rebase,
    "ls-remote": _ls_remote,
    "apply": _apply,
    "format-patch": _format_patch,
    "difftool": _tool,
    "mergetool": _tool,
    "hook": _hook,
    "worktree": _worktree,
    "notes": _listing(words("list show"), "changes notes"),
}
