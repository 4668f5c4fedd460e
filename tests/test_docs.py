"""The docs say what the code does: every command, room, kind, exit code and target."""

import importlib
import os
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from kit.layers import MAY_IMPORT
from tabwire.config.settings import Settings
from tabwire.doors.cli.app import COMMANDS, GROUPS, build
from tabwire.doors.cli.lazy import LazyCommand, lazy_commands
from tabwire.hub import Kind
from tabwire.hub.browsers.sightings import EVENTS, Sighting
from tabwire.lab.answers import KINDS
from tabwire.lab.cli import COMMANDS as LAB
from tabwire.lab.ledger import Deed
from tabwire.lab.plan import READERS
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.stage import CHOICES, GRADES, Stage
from tabwire.model.errors import TabwireError
from tabwire.model.exits import FAILED, INTERRUPTED

ROOT = Path(__file__).resolve().parent.parent
DOCS = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
EVERYTHING = "\n".join([README, CONTRIBUTING, *DOCS.values()])
TARGETS = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
FIRST_SCREEN = 40  # lines

COMMANDS_BY_NAME = {
    **{f"tabwire {command.name}": command for command in lazy_commands(COMMANDS)},
    **{f"tabwire lab {command.name}": command for command in lazy_commands(LAB)},
    **{
        f"tabwire {group} {command.name}": command
        for group, (_, table) in GROUPS.items()
        for command in lazy_commands(table)
    },
}


