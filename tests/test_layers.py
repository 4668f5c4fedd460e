"""The house keeps its walls: who imports whom, how long a file is, where its tests are."""

import ast
import inspect
import re
import shutil
from pathlib import Path

import pytest

from kit.layers import FACE, MAY_IMPORT, PURE, faults
from tabwire import hub

SOURCE = Path(__file__).resolve().parent.parent / "src" / "tabwire"
TESTS = Path(__file__).resolve().parent
EXTENSION = TESTS.parent / "extension"
LONG = 400

LONG_FILES: dict[str, str] = {}
"""Files past 400 lines and why each is one idea, not a drawer. Enforced both ways."""

TYPES = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:"

NO_ROOM = {"kit", "e2e", "extension", "faults"}
"""Folders of tests that belong to no single room."""


def test_every_import_is_on_the_map():
    assert faults(SOURCE) == []


BAD = [
    # id, the file planted, what it says, what must be said of it
    ("straight", "wire/bad.py", "import tabwire.sites.page", "1: imports tabwire.sites.page"),
    ("from", "model/bad.py", "from tabwire.wire import lines", "1: imports tabwire.wire.lines"),
    ("a room as a name", "wire/bad.py", "from tabwire import fusion", "1: imports tabwire.fusion"),
    ("relative", "wire/bad.py", "from ..sites import page", "1: imports tabwire.sites.page"),
    ("only dots", "fusion/bad.py", "from .. import sites", "1: imports tabwire.sites"),
    ("three dots", "sites/grok/bad.py", "from ...hub import Hub", "1: imports tabwire.hub.Hub"),
    ("in a function", "sites/bad.py", "def f():\n    import tabwire.hub", "2: imports tabwire.hub"),
    (
        "for types",
        "fusion/bad.py",
        f"{TYPES}\n    import tabwire.sites",
        "3: imports tabwire.sites",
    ),
    ("door to guard", "doors/bad.py", "import tabwire_guard.judgement", "1: imports tabwire_guard"),
    ("by importlib", "hub/bad.py", "import_module('tabwire.doors')", "1: imports tabwire.doors"),
    ("by a table", "lab/bad.py", "T = 'tabwire.doors.cli:parse'", "1: imports tabwire.doors.cli"),
    ("library by a string", "hub/bad.py", "T = 'tabwire.library'", "1: imports tabwire.library"),
    ("door to browser", "doors/bad.py", "import tabwire.browser", "1: imports tabwire.browser"),
    ("door behind the face", "doors/bad.py", "from tabwire.hub.jobs import jobs", "the hub's face"),
    ("door to a room of the hub", "doors/bad.py", "from tabwire.hub import jobs", "the hub's face"),
    ("library behind it", "library.py", "import tabwire.hub.jobs.jobs", "the hub's face"),
    ("hub to door", "hub/bad.py", "from tabwire.doors import cli", "1: imports tabwire.doors.cli"),
    ("beyond data", "browser/bad.py", "from tabwire.sites import site", "not only page data"),
    ("main to hub", "__main__.py", "from tabwire.hub import Hub", "1: imports tabwire.hub.Hub"),
    ("bare package", "__init__.py", "from tabwire.hub import Hub", "the bare package imports"),
    ("library to store", "library.py", "import tabwire.store", "1: imports tabwire.store"),
    ("room to library", "hub/bad.py", "from tabwire import library", "imports tabwire.library"),
    ("a new room", "helpers/bad.py", "import tabwire.model", "helpers is no room of the map"),
    ("the clock", "fusion/bad.py", "import time", "1: pure, yet imports time"),
    ("asyncio", "wire/bad.py", "from asyncio import Queue", "1: pure, yet imports asyncio"),
    ("the network", "sites/bad.py", "import urllib.request", "pure, yet imports urllib.request"),
    ("a file", "wire/bad.py", "open('x')", "1: pure, yet calls open"),
    (
        "the date",
        "sites/bad.py",
        "import datetime as d\nd.datetime.now()",
        "2: pure, yet calls now",
    ),
]


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """The whole source, to plant something in."""
    return shutil.copytree(SOURCE, tmp_path_factory.mktemp("planted") / "tabwire")


