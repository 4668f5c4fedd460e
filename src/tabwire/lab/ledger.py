"""What reached the lab: written down before the first byte of an answer leaves.

A prompt that is not here was never received; one that is here twice was sent twice. Besides
prompts: what was uploaded, stopped and read, so that nobody can do any of it unnoticed.
"""

import time
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

import msgspec


class Deed(StrEnum):
    """What somebody did at a replica."""

    PROMPT = "prompt"  # asked
    UPLOAD = "upload"  # gave a file
    STOP = "stop"  # stopped an answer
    RESUME = "resume"  # asked for the rest of an answer
    READ = "read"  # read a stored conversation
    LIST = "list"  # read the list of conversations


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing a replica received. `number` counts from 1 without a gap."""

    site: str
    conversation_id: str
    prompt: str  # "" where nothing was asked
    at: float  # monotonic seconds
    kind: Deed = Deed.PROMPT
    number: int = 0
    time: float = 0.0  # since 1970
    story: str = ""  # which played, where one did
    refused: str = ""  # why it got no answer
    files: tuple[str, ...] = ()  # sent with a prompt, or uploaded
    bytes: int = 0  # of an upload


Heard = Callable[[Entry], None]


class Ledger:
    """Everything in order of arrival, and on disk as JSON lines where a file is given."""

    def __init__(self, path: Path | None = None) -> None:
        self._entries: list[Entry] = []
        self._listeners: list[Heard] = []
        self._file: BinaryIO | None = None
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            # every line leaves at once: a lab that is killed has still told what it received
            self._file = path.open("ab", buffering=0)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything received so far."""
        return tuple(self._entries)

    def asked(self, site: str | None = None) -> tuple[Entry, ...]:
        """The prompts, of one site or of all."""
        return self.of(Deed.PROMPT, site)

    def of(self, kind: Deed, site: str | None = None) -> tuple[Entry, ...]:
        """Everything of one kind, of one site or of all."""
        return tuple(e for e in self._entries if e.kind is kind and site in (None, e.site))

    def prompts(self, site: str | None = None) -> tuple[str, ...]:
        """The bare prompts, of one site or of all."""
        return tuple(entry.prompt for entry in self.asked(site))

    def record(
        self,
        site: str,
        conversation_id: str,
        prompt: str = "",
        at: float | None = None,
        *,
        kind: Deed = Deed.PROMPT,
        story: str = "",
        refused: str = "",
        files: tuple[str, ...] = (),
        size: int = 0,
    ) -> Entry:
        """Write down what came; on disk before this returns."""
        entry = Entry(
            site,
            conversation_id,
            prompt,
            time.monotonic() if at is None else at,
            kind,
            len(self._entries) + 1,
            time.time(),
            story,
            refused,
            files,
            size,
        )
        if self._file is not None:
            self._file.write(msgspec.json.encode(entry) + b"\n")
        self._entries.append(entry)
        for heard in tuple(self._listeners):
            heard(entry)
        return entry

    def listen(self, heard: Heard) -> Callable[[], None]:
        """Hear each entry from now on; call what is returned to hear no more."""
        self._listeners.append(heard)
        return lambda: self._listeners.remove(heard) if heard in self._listeners else None

    def close(self) -> None:
        """Let go of the file. Idempotent."""
        if self._file is not None:
            self._file.close()
            self._file = None
