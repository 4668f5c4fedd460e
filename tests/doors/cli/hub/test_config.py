"""`tabwire config`: every setting, and where it came from."""

import json
from dataclasses import fields

import pytest

from tabwire.__main__ import main
from tabwire.config.settings import Settings


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path))
    monkeypatch.setenv("TABWIRE_LANES", "5")
    monkeypatch.setenv("CAI_MAX_AGENTS", "none")
    text = 'file_roots = ["/a"]\ndatabase = "postgresql://me:hunter2@db/x"\n'
    (tmp_path / "config.toml").write_text(text)
    return tmp_path


@pytest.fixture
def run(monkeypatch, capfd):
    """Run the command: (exit code, stdout, stderr)."""

    def call(*arguments):
        monkeypatch.setattr("sys.argv", ["tabwire", "config", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        return left.value.code or 0, *capfd.readouterr()

    return call


def test_every_setting_is_shown_with_where_it_came_from(home, run):
    _, out, err = run("--json")
    rows = {row["name"]: row for row in map(json.loads, out.splitlines())}
    assert list(rows) == [one.name for one in fields(Settings)]
    assert rows["lanes"] == {"name": "lanes", "value": 5, "from": "TABWIRE_LANES"}
    assert rows["file_roots"]["value"] == ["/a"]
    assert rows["file_roots"]["from"] == f"{home}/config.toml:1"
    assert rows["max_agents"] == {"name": "max_agents", "value": 10, "from": "default"}
    assert err == (
        "tabwire: CAI_MAX_AGENTS: 'none' must be a whole number from 1 to 1000; it is ignored\n"
    )


def test_a_person_reads_the_same_and_no_password(home, run):
    code, text, _ = run()
    assert code == 0
    assert f"# {home}/config.toml" in text
    (lanes,) = (line.split() for line in text.splitlines() if line.startswith("lanes"))
    assert lanes == ["lanes", "5", "TABWIRE_LANES"]
    assert "hunter2" not in text + run("--json")[1]


def test_what_cannot_be_meant_is_named_with_its_line(home, run):
    (home / "config.toml").write_text("\nport = 'x'\n")
    code, _, err = run()
    assert code == 2
    assert err.startswith(f"tabwire: {home}/config.toml:2: port: 'x' ")
