"""Where a path leads: into the workspace, the person's home, the system, or nobody knows.

Paths are compared as text: nothing is looked up on the disk, so the same command is judged
alike everywhere, Windows paths on Linux included. A link that leads out of the workspace is
therefore not seen; docs/limits.md says so.
"""

import re
from enum import Enum

from tabwire_guard.flow.state import COMMANDS, State
from tabwire_guard.pattern import pattern
from tabwire_guard.record import replace
from tabwire_guard.values import ANY, CLASS, HOLE, STAR


class Place(Enum):
    """Kinds of places, by what it would mean to write or delete there."""

    NOWHERE = "a stream, not a file"
    SOURCE = "a device that produces bytes"
    DEVICE = "a device"
    NETWORK = "a network connection"
    ROOT = "the root of a disk"
    SYSTEM = "a system folder"
    HOMES = "a whole home folder"
    STARTUP = "a file that is run or read automatically"
    HOME = "in the home folder, outside the workspace"
    ABOVE = "a folder above the workspace"
    WORKSPACE = "the whole workspace"
    GIT = "the repository's .git folder"
    GUARDED = "settings that decide what may run"
    TOUCHY = "a project file that makes things run"
    SECRETS = "the project's secrets"
    INSIDE = "inside the workspace"
    TEMP = "a temporary file"
    TEMPS = "the whole temporary folder"
    OUTSIDE = "a place outside the workspace"
    MAYBE_ROOT = "the root of the disk, if the variable is empty"
    UNKNOWN = "a path that is known only at run time"


DANGEROUS = frozenset(
    (Place.ROOT, Place.SYSTEM, Place.HOMES, Place.HOME, Place.ABOVE, Place.DEVICE, Place.STARTUP)
)
"""Where nothing hidden may be let loose."""

FOREIGN = frozenset(
    (
        Place.ROOT, Place.SYSTEM, Place.HOMES, Place.HOME, Place.STARTUP, Place.ABOVE,
        Place.OUTSIDE, Place.MAYBE_ROOT,
    )
)  # fmt: skip
"""Where files are that are not the project's."""

