"""Short lines on stderr for whoever reads a pipe or a log: never silent for long."""

import asyncio
import sys

from tabwire.doors.cli.ask.board import Board, Column, one_line
from tabwire.doors.cli.safe_text import harmless
from tabwire.model.ask import Amended, Answered, AskEvent, Failed, PhaseBegan, StillWaiting
from tabwire.model.phases import PHASE_WORDS

MAX_LINE = 300  # characters: a site's own words can be long
SILENT_SECONDS = 60.0  # without a line; then each column says where it is


class Lines:
    """Phases and waits, one line each. `with` it."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._last_at = board.clock()

    def __enter__(self) -> "Lines":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def tell(self, event: AskEvent) -> None:
        """Say what has changed, if a person wants to know."""
        column = self._board.columns[event.site]
        match event:
            case PhaseBegan(phase=phase, note=note):
                self._line(column, f"{PHASE_WORDS[phase]}{f' ({note})' if note else ''}")
            case StillWaiting(why=why):
                self._line(column, f"still waiting: {why}")
            case Answered() | Amended() | Failed():
                self._last_at = self._board.clock()  # said in full at the end

    def say(self, words: str) -> None:
        """A line of its own."""
        self._last_at = self._board.clock()
        print(harmless(f"tabwire: {words}"), file=sys.stderr, flush=True)

    async def keep_talking(self) -> None:
        """Says where things are whenever nothing was said for a while. Cancel to end."""
        while True:
            await asyncio.sleep(self.silent_for())
            self.tick()

    def silent_for(self) -> float:
        """For how many more seconds nothing need be said."""
        return max(0.0, self._last_at + SILENT_SECONDS - self._board.clock())

    def tick(self) -> None:
        """Break the silence, if it is long enough."""
        if self.silent_for():
            return
        now = self._board.clock()
        for column in self._board.columns.values():
            if not column.over:
                self._line(column, column.words(now))
        self._last_at = now

    def _line(self, column: Column, words: str) -> None:
        self._last_at = self._board.clock()
        seconds = self._last_at - self._board.began
        line = one_line(f"{column.site}: {words}", MAX_LINE)
        print(f"{seconds:7.1f} s  {line}", file=sys.stderr, flush=True)