def table(page: str, heading: str | None) -> list[list[str]]:
    """The cells of the table under a heading, without its first two lines."""
    below = DOCS[page]
    if heading is not None:
        _, _, below = below.partition(f"\n## {heading}\n")
    assert below, f"{page} has no section {heading}"
    rows = [line for line in below.split("\n## ")[0].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


@pytest.mark.parametrize("name", COMMANDS_BY_NAME)
def test_every_command_and_option_is_in_the_docs(name):
    assert f"`{name}`" in EVERYTHING
    command = COMMANDS_BY_NAME[name]
    assert isinstance(command, LazyCommand)
    for parameter in command.load().params:
        if parameter.param_type_name == "option":
            for option in (*parameter.opts, *parameter.secondary_opts):
                assert f"`{option}`" in EVERYTHING, f"{name} {option} is in no page"


def test_the_options_of_tabwire_itself_are_in_the_docs():
    for parameter in build().params:
        assert any(f"`tabwire {option}`" in EVERYTHING for option in parameter.opts)


def test_every_setting_is_in_the_docs_as_it_is():
    rows = table("settings.md", None)
    assert [row[0] for row in rows] == [f"`{one.name}`" for one in fields(Settings)]
    for row, one in zip(rows, fields(Settings), strict=True):
        assert row[1] == f"`TABWIRE_{one.name.upper()}`"
        assert row[2] == (f"`{one.default}`" if one.default else "")
        assert row[3] == one.metadata["says"]


def test_every_sighting_is_in_the_docs():
    assert [row[0] for row in table("watch.md", "Events")] == [
        f"`{event}`" for event in EVENTS.values()
    ]
    assert set(get_args(Sighting)) == set(EVENTS)


def test_every_error_is_in_the_docs():
    load_everything()
    for error in subclasses(TabwireError):
        if not error.__module__.startswith("tabwire.") or error.__subclasses__():
            continue
        assert f"`{error.__name__}`" in EVERYTHING, f"{error.__name__} is in no page"


def load_everything():
    for path in sorted((ROOT / "src" / "tabwire").rglob("*.py")):
        if path.stem not in ("__main__", "keeper") and "migrations" not in path.parts:
            place = path.relative_to(ROOT / "src").with_suffix("")
            importlib.import_module(".".join(place.parts).removesuffix(".__init__"))


def subclasses(kind):
    for one in kind.__subclasses__():
        yield one
        yield from subclasses(one)


def test_every_kind_of_file_is_in_the_docs():
    assert [row[0] for row in table("parse.md", "Kinds")] == [f"`{kind}`" for kind in Kind]


def test_every_story_of_the_lab_is_in_the_docs():
    rows = table("lab.md", "Stories")
    assert [row[0] for row in rows] == [f"`{name}`" for name in STORIES]
    assert [row[1] for row in rows] == [story.about for story in STORIES.values()]


def test_every_field_of_the_stage_and_every_choice_of_it_is_in_the_docs():
    rows = {row[0].strip("`"): row[1] for row in table("lab.md", "The stage")}
    assert list(rows) == [one.name for one in fields(Stage)]
    for name, choices in {**CHOICES, "drift": GRADES}.items():
        for choice in filter(None, choices):
            assert f"`{choice}`" in rows[name], f"{name}:{choice} is in no page"


def test_every_word_that_directs_an_answer_is_in_the_docs():
    rows = table("lab.md", "Directing an answer")
    words = [word for row in rows for word in re.findall(r"`(\w+)`", row[0])]
    assert sorted(words) == sorted(READERS)
    (kinds,) = (row[1] for row in rows if row[0] == "`answer`")
    assert set(re.findall(r"`(\w+)`", kinds)) == set(KINDS)


def test_every_kind_of_the_ledger_is_in_the_docs():
    _, _, told = DOCS["lab.md"].partition("\n## The ledger\n")
    assert all(f"`{kind}`" in told for kind in Deed)


def test_every_exit_code_is_in_the_docs():
    codes = [row[0] for row in table("architecture.md", "Exit codes")]
    assert codes == ["0", "1", "2", "3", "4", "5", str(INTERRUPTED)]
    assert str(FAILED) in codes
    assert [row[0] for row in table("parse.md", "Exit codes")] == ["0", "1", "2"]


def test_every_room_is_in_the_docs():
    rows = table("architecture.md", "Rooms")
    assert sorted(row[0] for row in rows) == sorted(f"`{room}`" for room in MAY_IMPORT)
    for name, _, stands in rows:
        there = (ROOT / "src" / "tabwire" / name.strip("`")).is_dir()
        assert there == (stands != "planned"), f"{name} is said to be: {stands}"


def test_the_import_map_in_the_docs_is_the_one_that_is_held():
    written = {
        room: set(allowed.split(", ")) - {"-"}
        for room, allowed in table("architecture.md", "Who may import whom")
    }
    assert written == {room: set(allowed) for room, allowed in MAY_IMPORT.items()}


def test_what_the_docs_take_from_the_code_is_in_sync():
    done = subprocess.run(
        [sys.executable, "scripts/docs.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_word_stands_once_in_its_place():
    rows = [line for line in DOCS["words.md"].splitlines() if line.startswith("| ")][1:]
    words = [row.split("|")[1].strip() for row in rows]
    assert words == sorted(set(words))


def test_the_first_screen_shows_the_two_commands():
    first = "\n".join(README.splitlines()[:FIRST_SCREEN])
    assert "make demo" in first
    assert "make test" in first


def test_every_make_command_in_the_docs_exists_and_every_target_is_told_of():
    said = set(re.findall(r"`make ([\w-]+)|^ +make ([\w-]+)", EVERYTHING, re.MULTILINE))
    names = {name for pair in said for name in pair if name}
    assert names <= TARGETS
    assert TARGETS - {"help"} <= names


def test_every_tabwire_command_in_the_docs_exists():
    said = re.findall(r"(?:`|^ +)tabwire ([a-z]+)", EVERYTHING, re.MULTILINE)
    assert said
    assert set(said) <= {*COMMANDS, *GROUPS, "lab"}


def test_every_link_leads_somewhere():
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for link in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"


GUARD = ROOT / "packages" / "guard"
PAGES = [
    *(ROOT / "README.md", ROOT / "CONTRIBUTING.md", GUARD / "README.md"),
    *((ROOT / "docs").glob("*.md")),
    *((GUARD / "docs").glob("*.md")),
]
BASES = [ROOT, ROOT / "tests", ROOT / "src", ROOT / "src" / "tabwire", ROOT / "extension", GUARD]
BASES += [GUARD / "src" / "tabwire_guard"]


def named_paths(text: str) -> list[str]:
    """What stands in backticks and is a path of this repository: its first part is a folder of
    ours, or it is a module or a script. `<name>` and NAME stand for any name."""
    folders = {one.name for base in BASES for one in base.glob("[!.]*") if one.is_dir()}
    found = re.findall(r"`((?:[\w.-]|<\w+>)+(?:/(?:[\w.-]|<\w+>)+)*/?)`", text)
    return [
        path
        for path in found
        if ("/" in path and path.partition("/")[0] in folders) or path.endswith((".py", ".js"))
    ]


def is_there(path: str) -> bool:
    """Whether something of ours has this path, as seen from one of the places that docs speak
    from. A module may be named without its ending, and a file by the end of its path."""
    pattern = re.sub(r"<\w+>|\bNAME\b", "*", path.rstrip("/"))
    found = [one for base in BASES for one in (*base.glob(pattern), *base.glob(f"{pattern}.py"))]
    if path.endswith((".py", ".js")):
        found += [one for base in BASES[1:] for one in base.rglob(pattern)]
    return bool(found)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_path_of_ours_in_a_page_is_there(page):
    text = page.read_text(encoding="utf-8")
    assert [path for path in named_paths(text) if not is_there(path)] == []


def test_a_path_that_is_gone_is_found():
    text = "`hub/jobs/gone.py`, `gone.js`, `src/gone/`, `docs/mcp.md`, `sites/<name>/page.py`"
    known = "`run/hub.lock`, `config.toml`, `dom.js`, `lab/cli`, `sites/NAME/page.py`, `a/b`"
    paths = named_paths(f"{text} {known}")
    assert [path for path in paths if not is_there(path)] == [
        "hub/jobs/gone.py",
        "gone.js",
        "src/gone/",
    ]


def tracked() -> list[Path]:
    """Everything that is, or would be, in the repository."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: nothing says what is tracked")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


# Put together from pieces, so that this file is not its own finding.
MACHINES = "|".join(rf"(?<![\w.])/{name}/" for name in ("work", "tmp", "opt", "home/[a-z]+"))
REGISTRIES = "|".join(
    rf"{name}\.{ending}"
    for name, ending in [
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "(org|com)"),
        ("deb", "debian"),
    ]
)


ABOUT_PATHS = re.compile(
    r"packages/guard/|docs/guard\.md|tests/(?:hub|doors/cli)/test_guard"
    r"|src/tabwire/hub/antigravity_start\.py|tests/autopilot/|tests/(?:sites|monitor)/a"
    r"|tests/(?:hub|monitor)/test_(?:relaunch|agent)|tests/monitor/agent/"
)
"""The guard judges paths, the autopilot reads them on cards; those in them are nobody's."""


def test_no_file_names_a_machine_or_a_registry():
    found = []
    for path in tracked():
        text = path.read_bytes().decode("utf-8", "replace")
        named = str(path.relative_to(ROOT).as_posix())
        names = REGISTRIES if ABOUT_PATHS.match(named) else f"{MACHINES}|{REGISTRIES}"
        for match in re.finditer(names, text):
            line = text.count("\n", 0, match.start()) + 1
            found.append(f"{path.relative_to(ROOT)}:{line}: {match[0]}")
    assert found == []


def test_programs_can_be_run():
    for name in (".ci/run", "scripts/setup.sh"):
        assert os.access(ROOT / name, os.X_OK), f"{name} has no run bit"
