"""Write the guard into an assistant's configuration, and undo exactly that."""

import difflib
import os
import shlex
import shutil
import subprocess
import sys

from tabwire_guard.hook.config_file import ConfigFile
from tabwire_guard.hook.configuration import BadConfiguration, added, commands, removed

_USER = {
    "claude-code": ("CLAUDE_CONFIG_DIR", "~/.claude", "settings.json"),
    "codex": ("CODEX_HOME", "~/.codex", "hooks.json"),
    "gemini-cli": ("", "~/.gemini", "settings.json"),
    "cursor": ("", "~/.cursor", "hooks.json"),
}
"""The variable that names the folder, the folder without it, and the file."""
_PROJECT = {
    "claude-code": ".claude/settings.local.json",
    "codex": ".codex/hooks.json",
    "gemini-cli": ".gemini/settings.json",
    "cursor": ".cursor/hooks.json",
}
"""Claude Code's local file: the path of a program of this machine is nothing to commit."""

NEXT = {
    "claude-code": "Restart Claude Code, or check /hooks.",
    "codex": "Codex runs a hook only after you have trusted it: start codex and use /hooks. "
    "Do so again after each change.",
    "gemini-cli": "Restart Gemini CLI; /hooks lists it.",
    "cursor": "Cursor reloads the file automatically; its settings list it under Hooks.",
}


class Change:
    """What was changed, or would be."""

    def __init__(self, file: ConfigFile, content: bytes | None, command: str) -> None:
        self.path = file.path
        self.command = command
        self.before = file.before
        self.after = content
        """None: the file is gone, as it was before."""
        self.backup = ""
        """The back-up that was made, or is left."""

    @property
    def changed(self) -> bool:
        """Whether there is anything to do."""
        return self.before != self.after

    def diff(self) -> str:
        """The change, line by line."""
        before, after = (
            (one or b"").decode("utf-8-sig").splitlines() for one in (self.before, self.after)
        )
        lines = difflib.unified_diff(before, after, self.path, self.path, lineterm="")
        return "\n".join(lines)


def config_path(assistant: str, project: str | None) -> str:
    """The file to change: in a project, or the person's own."""
    if project is not None:
        return os.path.join(project, *_PROJECT[assistant].split("/"))
    variable, folder, name = _USER[assistant]
    return os.path.join(os.environ.get(variable) or os.path.expanduser(folder), name)


def install(
    assistant: str, *, project: str | None, options: tuple[str, ...] = (), dry_run: bool = False
) -> Change:
    """Add the guard's entries. Once more changes nothing."""
    file = _opened(assistant, project)
    command = hook_command(assistant, options)
    data = added(file.data, assistant, command)
    same = data == file.data and file.before is not None
    change = Change(file, file.before if same else file.rendered(data), command)
    if not change.changed or dry_run or change.after is None:
        return change
    file.writable()
    first = next(commands(file.data, assistant), None) is None
    with _said_plainly(file.path):
        if first and file.before is not None:
            file.keep()
            change.backup = file.backup
        elif first:
            file.forget()
        file.write(change.after, private=project is None)
    return change


def uninstall(assistant: str, *, project: str | None, dry_run: bool = False) -> Change:
    """Take the guard's entries away.

    Where nothing else has changed since they were added, the file is what it was, byte by byte.
    """
    file = _opened(assistant, project)
    found = next(commands(file.data, assistant), None)
    if found is None:
        return Change(file, file.before, "")
    kept = file.kept()
    exact = file.before == _as_installed(file, kept, assistant, found[1])
    content = kept if exact else file.rendered(removed(file.data, assistant))
    change = Change(file, content, found[1])
    if not exact and kept is not None:
        change.backup = file.backup
    if dry_run:
        return change
    with _said_plainly(file.path):
        if content is None:
            file.remove()
        else:
            file.write(content, private=project is None)
        if exact:
            file.forget()
    return change


def _as_installed(file: ConfigFile, kept: bytes | None, assistant: str, command: str) -> bytes:
    """What installing makes of what was there before."""
    former = file.holding(kept)
    return former.rendered(added(former.data, assistant, command))


def _opened(assistant: str, project: str | None) -> ConfigFile:
    if project is not None and not os.path.isdir(project):
        raise BadConfiguration(f"{project} is not a folder")
    return ConfigFile(config_path(assistant, project), within=project)


class _said_plainly:  # noqa: N801 (a context manager)
    """A system's error about a file becomes a BadConfiguration."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        if isinstance(problem, OSError):
            what = f"{problem.filename or self._path} cannot be written: {problem.strerror}"
            raise BadConfiguration(what) from problem


def hook_command(assistant: str, options: tuple[str, ...]) -> str:
    """The command an assistant runs: an absolute path to a program that exists.

    Codex and Gemini CLI let a call go on when their hook cannot be started. There the shell that
    starts it says 2 in that case, which blocks.
    """
    words = [*this_program(), assistant, *options]
    if os.name == "nt":
        line = subprocess.list2cmdline(words)
        return f"& {line}" if line.startswith('"') and assistant != "claude-code" else line
    line = shlex.join(words)
    return f"{line} || exit 2" if assistant in ("codex", "gemini-cli") else line


def this_program() -> list[str]:
    """How this very program is started from anywhere."""
    said = sys.argv[0]
    name = os.path.basename(said).lower().removesuffix(".exe").removesuffix("-script.py")
    if name in ("tabwire", "tabwire-guard"):
        path = os.path.abspath(said) if os.path.isfile(said) else shutil.which(said)
        if path is not None and os.access(path, os.X_OK):
            return [path, "hook"] if name == "tabwire-guard" else [path, "guard", "hook"]
    # -P: not a module of that name in the folder it is started in, which is the project's
    return [sys.executable, "-P", "-m", "tabwire_guard", "hook"]
