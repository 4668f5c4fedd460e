"""Columns that grow while their sites answer; rows where the terminal is narrow.

Drawn by Rich in a thread of its own, a few times a second: reading the wire never waits for
the screen. Everything drawn is taken from the board as it stands.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tabwire.doors.cli.ask.board import Board, Column, one_line
from tabwire.doors.cli.safe_text import harmless
from tabwire.model.ask import AskEvent, Completeness

LEAST_WIDTH = 38  # of a column; below that lines are too short to read
LEAST_HEIGHT = 4  # of a row: two lines of border, the phase, a line of text
MOST_HEIGHT = 26  # of a column: a large screen need not be filled
REFRESH = 10  # pictures per second
BORDER = 4  # characters a panel takes from each line
HEAD = 1  # lines above the text
LOCAL_FLAGS = 3  # where `termios` keeps them in its list

# Terminals disagree how wide joined emoji are, and a line too long breaks the picture: here they
# are shown unjoined, flags as letters. What steers the direction of writing is left out too.
UNJOINED: dict[int, str | None] = {
    **dict.fromkeys([*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)]),
    **dict.fromkeys([0xFE0E, 0xFE0F, 0xFEFF, *range(0x1F3FB, 0x1F400)]),
    **{0x1F1E6 + number: chr(ord("A") + number) for number in range(26)},
}

WORTH = {
    Completeness.COMPLETE: "green",
    Completeness.PARTIAL: "yellow",
    Completeness.STOPPED: "yellow",
}


class Columns:
    """The board on a terminal. `with` it; nothing of it stays on the screen afterwards."""

    def __init__(self, board: Board, console: Console, *, thinking: bool = False) -> None:
        self._board = board
        self._console = console
        self._thinking = thinking
        self._stack = ExitStack()
        self._live = Live(
            get_renderable=self.drawn,
            console=console,
            refresh_per_second=REFRESH,
            transient=True,
            vertical_overflow="crop",
        )

    def __enter__(self) -> "Columns":
        self._stack.enter_context(unechoed())
        self._stack.enter_context(self._live)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def tell(self, event: AskEvent) -> None:
        """The next picture shows it: the board knows already."""

    def say(self, words: str) -> None:
        """A line that stays, above the columns."""
        self._console.print(Text(harmless(words), style="yellow"))

    def drawn(self) -> RenderableType:
        """The whole picture, as large as the terminal is now."""
        columns = list(self._board.columns.values())
        if not columns:
            return Text("")
        width, height = self._console.size
        rows = width // len(columns) < LEAST_WIDTH
        each_width = width if rows else width // len(columns)
        room = height - 2  # an empty line, and one to spare
        each_height = room // len(columns) if rows else room
        each_height = min(MOST_HEIGHT, max(LEAST_HEIGHT, each_height))
        panels = [self._panel(one, each_width, each_height) for one in columns]
        # The cursor waits on an empty line: `^C`, which terminals write where it stands, would
        # else go over the edge of the last one and leave the next picture a line too low.
        if rows:
            return Group(*panels, Text(""))
        grid = Table.grid()
        for _ in panels:
            grid.add_column(width=each_width)
        grid.add_row(*panels)
        return Group(grid, Text(""))

    def _panel(self, column: Column, width: int, height: int) -> Panel:
        inside = width - BORDER
        lines = height - 2 - HEAD
        parts: list[RenderableType] = [
            Text(column.words(self._board.clock()), style=_style(column), no_wrap=True)
        ]
        if column.note and lines > 1:
            parts.append(
                Text(
                    one_line(column.note.translate(UNJOINED), inside), style="yellow", no_wrap=True
                )
            )
            lines -= 1
        if column.thinking.length and not column.over:
            parts += self._thoughts(column, inside, lines)
            lines -= len(parts) - 1 - bool(column.note)
        if column.error is not None:
            parts.append(self._end(str(column.error), inside, lines, "red"))
        elif column.text.length:
            parts.append(self._end(column.text.end, inside, lines, ""))
        return Panel(
            Group(*parts),
            title=Text(column.site, style="bold"),
            width=width,
            height=height,
            border_style=_style(column) if column.over else "dim",
        )

    def _thoughts(self, column: Column, width: int, lines: int) -> list[RenderableType]:
        """One dim line, the newest; with --thinking as much as there is room before text."""
        if lines < 2:
            return []
        if self._thinking and not column.text.length:
            text = self._end(column.thinking.end, width, lines - 1, "dim italic")
            return [*text.split("\n")]
        newest = column.thinking.end.strip().rpartition("\n")[2].translate(UNJOINED)
        return [Text(one_line(newest, width), style="dim italic", no_wrap=True)]

    def _end(self, text: str, width: int, lines: int, style: str) -> Text:
        """The end of a text that fits, wrapped as the terminal will."""
        if lines < 1:
            return Text("")
        end = Text(harmless(text[-width * lines :]).translate(UNJOINED), style=style)
        wrapped = end.wrap(self._console, width, tab_size=4)
        return Text("\n").join(wrapped[-lines:])


def _style(column: Column) -> str:
    if column.error is not None:
        return "red"
    if column.answer is not None:
        return WORTH[column.answer.completeness]
    return "cyan"


@contextmanager
def unechoed() -> Iterator[None]:
    """In the block the terminal writes no `^C` into the picture. No terminal: nothing is done."""
    try:
        import termios
    except ImportError:  # Windows
        yield
        return
    try:
        place = sys.stdin.fileno()
        # In the background a program that sets the terminal is stopped by the system.
        ours = os.isatty(place) and os.tcgetpgrp(place) == os.getpgrp()
        before = termios.tcgetattr(place) if ours else None
    except (OSError, ValueError, AttributeError, termios.error):  # closed, or none at all
        before = None
    if before is None:
        yield
        return
    changed = [*before]
    changed[LOCAL_FLAGS] = before[LOCAL_FLAGS] & ~termios.ECHOCTL
    termios.tcsetattr(place, termios.TCSANOW, changed)
    try:
        yield
    finally:
        termios.tcsetattr(place, termios.TCSANOW, before)
