"""What is written from the rooms agrees with them: programs, rules, families."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tabwire_guard import catalogue
from tabwire_guard.judgement import judge
from tabwire_guard.programs import known_program
from tabwire_guard.programs.index import ROOMS
from tabwire_guard.programs.registry import CMD, CMDLETS, PROGRAMS


def test_every_program_is_found_in_the_room_the_index_names():
    for table, registered in (("PROGRAMS", PROGRAMS), ("CMDLETS", CMDLETS), ("CMD", CMD)):
        for room, names in ROOMS[table].items():
            import_module(f"tabwire_guard.programs.{room}")
            assert set(names.split()) <= set(registered), room


def test_the_index_and_the_names_of_rules_are_as_the_rooms_are():
    program = Path(__file__).parent.parent / "scripts" / "index.py"
    asked = [sys.executable, program, "--check"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_rule_has_a_family_with_a_meaning():
    assert [name for name, meaning in catalogue.CATALOGUE.items() if not meaning] == []


def test_a_program_is_found_whichever_shell_starts_it():
    for shell in ("bash", "powershell", "cmd"):
        assert known_program("git", shell) is not None
    assert known_program("remove-item", "bash") is None
    assert known_program("no such program", "bash") is None


FORMS = ["{}", "{} a-word", "{} -x --long a=b", "{} -", "{} --"]


@pytest.mark.parametrize(
    "table, shell", [("PROGRAMS", "bash"), ("CMDLETS", "powershell"), ("CMD", "cmd")]
)
def test_every_known_name_is_judged_with_any_number_of_words(table, shell):
    for names in ROOMS[table].values():
        for name in names.split():
            for form in FORMS:
                assert judge(form.format(name), shell=shell).reason, name


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
    program = "import sys; from tabwire_guard.judgement import judge; "
    program += "print(judge(sys.argv[2], shell=sys.argv[1]).verdict.word)"
    asked = [sys.executable, "-c", program, shell, command]
    told = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == verdict
