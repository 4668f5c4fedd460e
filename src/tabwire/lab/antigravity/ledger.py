"""What really happened at the replica: every press, every prompt, and what came of them.

A page tells of a press before anything comes of it, so a press that had no effect is here too
(`took` is false), with the command that stood in the card at that very moment.
"""

import threading
import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

import msgspec


class Did(StrEnum):
    """What was done, or came of it."""

    CLICK = "click"  # a press on anything at all
    PROMPT = "prompt"  # a prompt arrived
    STOP = "stop"  # the agent was stopped
    RAN = "ran"  # a command ran: after a press, or because it was let through
    REJECTED = "rejected"  # a command was refused
    ALLOWED = "allowed"  # a permission was given
    DENIED = "denied"  # … or refused
    CHANGES = "changes"  # all changes were accepted or rejected; `label` says which
    PLAN = "plan"  # a plan was opened, or the agent told to proceed
    RETRY = "retry"  # the agent tries again
    DISMISS = "dismiss"  # a popup or banner was closed
    CONTINUE = "continue"  # it goes on past the limit
    MODEL = "model"  # another model was chosen; `text` is its name
    MODE = "mode"
    POLICY = "policy"  # the list box of a card: `Always run` is a choice that stays
    CHAT = "chat"  # a new conversation was begun
    OPEN = "open"  # a past conversation was opened
    PICK = "pick"  # something was picked from the typeahead
    ATTACH = "attach"  # files were given to the composer


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened. `number` counts from 1 without a gap."""

    number: int
    did: Did
    at: float  # monotonic seconds
    time: float  # since 1970
    window: str  # the window's id
    workspace: str
    conversation: str = ""  # its id
    title: str = ""  # … and its title
    control: str = ""  # which control was pressed; "" is none that does anything
    label: str = ""  # the text on it
    card: str = ""  # the card, dialog or popup it belongs to
    command: str = ""  # that runs if it is pressed, at that moment
    shown: str = ""  # what stood in the card at that moment
    trusted: bool | None = None  # isTrusted of the event
    took: bool | None = None  # whether the press had an effect
    text: str = ""  # a prompt, a model, what was picked
    files: tuple[str, ...] = ()
    by: str = ""  # how a prompt was sent: `enter` or `button`
    queued: bool = False  # a prompt that came while the agent worked


class Ledger:
    """Everything in order, readable from any thread; on disk as JSON lines where wanted."""

    def __init__(self, path: Path | None = None) -> None:
        self._entries: list[Entry] = []
        self._lock = threading.Lock()
        self._listeners: list[Callable[[], object]] = []
        self._file: BinaryIO | None = None
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("ab", buffering=0)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything so far."""
        with self._lock:
            return tuple(self._entries)

    def of(self, *kinds: Did, window: str | None = None) -> tuple[Entry, ...]:
        """Of these kinds (without any: all), in one window or in all."""
        return tuple(
            one
            for one in self.entries
            if (not kinds or one.did in kinds) and window in (None, one.window)
        )

    def clicks(self, control: str | None = None, window: str | None = None) -> tuple[Entry, ...]:
        """The presses, of one control or of all."""
        clicks = self.of(Did.CLICK, window=window)
        return tuple(one for one in clicks if control in (None, one.control))

    def prompts(self, window: str | None = None) -> tuple[str, ...]:
        """The prompts that arrived."""
        return tuple(one.text for one in self.of(Did.PROMPT, window=window))

    def ran(self, window: str | None = None) -> tuple[str, ...]:
        """The commands that ran."""
        return tuple(one.command for one in self.of(Did.RAN, window=window))

    def record(self, did: Did, **told: object) -> Entry:
        """Write down what happened."""
        with self._lock:
            number = len(self._entries) + 1
            raw = {"number": number, "did": did, "at": time.monotonic(), "time": time.time()}
            entry = msgspec.convert({**raw, **told}, Entry)
            if self._file is not None:
                self._file.write(msgspec.json.encode(entry) + b"\n")
            self._entries.append(entry)
        self.woke()
        return entry

    def woke(self) -> None:
        """Whoever listens looks again: an entry came, or a turn ended."""
        for heard in tuple(self._listeners):
            heard()

    def listen(self, heard: Callable[[], object]) -> Callable[[], None]:
        """Be told of each entry, in the lab's thread; call what is returned to end it."""
        self._listeners.append(heard)
        return lambda: self._listeners.remove(heard) if heard in self._listeners else None

    def close(self) -> None:
        """Let go of the file. Idempotent."""
        if self._file is not None:
            self._file.close()
            self._file = None
