"""What the autopilot did and what it asks: the statements, and `AutopilotRows`, their face.

The audit is only added to. Statistics are counted from it whenever somebody wants to know, so
reading them changes nothing. An approval is answered by whoever claims it first, in one
transaction; who was claimed by a process that died is never claimed again.
"""

from collections.abc import Sequence
from dataclasses import asdict, replace

from sqlalchemy import ColumnElement, Row, and_, distinct, func, insert, select, update
from sqlalchemy.engine import Connection

from tabwire.model.autopilot import Act, Approval, ApprovalState, AuditLine, Statistics
from tabwire.store.codec import from_json, to_json
from tabwire.store.tables import APPROVALS, AUDIT
from tabwire.store.transactions import Transactions

EDITS = ("accept", "files")
_LIVING = (ApprovalState.OPEN.value, ApprovalState.ANSWERING.value)


class AutopilotRows:
    """The autopilot's part of a store. `now` is in seconds since 1970."""

    def __init__(self, transactions: Transactions) -> None:
        self._read = transactions.read
        self._change = transactions.change

    # --- the audit -----------------------------------------------------------------------------

    async def append(self, line: AuditLine) -> AuditLine:
        """Write a line; it is on disk when this returns."""
        row = {**asdict(line), "act": line.act.value, "away": int(line.away)}
        del row["number"]

        def work(connection: Connection) -> int:
            written = connection.execute(insert(AUDIT).values(row)).inserted_primary_key
            return int(written[0]) if written else 0

        return replace(line, number=await self._change(work))

    async def lines(
        self,
        limit: int = 100,
        *,
        window: str = "",
        since: float = 0.0,
        acts: Sequence[Act] = (),
        session: str = "",
    ) -> list[AuditLine]:
        """The newest lines, oldest of them first."""
        which = and_(
            AUDIT.c.at >= since,
            *([AUDIT.c.window == window] if window else []),
            *([AUDIT.c.session == session] if session else []),
            *([AUDIT.c.act.in_([one.value for one in acts])] if acts else []),
        )
        wanted = select(AUDIT).where(which).order_by(AUDIT.c.number.desc()).limit(limit)
        return await self._read(lambda line: [_line(row) for row in line.execute(wanted)][::-1])

    async def refused(self, window: str, since: float) -> frozenset[str]:
        """Hashes of the cards that were refused in a window."""
        wanted = select(AUDIT.c.card_hash).where(
            AUDIT.c.window == window, AUDIT.c.act == Act.REFUSED.value, AUDIT.c.at >= since
        )
        return await self._read(lambda line: frozenset(line.scalars(wanted)))

    async def statistics(self, *, since: float = 0.0, session: str = "") -> Statistics:
        """What was done since then, or in one session. Reading it changes nothing."""
        which = [AUDIT.c.at >= since, *([AUDIT.c.session == session] if session else [])]
        return await self._read(lambda line: _statistics(line, which))

    # --- approvals -----------------------------------------------------------------------------

    async def open(self, approval: Approval) -> None:
        """Keep a question before anybody is told of it."""
        row = {
            "id": approval.id,
            "window": approval.window,
            "state": approval.state.value,
            "created_at": approval.created_at,
            "expires_at": approval.expires_at,
            "answered_at": approval.answered_at,
            "by": approval.by,
            "note": approval.note,
            "body": to_json(approval),
        }
        await self._change(lambda line: _ran(line.execute(insert(APPROVALS).values(row))))

    async def approval(self, said: str) -> Approval | None:
        """The one with this id."""
        found = await self._read(lambda line: _some(line, APPROVALS.c.id == said))
        return found[0] if found else None

    async def approvals(self, *, living: bool = True, limit: int = 100) -> list[Approval]:
        """Those that wait for an answer, or all; the newest, oldest of them first."""
        which = APPROVALS.c.state.in_(_LIVING) if living else APPROVALS.c.number > 0
        return await self._read(lambda line: _some(line, which, limit))

    async def claim(self, said: str, by: str, now: float) -> Approval | None:
        """Be the one who answers it. None: it is not open, or its time is over."""

        def work(connection: Connection) -> Approval | None:
            which = (
                APPROVALS.c.id == said,
                APPROVALS.c.state == ApprovalState.OPEN.value,
                APPROVALS.c.expires_at > now,
            )
            new = {"state": ApprovalState.ANSWERING.value, "by": by, "answered_at": now}
            if connection.execute(update(APPROVALS).where(*which).values(new)).rowcount != 1:
                return None
            return _some(connection, APPROVALS.c.id == said)[0]

        return await self._change(work)

    async def close(
        self, said: str, state: ApprovalState, note: str, now: float
    ) -> Approval | None:
        """Bring it to its end, or back to `open`. None: it had come to one already."""

        def work(connection: Connection) -> Approval | None:
            which = (APPROVALS.c.id == said, APPROVALS.c.state.in_(_LIVING))
            new: dict[str, object] = {"state": state.value, "note": note}
            if state is ApprovalState.OPEN:
                new |= {"by": "", "answered_at": None}
            else:
                new["answered_at"] = now
            if connection.execute(update(APPROVALS).where(*which).values(new)).rowcount != 1:
                return None
            return _some(connection, APPROVALS.c.id == said)[0]

        return await self._change(work)

    async def lose(self, window: str, note: str, now: float) -> int:
        """Whoever asked in this window is no more: nothing it asked can be answered."""
        which = (APPROVALS.c.window == window, APPROVALS.c.state.in_(_LIVING))
        new = {"state": ApprovalState.LOST.value, "note": note, "answered_at": now}
        return await self._change(
            lambda line: line.execute(update(APPROVALS).where(*which).values(new)).rowcount
        )


def _statistics(connection: Connection, which: Sequence[ColumnElement[bool]]) -> Statistics:
    def count(*more: ColumnElement[bool]) -> int:
        return connection.scalar(select(func.count()).select_from(AUDIT).where(*which, *more)) or 0

    own = (AUDIT.c.act == Act.CLICKED.value, AUDIT.c.by == "")
    cards = select(AUDIT.c.window, AUDIT.c.card).where(*which, AUDIT.c.act == Act.REFUSED.value)
    blocked = select(func.count()).select_from(cards.distinct().subquery())
    sessions = select(func.count(distinct(AUDIT.c.session))).where(*which, AUDIT.c.session != "")
    return Statistics(
        clicks=count(*own),
        terminal_commands=count(*own, AUDIT.c.kind == "command"),
        file_edits=count(*own, AUDIT.c.kind.in_(EDITS)),
        away=count(*own, AUDIT.c.away == 1),
        blocked=connection.scalar(blocked) or 0,
        asked=count(AUDIT.c.act == Act.ASKED.value),
        sessions=connection.scalar(sessions) or 0,
    )


def _line(row: "Row[tuple[object, ...]]") -> AuditLine:
    said = dict(row._mapping)
    return AuditLine(**{**said, "act": Act(row.act), "away": bool(row.away)})


def _some(connection: Connection, which: ColumnElement[bool], limit: int = 1) -> list[Approval]:
    wanted = select(APPROVALS).where(which).order_by(APPROVALS.c.number.desc()).limit(limit)
    return [_approval(row) for row in connection.execute(wanted)][::-1]


def _approval(row: "Row[tuple[object, ...]]") -> Approval:
    asked = from_json(row.body, Approval)
    state = ApprovalState(row.state)
    return replace(asked, state=state, by=row.by, note=row.note, answered_at=row.answered_at)


def _ran(_: object) -> None:
    return None
