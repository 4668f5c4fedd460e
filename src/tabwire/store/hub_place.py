"""The place of the one hub at a PostgreSQL server: taken, watched, and taken again.

It is a lock of the server that goes with the line it was taken on. A server that is restarted lets
all locks go; then the place is taken again as soon as the server is back, or somebody else has it
by then, and this hub is none any more.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

import sqlalchemy
from sqlalchemy import URL, Connection, NullPool, text
from sqlalchemy.exc import DBAPIError

from tabwire.store.errors import StoreError, StoreHeld
from tabwire.store.postgres import (
    FREE_SECONDS,
    HUB,
    LOOK_SECONDS,
    calling,
    hold_place,
    named,
    named_errors,
)

AGAIN_SECONDS = 0.5  # between two tries to reach a server that is away; nothing tells it is back
POLL_SECONDS = 5.0  # between two looks where the event loop cannot watch a line: on Windows


class HubPlace:
    """Ours from `take` until `leave`, or until the server ends the line. `who` names our home."""

    def __init__(self, url: URL, who: str = "") -> None:
        self._where = named(url)
        self._engine = sqlalchemy.create_engine(
            url, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args=calling(who)
        )
        self._line: Connection | None = None

    def take(self) -> None:
        """Be the one hub of the one home. Raises `StoreHeld`, and what keeps us from the server."""
        self._hang_up()
        with named_errors(self._where):
            line = self._engine.connect()
            try:
                hold_place(line, self._where)
                _be_the_hub(line, self._where)
            except BaseException:
                line.close()
                raise
        self._line = line

    async def kept(
        self, tell: Callable[[str], None], regained: Callable[[], Awaitable[None]]
    ) -> StoreHeld:
        """Take it again whenever it is lost, and call `regained` then; returns when somebody else
        has it."""
        while True:
            await self._until_lost()
            tell("the database server closed the connection; taking the hub's lock again")
            while True:
                try:
                    await asyncio.to_thread(self.take)
                except StoreHeld as exc:
                    return exc
                except StoreError:
                    await asyncio.sleep(AGAIN_SECONDS)
                else:
                    tell("the hub's lock in the database is held again")
                    await regained()
                    break

    def leave(self) -> None:
        """Let the next one be the hub. Idempotent."""
        if self._line is not None:
            # not left to the end of the line, which the server notices a moment later
            with suppress(DBAPIError):
                self._line.execute(text("SELECT pg_advisory_unlock_all()"))
        self._hang_up()
        self._engine.dispose()

    async def _until_lost(self) -> None:
        """Nothing is said on this line unless it ends, so whatever comes is a reason to look."""
        while await asyncio.to_thread(self._works):
            await self._stirred()

    async def _stirred(self) -> None:
        assert self._line is not None, "it was taken"
        file = self._line.connection.dbapi_connection.fileno()  # type: ignore[union-attr]
        loop = asyncio.get_running_loop()
        stirred = asyncio.Event()
        try:
            loop.add_reader(file, stirred.set)
        except NotImplementedError:
            await asyncio.sleep(POLL_SECONDS)
            return
        try:
            await stirred.wait()
        finally:
            loop.remove_reader(file)

    def _works(self) -> bool:
        assert self._line is not None, "it was taken"
        try:
            self._line.execute(text("SELECT 1"))
        except DBAPIError:
            return False
        return True

    def _hang_up(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            with suppress(DBAPIError):
                line.close()


def _be_the_hub(line: Connection, where: str) -> None:
    """The place of a hub that was just killed is free as soon as the server knows."""
    until = time.monotonic() + FREE_SECONDS
    while not line.scalar(text("SELECT pg_try_advisory_lock(:name)"), {"name": HUB}):
        if time.monotonic() >= until:
            raise StoreHeld(where, "another hub")
        time.sleep(LOOK_SECONDS)
