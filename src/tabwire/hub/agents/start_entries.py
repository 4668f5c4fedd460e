"""Start entries for Antigravity with a debugging port: planned, shown, made, and taken back.

Nothing is changed by planning. What is made is written down with a copy of what was there, in the
home; `undo` puts it back, but for files somebody changed since. Antigravity itself is never ended
or started here.
"""

import hashlib
import json
import os
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from tabwire.config.home import home, made
from tabwire.hub.agents.consent import FOLDER, write_whole
from tabwire.hub.agents.start_entry_files import (
    checked_port,
    is_antigravity,
    mac_wrapper,
    windows_script,
    with_port,
)
from tabwire.model.errors import TabwireError

PORT = 9004  # seed 002; not 9222, which Antigravity's own browser uses
APPLICATIONS = "applications"
NOTES = "made.json"
MAC_PROGRAMS = (
    "/Applications/Antigravity.app/Contents/MacOS/Electron",
    "/Applications/Antigravity IDE.app/Contents/MacOS/Electron",
    "/Applications/Antigravity.app/Contents/MacOS/Antigravity",
)


class NothingToChange(TabwireError):
    """No start entry of Antigravity was found."""

    def __init__(self, looked: Iterable[str]) -> None:
        super().__init__(
            f"no Antigravity start entry was found (looked in {', '.join(looked)})",
            what_to_do="Install Antigravity first, or start it yourself with "
            f"--remote-debugging-port={PORT}.",
        )


@dataclass(frozen=True, slots=True)
class Step:
    """One file to write. `source` is what it is made from; `left` what cannot be changed."""

    path: Path
    text: str
    source: Path | None = None
    mode: int = 0o644
    left: tuple[str, ...] = ()

    @property
    def before(self) -> str | None:
        """What is there now, if anything."""
        try:
            return self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None

    @property
    def is_done(self) -> bool:
        """Whether it says so already."""
        return self.before == self.text


@dataclass(frozen=True, slots=True)
class Made:
    """A file that was written: where a copy of the one before is, or that there was none."""

    path: str
    digest: str
    copy: str = ""
    link: str = ""  # it was a link to there
    mode: int = 0o644


@dataclass(frozen=True, slots=True)
class Undone:
    """What became of one file."""

    path: Path
    what: str  # restored, removed, left
    why: str = ""


# --- planning --------------------------------------------------------------------------------


def plan(
    port: int = PORT, environment: Mapping[str, str] = os.environ, system: str = sys.platform
) -> tuple[Step, ...]:
    """What would be written. Touches nothing. Raises `NothingToChange`."""
    checked_port(port)
    if system == "win32":
        return (_windows(port, environment),)
    if system == "darwin":
        return (_mac(port, environment),)
    return _linux(port, environment)


def _linux(port: int, environment: Mapping[str, str]) -> tuple[Step, ...]:
    own, *others = _data_folders(environment)
    steps: dict[str, Step] = {}
    # what we made from the system's is made anew from it: that may have been updated since
    ours = {one.path for one in _notes(environment) if not one.copy and not one.link}
    found = [
        path
        for folder in (own, *others)
        for path in sorted((folder / APPLICATIONS).glob("*.desktop"))
        if str(path) not in ours
    ]
    for path in found:
        if path.name not in steps:  # the person's own comes before the system's
            try:
                text = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                continue
            if not is_antigravity(path.name, text):
                continue
            changed = with_port(text, port)
            if changed.lines:
                place = own / APPLICATIONS / path.name
                steps[path.name] = Step(place, changed.text, path, 0o644, changed.left)
    if not steps:
        raise NothingToChange(str(one / APPLICATIONS) for one in (own, *others))
    return tuple(steps.values())


