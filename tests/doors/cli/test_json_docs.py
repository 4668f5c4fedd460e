"""Every command with `--json` is in docs/json.md, with the shape and the fields it prints."""

import json
import re
from pathlib import Path

import pytest

from tests.doors.cli.calling import called
from tests.doors.cli.test_option_names import ALL

PAGE = Path(__file__).resolve().parents[3] / "docs" / "json.md"
ROWS = {
    cells[0].strip("`"): cells[1:]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| `tabwire")
    for cells in [[cell.strip() for cell in line.strip("|").split("|")]]
}
WITH_JSON = {
    name: option
    for name, command in ALL.items()
    for option in command.load().params
    if "--json" in option.opts
}


def test_the_page_has_every_command_with_json_and_no_other():
    assert list(ROWS) == [name for name in ALL if name in WITH_JSON]


@pytest.mark.parametrize("name", ROWS)
def test_the_help_of_json_says_the_shape_that_the_page_says(name):
    shape = "JSON Lines, one object per" if ROWS[name][0].startswith("JSON") else "one JSON object"
    assert ROWS[name][0].startswith(("JSON Lines, one object per ", "one object"))
    assert WITH_JSON[name].help.startswith(f"Print {shape}")


@pytest.fixture
def tabwire(monkeypatch, capfdbinary, tmp_path):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TABWIRE_HUB", "off")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "body.sse").write_text('data: {"v": "hi"}\n\n')
    (tmp_path / "cases.jsonl").write_text('{"cmd": "ls", "shell": "unix", "label": "allow"}\n')
    (tmp_path / "sessions.json").write_text(json.dumps({"version": 2, "agents": OLD}))
    return lambda *said: called(monkeypatch, capfdbinary, *said)


OLD = {"a": {"lastAccess": "2026-01-01T00:00:00Z", "chatgpt": None, "gemini": None}}
RUN = [
    ("config",),
    ("status",),
    ("extension", "path"),
    ("extension", "status"),
    ("parse", "body.sse"),
    ("sessions", "import", "sessions.json"),
    ("sessions", "clear", "--all"),
    ("guard", "check", "ls"),
    ("guard", "explain", "ls"),
    ("guard", "test", "cases.jsonl"),
    ("guard", "rules"),
    ("lab", "stories"),
]


@pytest.mark.parametrize("said", RUN, ids=[" ".join(one) for one in RUN])
def test_what_is_printed_has_the_shape_and_the_fields_of_the_page(tabwire, said):
    lines = tabwire(*said, "--json")[1].splitlines()
    (name,) = [one for one in ROWS if f"{' '.join(('tabwire', *said))} ".startswith(f"{one} ")]
    shape, fields = ROWS[name]
    assert lines
    assert shape.startswith("JSON Lines") or len(lines) == 1
    told = set(re.findall(r"`(\w+)`", fields))
    if name == "tabwire guard explain":
        told |= set(re.findall(r"`(\w+)`", ROWS["tabwire guard check"][1]))
    for line in lines:
        assert set(json.loads(line)) <= told
