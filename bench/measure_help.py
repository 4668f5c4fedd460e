"""`tabwire --help` against the smallest app that uses the same library."""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from bench.race import median_of
from bench.table import Row, row

ROUNDS = 21

TWO_COMMANDS = """\
import typer

app = typer.Typer()

@app.command()
def first(name: str) -> None:
    "Greet someone."

@app.command()
def second(count: int = 1) -> None:
    "Count something."

if __name__ == "__main__":
    app()
"""


def measure() -> list[Row]:
    """Whole processes, in turns."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "two_commands.py"
        script.write_text(TWO_COMMANDS)
        tabwire = Path(sys.executable).with_name("tabwire")
        ours, theirs = median_of(
            ROUNDS,
            help_of([sys.executable, str(tabwire)]),
            help_of([sys.executable, str(script)]),
        )
    return [row("tabwire --help, against a two-command Typer app", ours, "s", theirs, "<= 1.3")]


def help_of(command: list[str]) -> Callable[[], object]:
    """Something that runs `command --help` in a process of its own."""
    return lambda: subprocess.run([*command, "--help"], stdout=subprocess.DEVNULL, check=True)
