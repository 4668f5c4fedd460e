"""What belongs to one run: its output, its log, its pictures.

A run begins at a mark: everything that stood in the conversation then is the past, and stays so
whatever is drawn anew, unfolded or scrolled into sight later. Of the turn that was the last then,
only rows that come behind its last row belong to the run; of later turns, all.
"""

from dataclasses import dataclass, field

from tabwire.model.agent import LogEntry, RowKind
from tabwire.monitor.agent.folds import MORE, told_fold
from tabwire.monitor.agent.ledger import KnownRow, KnownTurn, Ledger, Reading

_SILENT = frozenset({RowKind.PROSE, RowKind.GAP, RowKind.IMAGE})
_BESIDE = frozenset({RowKind.IMAGE, RowKind.ARTIFACT, RowKind.FILES})


@dataclass(slots=True)
class Streams:
    """One run. `past` are numbers of turns, `seen` names of rows that were there before."""

    ledger: Ledger
    past: frozenset[int] = frozenset()
    seen: set[str] = field(default_factory=set)
    log: dict[str, LogEntry] = field(default_factory=dict)
    images: list[KnownRow] = field(default_factory=list)
    prose: list[KnownRow] = field(default_factory=list)
    growing: dict[str, LogEntry] = field(default_factory=dict)
    """Thoughts that only got longer since they were told; told again when they are over."""

    @classmethod
    def after(cls, ledger: Ledger, *, joining: bool = False) -> "Streams":
        """A run that begins now. `joining`: the last turn belongs to it, from its beginning."""
        return cls(ledger).mark(ledger.turns, joining=joining)

    def mark(
        self, turns: list[KnownTurn], *, joining: bool = False, fresh: frozenset[str] = frozenset()
    ) -> "Streams":
        """Take these turns for the past; of the last of them only its rows but the `fresh`."""
        last = turns[-1:]
        hidden = [] if joining else [one for one in last if one.gap or not one.read]
        self.past = frozenset(one.number for one in (*turns[:-1], *hidden))
        rows = [row for one in last for row in one.rows]
        self.seen = set() if joining else {row.id for row in rows if row.id not in fresh}
        return self

    def take(self, reading: Reading) -> tuple[tuple[LogEntry, ...], tuple[KnownRow, ...]]:
        """New or changed log entries, and new pictures."""
        entries: list[LogEntry] = []
        images: list[KnownRow] = []
        for change in reading.changes:
            known = change.known
            if self._is_past(change.turn, known, change.new, change.last):
                continue
            if known.row.kind is RowKind.IMAGE:
                if change.new:
                    self.images.append(known)
                    images.append(known)
            elif known.row.kind is RowKind.PROSE:
                if change.new:
                    self.prose.append(known)
            elif (entry := self._entry(change.turn, known)) is not None:
                before = self.log.get(entry.id)
                self.log[entry.id] = entry
                if before is not None and _only_grew(before, entry):
                    self.growing[entry.id] = entry
                    continue
                self.growing.pop(entry.id, None)
                if before is None:
                    entries += self.over()
                entries.append(entry)
        return tuple(entries), tuple(images)

    def over(self) -> tuple[LogEntry, ...]:
        """What grew since it was told, as it stands now."""
        grown = tuple(self.growing.values())
        self.growing.clear()
        return grown

    @property
    def text(self) -> str:
        """The output so far."""
        return "\n\n".join(one.row.text for one in self._spoken() if one.row.text)

    @property
    def answer(self) -> str:
        """What was said after the last thing that was done."""
        rows = [one for turn in self.ledger.turns for one in turn.rows]
        mine = {id(one) for one in self.prose}
        last = max(
            (at for at, one in enumerate(rows) if one.id in self.log and _does(one)), default=-1
        )
        return "\n\n".join(one.row.text for one in rows[last + 1 :] if id(one) in mine)

    @property
    def spoke_last(self) -> bool:
        """Whether the newest thing in the conversation are words of this run."""
        rows = self.ledger.turns[-1].rows if self.ledger.turns else []
        newest = next((one for one in reversed(rows) if one.row.kind not in _BESIDE), None)
        return newest is not None and any(one is newest for one in self.prose)

    def _spoken(self) -> list[KnownRow]:
        """In the order of the conversation; what it no longer holds, first."""
        order = {
            id(one): at
            for at, one in enumerate(row for turn in self.ledger.turns for row in turn.rows)
        }
        return sorted(self.prose, key=lambda one: order.get(id(one), -1))

    def _is_past(self, turn: KnownTurn, known: KnownRow, new: bool, last: bool) -> bool:
        if turn.number < 0 or turn.number in self.past or known.id in self.seen:
            return True
        if new and self.seen_in(turn) and not last:
            self.seen.add(known.id)  # shown late, in a turn of before: it was there
            return True
        return False

    def seen_in(self, turn: KnownTurn) -> bool:
        """Whether rows of this turn were there before the run."""
        return any(row.id in self.seen for row in turn.rows)

    def _entry(self, turn: KnownTurn, known: KnownRow) -> LogEntry | None:
        row, said = known.row, known.row.line
        if row.kind in _SILENT or not row.line.strip():
            return None
        if row.kind is RowKind.FOLD:
            before = self.log.get(known.id)
            if row.state == "open" or (before is not None and row.state != MORE):
                return None  # what it stands for is told row by row
            at = next(at for at, one in enumerate(turn.rows) if one is known)
            said = told_fold(row, [one.row for one in turn.rows[:at]])
            if before is not None and before.text == said:
                return None
        return LogEntry(
            known.id, row.kind, said, row.command, row.cwd, row.shortened, row.exit_code,
            row.state, row.target, known.revision,
        )  # fmt: skip


def _only_grew(before: LogEntry, now: LogEntry) -> bool:
    """More of the same thought: its label is still the one it was told with."""
    if now.kind not in (RowKind.THINKING, RowKind.NARRATION, RowKind.NOTE, RowKind.TASK):
        return False
    if now.kind is RowKind.THINKING:
        return before.text.split("\n", 1)[0] == now.text.split("\n", 1)[0]
    return now.text.startswith(before.text[:20])


def _does(known: KnownRow) -> bool:
    return known.row.kind in (RowKind.TOOL, RowKind.COMMAND, RowKind.FOLD, RowKind.TASK)
