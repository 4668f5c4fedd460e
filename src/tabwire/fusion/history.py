"""What happened to an attempt, and why nothing happened. Lengths and names, never content.

Equal neighbours are counted in one record, so a long answer is one line. The number of
records is bounded: the oldest that moved nothing are forgotten first, a move never.
"""

from dataclasses import dataclass, replace

from tabwire.fusion.table import Cause, State
from tabwire.model.signals import Signal

MAX_RECORDS = 256  # a busy turn makes some forty; at most nine of them are moves


@dataclass(frozen=True, slots=True)
class Record:
    """One thing heard or decided, `count` times from `at` to `until`.

    `note` says why nothing moved, or what is awaited now; `ignored` means that the thing
    changed nothing at all.
    """

    at: float
    what: str
    before: State
    after: State
    cause: Cause | None = None
    note: str = ""
    ignored: bool = False
    count: int = 1
    until: float = 0.0
    chars: int = 0

    @property
    def moved(self) -> bool:
        """Whether the state changed."""
        return self.before is not self.after


class History:
    """The records of one attempt, oldest first."""

    def __init__(self, limit: int = MAX_RECORDS) -> None:
        self._limit = limit
        self._records: list[Record] = []
        self.forgotten = 0
        # The newest record is counted up here and written back when it is read.
        self._more = 0
        self._more_chars = 0
        self._more_until = 0.0

    def add(self, record: Record) -> None:
        """Append, or count with the newest where only time and length differ."""
        if self._records and self._alike(record):
            self._more += 1
            self._more_chars += record.chars
            self._more_until = record.at
            return
        self._settle()
        self._records.append(replace(record, until=record.at))
        if len(self._records) > self._limit:
            self._forget()

    def again(self, what: str, state: State, now: float, chars: int) -> bool:
        """Count one more of what the newest record already says, without making a record."""
        if not self._records:
            return False
        last = self._records[-1]
        if last.what != what or last.after is not state or last.moved or last.note:
            return False
        self._more += 1
        self._more_chars += chars
        self._more_until = now
        return True

    def records(self) -> tuple[Record, ...]:
        """Everything kept, oldest first."""
        self._settle()
        return tuple(self._records)

    def last(self) -> Record | None:
        """The newest record."""
        self._settle()
        return self._records[-1] if self._records else None

    def _alike(self, record: Record) -> bool:
        last = self._records[-1]
        return (last.what, last.before, last.after, last.note, last.ignored) == (
            record.what,
            record.before,
            record.after,
            record.note,
            record.ignored,
        )

    def _settle(self) -> None:
        if self._more:
            last = self._records[-1]
            self._records[-1] = replace(
                last,
                count=last.count + self._more,
                until=self._more_until,
                chars=last.chars + self._more_chars,
            )
            self._more = self._more_chars = 0

    def _forget(self) -> None:
        oldest = next((i for i, r in enumerate(self._records) if not r.moved), 0)
        self.forgotten += self._records.pop(oldest).count


def chars_in(signal: Signal) -> int:
    """How much text a signal carries."""
    text = getattr(signal, "text", None)
    return len(text) if isinstance(text, str) else 0
