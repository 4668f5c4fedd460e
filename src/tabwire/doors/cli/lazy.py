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


class Command(TyperCommand):
    """A command whose help names values, not Python types, and that takes former spellings.

    Typer keeps the types of contexts and parameters to itself, hence `Any`.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        """All parameters, `--help` too."""
        return [_without_type(one) for one in super().get_params(ctx)]

    def collect_usage_pieces(self, _ctx: Any) -> list[str]:
        """`[OPTIONS] PROMPT [SITE]...`, as everybody else writes it."""
        arguments: list[Any] = [one for one in self.params if one.param_type_name == "argument"]
        pieces = [_usage(one) for one in arguments if not one.hidden]
        return [*([self.options_metavar] if self.options_metavar else []), *pieces]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The command line, in which former spellings of options still work."""
        from tabwire.doors.cli.old_options import renewed

        return super().parse_args(ctx, renewed(ctx.command_path, args))


class Group(TyperGroup):
    """A group of commands; alone it prints its help, as `tabwire` does."""

    def get_params(self, ctx: Any) -> list[Any]:
        """All parameters, `--help` too."""
        return [_without_type(one) for one in super().get_params(ctx)]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Without arguments: `--help`."""
        return super().parse_args(ctx, args or ["--help"])


def _without_type(parameter: Any) -> Any:
    """The same parameter, whose help has no `<bool>` behind a flag nor `<str>` behind a name."""
    if parameter.param_type_name == "argument":
        parameter.display_type_rich = lambda **_: None
    elif parameter.is_flag:
        parameter.metavar = ""
    elif parameter.metavar is None:
        choices = parameter.type_descriptor.choices
        ranged = parameter.type_descriptor.is_ranged
        parameter.metavar = "|".join(map(str, choices)) if choices else "N" if ranged else "VALUE"
    return parameter


def _usage(argument: Any) -> str:
    name = argument.display_name_raw
    more = "..." if argument.nargs != 1 and " " not in name else ""
    return f"{name}{more}" if argument.required else f"[{name}]{more}"


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
        app.command(self.name, cls=Command)(getattr(import_module(module), function))
        return typer.main.get_command(app)


def lazy_commands(table: Table) -> list[LazyCommand]:
    """The commands of a table, in its order."""
    return [LazyCommand(name, text, target) for name, (text, target) in table.items()]


def lazy_group(name: str, text: str, table: Table) -> Group:
    """A group of a table's commands; alone it prints its help."""
    return Group(name=name, help=text, commands=lazy_commands(table))