_SYSTEM = pattern(
    r"/(?:etc|usr|bin|sbin|lib\w*|boot|var|opt|srv|root|sys|proc|dev|run|snap|mnt|media|nix"
    r"|System|Library|Applications|Volumes|private/(?:etc|var))(?:/|$)"
    r"|[a-z]:/(?:windows|program files|program files \(x86\)|programdata|\$recycle\.bin"
    r"|system volume information|recovery|boot)(?:/|$)",
    re.IGNORECASE,
)
_HOMES = pattern(
    r"/(?:home|users)(?:/[^/]+)?|/root|[a-z]:/users(?:/[^/]+)?|[a-z]:/documents and settings.*",
    re.IGNORECASE,
)
HOMES_OF = pattern(r"(?:/(?:home|users)/[^/]+|/root|[a-z]:/users/[^/]+)/", re.IGNORECASE)
_TEMP = pattern(
    r"(?:/tmp|/var/tmp|/private/tmp|/dev/shm|/var/folders/\w+/\w+/t"
    r"|[a-z]:/(?:temp|tmp|windows/temp)|[a-z]:(?:/[^/]+){0,3}/appdata/local/temp)(/.*)?",
    re.IGNORECASE,
)
_TEMP_HINTS = ("tmp", "temp", "/dev/shm", "/var/folders")
_STREAMS = pattern(r"/dev/(?:null|stdout|stderr|stdin|tty|fd/\d+)")
_WINDOWS_STREAMS = pattern(r"(?:.*/)?(?:nul|con):?", re.IGNORECASE)
_SOURCES = pattern(r"/dev/(?:zero|full|u?random)")
_STARTUP = pattern(
    r"(?:^|/)(?:\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|login|cshrc"
    r"|kshrc|zshrc|zshenv|zprofile|zlogin|zlogout|xinitrc|xprofile|xsession|xsessionrc|inputrc"
    r"|gitconfig|gitmodules_global|vimrc|exrc|emacs|emacs\.d(?:/.*)?|npmrc|yarnrc(?:\.yml)?|pypirc"
    r"|netrc|curlrc|wgetrc|condarc|pam_environment|pythonrc(?:\.py)?|gdbinit|tmux\.conf|screenrc"
    r"|condarc|rhosts|shosts|forward|procmailrc|hushlogin|bunfig\.toml)$"
    r"|\.(?:ssh|gnupg|aws|kube|docker|pip|cargo|m2|gradle)(?:/.*)?$"
    r"|\.config/(?:autostart|systemd|fish|environment\.d|git|pip|nvim|gh|gcloud|tabwire|bridge"
    r"|powershell|procps|containers|karabiner|code|cursor|antigravity)(?:/.*)?$"
    r"|library/(?:launchagents|launchdaemons|startupitems)(?:/.*)?$"
    r"|\.local/(?:bin|share/(?:applications|systemd|tabwire))(?:/.*)?$"
    r"|\.(?:tabwire|claude|cursor|gemini|codex|antigravity|vscode)(?:/.*)?$|\.claude\.json$"
    r"|start menu/programs/startup(?:/.*)?$"
    r"|windowspowershell/.*profile\.ps1$|powershell/.*profile\.ps1$)",
    re.IGNORECASE,
)
_GUARDED = pattern(
    r"(?:^|/)(?:\.tabwire|\.claude|\.cursor|\.gemini|\.codex|\.antigravity|\.agents?|\.windsurf"
    r"|\.husky|\.mcp\.json|\.cursorrules|mcp\.json|\.aider[^/]*|\.continue|\.githooks"
    r"|\.git-hooks)(?:/|$)",
    re.IGNORECASE,
)
_TOUCHY = pattern(
    r"(?:^|/)(?:\.vscode|\.idea|\.devcontainer|\.github|\.circleci|\.gitlab-ci\.yml|jenkinsfile"
    r"|\.envrc|\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|\.gitattributes|\.gitmodules|\.pre-commit-config"
    r"\.yaml|package\.json|setup\.py|conftest\.py|sitecustomize\.py|makefile|\.bazelrc"
    r"|\.cargo|\.pnpmfile\.c?js|\.yarn|\.git-blame-ignore-revs|codeowners|azure-pipelines\.yml"
    r"|bitbucket-pipelines\.yml|\.travis\.yml|crontab|\.mise\.toml|\.tool-versions"
    r"|build\.rs|[^/]*\.gradle(?:\.kts)?|rakefile|justfile|taskfile\.ya?ml|noxfile\.py|tox\.ini"
    r"|gulpfile\.[cm]?[jt]s|gruntfile\.[cm]?js|(?:docker-)?compose[^/]*\.ya?ml"
    r"|(?:agents|claude|gemini|copilot-instructions)\.md"
    r"|node_modules/\.bin|\.?v?env/(?:bin|scripts)|vendor/bin|\.tox|gradlew(?:\.bat)?"
    r"|mvnw(?:\.cmd)?|bin/(?:rails|rake|rspec|bundle))(?:/|$)",
    re.IGNORECASE,
)
_ENV_FILE = pattern(r"(?:^|/)\.env(?!\.(?:example|sample|template|dist|defaults?)\b)[^/]*$", re.I)

GLOB_MARKS = (STAR, ANY, CLASS)
_DRIVE = pattern(r"[A-Za-z]:")
WILD = pattern(f"[{STAR}{ANY}{CLASS}{HOLE}]")


def absolute(text: str, state: State) -> str | None:
    """The path with `.` and `..` taken out and slashes forward; None where its start is unknown."""
    path = text
    if state.windows or _DRIVE.match(path):
        path = path.replace("\\", "/")
    for provider in ("filesystem::", "microsoft.powershell.core/filesystem::"):
        if path.lower().startswith(provider):
            path = path[len(provider) :]
    if path.startswith(("//?/", "//./")):
        path = path[4:] if _DRIVE.match(path[4:]) else "/dev/" + path[4:]
    if path.startswith(HOLE):
        return None
    if re.match(r"/[A-Za-z](?:/|$)", path) and state.windows:
        path = f"{path[1]}:{path[2:] or '/'}"
    if path.startswith("/") or _DRIVE.match(path):
        if state.windows and path.startswith("/") and not path.startswith("//"):
            path = f"C:{path}"
        return _tidy(path)
    if state.cwd is None:
        return None
    return _tidy(f"{state.cwd.replace(chr(92), '/')}/{path}")


def on_drive(path: str) -> str:
    """A path of this machine as a shell of Windows has it: one that begins with a slash is a
    switch to most of its programs, and no folder of anybody's.
    """
    if path.startswith("/") and not path.startswith("//"):
        return "C:" + path.replace("/", "\\")
    return path