@pytest.mark.parametrize("place, text, fault", [c[1:] for c in BAD], ids=[c[0] for c in BAD])
def test_a_planted_bad_import_is_found(copy, place, text, fault):
    planted = copy / place
    planted.parent.mkdir(parents=True, exist_ok=True)
    kept = planted.read_text() if planted.exists() else ""
    planted.write_text(text + "\n")
    try:
        (found,) = (one for one in faults(copy) if one.startswith(f"{place}:"))
    finally:
        planted.write_text(kept)
    assert fault in found


GOOD = [
    ("itself", "wire/good.py", "from tabwire.wire.lines import LineSplitter"),
    ("its own, relative", "sites/grok/good.py", "from ..page import Page"),
    ("the version", "doors/good.py", "from tabwire import __version__"),
    ("part of urllib", "sites/good.py", "from urllib.parse import urlsplit"),
    (
        "a date a site wrote",
        "sites/good.py",
        "from datetime import datetime\ndatetime.fromisoformat('2026')",
    ),
    ("the bare package, its library", "__init__.py", "import tabwire.library as library"),
    ("the library asks the hub", "library.py", "from tabwire.hub import Hub"),
    ("the hub asks the guard", "hub/good.py", "from tabwire_guard.judgement import judge"),
    ("page data", "browser/good.py", "from tabwire.sites.grok.page import PAGE"),
    ("the world, in a worldly room", "hub/good.py", "import asyncio, os, time\nopen('x')"),
    ("the lab asks the hub", "lab/good.py", "from tabwire.hub import Hub"),
    ("a door asks the hub", "doors/good.py", "from tabwire.hub import Hub, LocalHub"),
    ("a method called open", "fusion/good.py", "self.open('x')"),
    ("a file of ours", "store/good.py", "FILE = 'tabwire.db'"),
    ("a sentence about us", "wire/good.py", "TEXT = 'tabwire.hub is a room'"),
]


@pytest.mark.parametrize("place, text", [c[1:] for c in GOOD], ids=[c[0] for c in GOOD])
def test_what_the_map_allows_is_no_fault(tmp_path, place, text):
    planted = tmp_path / "tabwire" / place
    planted.parent.mkdir(parents=True)
    planted.write_text(text + "\n")
    assert faults(tmp_path / "tabwire") == []


def test_the_face_of_the_hub_has_no_modules():
    """Who has a module has everything in it, whatever the face says."""
    assert [name for name in sorted(FACE) if inspect.ismodule(getattr(hub, name))] == []


def test_the_map_only_points_upwards():
    """No two rooms may import each other, however many rooms lie between."""
    reach = {room: set(allowed) for room, allowed in MAY_IMPORT.items()}
    for _ in MAY_IMPORT:
        for known in reach.values():
            known |= {further for other in known for further in reach.get(other, ())}
    assert [room for room, known in reach.items() if room in known] == []
    assert set(reach["sites"]) | set(reach["fusion"]) <= set(PURE)


def test_every_room_says_what_it_is():
    for room in sorted(path for path in SOURCE.iterdir() if path.is_dir()):
        if room.name == "__pycache__":
            continue
        assert room.name in MAY_IMPORT, f"{room.name} is no room of the map"
        opening = (room / "__init__.py").read_text().lstrip()
        assert opening.startswith('"""'), f"{room.name}/__init__.py has no opening sentence"


def test_long_files_are_listed_with_a_reason():
    lengths = {
        path.relative_to(root).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for root in (SOURCE, EXTENSION)
        for pattern in ("*.py", "*.js")
        for path in root.rglob(pattern)
        if "vendor" not in path.parts
    }
    long = {name for name, lines in lengths.items() if lines > LONG}
    assert long == set(LONG_FILES), "split the file, or list it with its reason"
    assert all(LONG_FILES.values())


