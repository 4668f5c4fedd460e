"""Which entries of a debugging port's list are windows of the product, and what they are called.

The port belongs to the whole program, so its list holds more than windows: views of extensions,
the browser the agent itself drives, our own pages. Attaching to that browser's pages has made
the program crash, so on a port with an editor window no http page is touched.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit

PORTS: Final = (9004, 9333, 9000, 9222, 9223, 9444, 9555, 9666)
"""Where people and tools let the program listen, seed 002's first."""

PRODUCTS: Final = ("antigravity", "cursor", "windsurf")
"""Names of programs with such a panel, as they stand in a window's title."""

OURS: Final = ("tabwire", "multi purpose agent settings")
"""Titles of pages that belong to tools like this one."""

FRAME: Final = "cascade-panel"
_MANAGERS = ("workbench-jetski-agent",)
_TYPES = frozenset({"page", "webview", "iframe"})


class Place(StrEnum):
    """What a window is."""

    EDITOR = "editor"
    MANAGER = "manager"  # Agent Manager: shows one conversation, others are not in its page
    FRAME = "frame"  # the panel of older versions, a frame of an editor window
    APP = "app"  # the stand-alone program, a page of its own language server


@dataclass(frozen=True, slots=True)
class Listed:
    """One entry of `/json/list`."""

    id: str
    type: str
    title: str
    url: str
    debugger: str
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Window:
    """A window to attach to. `name` is its workspace, with its id where two are called alike."""

    id: str
    name: str
    title: str
    url: str
    place: Place
    debugger: str
    workspace: str


def windows_of(listed: Iterable[Listed], *, known: bool) -> tuple[Window, ...]:
    """The windows among the entries, each once.

    `known`: we have reason to take this port for the product's, so a page on loopback may be
    the stand-alone program. A window whose panel is a frame of its own is that frame.
    """
    entries = [one for one in listed if one.debugger and one.type in _TYPES and not _is_ours(one)]
    has_editor = any(_place(one, known=False) is Place.EDITOR for one in entries)
    found: dict[str, tuple[Listed, Place]] = {}
    for one in entries:
        place = _place(one, known=known and not has_editor)
        if place is not None:
            found.setdefault(one.id, (one, place))
    framed = {one.parent: one for one, place in found.values() if place is Place.FRAME}
    by_id = {one.id: one for one in entries}
    windows = [
        _window(one, place, by_id.get(one.parent))
        for one, place in found.values()
        if one.id not in framed
    ]
    return named(windows)


def named(windows: Iterable[Window]) -> tuple[Window, ...]:
    """Windows with names that tell them apart."""
    windows = tuple(windows)
    often = Counter(one.name for one in windows)
    return tuple(
        replace(one, name=f"{one.name} #{one.id[:6]}") if often[one.name] > 1 else one
        for one in windows
    )


def is_product(user_agent: str, browser: str = "") -> bool:
    """Whether a port says of itself that it is the product."""
    said = f"{user_agent} {browser}".lower()
    return any(name in said for name in PRODUCTS)


def workspace_of(title: str) -> str:
    """`tabwire — Antigravity - app.py` -> `tabwire`: what stands before the program's name."""
    parts = [part.strip() for part in title.replace(" — ", " - ").split(" - ")]
    for at, part in enumerate(parts):
        if any(part.lower().startswith(name) for name in PRODUCTS):
            return parts[at - 1].lstrip("● ") if at else part
    return title.strip()


def _window(one: Listed, place: Place, parent: Listed | None) -> Window:
    title = parent.title if parent else one.title
    workspace = workspace_of(title)
    return Window(
        one.id, workspace or place.value, one.title, one.url, place, one.debugger, workspace
    )


def _is_ours(one: Listed) -> bool:
    title = one.title.lower()
    return any(words in title for words in OURS) and "workbench" not in one.url


def _place(one: Listed, *, known: bool) -> Place | None:
    if FRAME in one.url:
        return Place.FRAME
    if one.type != "page":
        return None
    if any(mark in one.url for mark in _MANAGERS) or (
        "workbench" in one.url and one.title in ("Manager", "Launchpad")
    ):
        return Place.MANAGER
    parts = urlsplit(one.url)
    web = parts.scheme in ("http", "https")
    loopback = parts.hostname in ("127.0.0.1", "localhost", "::1")
    if "workbench" in parts.path and (not web or loopback):
        return Place.EDITOR
    if parts.scheme == "https" and parts.hostname == "127.0.0.1" and known:
        return Place.APP
    return None
