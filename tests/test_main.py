"""The `tabwire` command as a whole: quick to list, and plain when something goes wrong."""

import json
import os
import subprocess
import sys

import pytest

from tabwire import __version__
from tabwire.__main__ import main
from tabwire.doors.cli import app

HEAVY = ("msgspec", "asyncio", "pydantic", "tabwire.wire", "tabwire.sites", "tabwire.fusion")
LATER = ("tabwire.hub", "tabwire.doors.cli.parse", "tabwire.lab.demo")

PLANTED = '''
from tabwire.model.errors import TabwireError

def fine(word: str = "well") -> None:
    """Say a word."""
    print(word)

def fails() -> None:
    raise TabwireError("the tab is gone", what_to_do="Open it again.")

def stops() -> None:
    raise KeyboardInterrupt

def murmurs() -> None:
    print("less than a buffer holds")

def pours() -> None:
    for _ in range(100_000):
        print("more than any pipe holds")
'''


@pytest.fixture
def tabwire(monkeypatch, tmp_path, capsys):
    """Run `tabwire …` in this process with planted commands: (exit code, stdout, stderr)."""
    (tmp_path / "planted_commands.py").write_text(PLANTED)
    monkeypatch.syspath_prepend(tmp_path)
    names = ("fine", "fails", "stops")
    table = {name: (f"It {name}.", f"planted_commands:{name}") for name in names}
    monkeypatch.setattr(app, "COMMANDS", table)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["tabwire", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capsys.readouterr()
        return left.value.code, out, err

    return run


def test_without_arguments_it_prints_its_help(tabwire):
    alone, asked = tabwire(), tabwire("--help")
    assert alone == asked
    assert alone[0] == 0
    assert "It fine." in alone[1]
    assert "lab" in alone[1]


def test_it_knows_its_version(tabwire):
    assert tabwire("--version") == (0, f"tabwire {__version__}\n", "")


def test_a_listed_command_is_imported_only_when_it_runs(tabwire, monkeypatch):
    monkeypatch.delitem(sys.modules, "planted_commands", raising=False)
    tabwire("--help")
    assert "planted_commands" not in sys.modules
    assert tabwire("fine", "--word", "good") == (0, "good\n", "")
    assert "planted_commands" in sys.modules


def test_a_command_shows_its_own_help_under_its_own_name(tabwire):
    code, out, _ = tabwire("fine", "--help")
    assert code == 0
    assert "Usage: tabwire fine [OPTIONS]" in out
    assert "--word" in out


def test_an_unknown_command_is_a_usage_error_with_a_suggestion(tabwire):
    code, _, err = tabwire("fines")
    assert code == 2
    assert "Did you mean 'fine'" in err


def test_an_unknown_option_is_a_usage_error(tabwire):
    code, _, err = tabwire("fine", "--loud")
    assert code == 2
    assert "--loud" in err


def test_an_error_says_what_happened_and_what_to_do(tabwire):
    """Promise: say."""
    assert tabwire("fails") == (1, "", "tabwire: the tab is gone\nOpen it again.\n")


def test_an_interrupt_leaves_quietly(tabwire):
    assert tabwire("stops") == (130, "", "")


def test_an_interrupt_before_any_command_leaves_quietly(tabwire, monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(app, "build", interrupted)
    assert tabwire("fine") == (130, "", "")


@pytest.mark.parametrize("command", ["pours", "murmurs", "--help"])
def test_a_reader_that_leaves_is_no_error(monkeypatch, tmp_path, command):
    """`tabwire … | head -1`: whether the pipe breaks while printing or at the last flush."""
    (tmp_path / "planted_commands.py").write_text(PLANTED)
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); sys.argv = ['tabwire', {command!r}]\n"
        "from tabwire.__main__ import main; from tabwire.doors.cli import app\n"
        f"app.COMMANDS = {{{command!r}: ('Prints.', 'planted_commands:{command}')}}; main()"
    )
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)  # it would leave nothing to flush
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-c", program], stdout=writer, stderr=subprocess.PIPE, check=False
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


def test_help_imports_nothing_heavy():
    """Speed is measured in `make bench`; what makes it slow is held here."""
    program = (
        "import sys, json, atexit\n"
        "atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))\n"
        "sys.argv = ['tabwire', '--help']\n"
        "from tabwire.__main__ import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    names = json.loads(done.stderr)
    assert "typer" in names
    found = [name for name in names if name.startswith((*HEAVY, *LATER))]
    assert found == []


def test_it_runs_as_a_module_too():
    done = subprocess.run(
        [sys.executable, "-m", "tabwire", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"tabwire {__version__}\n"