def _data_folders(environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Where start entries are, the person's own first, as the desktop looks for them."""
    base = environment.get("HOME") or os.path.expanduser("~")
    own = environment.get("XDG_DATA_HOME") or f"{base}/.local/share"
    shared = environment.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    # relative ones mean nothing there
    found = [one for one in (own, *shared.split(":")) if one.startswith("/")]
    return tuple(map(Path, dict.fromkeys(found)))


def _mac(port: int, environment: Mapping[str, str]) -> Step:
    base = Path(environment.get("HOME") or os.path.expanduser("~"))
    programs = [*MAC_PROGRAMS, *(str(base) + one for one in MAC_PROGRAMS)]
    program = next((one for one in programs if os.path.exists(one)), "")
    if not program:
        raise NothingToChange(MAC_PROGRAMS)
    path = base / ".local" / "bin" / "antigravity-cdp"
    return Step(path, mac_wrapper(program, port), Path(program), 0o755)


def _windows(port: int, environment: Mapping[str, str]) -> Step:
    folder = _place(environment)
    return Step(folder / "shortcuts.ps1", windows_script(port, str(folder / "shortcuts")))


# --- doing, and taking back ------------------------------------------------------------------


def apply(steps: Iterable[Step], environment: Mapping[str, str] = os.environ) -> tuple[Step, ...]:
    """Write them, each after a copy of what was there. What was done, in order."""
    done = []
    notes = _notes(environment)
    for step in steps:
        if step.is_done:
            continue
        step.path.parent.mkdir(parents=True, exist_ok=True)
        known = next((one for one in notes if one.path == str(step.path)), None)
        # the copy of before our first change is the one that counts
        kept = known or _copied(step, environment)
        after = Made(kept.path, _digest(step.text), kept.copy, kept.link, kept.mode)
        notes = [*(one for one in notes if one.path != kept.path), after]
        _write_notes(notes, environment)  # first: an end in between is undone as well
        write_whole(step.path, step.text, step.mode)
        done.append(step)
    return tuple(done)


def undo(environment: Mapping[str, str] = os.environ) -> tuple[Undone, ...]:
    """Put back what was there. A file that somebody changed since is left, and said."""
    undone, left = [], []
    for one in reversed(_notes(environment)):
        path = Path(one.path)
        try:
            now: str | None = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            now = None
        except (OSError, UnicodeDecodeError):
            now = ""
        ours = now is None or _digest(now) == one.digest or now == _copy_of(one)
        if not ours:
            why = "it was changed since" + (f"; the previous one is {one.copy}" * bool(one.copy))
            undone.append(Undone(path, "left", why))
            left.append(one)
        else:
            undone.append(_put_back(one, path))
    if undone:
        _write_notes(list(reversed(left)), environment)
    return tuple(undone)


def _put_back(one: Made, path: Path) -> Undone:
    if one.link:
        path.unlink(missing_ok=True)
        path.symlink_to(one.link)
        return Undone(path, "restored")
    if one.copy:
        write_whole(path, Path(one.copy).read_text(encoding="utf-8"), one.mode)
        return Undone(path, "restored")
    path.unlink(missing_ok=True)
    return Undone(path, "removed")


def _copied(step: Step, environment: Mapping[str, str]) -> Made:
    path = step.path
    link = os.readlink(path) if path.is_symlink() else ""
    before = step.before
    if before is None:
        return Made(str(path), "", "", link)
    folder = made(_folder(environment), "copies")
    copy = folder / f"{time.time_ns()}-{path.name}"
    write_whole(copy, before)
    return Made(str(path), "", str(copy), link, path.stat().st_mode & 0o777)


def _copy_of(one: Made) -> str | None:
    try:
        return Path(one.copy).read_text(encoding="utf-8") if one.copy else None
    except OSError:
        return None


def _place(environment: Mapping[str, str]) -> Path:
    """Where notes and copies are; looking for them makes nothing."""
    return home(environment) / FOLDER / "entries"


def _folder(environment: Mapping[str, str]) -> Path:
    return made(home(environment), FOLDER, "entries")


def _notes(environment: Mapping[str, str]) -> list[Made]:
    try:
        said = json.loads((_place(environment) / NOTES).read_text(encoding="utf-8"))
        return [Made(**one) for one in said]
    except FileNotFoundError:
        return []


def _write_notes(notes: list[Made], environment: Mapping[str, str]) -> None:
    text = json.dumps([asdict(one) for one in notes], indent=2) + "\n"
    write_whole(_folder(environment) / NOTES, text)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
