"""Which browsers a machine has, best first. Pure: the machine is handed in.

Stable ones come before previews, and Chrome before Chromium, Edge and Brave: the one a person
most likely uses has the fewest surprises. Each is named once, however many links lead to it.
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath, PurePosixPath, PureWindowsPath

from tabwire.model.errors import BrowserNotFound

SETTING = "TABWIRE_PROGRAM"


class Brand(StrEnum):
    """Whose browser it is, in the order we prefer them."""

    CHROME = "chrome"
    CHROMIUM = "chromium"
    EDGE = "edge"
    BRAVE = "brave"
    OTHER = "other"  # named by its path, we cannot know


class Channel(StrEnum):
    """How finished it is, in the order we prefer them."""

    STABLE = "stable"
    BETA = "beta"
    DEV = "dev"
    CANARY = "canary"  # Brave says nightly


@dataclass(frozen=True, slots=True)
class Machine:
    """All that finding a browser may know of a machine. `platform` is `sys.platform`."""

    platform: str
    environment: Mapping[str, str]
    home: str
    which: Callable[[str], str | None]
    exists: Callable[[str], bool]

    @property
    def has_display(self) -> bool:
        """Whether a window can be shown here."""
        if self.platform in ("darwin", "win32"):
            return True
        return any(self.environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))

    def path(self, *parts: str) -> PurePath:
        """A path as this machine writes it."""
        return PureWindowsPath(*parts) if self.platform == "win32" else PurePosixPath(*parts)


@dataclass(frozen=True, slots=True)
class Found:
    """A browser that is there."""

    brand: Brand
    channel: Channel
    path: str

    @property
    def name(self) -> str:
        """How we speak of it, and how a person may ask for it: `chrome`, `edge-beta`."""
        stable = self.channel is Channel.STABLE
        return self.brand if stable else f"{self.brand}-{self.channel}"


@dataclass(frozen=True, slots=True)
class _Known:
    """Where one browser stands on each system, as its maker's installer puts it."""

    brand: Brand
    channel: Channel
    linux: tuple[str, ...]  # programs on the PATH
    mac: str  # name of the app
    windows: str  # folder under Program Files
    program: str  # file in that folder
    config: str  # where the person's own profile lies: Linux
    support: str  # … and macOS; on Windows it is `windows` without its last part


def _known() -> Iterator[_Known]:
    stable, beta, dev, canary = Channel
    for channel, tail, name, folder in (
        (stable, ("-stable", ""), "", ""),
        (beta, ("-beta",), " Beta", " Beta"),
        (dev, ("-unstable",), " Dev", " Dev"),
        (canary, ("-canary",), " Canary", " SxS"),
    ):
        yield _Known(
            Brand.CHROME,
            channel,
            tuple(f"google-chrome{end}" for end in tail),
            f"Google Chrome{name}",
            rf"Google\Chrome{folder}\Application",
            "chrome.exe",
            f"google-chrome{tail[-1]}",
            f"Google/Chrome{name}",
        )
    yield _Known(
        Brand.CHROMIUM,
        stable,
        ("chromium", "chromium-browser"),
        "Chromium",
        r"Chromium\Application",
        "chrome.exe",
        "chromium",
        "Chromium",
    )
    for channel, tail, name, folder in (
        (stable, ("-stable", ""), "", ""),
        (beta, ("-beta",), " Beta", " Beta"),
        (dev, ("-dev",), " Dev", " Dev"),
        (canary, ("-canary",), " Canary", " SxS"),
    ):
        yield _Known(
            Brand.EDGE,
            channel,
            tuple(f"microsoft-edge{end}" for end in tail),
            f"Microsoft Edge{name}",
            rf"Microsoft\Edge{folder}\Application",
            "msedge.exe",
            f"microsoft-edge{tail[-1]}",
            f"Microsoft Edge{name}",
        )
    for channel, programs, name, folder in (
        (stable, ("brave-browser-stable", "brave-browser", "brave"), "", ""),
        (beta, ("brave-browser-beta",), " Beta", "-Beta"),
        (canary, ("brave-browser-nightly",), " Nightly", "-Nightly"),
    ):
        yield _Known(
            Brand.BRAVE,
            channel,
            programs,
            f"Brave Browser{name}",
            rf"BraveSoftware\Brave-Browser{folder}\Application",
            "brave.exe",
            f"BraveSoftware/Brave-Browser{folder}",
            f"BraveSoftware/Brave-Browser{folder}",
        )


_CHANNELS, _BRANDS = list(Channel), list(Brand)
KNOWN = sorted(_known(), key=lambda k: (_CHANNELS.index(k.channel), _BRANDS.index(k.brand)))


