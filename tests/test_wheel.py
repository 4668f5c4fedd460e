"""What a user gets: the built wheel, in an environment of its own.

What it needs is borrowed from ours there, which has what the lock names; a soak installs
everything anew, from the registry pip is set up for.
"""

import ast
import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tabwire import __version__

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "tabwire"
GUARD = ROOT / "packages" / "guard" / "src" / "tabwire_guard"

pytestmark = [
    pytest.mark.xdist_group("wheel"),  # one worker builds and installs, once
    pytest.mark.timeout(300),
]

OURS = ("tabwire", "tabwire_guard")
WINDOWS = ("msvcrt", "winreg")
BROUGHT = {"mcp-types", "anyio", "pydantic"}  # by the MCP SDK, always
BROUGHT_TO_LAB = {"h2"}  # by hypercorn

# Written here, in the shape of a short ChatGPT stream of the old kind: whole messages.
MESSAGE = {
    "id": "a-1",
    "author": {"role": "assistant"},
    "create_time": 1760000000.0,
    "content": {"content_type": "text", "parts": ["A lamp is a promise kept after dark."]},
    "status": "finished_successfully",
    "end_turn": True,
    "metadata": {"model_slug": "a-model-of-this-test"},
    "recipient": "all",
}
CONVERSATION = "0f0e0d0c-0b0a-4908-8706-050403020100"
BODY = (
    f"data: {json.dumps({'message': MESSAGE, 'conversation_id': CONVERSATION, 'error': None})}\n\n"
    "data: [DONE]\n\n"
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built from the working tree."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    run(build, cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def bin_folder(wheel, tmp_path_factory) -> Path:
    """Where an environment keeps its programs, after the wheel went into it."""
    folder = tmp_path_factory.mktemp("empty")
    python = environment(folder)
    run([python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel], cwd=folder)
    ours = Path(sysconfig.get_path("purelib"))
    (theirs,) = (folder / "venv" / "lib").glob("python*/site-packages")
    (theirs / "borrowed.pth").write_text(f"{ours}\n")  # comes after its own, with its tabwire
    return python.parent


def environment(folder: Path) -> Path:
    """A new one: its Python."""
    venv.create(folder / "venv", with_pip=True, symlinks=True)
    return folder / "venv" / "bin" / "python"


@pytest.fixture(scope="module")
def guard_wheel(tmp_path_factory) -> Path:
    """The guard's own wheel."""
    folder = tmp_path_factory.mktemp("guard")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    run(build, cwd=ROOT / "packages" / "guard")
    (built,) = folder.glob("*.whl")
    return built


class Installed:
    """An environment without pip, to install into and remove from with ours."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder / "venv", with_pip=False, symlinks=True)
        self.bin = folder / "venv" / "bin"
        (self.packages,) = (folder / "venv" / "lib").glob("python*/site-packages")
        # what Tabwire needs is borrowed; our own editable Tabwire does not come along
        (self.packages / "zz_borrowed.pth").write_text(f"{sysconfig.get_path('purelib')}\n")

    def pip(self, *arguments: object) -> None:
        ours = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "--python"]
        run([*ours, self.bin / "python", *arguments], cwd=self.bin)

    def install(self, wheel: Path) -> None:
        self.pip("install", "--no-deps", "--no-index", wheel)

    def guard_folder(self) -> Path:
        asked = "import tabwire_guard; print(tabwire_guard.__path__[0])"
        folder = Path(run([self.bin / "python", "-c", asked], cwd="/").strip())
        return folder.relative_to(self.packages)

    def judge(self, *program: str) -> None:
        """Asks a program, which must refuse."""
        told = run([self.bin / program[0], *program[1:], "check", "rm -rf /"], cwd="/", code=4)
        assert told.startswith("deny: deletes /")


ALONE = Path("tabwire_guard")
BUNDLED = Path("tabwire", "_bundled", "tabwire_guard")


@pytest.mark.parametrize("first", ["tabwire", "tabwire-guard"])
def test_tabwire_and_the_guard_are_installed_and_removed_in_any_order(
    wheel, guard_wheel, tmp_path, monkeypatch, first
):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "home"))
    place = Installed(tmp_path)
    wheels = [wheel, guard_wheel] if first == "tabwire" else [guard_wheel, wheel]
    place.install(wheels[0])
    assert place.guard_folder() == (BUNDLED if first == "tabwire" else ALONE)
    place.install(wheels[1])
    assert place.guard_folder() == ALONE
    place.judge("tabwire", "guard")
    place.judge("tabwire-guard")
    place.pip("uninstall", "--yes", "tabwire-guard")
    assert place.guard_folder() == BUNDLED
    place.judge("tabwire", "guard")
    place.install(guard_wheel)
    place.pip("uninstall", "--yes", "tabwire")
    assert place.guard_folder() == ALONE
    place.judge("tabwire-guard")
    assert not (place.packages / "tabwire").exists()


def test_a_wheel_built_from_the_sdist_has_the_same_files(wheel, tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path), "-t"]
    run([*build, "sdist"], cwd=ROOT)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (source,) = (tmp_path / "unpacked").iterdir()
    run([*build, "wheel"], cwd=source)
    (built,) = tmp_path.glob("*.whl")
    names = [sorted(zipfile.ZipFile(one).namelist()) for one in (wheel, built)]
    assert names[0] == names[1]


@pytest.mark.soak
def test_the_wheel_brings_all_it_needs(wheel, tmp_path):
    python = environment(tmp_path)
    pins = tmp_path / "pins.txt"
    pins.write_text("\n".join(pins_of(ROOT / "requirements.lock")))
    run([python, "-m", "pip", "install", "--quiet", "-c", pins, wheel], cwd=tmp_path)
    run([python, "-m", "pip", "check"], cwd=tmp_path)
    for words in ("--help", "lab demo --help", "serve --help", "history"):
        run([python.parent / "tabwire", *words.split()], cwd=tmp_path)


def test_whatever_is_imported_is_named_as_needed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = names_of(project["dependencies"]) | BROUGHT
    of_lab = needed | names_of(project["optional-dependencies"]["lab"]) | BROUGHT_TO_LAB
    whose, missing = packages_distributions(), set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            for name in {one.partition(".")[0] for one in names}:
                if name in sys.stdlib_module_names or name in (*OURS, *WINDOWS):
                    continue
                found = {one.lower().replace("_", "-") for one in whose.get(name, [])}
                if not found & (of_lab if path.is_relative_to(SOURCE / "lab") else needed):
                    missing.add(f"{path.relative_to(SOURCE)}: {name}")
    assert not missing


def names_of(requirements: list[str]) -> set[str]:
    """The packages, without versions and extras."""
    return {re.split(r"[^\w.-]", one)[0].lower().replace("_", "-") for one in requirements}


def pins_of(lock: Path) -> list[str]:
    """The lock without its hashes: a constraint cannot hash a wheel we just built."""
    lines = lock.read_text().splitlines()
    return [line.rstrip(" \\") for line in lines if re.match(r"[\w.-]+==", line)]


def run(command, *, cwd, code=0) -> str:
    """Run to the end in a bare environment; what it printed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=kept, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_every_file_of_the_package_is_in_the_wheel(wheel):
    """Also those that are no Python: py.typed now, scripts for the page later."""
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("tabwire/")}
    there = {
        f"tabwire/{path.relative_to(SOURCE).as_posix()}"
        for path in SOURCE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    extension = {
        f"tabwire/extension/{path.relative_to(ROOT / 'extension').as_posix()}"
        for path in (ROOT / "extension").rglob("*")
        if path.is_file()
    }
    assert "tabwire/py.typed" in there
    assert "tabwire/extension/manifest.json" in extension
    carried = {
        f"tabwire/_bundled/tabwire_guard/{path.relative_to(GUARD).as_posix()}"
        for path in GUARD.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert "tabwire/_bundled/tabwire_guard/py.typed" in carried
    assert packed == there | extension | carried


def test_the_licence_travels_with_the_wheel_and_the_tests_do_not(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {name.split("/")[0] for name in names} == {
        "tabwire",
        "tabwire_bundled.pth",
        f"tabwire-{__version__}.dist-info",
    }


def test_the_extras_of_the_plan_exist(wheel):
    (name,) = (name for name in zipfile.ZipFile(wheel).namelist() if name.endswith("METADATA"))
    metadata = zipfile.ZipFile(wheel).read(name).decode()
    extras = set(re.findall(r"^Provides-Extra: (.*)$", metadata, re.MULTILINE))
    assert {"discord", "telegram", "keyring", "otel", "lab"} <= extras


HELP = [
    (["--help"], "Usage: tabwire"),
    (["parse", "--help"], "Usage: tabwire parse"),
    (["lab", "demo", "--help"], "Usage: tabwire lab demo"),
]


@pytest.mark.parametrize("arguments, said", HELP, ids=[" ".join(c[0]) for c in HELP])
def test_an_installed_tabwire_helps(bin_folder, tmp_path, arguments, said):
    assert said in run([bin_folder / "tabwire", *arguments], cwd=tmp_path)


def test_an_installed_tabwire_knows_its_version(bin_folder, tmp_path):
    where = run([bin_folder / "python", "-c", "import tabwire; print(tabwire.__file__)"], cwd="/")
    assert where.startswith(str(bin_folder.parent)), "not the one of this checkout"
    assert run([bin_folder / "tabwire", "--version"], cwd=tmp_path) == f"tabwire {__version__}\n"


def test_an_installed_tabwire_runs_as_a_module(bin_folder, tmp_path):
    assert "Usage: tabwire" in run([bin_folder / "python", "-m", "tabwire", "--help"], cwd=tmp_path)


@pytest.mark.soak
def test_an_installed_tabwire_plays_its_demo(bin_folder, tmp_path, chromium):
    """With its pages, its scripts and all: a real browser, three tabs."""
    assert "saved" in run([bin_folder / "tabwire", "lab", "demo", "--out", "x.html"], cwd=tmp_path)
    assert (tmp_path / "x.html").read_text().count("data:image/png") == 3


def test_an_installed_tabwire_reads_a_saved_answer(bin_folder, tmp_path):
    (tmp_path / "answer.sse").write_text(BODY)
    command = [bin_folder / "tabwire", "parse", "answer.sse"]
    (line,) = run([*command, "--json"], cwd=tmp_path).splitlines()
    assert json.loads(line) == {
        "file": "answer.sse",
        "site": "chatgpt",
        "kind": "sse",
        "conversation_id": CONVERSATION,
        "title": None,
        "model": "a-model-of-this-test",
        "complete": True,
        "terminal": True,
        "evidence": json.loads(line)["evidence"],
        "messages": [
            {"role": "assistant", "text": MESSAGE["content"]["parts"][0], "thinking": None}
        ],
        "problems": [],
    }
    assert MESSAGE["content"]["parts"][0] in run(command, cwd=tmp_path)


def test_an_installed_tabwire_says_what_it_cannot_read(bin_folder, tmp_path):
    (tmp_path / "nothing.txt").write_bytes(b"")
    command = [bin_folder / "tabwire", "parse", "nothing.txt", "--json"]
    (line,) = run(command, cwd=tmp_path, code=2).splitlines()
    said = json.loads(line)
    assert said["conversation_id"] is None
    assert said["problems"]


def test_one_worker_has_the_whole_group(request):
    """Else each worker builds and installs, and plays every story of a module, without a word."""
    if not hasattr(request.config, "workerinput"):
        pytest.skip("not run by several workers")
    assert request.node.nodeid.endswith("@wheel")
