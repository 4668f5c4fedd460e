"""The guard stands alone and stays pure: what it imports, what it calls, how long a file is."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src" / "tabwire_guard"
LONG = 400

LONG_FILES = {"programs/index.py": "a list of names, generated from the modules beside it"}
"""Files past 400 lines and why each is one idea. Enforced both ways."""

WORLD = ("cli", "hook", "person", "__main__.py")
"""Folders and files that read arguments and files. All others are pure and import none of them."""

NEEDED = {"regex"}
"""What is installed along with the guard; pyproject.toml names it."""

WORLDLY = frozenset(
    "asyncio concurrent fcntl fileinput glob http logging mmap multiprocessing os pathlib random "
    "secrets selectors shelve shutil signal smtplib socket sqlite3 ssl subprocess sys tempfile "
    "threading time urllib.request uuid zoneinfo".split()
)
"""What a judgement may not import: the clock, the disk, the network, chance."""
WORLDLY_CALLS = frozenset({"open", "print", "input", "now", "utcnow", "today"})


def faults(place: str, text: str) -> list[str]:
    """What one file imports or calls and must not."""
    tree = ast.parse(text)
    pure = place.partition("/")[0] not in WORLD
    return [*_imports(place, tree, pure), *(_calls(place, tree) if pure else ())]


def _imports(place: str, tree: ast.AST, pure: bool) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found = [one.name for one in names]
            case ast.ImportFrom(module=str(module), names=names, level=0):
                found = [module, *(f"{module}.{one.name}" for one in names)]
            case ast.ImportFrom(level=level) if level:
                found = ["a relative name"]
            case _:
                continue
        first = found[0].partition(".")[0]
        if first not in sys.stdlib_module_names | NEEDED | {"tabwire_guard"}:
            yield f"{place}:{node.lineno}: imports {found[0]}"
        elif pure and (WORLDLY.intersection(found) or first in WORLDLY or _is_world(found[0])):
            yield f"{place}:{node.lineno}: pure, yet imports {found[0]}"


def _is_world(name: str) -> bool:
    return any(f"{name}.".startswith(f"tabwire_guard.{one}.") for one in WORLD)


def _calls(place: str, tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in WORLDLY_CALLS:
                yield f"{place}:{node.lineno}: pure, yet calls {name}"
            case ast.Call(func=ast.Attribute(attr="now" | "utcnow" | "today" as name)):
                yield f"{place}:{node.lineno}: pure, yet calls {name}"


def modules() -> Iterator[tuple[str, str]]:
    for path in sorted(SOURCE.rglob("*.py")):
        yield path.relative_to(SOURCE).as_posix(), path.read_text(encoding="utf-8")


def test_the_guard_imports_nothing_of_tabwire_and_nothing_worldly():
    assert [fault for place, text in modules() for fault in faults(place, text)] == []


BAD = [
    # what is planted, what must be said of it
    ("import tabwire", "imports tabwire"),
    ("def f():\n    from tabwire.hub import home", "imports tabwire.hub"),
    ("from ..model import errors", "imports a relative name"),
    ("import msgspec", "imports msgspec"),
    ("from os import path", "pure, yet imports os"),
    ("import urllib.request", "pure, yet imports urllib.request"),
    ("from tabwire_guard.person.home import home_folder", "imports tabwire_guard.person.home"),
    ("open('x')", "pure, yet calls open"),
    ("import datetime\ndatetime.datetime.now()", "pure, yet calls now"),
]


@pytest.mark.parametrize("text, fault", BAD)
def test_a_planted_import_is_found(text, fault):
    (found,) = faults("planted.py", text)
    assert found.endswith(fault)


def test_the_tests_need_nothing_of_tabwire():
    needed = {"tabwire_guard", "guard_kit", "pytest", "hypothesis"}
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Import(names=names):
                    found = {one.name.partition(".")[0] for one in names}
                case ast.ImportFrom(module=str(module)):
                    found = {module.partition(".")[0]}
                case _:
                    continue
            assert found <= needed | set(sys.stdlib_module_names), f"{path.name}:{node.lineno}"


def test_long_files_are_listed_with_a_reason():
    long = {place for place, text in modules() if len(text.splitlines()) > LONG}
    assert long == set(LONG_FILES), "split the file, or list it with its reason"


MOST_MODULES = 25
"""In one folder, without its `__init__.py`."""
MOST_ALIKE = 3
"""Modules of one folder whose names begin alike, before they are a package of their own."""


def packages(source: Path = SOURCE) -> Iterator[tuple[Path, list[str]]]:
    """Each folder with modules, and the names of those."""
    for opening in sorted(source.rglob("__init__.py")):
        folder = opening.parent
        yield folder, sorted(path.stem for path in folder.glob("*.py") if path != opening)


def families(names: list[str]) -> dict[str, list[str]]:
    """Names by what stands before their first `_`, where several have it."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(name.strip("_").partition("_")[0], []).append(name)
    return found


def misnamed(folder: Path, names: list[str]) -> set[str]:
    """Modules and packages that a package does not name, and names of modules that it has not."""
    opening = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))) or ""
    inside = {path.parent.name for path in folder.glob("*/__init__.py")}
    unnamed = {f"{one}/" for one in inside if not re.search(rf"(?<![\w./]){one}/", opening)}
    named = set(re.findall(r"(?<![\w./])(\w+)\.py\b", opening))
    return (named ^ set(names)) | unnamed


def test_no_folder_is_too_large_and_no_family_of_names_too_many():
    for folder, names in packages():
        assert len(names) <= MOST_MODULES, folder
        for alike in families(names).values():
            assert len(alike) <= MOST_ALIKE, f"{folder}: {alike} are a package"


def test_every_package_names_its_modules_and_none_that_it_has_not():
    wrong = {folder: misnamed(folder, names) for folder, names in packages()}
    assert {folder: names for folder, names in wrong.items() if names} == {}


def test_what_a_package_names_wrongly_is_found(tmp_path):
    (tmp_path / "__init__.py").write_text(
        '"""a.py: one; gone.py: another; other/b.py; in/: two."""'
    )
    for inside in ("in", "out"):
        (tmp_path / inside).mkdir()
        (tmp_path / inside / "__init__.py").touch()
    assert misnamed(tmp_path, ["a", "b"]) == {"b", "gone", "out/"}
    assert families(["tap", "tap_one", "tap_two", "tab"]) == {
        "tap": ["tap", "tap_one", "tap_two"],
        "tab": ["tab"],
    }


def test_every_folder_of_code_is_a_package():
    folders = {path.parent for path in SOURCE.rglob("*.py")}
    assert {folder for folder, _ in packages()} == folders
