"""Tabs we opened ourselves and may use again. A tab of a person is never among them."""

from collections.abc import Collection

from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.engine import Connection

from tabwire.store.tables import TABS


def own(connection: Connection, target: str, site: str, browser: str, now: float) -> None:
    """We opened this one."""
    forget(connection, target)
    row = {"target": target, "site": site, "browser": browser, "since": now}
    connection.execute(insert(TABS).values(row))


def ours(connection: Connection, site: str, browser: str) -> list[str]:
    """Those of a site in a browser, newest first. They may be closed by now."""
    wanted = select(TABS.c.target).where(TABS.c.site == site, TABS.c.browser == browser)
    return list(connection.scalars(wanted.order_by(TABS.c.number.desc())))


def forget(connection: Connection, target: str) -> None:
    """It is gone, or no longer ours."""
    connection.execute(delete(TABS).where(TABS.c.target == target))


def saw(
    connection: Connection,
    there: Collection[str],
    closed: Collection[str],
    now: float,
    unseen_seconds: float,
) -> None:
    """These are there, those are not; and one that was not seen for so long is not either."""
    connection.execute(update(TABS).where(TABS.c.target.in_(there)).values(since=now))
    is_gone = or_(TABS.c.target.in_(closed), TABS.c.since <= now - unseen_seconds)
    connection.execute(delete(TABS).where(is_gone))