MOST_MODULES = 25
"""In one folder, without its `__init__.py`."""
MOST_ALIKE = 3
"""Modules of one folder that begin with the same word: more are a package."""

FAMILIES: dict[str, str] = {
    "lab/replicas/chatgpt/static/labels": "one file for each language; a page's files are served "
    "from one flat folder, under its drift and edition",
}
"""Larger families and why each stays. Enforced both ways."""


def packages():
    """Each package, with the names of its modules and of the packages in it."""
    for opening in sorted(SOURCE.rglob("__init__.py")):
        folder = opening.parent
        if folder == SOURCE or folder.name == "versions":  # migrations are numbered files
            continue
        modules = {path.stem for path in folder.glob("*.py")} - {"__init__", "__main__"}
        yield folder, modules, {path.parent.name for path in folder.glob("*/__init__.py")}


def scripts(root):
    """Each folder with JavaScript of ours, with the names of its files."""
    found = {}
    for path in sorted(root.rglob("*.js")):
        if "vendor" not in path.parts:
            found.setdefault(path.parent.relative_to(root).as_posix(), set()).add(path.stem)
    return found


def families(names):
    """Names by the word before their first `_`."""
    found = {}
    for name in sorted(names):
        found.setdefault(name.partition("_")[0], []).append(name)
    return found


def misnamed(opening, modules, inside):
    """What a package does not name of what it has, and what it names and has not."""
    named = set(re.findall(r"(?<![\w./])(\w+)\.py\b", opening))
    unnamed = {f"{one}/" for one in inside if not re.search(rf"(?<![\w./]){one}/", opening)}
    return (named ^ modules) | unnamed


def folders():
    """Each folder of modules or scripts of ours, by its place, with the names of its files."""
    for folder, modules, _inside in packages():
        yield folder.relative_to(SOURCE).as_posix(), modules
    yield from scripts(SOURCE).items()
    for place, names in scripts(EXTENSION).items():
        yield f"extension/{place}", names


def test_no_folder_is_too_large():
    assert {place: len(names) for place, names in folders() if len(names) > MOST_MODULES} == {}


def test_no_family_of_names_is_too_large():
    large = {
        f"{place}/{word}"
        for place, names in folders()
        for word, alike in families(names).items()
        if len(alike) > MOST_ALIKE
    }
    assert large == set(FAMILIES), "make a package of the family, or list it with its reason"


def test_scripts_are_counted_as_modules_are(tmp_path):
    for place in ("in/a_one.js", "in/a_two.js", "vendor/b.js", "c.js"):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).touch()
    assert scripts(tmp_path) == {".": {"c"}, "in": {"a_one", "a_two"}}


def test_every_package_names_its_modules_and_none_that_it_has_not():
    wrong = {}
    for folder, modules, inside in packages():
        opening = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))) or ""
        if found := misnamed(opening, modules, inside - {"versions"}):
            wrong[folder.relative_to(SOURCE).as_posix()] = sorted(found)
    assert wrong == {}


def test_what_a_package_names_wrongly_is_found():
    opening = "a.py: one; gone.py: two; other/b.py; in/: three"
    assert misnamed(opening, {"a", "b"}, {"in", "out"}) == {"b", "gone", "out/"}
    assert families({"tap", "tap_one", "tab"}) == {"tab": ["tab"], "tap": ["tap", "tap_one"]}


def test_tests_stand_where_their_subject_stands():
    for path in TESTS.rglob("test_*.py"):
        folder = path.parent.relative_to(TESTS)
        if folder.parts and folder.parts[0] not in NO_ROOM:
            assert (SOURCE / folder).is_dir(), f"{path.name} is in tests/{folder}, src has no such"


def test_every_folder_of_code_has_a_folder_of_tests():
    for package in SOURCE.rglob("__init__.py"):
        place = package.parent.relative_to(SOURCE)
        modules = [path for path in package.parent.glob("*.py") if path.stem != "__init__"]
        if place.parts and modules:
            assert list((TESTS / place).glob("test_*.py")), f"src/tabwire/{place} has no tests"
