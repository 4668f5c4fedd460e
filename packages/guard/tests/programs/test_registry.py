"""What a declaration says of a program holds wherever its function stands."""

import pytest

from tabwire_guard.judgement import judge
from tabwire_guard.programs.registry import PROGRAMS, program


def harmless(call):
    """Says nothing against any of them."""


@pytest.fixture(params=[__name__, "tabwire_guard.programs.elsewhere"])
def declared(request, monkeypatch):
    """Two programs of one function, in whichever module that is."""
    monkeypatch.setattr(harmless, "__module__", request.param)
    names = "a-builder", "a-reader"
    program(names[0], runs_project=True)(harmless)
    program(names[1])(harmless)
    yield names
    for name in names:
        del PROGRAMS[name]


OUTSIDE = [
    "cd ../evil && {} build",
    "cd ~/Downloads/x && {}",
    "{} --project /tmp/x",
    "{} /tmp/x.cfg",
]


@pytest.mark.parametrize("command", OUTSIDE)
def test_a_program_that_runs_the_project_asks_outside_of_it(declared, command):
    builder, reader = declared
    judged = judge(command.format(builder))
    assert (judged.verdict.word, judged.rule) == ("ask", "run.elsewhere")
    assert judge(command.format(reader)).verdict.word == "allow"


def test_inside_the_project_it_does_not(declared):
    for name in declared:
        assert judge(f"{name} build").verdict.word == "allow"
        assert judge(f"cd ../evil && {name} --version").verdict.word == "allow"
