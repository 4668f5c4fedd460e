"""`tabwire logs`: what the hub wrote down."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import log_path, settings

LOOK_SECONDS = 0.2  # between two looks at a file nobody tells us about
PART = 64 * 1024  # bytes read at once, from the end


def logs(
    follow: Annotated[
        bool, typer.Option("-f", "--follow", help="Keep running and print new lines.")
    ] = False,
    lines: Annotated[
        int,
        typer.Option("-n", "--lines", min=0, help="Number of lines to show, counted from the end."),
    ] = 50,
) -> None:
    """Show the hub log.

    The log never contains tokens or cookies, and contains questions and answers only if the hub
    runs with `--log-level debug`. Press Ctrl-C to stop following.

    Examples:

      tabwire logs

      tabwire logs -f

      tabwire logs -n 500
    """
    path = log_path(settings())
    if not path.exists() and not follow:
        print(f"no log yet: {path}", file=sys.stderr)
        return
    for line in last_lines(path, lines):
        show(line)
    if follow:
        follow_lines(path, show)


def last_lines(path: Path, count: int) -> list[bytes]:
    """The newest lines of a file, however long it is."""
    if count == 0 or not path.exists():
        return []
    with open(path, "rb") as file:
        at, held = file.seek(0, 2), b""
        while at > 0 and held.count(b"\n") <= count:
            at, size = max(0, at - PART), min(PART, at)
            file.seek(at)
            held = file.read(size) + held
    return held.splitlines()[-count:]


def follow_lines(path: Path, tell: Callable[[bytes], None]) -> None:
    """From the end on, also in the file that takes the place of one that was put aside."""
    at = path.stat().st_size if path.exists() else 0
    while True:
        try:
            with open(path, "rb") as file:
                file.seek(at)
                _follow_one(file, path, tell)
        except FileNotFoundError:
            time.sleep(LOOK_SECONDS)
        at = 0


def _follow_one(file: BinaryIO, path: Path, tell: Callable[[bytes], None]) -> None:
    held, last_look = b"", False
    while True:
        if chunk := file.read(PART):
            *whole, held = (held + chunk).split(b"\n")
            for line in whole:
                tell(line)
        elif last_look:
            return
        elif _is_another(file, path):
            last_look = True  # what was written between our last look and its end
        else:
            time.sleep(LOOK_SECONDS)


def show(line: bytes) -> None:
    """One line, which must not drive the terminal."""
    print(harmless(line.decode("utf-8", "replace")), flush=True)


def _is_another(file: BinaryIO, path: Path) -> bool:
    try:
        return not os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
