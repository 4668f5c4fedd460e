"""Tabs we opened ourselves and may use again. A tab of a person is never among them."""

from sqlalchemy import delete, insert, select
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
