"""Which prompts reached the lab: written down before the first byte of an answer leaves.

A prompt that is not here was never received; one that is here twice was sent twice.
"""

import time
from pathlib import Path
from typing import BinaryIO

import msgspec


class Entry(msgspec.Struct, frozen=True):
    """One prompt as a replica received it."""

    site: str
    conversation_id: str
    prompt: str
    at: float  # monotonic seconds


class Ledger:
    """All prompts in order of arrival, and on disk as JSON lines where a file is given."""

    def __init__(self, path: Path | None = None) -> None:
        self._entries: list[Entry] = []
        self._file: BinaryIO | None = None
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            # every line leaves at once: a lab that is killed has still told what it received
            self._file = path.open("ab", buffering=0)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything received so far."""
        return tuple(self._entries)

    def prompts(self, site: str | None = None) -> tuple[str, ...]:
        """The bare prompts, of one site or of all."""
        return tuple(entry.prompt for entry in self.entries if site in (None, entry.site))

    def record(
        self, site: str, conversation_id: str, prompt: str, at: float | None = None
    ) -> Entry:
        """Write down a prompt; on disk before this returns."""
        entry = Entry(site, conversation_id, prompt, time.monotonic() if at is None else at)
        if self._file is not None:
            self._file.write(msgspec.json.encode(entry) + b"\n")
        self._entries.append(entry)
        return entry

    def close(self) -> None:
        """Let go of the file. Twice is once."""
        if self._file is not None:
            self._file.close()
            self._file = None
