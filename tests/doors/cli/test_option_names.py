"""One name for one thing: options of all commands, and their former spellings."""

import re

import pytest

from tabwire.doors.cli.app import COMMANDS, GROUPS
from tabwire.doors.cli.lazy import lazy_commands
from tabwire.doors.cli.old_options import OLD_OPTIONS, renewed
from tabwire.lab.cli import COMMANDS as LAB
from tests.doors.cli.calling import called

TABLES = {"": COMMANDS, **{name: table for name, (_, table) in GROUPS.items()}, "lab": LAB}
ALL = {
    " ".join(filter(None, ("tabwire", group, command.name))): command
    for group, table in TABLES.items()
    for command in lazy_commands(table)
}
ASKS = {"tabwire ask"}
LOGS = {"--log-file", "--ledger"}
"""Files that grow while a command runs; they are no result that is written."""
READS = {"--file", "--prompt-file", "--context"}
HELPED = [name[8:] for name in ALL if name != "tabwire guard hook"]
"""That one writes its own help, and ends its process."""
PLACES = ("FILE", "FOLDER", "PATH", "DIR")


@pytest.mark.parametrize("name", ALL)
def test_a_site_is_asked_with_to_and_chosen_with_site(name):
    options = shown(name)
    assert ("--to" in options) == (name in ASKS)
    if "--site" in options:
        assert name not in ASKS
    for option, one in options.items():
        if (one.metavar or "").startswith("SITE"):
            assert option in ("--to", "--site")


@pytest.mark.parametrize("name", [name for name in ALL if not name.startswith("tabwire guard ")])
def test_what_a_command_writes_goes_to_out(name):
    for option, one in shown(name).items():
        if (one.metavar or "").startswith(PLACES) and option not in LOGS | READS:
            assert option == "--out"
    for argument in ALL[name].load().params:
        if argument.param_type_name == "argument" and not argument.hidden:
            assert "write" not in (argument.help or ""), f"{name} {argument.name}"


@pytest.mark.parametrize("name", ALL)
def test_a_window_is_hidden_and_shown_by_one_option(name):
    options = shown(name)
    assert "--visible" not in options
    assert ("--headless" in options) == ("--no-headless" in options)


@pytest.mark.parametrize("name", ALL)
def test_a_time_is_written_in_one_way(name):
    """90, 90s, 10m; of the hooks, the assistants write it."""
    for option, one in shown(name).items():
        if option in ("--for", "--timeout") and name != "tabwire guard hook":
            assert one.metavar == "TIME"


@pytest.mark.parametrize("name", OLD_OPTIONS)
def test_a_former_spelling_is_not_shown_and_leads_to_an_option_that_is(name):
    options = shown(name)
    for former, now in OLD_OPTIONS[name].items():
        assert former not in options
        assert now.partition("=")[0] in options


REWRITTEN = [
    ("apart", ["last", "--to", "grok"], ["last", "--site", "grok"]),
    ("joined", ["--to=grok", "last"], ["--site=grok", "last"]),
    ("twice", ["--to", "a", "--to", "b"], ["--site", "a", "--site", "b"]),
    ("behind the end of options", ["--", "--to"], ["--", "--to"]),
    ("none", ["last", "--site", "grok"], ["last", "--site", "grok"]),
]


@pytest.mark.parametrize("said, meant", [c[1:] for c in REWRITTEN], ids=[c[0] for c in REWRITTEN])
def test_a_former_spelling_works_with_one_hint(capsys, said, meant):
    assert renewed("tabwire fetch", said) == meant
    hints = capsys.readouterr().err.splitlines()
    expected = "tabwire: --to is now --site here; it still works in this release"
    assert hints == ([expected] if said != meant else [])


def test_a_former_spelling_is_one_of_its_command_only():
    assert renewed("tabwire ask", ["--to", "grok"]) == ["--to", "grok"]


@pytest.fixture
def tabwire(monkeypatch, capfdbinary, tmp_path):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TABWIRE_HUB", "off")
    monkeypatch.chdir(tmp_path)
    return lambda *said: called(monkeypatch, capfdbinary, *said)


FORMER = [
    (["history", "--to", "grok"], "--to is now --site here"),
    (["history", "--jsonl"], "--jsonl is now --format history.jsonl here"),
    (["sessions", "clear", "--all", "--to", "grok"], "--to is now --site here"),
    (["sessions", "export", "old.json"], "PATH is now --out PATH here"),
]


@pytest.mark.parametrize("said, words", FORMER, ids=[" ".join(said) for said, _ in FORMER])
def test_a_command_line_of_before_still_does_its_work(tabwire, said, words, tmp_path):
    code, out, err = tabwire(*said)
    assert (code, out) == (0, "")
    assert words in err
    assert (tmp_path / "old.json").exists() == ("old.json" in said)


@pytest.mark.parametrize("group", [*GROUPS, "lab"])
def test_a_group_alone_prints_its_help_as_tabwire_does(tabwire, group):
    alone = tabwire(group)
    assert alone == tabwire(group, "--help")
    assert alone[0] == 0
    assert f"Usage: tabwire {group} [OPTIONS] COMMAND" in alone[1]


@pytest.mark.parametrize("name", ["", *GROUPS, "lab", *HELPED])
def test_help_names_values_not_python_types(tabwire, name):
    code, out, _ = tabwire(*name.split(), "--help")
    assert code == 0
    usage = out.partition("Usage:")[2].splitlines()[0]
    assert not [odd for odd in ("[[", "]]", "{", "<") if odd in usage]
    assert not re.findall(r"<(?:bool|str|int|float|path|file|list)\b", out)


def shown(name):
    """The options of a command that its help shows."""
    return {
        option: one
        for one in ALL[name].load().params
        if one.param_type_name == "option" and not one.hidden
        for option in (*one.opts, *one.secondary_opts)
        if option.startswith("--")
    }
