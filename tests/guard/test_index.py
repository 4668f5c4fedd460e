"""What is written from the rooms agrees with them: programs, rules, families."""

import subprocess
import sys
from importlib import import_module

import pytest

from scripts import guard_index
from tabwire.guard import catalogue
from tabwire.guard.programs import known_program
from tabwire.guard.programs.index import ROOMS
from tabwire.guard.programs.registry import CMD, CMDLETS, PROGRAMS


def test_every_program_is_found_in_the_room_the_index_names():
    for table, registered in (("PROGRAMS", PROGRAMS), ("CMDLETS", CMDLETS), ("CMD", CMD)):
        for room, names in ROOMS[table].items():
            import_module(f"tabwire.guard.programs.{room}")
            assert set(names.split()) <= set(registered), room


def test_the_index_and_the_names_of_rules_are_as_the_rooms_are():
    assert guard_index.main("--check") == 0


def test_every_rule_has_a_family_with_a_meaning():
    assert [name for name, meaning in catalogue.CATALOGUE.items() if not meaning] == []


def test_a_program_is_found_whichever_shell_starts_it():
    for shell in ("bash", "powershell", "cmd"):
        assert known_program("git", shell) is not None
    assert known_program("remove-item", "bash") is None
    assert known_program("no such program", "bash") is None


ALONE = [
    # the first command of a process: no room has been imported before it
    ("bash", "yarn rimraf /", "deny"),
    ("bash", "npm exec -- rimraf /", "deny"),
    ("bash", "npx eslint src", "allow"),
    ("bash", "uvx ruff check", "allow"),
    ("bash", "python3 -m pytest", "allow"),
    ("bash", "timeout 5 docker run -v /:/h alpine rm -rf /h", "deny"),
    ("powershell", "cmd /c rd /s /q C:\\", "deny"),
    ("powershell", "npx tsc --noEmit", "allow"),
    ("cmd", "powershell -c ri C:\\ -r -fo", "deny"),
]


@pytest.mark.parametrize("shell, command, verdict", ALONE)
def test_the_first_command_of_a_process_is_judged_as_any_other(shell, command, verdict):
    program = "import sys; from tabwire.guard.judging import judge; "
    program += "print(judge(sys.argv[2], shell=sys.argv[1]).verdict.word)"
    asked = [sys.executable, "-c", program, shell, command]
    told = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == verdict
