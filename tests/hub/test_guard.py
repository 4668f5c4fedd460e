"""The guard in Tabwire: the same rules as without it, and errors of ours."""

import pytest

from tabwire.config.home import home
from tabwire.hub import guard
from tabwire.model.errors import BadSetting, TabwireError
from tabwire_guard.person.home import home_folder

HOMES = [
    {},
    {"TABWIRE_HOME": "/somewhere/else"},
    {"TABWIRE_HOME": "~/mine"},
    {"XDG_DATA_HOME": "/data"},
    {"XDG_DATA_HOME": "relative"},
]


@pytest.mark.parametrize("environment", HOMES, ids=str)
def test_the_guard_by_itself_reads_the_rules_where_tabwire_keeps_them(monkeypatch, environment):
    for name in ("TABWIRE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert home_folder() == home()


def test_a_rule_file_that_cannot_be_read_is_an_error_not_an_allowance(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path))
    (tmp_path / guard.FILE).write_text("allow = [")
    for ask in (
        lambda: guard.judged("ls"),
        lambda: guard.own_rules(tmp_path),
        lambda: guard.command("check", ["ls"]),
    ):
        with pytest.raises(BadSetting, match=guard.FILE) as caught:
            ask()
        assert caught.value.what_to_do.startswith("Correct the file")


def test_what_a_command_refuses_is_an_error_with_its_exit_code(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path))
    with pytest.raises(guard.BadInput, match="unknown shell") as caught:
        guard.command("check", ["ls"], shell="fish")
    assert caught.value.exit_code == 2
    with pytest.raises(TabwireError, match="no rule") as refused:
        guard.command("forget", "npm install")
    assert refused.value.exit_code == 1


def test_a_decision_is_remembered_when_asked_to(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path))
    guard.judged("npm install", workspace=str(tmp_path))
    assert list(tmp_path.iterdir()) == []
    guard.judged("npm install", workspace=str(tmp_path), record=True)
    assert "npm install" in (tmp_path / "guard-decisions.jsonl").read_text()
