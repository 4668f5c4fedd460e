"""What is known while a script is followed: where it stands, what its variables hold."""

from collections.abc import Iterable, Mapping

from tabwire_guard.dialects import BASH, Dialect
from tabwire_guard.record import field, record, replace
from tabwire_guard.script import Script
from tabwire_guard.values import CLEAN, HOLE, Value


@record
class State:
    """Changes as a script runs; a subshell gets a copy."""

    shell: str
    workspace: str
    cwd: str | None
    """None: nobody knows any more (`cd "$X"`)."""
    home: str
    variables: dict[str, Value] = field(default_factory=dict)
    functions: dict[str, Script] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    """What this very script has written, by absolute path: it may be run next."""
    perhaps: set[str] = field(default_factory=set)
    """Functions and aliases that may be there or not."""
    remotes: set[str] = field(default_factory=set)
    """Git remotes it has added: a push there sends the sources to strangers."""
    downloads: set[str] = field(default_factory=set)
    """Files it has downloaded, by absolute path."""
    dialect: Dialect = BASH
    """Of a shell of Unix: by which grammar it is read."""
    touched: set[str] = field(default_factory=set)
    """Of what kinds it has read so far: what it writes to a temporary file may be of them."""

    def unsure(self, before: "State") -> None:
        """What has changed since then may not have: it was a branch, or part of a chain."""
        for name in {*self.variables, *before.variables}:
            mine, theirs = self.variables.get(name), before.variables.get(name)
            if mine != theirs:
                taints = (mine.taints if mine else CLEAN) | (theirs.taints if theirs else CLEAN)
                self.variables[name] = Value(HOLE, taints)
        for table, old in ((self.functions, before.functions), (self.aliases, before.aliases)):
            self.perhaps |= {name for name in {*table, *old} if table.get(name) != old.get(name)}
        if self.cwd != before.cwd:
            self.cwd = self._somewhere(self.cwd, before.cwd)

    def _somewhere(self, one: str | None, other: str | None) -> str | None:
        """One of two folders: in the workspace, if both are; else nobody knows."""
        workspace = self.workspace.replace("\\", "/").rstrip("/").lower()
        for path in (one, other):
            if path is None or not f"{path}/".replace("\\", "/").lower().startswith(
                f"{workspace}/"
            ):
                return None
        return f"{self.workspace.rstrip('/')}/{HOLE}"

    def forget(self, names: Iterable[str]) -> None:
        """These may hold anything from here on."""
        for name in names:
            known = self.variables.get(name)
            self.variables[name] = Value(HOLE, known.taints if known else CLEAN)

    def downloaded(self, path: str | None) -> bool:
        """Whether that file, or a folder it is in, came over the network just now."""
        return path is not None and any(
            path == one or path.startswith(f"{one}/") for one in self.downloads
        )

    @property
    def unsplit(self) -> bool:
        """Whether variables stay one word, as in zsh."""
        return "unsplit" in self.dialect.has

    @property
    def windows(self) -> bool:
        """Whether paths and names are those of Windows."""
        return self.shell != "bash"

    def copy(self) -> "State":
        """For a subshell: what it changes is gone with it. What it wrote is not."""
        return replace(
            self,
            variables=dict(self.variables),
            functions=dict(self.functions),
            aliases=dict(self.aliases),
            perhaps=set(self.perhaps),
        )


COMMANDS = "_runner_file_commands"
"""The folder by whose files one step of a workflow tells later ones what to run."""
_STEPS = ("GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STATE", "BUILDKITE_ENV_FILE")


def known_variables(home: str, cwd: str | None, *, windows: bool) -> Mapping[str, Value]:
    """What a shell surely has set, with what it holds."""
    if windows:
        known = {
            "userprofile": home,
            "homepath": home,
            "home": home,
            "appdata": rf"{home}\AppData\Roaming",
            "localappdata": rf"{home}\AppData\Local",
            "temp": rf"{home}\AppData\Local\Temp",
            "tmp": rf"{home}\AppData\Local\Temp",
            "systemroot": r"C:\Windows",
            "windir": r"C:\Windows",
            "systemdrive": "C:",
            "homedrive": "C:",
            "programfiles": r"C:\Program Files",
            "programdata": r"C:\ProgramData",
            "allusersprofile": r"C:\ProgramData",
            "public": r"C:\Users\Public",
            "comspec": r"C:\Windows\System32\cmd.exe",
        }
        known |= {name.lower(): rf"D:\a\_temp\{COMMANDS}\{name}" for name in _STEPS}
    else:
        known = {"HOME": home, "IFS": " \t\n"}
        known |= {name: f"/home/runner/work/_temp/{COMMANDS}/{name}" for name in _STEPS}
    if cwd is not None:
        known |= {"cd": cwd, "pwd": cwd} if windows else {"PWD": cwd}
    return {name: Value(text) for name, text in known.items()}
