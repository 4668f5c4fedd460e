"""Reads which room imports which, and compares it with the map of docs/architecture.md.

A function of a source folder, so that a test can plant a bad import in a copy and see it
found. Everything counts as an import: inside a function, under TYPE_CHECKING, relative,
and a string that names one of our modules (that is how lazy commands are imported).
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tabwire import hub

PURE = ("model", "text", "wire", "fusion", "sites")
WORLD = (
    "config",
    "files",
    "cdp",
    "browser",
    "store",
    "queue",
    "asking",
    "monitor",
    "capture",
    "autopilot",
)

MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "model": (),
    "config": ("model",),
    "text": ("model",),
    "wire": ("model",),
    "fusion": ("model",),
    "store": ("model",),
    "sites": ("model", "wire"),
    "files": ("model", "wire", "sites", "fusion"),
    "cdp": ("model",),
    "browser": ("model", "cdp", "sites"),  # of sites only the page data, see SITES_DATA
    "queue": ("model", "store"),
    "asking": ("model", "text", "wire", "sites", "fusion", "browser", "monitor", "files"),
    "monitor": ("model", "wire", "sites", "fusion", "browser"),
    "capture": ("model", "text", "wire", "sites", "fusion", "browser", "monitor", "files"),
    "autopilot": ("model", "sites", "browser", "tabwire_guard"),
    "hub": (*PURE, *WORLD, "tabwire_guard"),
    "doors": ("model", "hub"),  # of the hub only its face, see FACE
    "lab": (*PURE, *WORLD, "hub"),
}
"""Every room may import itself and the bare package besides."""

GUARD = "tabwire_guard"
"""A package of its own (packages/guard), which imports nothing of ours."""

MAIN_MAY_IMPORT = (
    "tabwire.doors.cli",
    "tabwire.doors.mcp.pump",
    "tabwire.hub.guard",
    "tabwire.lab.cli",
    "tabwire.model.errors",
    "tabwire.model.exits",
    "tabwire_guard.hook.arguments",
)
"""`__main__` joins the doors', the guard's and the lab's commands and prints what errors say."""

BARE_MAY_IMPORT = ("tabwire.library", "tabwire.model.lazy")
"""The bare package gives what library.py has, when it is first used."""

LIBRARY_MAY_IMPORT = ("model", "hub")
"""library.py stands beside the rooms, and is a door to Python programs."""

FACE = frozenset(hub.__all__)
"""What of the hub doors and library.py may import: the names in its own `__init__`."""

SITES_DATA = re.compile(r"tabwire\.sites(\.\w+)?\.page(\.\w+){0,2}")

WORLDLY = frozenset(
    "asyncio concurrent fcntl fileinput glob http logging mmap multiprocessing os pathlib random "
    "secrets selectors shelve shutil signal smtplib socket sqlite3 ssl subprocess sys tempfile "
    "threading time urllib.request uuid zoneinfo rich typer".split()
)
"""What a pure room may not import: the clock, the disk, the network, chance, the terminal."""

WORLDLY_BUILTINS = frozenset({"open", "print", "input"})
WORLDLY_METHODS = frozenset({"now", "utcnow", "today"})
"""`datetime` may read a date a site wrote, but not ask what time it is."""

_KNOWN = "|".join((*MAY_IMPORT, "library", "__main__"))
_MODULE_NAME = re.compile(rf"(tabwire\.({_KNOWN})|{GUARD}\.\w+)(\.\w+)*(:\w+)?")
"""Names a module of ours, and not a file (`tabwire.db`) or a logger: what follows is a room."""


def faults(source: Path) -> list[str]:
    """Everything under `source` (the folder `tabwire`) that the map does not allow."""
    return [
        fault
        for path in sorted(source.rglob("*.py"))
        for fault in faults_of(path.relative_to(source), path.read_text(encoding="utf-8"))
    ]


@cache  # a test plants one file after the other among many that stay the same
def faults_of(place: Path, text: str) -> tuple[str, ...]:
    """What the map does not allow in one file."""
    room = place.parts[0] if len(place.parts) > 1 else place.stem
    tree = ast.parse(text, str(place))
    seen = [(line, _judge_import(room, name)) for line, name in imports(tree, place)]
    if room in PURE:
        seen += [(line, f"pure, yet calls {name}") for line, name in calls(tree)]
    return tuple(f"{place.as_posix()}:{line}: {fault}" for line, fault in seen if fault)


def imports(tree: ast.AST, place: Path) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of everything a file imports, relative names made absolute."""
    package = ("tabwire", *place.parent.parts)
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, name.name) for name in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                base = package[: len(package) - level + 1] if level else ()
                origin = ".".join((*base, *filter(None, [module])))
                # `from tabwire import wire` names a room by a name, so names belong to it
                yield from ((node.lineno, f"{origin}.{name.name}") for name in names)
            case ast.Constant(value=str(text)) if _MODULE_NAME.fullmatch(text):
                yield node.lineno, text.partition(":")[0]


def calls(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, name) of every call that reaches for the world without an import."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in WORLDLY_BUILTINS:
                yield node.lineno, name
            case ast.Call(func=ast.Attribute(attr=name)) if name in WORLDLY_METHODS:
                yield node.lineno, name


def _judge_import(room: str, target: str) -> str | None:
    first, *rest = target.split(".")
    if first == GUARD:
        told_apart = room == "__main__" and target.startswith(MAIN_MAY_IMPORT)
        allowed = GUARD in MAY_IMPORT.get(room, ()) or told_apart
        return None if allowed else f"imports {target}"
    if first != "tabwire":
        prefixes = {target[: match.start()] for match in re.finditer(r"\.|$", target)}
        worldly = room in PURE and not WORLDLY.isdisjoint(prefixes)
        return f"pure, yet imports {target}" if worldly else None
    if room == "__init__":
        allowed = any(f"{target}.".startswith(f"{name}.") for name in BARE_MAY_IMPORT)
        return None if allowed else f"the bare package imports {target}"
    if room == "library":
        allowed = bool(rest) and rest[0] in LIBRARY_MAY_IMPORT
        return _beyond_face(target, rest) if allowed else f"imports {target}"
    if room == "__main__":
        allowed = any(f"{target}.".startswith(f"{name}.") for name in MAIN_MAY_IMPORT)
        return None if allowed else f"imports {target}"
    if room not in MAY_IMPORT:
        return f"{room} is no room of the map"
    other = rest[0] if rest else ""
    if other == "sites" and room == "browser" and not SITES_DATA.fullmatch(target):
        return f"imports {target}, not only page data"
    if room == "doors" and other == "hub":
        return _beyond_face(target, rest)
    allowed = other in (room, "__version__", "", *MAY_IMPORT[room])
    return None if allowed else f"imports {target}"


def _beyond_face(target: str, rest: list[str]) -> str | None:
    """Why a door may not import this of the hub, if it may not."""
    inside = rest[0] == "hub" and not (len(rest) == 2 and rest[1] in FACE)
    return f"imports {target}, which is not of the hub's face" if inside else None
