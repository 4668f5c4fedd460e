"""One conversation as the replica knows it: turns, rows, notices. What a page shows is a copy.

Every change is a patch, told at once to whoever shows this conversation; a page that comes
later, or anew, gets the whole.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Patch = dict[str, Any]
Row = dict[str, Any]
"""A row, card or notice as the page gets it: `id`, `kind`, and what that kind has."""


@dataclass(slots=True)
class Turn:
    """What was asked, and all that followed."""

    id: str
    prompt: str
    files: tuple[str, ...] = ()
    rows: list[Row] = field(default_factory=list)
    status: str = ""  # the status line; "" is hidden
    over: bool = False
    worked: str = ""  # how long, once it is over
    unmounted: bool = False

    def shown(self) -> Patch:
        """As the page gets it."""
        names = ("id", "prompt", "files", "rows", "status", "over", "worked", "unmounted")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class Press:
    """Somebody pressed a control of a card."""

    control: str
    label: str
    command: str
    text: str = ""


class Conversation:
    """Turns in order, what stands over them, and whether the agent works."""

    def __init__(
        self, name: str, title: str, tell: Callable[["Conversation", Patch], None]
    ) -> None:
        self.id = name
        self.title = title
        self.titled = bool(title)
        self.turns: list[Turn] = []
        self.notices: list[Row] = []
        self.changes: list[tuple[str, int, int]] = []
        self.plain_bar = False
        self.running = False
        self.stop_shown = False
        self.nodes = 0
        self.when = "now"
        self.here = True
        self._tell = tell
        self._count = 0
        self._waiting: dict[str, asyncio.Future[Press]] = {}

    def fresh(self, kind: str) -> str:
        """An id nobody has here."""
        self._count += 1
        return f"{self.id}-{kind}{self._count}"

    def shown(self) -> Patch:
        """The whole, as a page gets it."""
        return {
            "conversation": self.id,
            "title": self.title,
            "turns": [turn.shown() for turn in self.turns],
            **self._fields(),
            "nodes": self.nodes,
        }

    def _fields(self) -> Patch:
        return {
            "title": self.title,
            "notices": self.notices,
            "changes": self.changes,
            "plain_bar": self.plain_bar,
            "running": self.running,
            "stop_shown": self.stop_shown,
        }

    # -- changes --------------------------------------------------------------------------

    def begin(self, prompt: str, files: tuple[str, ...] = ()) -> Turn:
        """A new turn."""
        for earlier in self.turns:
            earlier.over = True
        turn = Turn(self.fresh("turn"), prompt, files)
        self.turns.append(turn)
        if not self.titled:
            self.title, self.titled = " ".join(prompt.split()[:6])[:40], True
        self.told("turn", turn=turn.shown())
        self.changed()
        return turn

    def put(self, turn: Turn, row: Row) -> Row:
        """A row is new, or not as it was."""
        if not any(one is row for one in turn.rows):
            turn.rows.append(row)
        self.told("turn", turn=turn.shown())
        return row

    def redraw(self, turn: Turn) -> None:
        """Something about the turn changed."""
        self.told("turn", turn=turn.shown())

    def changed(self) -> None:
        """Something beside the turns changed."""
        self.told("set", **self._fields())

    def change(self, files: tuple[tuple[str, int, int], ...], plain: bool) -> None:
        """The bar of changed files is another."""
        self.changes, self.plain_bar = list(files), plain
        self.changed()

    def notice(self, row: Row) -> Row:
        """A dialog, popup or banner appears."""
        self.notices.append(row)
        self.changed()
        return row

    def unnotice(self, name: str) -> None:
        """… and goes."""
        self.notices = [one for one in self.notices if one["id"] != name]
        self.changed()

    def told(self, op: str, **more: Any) -> None:
        """Tell the pages."""
        self._tell(self, {"op": op, "conversation": self.id, **more})

    # -- cards ----------------------------------------------------------------------------

    def card(self, name: str) -> Row | None:
        """A card, dialog or popup by its id, wherever it stands."""
        rows = [row for turn in self.turns for row in turn.rows]
        return next((one for one in (*rows, *self.notices) if one["id"] == name), None)

    def awaits(self, name: str) -> "asyncio.Future[Press]":
        """The next press on a card."""
        future: asyncio.Future[Press] = asyncio.get_running_loop().create_future()
        self._waiting[name] = future
        return future

    def pressed(self, name: str, press: Press) -> bool:
        """A press arrived. Says whether anybody waited for it."""
        future = self._waiting.pop(name, None)
        if future is None or future.done():
            return False
        future.set_result(press)
        return True

    def forget(self) -> None:
        """Nobody waits any more."""
        for future in self._waiting.values():
            future.cancel()
        self._waiting.clear()
