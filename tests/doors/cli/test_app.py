"""The tables of commands say what the commands themselves say."""

import inspect
from importlib import import_module

import pytest

from tabwire.doors.cli.app import COMMANDS
from tabwire.doors.cli.lazy import lazy_commands, lazy_group
from tabwire.lab.cli import COMMANDS as LAB

ALL = {**COMMANDS, **{f"lab {name}": entry for name, entry in LAB.items()}}


@pytest.mark.parametrize("text, target", ALL.values(), ids=list(ALL))
def test_the_line_in_the_list_is_the_first_line_of_the_commands_own_help(text, target):
    module, _, name = target.partition(":")
    function = getattr(import_module(module), name)
    assert (inspect.getdoc(function) or "").splitlines()[0] == text


def test_a_target_is_imported_on_the_first_use_of_its_command_not_before():
    (command,) = lazy_commands({"gone": ("Not there.", "tabwire_no_such_module:run")})
    assert command.name == "gone"
    assert command.help == "Not there."
    with pytest.raises(ModuleNotFoundError, match="tabwire_no_such_module"):
        command.make_context("gone", [])


def test_a_group_keeps_the_order_of_its_table():
    group = lazy_group("g", "Help.", {"b": ("B.", "m:b"), "a": ("A.", "m:a")})
    assert list(group.commands) == ["b", "a"]