def _tidy(path: str) -> str:
    drive = path[:2] if _DRIVE.match(path) else ""
    kept: list[str] = []
    for step in path[len(drive) :].split("/"):
        if step == "..":
            if kept:
                kept.pop()
        elif step not in ("", "."):
            kept.append(step)
    return f"{drive}/{'/'.join(kept)}"


def place(text: str, state: State) -> Place:
    """Where that path leads."""
    where = _place(text, state)
    if where is Place.OUTSIDE and state.windows and from_root(text):
        return _place(text, replace(state, shell="bash"))  # PowerShell runs elsewhere too
    return where


def from_root(text: str) -> bool:
    """Whether it is a path of a system that has no drives."""
    return text.startswith("/") and not text.startswith("//")


def _place(text: str, state: State) -> Place:
    if text.startswith(HOLE):
        rest = text.lstrip(HOLE)
        if rest.startswith(("/", "\\")) or rest[:1] in (STAR, ANY, CLASS):
            return Place.MAYBE_ROOT
        return Place.UNKNOWN
    path = absolute(text, state)
    if path is not None and f"/{COMMANDS}/" in path:
        return Place.STARTUP
    if path is None:
        return Place.MAYBE_ROOT if text.startswith(("/", "\\")) else Place.UNKNOWN
    if path.startswith(("/dev/tcp/", "/dev/udp/")):
        return Place.NETWORK
    device = path.startswith("/dev/")
    if (device and _STREAMS.fullmatch(path)) or (
        state.windows and _WINDOWS_STREAMS.fullmatch(path)
    ):
        return Place.NOWHERE
    if device and _SOURCES.fullmatch(path):
        return Place.SOURCE
    workspace, home = slashed(state.workspace), slashed(state.home)
    ours = beneath(path, workspace) is not None or _same(path, workspace) or _above(path, workspace)
    low = path.lower()
    hinted = any(one in low for one in _TEMP_HINTS)  # else nothing needs compiling
    if not ours and hinted and (temp := _TEMP.fullmatch(path)):
        rest = (temp[1] or "").strip("/")
        whole = not rest or set(rest) <= {STAR, ANY, CLASS, ".", HOLE}
        return Place.TEMPS if whole else Place.TEMP
    if device:
        return Place.DEVICE
    # `/*` is the root, `~/*` the home: a pattern reaches everything in its folder.
    base = WILD.split(path, 1)[0].rsplit("/", 1)[0] if WILD.search(path) else path
    base = base.rstrip("/") or "/"
    if base == "/" or _DRIVE.fullmatch(base):
        return Place.ROOT
    shallow = base.count("/") <= 2 or ":" in base  # a longer one is no home: nothing to compile
    if (_same(base, home) or (shallow and _HOMES.fullmatch(base))) and not _same(base, workspace):
        return Place.HOMES
    inside = beneath(path, workspace)
    if inside is not None:
        return _within(inside)
    if _above(base, workspace):
        return Place.ABOVE
    if _same(base, workspace):
        return Place.WORKSPACE
    at_home = beneath(path, home)
    if at_home is not None or HOMES_OF.match(path):
        return Place.STARTUP if _STARTUP.search(path) else Place.HOME
    if _SYSTEM.match(path):
        return Place.SYSTEM
    return Place.OUTSIDE


def _within(path: str) -> Place:
    """Of a path relative to the workspace."""
    bare = path.strip("/")
    if not bare or set(bare) <= {STAR, ANY, CLASS, ".", "/"}:
        return Place.WORKSPACE
    if re.match(r"(?:.*/)?\.git(?:/|$)", bare, re.IGNORECASE):
        return Place.GIT
    if _GUARDED.search(bare):
        return Place.GUARDED
    if _ENV_FILE.search(bare):
        return Place.SECRETS
    if _TOUCHY.search(bare):
        return Place.TOUCHY
    return Place.INSIDE


def slashed(path: str) -> str:
    """With forward slashes, and none at its end."""
    return path.replace("\\", "/").rstrip("/") or "/"


def _same(one: str, other: str) -> bool:
    return one.rstrip("/").lower() == other.rstrip("/").lower()


def beneath(path: str, folder: str) -> str | None:
    """The rest of a path inside that folder; None if it is not inside."""
    start = folder.rstrip("/").lower() + "/"
    if path.lower().startswith(start):
        return path[len(start) :]
    return None


def _above(path: str, folder: str) -> bool:
    return folder.lower().startswith(path.rstrip("/").lower() + "/")