def this_machine() -> Machine:
    """The machine we run on."""
    return Machine(sys.platform, os.environ, os.path.expanduser("~"), shutil.which, os.path.exists)


def find_all(machine: Machine) -> list[Found]:
    """Every browser we know that is there, best first. The setting has no say here."""
    found = []
    for known in KNOWN:
        path = next((place for place in _places(known, machine)), None)
        if path is not None:
            found.append(Found(known.brand, known.channel, path))
    return found


def find_browser(machine: Machine, wanted: str | None = None) -> Found:
    """The browser to start: the one `wanted`, else the one in the setting, else the best."""
    origin = "asked for" if wanted else f"named in {SETTING}"
    wanted = wanted or machine.environment.get(SETTING, "").strip()
    found = find_all(machine)
    if wanted:
        return _named(wanted, origin, found, machine)
    if not found:
        raise BrowserNotFound(
            "no Chrome, Chromium, Edge or Brave was found on this machine",
            what_to_do=how_to_get_one(machine.platform),
        )
    return found[0]


def how_to_get_one(platform: str) -> str:
    """One line a person can follow."""
    how = {
        "linux": "Install one (Debian: `apt install chromium`; Ubuntu: `snap install chromium`; "
        "Fedora: `dnf install chromium`)",
        "darwin": "Install one (`brew install --cask google-chrome`)",
        "win32": "Install one (`winget install Google.Chrome`; Edge, if it was removed: "
        "`winget install Microsoft.Edge`)",
    }.get(platform, "Install Chrome, Chromium, Edge or Brave")
    return f"{how}, or set {SETTING} to the path of one."


def own_profiles(machine: Machine) -> list[tuple[str, str]]:
    """(name, folder) of the profile folders people's own browsers use, best browser first.

    Whether a folder is there is not looked at.
    """
    places = []
    for known in KNOWN:
        name = Found(known.brand, known.channel, "").name
        places += [(name, str(place)) for place in _profiles(known, machine)]
    return places


def _named(wanted: str, origin: str, found: list[Found], machine: Machine) -> Found:
    for one in found:
        if wanted.lower() == one.name:
            return one
    names = {Found(known.brand, known.channel, "").name for known in KNOWN}
    if wanted.lower() in names:
        there = ", ".join(one.name for one in found) or "none"
        raise BrowserNotFound(
            f"{wanted} was {origin} but is not on this machine (found: {there})",
            what_to_do=how_to_get_one(machine.platform),
        )
    path = wanted if machine.exists(wanted) else machine.which(wanted)
    if path is None:
        raise BrowserNotFound(
            f"{wanted} was {origin} but does not exist",
            what_to_do=f"Name one of {', '.join(sorted(names))}, or the path of a browser.",
        )
    same = [one for one in found if one.path == path]
    return same[0] if same else Found(Brand.OTHER, Channel.STABLE, path)


def _places(known: _Known, machine: Machine) -> Iterator[str]:
    """Where this browser is, surest first."""
    if machine.platform == "darwin":
        app = (f"{known.mac}.app", "Contents", "MacOS", known.mac)
        places = [machine.path("/Applications", *app)]
        places.append(machine.path(machine.home, "Applications", *app))
    elif machine.platform == "win32":
        # 32-bit Python on 64-bit Windows sees the other folder under the first name
        roots = ("ProgramFiles", "ProgramW6432", "ProgramFiles(x86)", "LOCALAPPDATA")
        places = [
            machine.path(root, known.windows, known.program)
            for root in filter(None, map(_folded(machine).get, map(str.upper, roots)))
        ]
    else:
        yield from filter(None, map(machine.which, known.linux))
        places = [machine.path("/snap/bin", program) for program in known.linux]
    yield from (str(place) for place in places if machine.exists(str(place)))


def _profiles(known: _Known, machine: Machine) -> Iterator[PurePath]:
    if machine.platform == "darwin":
        yield machine.path(machine.home, "Library", "Application Support", known.support)
    elif machine.platform == "win32":
        if local := _folded(machine).get("LOCALAPPDATA"):
            yield machine.path(local, known.windows).parent / "User Data"
    else:
        config = machine.environment.get("XDG_CONFIG_HOME")
        yield machine.path(config or f"{machine.home}/.config", known.config)
        if known.brand is Brand.CHROMIUM:
            yield machine.path(machine.home, "snap", "chromium", "common", "chromium")


def _folded(machine: Machine) -> dict[str, str]:
    """Windows does not tell upper from lower case in names of variables."""
    return {name.upper(): value for name, value in machine.environment.items()}
