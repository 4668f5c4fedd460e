"""Commands that are imported when they run, not when they are listed.

A table gives each command's one line of help and the place of its function. Listing needs
only the table; running a command, or asking it for its own help, imports the function.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

Table = Mapping[str, tuple[str, str]]
"""Name of a command -> (one line of help, "module:function").

Plain strings, so that the lab, which must not import the doors, can list its commands.
"""


class LazyCommand(TyperCommand):
    """Stands in a group for a command whose module is not imported yet.

    Typer keeps the types of contexts to itself, hence `Any`.
    """

    def __init__(self, name: str, text: str, target: str) -> None:
        super().__init__(name=name, help=text)
        self.target = target

    def make_context(self, *args: Any, **settings: Any) -> Any:
        """The first thing a group asks of the command that will run: here it is imported."""
        return self.load().make_context(*args, **settings)

    def load(self) -> Any:
        """The real command, made of the function at `target`."""
        module, _, function = self.target.partition(":")
        app = typer.Typer(add_completion=False, rich_markup_mode="markdown")  # joins broken lines
        app.command(self.name)(getattr(import_module(module), function))
        return typer.main.get_command(app)


def lazy_commands(table: Table) -> list[LazyCommand]:
    """The commands of a table, in its order."""
    return [LazyCommand(name, text, target) for name, (text, target) in table.items()]


def lazy_group(name: str, text: str, table: Table) -> TyperGroup:
    """A group of a table's commands; alone it prints its help."""
    return TyperGroup(name=name, help=text, commands=lazy_commands(table), no_args_is_help=True)
