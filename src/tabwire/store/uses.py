"""One user per tab or conversation, across processes.

A use that expired, or whose process is dead, is free. Two asks of one process are two users.
"""

import secrets
from collections.abc import Callable

from sqlalchemy import and_, delete, exists, insert, or_, select, update
from sqlalchemy.engine import Connection

from tabwire.store.attempt_rows import IS_UNFINISHED
from tabwire.store.rows import Holder, Owner, Use
from tabwire.store.tables import ATTEMPTS, USES

KEPT_SECONDS = 14 * 86400.0  # where an ask was left that nobody went on with


def take(
    connection: Connection,
    wanted: Use,
    now: float,
    is_running: Callable[[Owner], bool],
) -> Use | Holder:
    """Ours from now on, or who has it."""
    _forget_old(connection, now)
    if (
        row := connection.execute(select(USES).where(USES.c.key == wanted.key)).first()
    ) is not None:
        owner = Owner(row.owner_pid, row.owner_started)
        if row.until > now and is_running(owner):
            return Holder(row.key, owner, row.holder, row.until)
        connection.execute(delete(USES).where(USES.c.key == wanted.key))
    connection.execute(
        insert(USES).values(
            key=wanted.key,
            number=wanted.number,
            owner_pid=wanted.owner.pid,
            owner_started=wanted.owner.started,
            holder=wanted.holder,
            until=wanted.until,
        )
    )
    return wanted


def _forget_old(connection: Connection, now: float) -> None:
    """Those that expired and whose ask is over: nobody gives back what a killed process had. That
    of an ask which is not over says where it was left (`held`)."""
    of_it = exists().where(ATTEMPTS.c.id == USES.c.holder, IS_UNFINISHED)
    is_old = or_(and_(USES.c.until <= now, ~of_it), USES.c.until <= now - KEPT_SECONDS)
    connection.execute(delete(USES).where(is_old))


def free(connection: Connection, use: Use) -> None:
    """Give it back. Idempotent; another's use stays."""
    connection.execute(delete(USES).where(USES.c.key == use.key, USES.c.number == use.number))


def renew(connection: Connection, use: Use, until: float) -> bool:
    """Hold it longer. One that expired comes back if nobody took it meanwhile."""
    ours = (USES.c.key == use.key, USES.c.number == use.number)
    return connection.execute(update(USES).where(*ours).values(until=until)).rowcount == 1


def held(connection: Connection, holder: str) -> list[str]:
    """What this holder has, or had when its process died."""
    return list(connection.scalars(select(USES.c.key).where(USES.c.holder == holder)))


def new_number() -> str:
    """No two uses have the same: an old one cannot give back a new one's tab."""
    return secrets.token_hex(8)
