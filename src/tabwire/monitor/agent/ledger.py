"""The turns and rows of a conversation, each known by what it is, not by where it stands.

Theory of operation. A panel shows part of a conversation: it drops old turns, draws turns out of
sight as placeholders, makes nodes anew and uses them again. New turns come only at the end, older
ones only at the beginning. So a reading is laid along what is known, at the place where the most
turns agree (their question, or their node), and what sticks out at the end is new. A reading
that agrees nowhere is another conversation: nothing of it is taken for this one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tabwire.model.agent import OpenTurn, Panel, Row, RowKind, TurnSeen
from tabwire.monitor.agent.align import align


@dataclass(slots=True)
class KnownRow:
    """A row with a name of its own. `revision` counts how often it said something new."""

    id: str
    row: Row
    revision: int = 1


@dataclass(slots=True)
class KnownTurn:
    """A turn with a number of its own, and its rows as far as they were seen."""

    number: int
    token: int
    user: str
    gap: bool
    rows: list[KnownRow] = field(default_factory=list)
    counted: int = 0
    read: bool = False
    """Its rows have been read at least once."""


@dataclass(frozen=True, slots=True)
class RowChange:
    """A row that is new or says something new. `last`: nothing known stands behind it."""

    turn: KnownTurn
    known: KnownRow
    new: bool
    last: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """What a state of the panel added. `foreign`: it shows another conversation."""

    changes: tuple[RowChange, ...] = ()
    appended: tuple[KnownTurn, ...] = ()
    foreign: bool = False


class Ledger:
    """One conversation."""

    def __init__(self) -> None:
        self.turns: list[KnownTurn] = []
        self._number = self._older = 0
        self._by_token: dict[int, KnownTurn] = {}
        self._title = ""

    def see(self, panel: Panel) -> Reading:
        """Take a state of the panel."""
        seen = panel.turns
        if not seen:
            return Reading(foreign=bool(self.turns) and panel.recognised and not panel.hidden)
        place = self._place(seen)
        if place is None:
            return Reading(foreign=not all(one.gap for one in seen))
        if not self._may_replace(seen, place, panel.conversation):
            return Reading(foreign=True)
        self._title = panel.conversation
        appended = self._lay(seen, place)
        changes = [change for one in panel.open for change in self._rows(one)]
        return Reading(tuple(changes), tuple(appended))

    def index(self, turn: KnownTurn) -> int:
        """Where a turn stands among the known ones."""
        return next((at for at, one in enumerate(self.turns) if one is turn), -1)

    # --- turns ------------------------------------------------------------------

    def _place(self, seen: Sequence[TurnSeen]) -> int | None:
        """Where in what is known the first seen turn stands; may be before its beginning."""
        if not self.turns:
            return 0
        if all(one.gap for one in self.turns):
            return len(self.turns) - len(seen) if len(seen) < len(self.turns) else 0
        nodes = {one.token: index for index, one in enumerate(self.turns)}
        places = {nodes[one.token] - at for at, one in enumerate(seen) if one.token in nodes}
        best = self._best(seen, places)
        if best is not None:
            return best
        asked: dict[str, list[int]] = {}
        for index, known in enumerate(self.turns):
            if known.user:
                asked.setdefault(known.user, []).append(index)
        if not asked and not any(one.user for one in seen):
            return min(len(self.turns) - len(seen), 0)  # no question is known: by number alone
        places = {index - at for at, one in enumerate(seen) for index in asked.get(one.user, ())}
        return self._best(seen, places)

    def _best(self, seen: Sequence[TurnSeen], places: set[int]) -> int | None:
        scored = [(self._score(seen, place), place) for place in places]
        best = max(scored, default=((0, 0), 0))
        return best[1] if best[0] > (0, 0) else None

    def _score(self, seen: Sequence[TurnSeen], place: int) -> tuple[int, int]:
        score, matched = 0, -1
        refused = []
        for at, one in enumerate(seen):
            index = at + place
            if not 0 <= index < len(self.turns):
                continue
            known = self.turns[index]
            if _agree(known, one):
                score += 3 if known.token == one.token else 2
                matched = index
            elif _differ(known, one):
                refused.append(index)
        if any(index < matched for index in refused):
            return (0, 0)  # what differs may only be at the end: a question asked anew
        return score, -abs(place)

    def _may_replace(self, seen: Sequence[TurnSeen], place: int, title: str) -> bool:
        """Whether turns that differ can be a question asked anew in this conversation.

        Then there is one of them, the last, under the same title. Otherwise it is another
        conversation that happens to begin with the same question.
        """
        differs = [
            at
            for at, one in enumerate(seen)
            if 0 <= at + place < len(self.turns) and _differ(self.turns[at + place], one)
        ]
        return not differs or (differs == [len(seen) - 1] and title == self._title)

    def _lay(self, seen: Sequence[TurnSeen], place: int) -> list[KnownTurn]:
        older = [self._turn(one) for one in seen[: max(0, -place)]]
        appended: list[KnownTurn] = []
        for at, one in enumerate(seen):
            index = at + place
            if index < 0:
                continue
            if index < len(self.turns) and not _differ(self.turns[index], one):
                self._again(self.turns[index], one)
                continue
            if index < len(self.turns):
                del self.turns[index:]  # the person went back and asked something else there
            appended.append(self._turn(one))
            self.turns.append(appended[-1])
        for turn in reversed(older):
            self._older -= 1
            turn.number = self._older
        self.turns[:0] = older
        self._by_token = {one.token: one for one in self.turns}
        return appended

    def _turn(self, seen: TurnSeen) -> KnownTurn:
        self._number += 1
        return KnownTurn(self._number, seen.token, seen.user, seen.gap, counted=seen.rows)

    def _again(self, known: KnownTurn, seen: TurnSeen) -> None:
        known.token = seen.token
        known.user = seen.user or known.user
        known.gap = known.gap and seen.gap
        known.counted = seen.rows

    # --- rows -------------------------------------------------------------------

    def _rows(self, opened: OpenTurn) -> list[RowChange]:
        turn = self._by_token.get(opened.token)
        if turn is None:
            return []
        now = [row for row in opened.rows if row.kind is not RowKind.GAP]
        partners = align([one.row for one in turn.rows], now)
        changes = []
        last = max((one for one in partners if one is not None), default=-1)
        behind = len(turn.rows) - 1
        added: list[tuple[int, KnownRow]] = []
        at = -1
        for row, partner in zip(now, partners, strict=True):
            if partner is not None:
                at = partner
                known = turn.rows[partner]
                if _says_more(known.row, row):
                    known.revision += 1
                    changes.append(RowChange(turn, known, new=False, last=partner == behind))
                known.row = _kept(known.row, row)
                continue
            known = KnownRow(f"{turn.number}.{len(turn.rows) + len(added) + 1}", row)
            # what no known row is behind, in what is seen, is put at the end
            where = len(turn.rows) if at >= last else at + 1
            added.append((where, known))
            changes.append(RowChange(turn, known, new=True, last=where >= len(turn.rows)))
        for where, known in reversed(added):
            turn.rows.insert(where, known)
        turn.read = True
        return changes


def _agree(known: KnownTurn, seen: TurnSeen) -> bool:
    if known.user and seen.user:
        return known.user == seen.user
    return known.token == seen.token and not _differ(known, seen)


def _differ(known: KnownTurn, seen: TurnSeen) -> bool:
    if known.gap or seen.gap:
        return False
    return known.user != seen.user and bool(known.user or seen.user)


def _says_more(before: Row, now: Row) -> bool:
    return (before.line, before.state, before.exit_code) != (now.line, now.state, now.exit_code)


def _kept(before: Row, now: Row) -> Row:
    """A row keeps the kind it was first seen as, and its exit code once it has one."""
    if before.kind is now.kind:
        return now
    return Row(
        now.token, before.kind, label=now.label or before.label, text=now.text or before.text,
        target=now.target, command=now.command, cwd=now.cwd, shortened=now.shortened,
        exit_code=now.exit_code, state=now.state, src=now.src, width=now.width, height=now.height,
    )  # fmt: skip
