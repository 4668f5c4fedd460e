"""Attempts as jobs of a hub: taken up, under way, at rest. The statements.

A job that a hub shall carry out has a position. What a process asks for itself, as `tabwire ask`
does without a hub, has none: no hub takes it up, because its person has gone.
"""

from collections.abc import Callable, Collection

from sqlalchemy import ColumnElement, func, or_, select, update
from sqlalchemy.engine import Connection

from tabwire.model.ask import Phase, Step
from tabwire.model.errors import Retry
from tabwire.model.job import JobState
from tabwire.store.attempt_rows import newest, some, with_id
from tabwire.store.rows import UNFINISHED, Attempt, Owner
from tabwire.store.tables import ATTEMPTS

Runs = Callable[[Owner], bool]

IS_WORKING = ATTEMPTS.c.state == JobState.WORKING
IS_QUEUED = ATTEMPTS.c.position.is_not(None)

LOOK = "Look for its answer: `tabwire fetch {}`."


def queue(connection: Connection, attempt_id: str) -> None:
    """A hub shall carry it out, from where it stands. One that is over is not begun again."""
    this = (with_id(attempt_id), ATTEMPTS.c.step.in_(UNFINISHED))
    position = func.coalesce(ATTEMPTS.c.position, ATTEMPTS.c.number)
    values = {"position": position, "state": JobState.WORKING, "rested_at": None}
    connection.execute(update(ATTEMPTS).where(*this).values(values))


def take_up(
    connection: Connection, attempt_id: str, owner: Owner, now: float, is_running: Runs
) -> Attempt | None:
    """The row, ours from now on. None: there is nothing to do. Where another living process
    works on it, the row is given as it is, and is not ours."""
    row = newest(connection, with_id(attempt_id))
    if row is None or row.state is not JobState.WORKING:
        return None
    if row.owner != owner and is_running(row.owner):
        return row
    values = {
        "owner_pid": owner.pid,
        "owner_started": owner.started,
        "carried": row.carried + 1,
        "updated_at": now,
    }
    connection.execute(update(ATTEMPTS).where(with_id(attempt_id)).values(values))
    return newest(connection, with_id(attempt_id))


def progress(
    connection: Connection,
    attempt_id: str,
    now: float,
    *,
    phase: Phase | None,
    phase_at: float | None,
    note: str,
    characters: int,
) -> None:
    """What it does now."""
    values = {"phase": phase, "phase_at": phase_at, "note": note, "characters": characters}
    connection.execute(update(ATTEMPTS).where(with_id(attempt_id)).values(updated_at=now, **values))


def cancel(connection: Connection, attempt_id: str, now: float) -> bool:
    """Nobody wants it any more. False: it rested already. What was never sent never will be."""
    row = newest(connection, with_id(attempt_id))
    if row is None:
        raise KeyError(f"no attempt {attempt_id}")
    if row.state is not JobState.WORKING:
        return False
    values = {"state": JobState.CANCELLED, "rested_at": now, "updated_at": now}
    if row.step is Step.NEW:
        values["step"] = Step.FAILED
    connection.execute(update(ATTEMPTS).where(with_id(attempt_id)).values(values))
    return True


def waiting(connection: Connection) -> list[Attempt]:
    """What a hub has to carry out, first of all the first."""
    return some(connection, IS_WORKING, IS_QUEUED)[::-1]


def abandon(connection: Connection, now: float, is_running: Runs) -> list[str]:
    """Those no hub was asked to carry out and whose process died: they rest. Their ids."""
    gone = [
        row
        for row in some(connection, IS_WORKING, ATTEMPTS.c.position.is_(None))
        if not is_running(row.owner)
    ]
    for row in gone:
        values: dict[str, object] = {"state": JobState.CANCELLED, "rested_at": now}
        if row.answer is not None:
            values["state"] = JobState.COMPLETED
        elif row.step is not Step.NEW:
            values["state"] = JobState.INPUT_REQUIRED
            values |= {"retry": Retry.RESUME, "what_to_do": LOOK.format(row.id)}
        connection.execute(update(ATTEMPTS).where(with_id(row.id)).values(values))
    return [row.id for row in gone]


def which(
    *,
    states: Collection[JobState] = (),
    site: str | None = None,
    agent: str | None = None,
    before: str | None = None,
) -> tuple[ColumnElement[bool], ...]:
    """Those meant by a list that a person looks through."""
    found: list[ColumnElement[bool]] = []
    if states:
        found.append(ATTEMPTS.c.state.in_(states))
    if site is not None:
        found.append(ATTEMPTS.c.site == site)
    if agent is not None:
        found.append(ATTEMPTS.c.agent == agent)
    if before is not None:
        number = select(ATTEMPTS.c.number).where(with_id(before)).scalar_subquery()
        found.append(or_(number.is_(None), ATTEMPTS.c.number < number))
    return tuple(found)
