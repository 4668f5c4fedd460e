"""Conversations as they were captured: the statements, and `ConversationRows`, their face.

One row for each conversation of a site, and the bodies it is rebuilt from beside it. The site's
own record is never given up for less: what only a stream told is put behind it, until a newer
record comes. Later issues add history, import and search here; a row is all they need.
"""

import asyncio
import zlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Row, delete, insert, not_, select, update
from sqlalchemy.engine import Connection

from tabwire.model.captured import (
    Body,
    BodyKind,
    Captured,
    CaptureSource,
    Origin,
    Title,
    TitleFrom,
    Wholeness,
)
from tabwire.store.tables import BODIES, CAPTURE_STEPS, CONVERSATIONS
from tabwire.store.transactions import Transactions

PACKING = 1  # zlib's fastest: a chat of 9 MB takes a tenth of a second

Better = Callable[[Title, Title], Title]
"""Which of two titles is kept: the one held, the one that comes."""


class ConversationRows:
    """The conversations of a store."""

    def __init__(self, transactions: Transactions) -> None:
        self._read = transactions.read
        self._change = transactions.change

    async def keep(self, captured: Captured, better: Better) -> Captured:
        """Keep what was captured; the row as it is now, without its bodies."""
        packed = await asyncio.to_thread(_packed, captured.bodies)
        return await self._change(partial(keep, captured=captured, packed=packed, better=better))

    async def conversation(
        self, site: str, conversation_id: str, *, bodies: bool = False
    ) -> Captured | None:
        """The one of this site with this id; `bodies`: with what it is rebuilt from."""
        which = (CONVERSATIONS.c.site == site, CONVERSATIONS.c.conversation_id == conversation_id)
        found = await self._read(partial(some, which=which, bodies=bodies))
        return found[0] if found else None

    async def named(self, conversation_id: str) -> list[Captured]:
        """Those with this id, at any site."""
        which = (CONVERSATIONS.c.conversation_id == conversation_id,)
        return await self._read(partial(some, which=which))

    async def recent(
        self, limit: int = 20, *, site: str | None = None, lab: bool | None = None
    ) -> list[Captured]:
        """Those captured last, newest first; only those of the lab, or only the others."""
        which: list[ColumnElement[bool]] = []
        if site is not None:
            which.append(CONVERSATIONS.c.site == site)
        if lab is not None:
            of_lab = CONVERSATIONS.c.origin == Origin.LAB
            which.append(of_lab if lab else not_(of_lab))
        return await self._read(partial(some, which=which, limit=limit))

    async def hold(self, site: str, conversation_id: str, why: str) -> None:
        """One that is ready is so no longer, for this reason, until it is captured anew."""
        work = partial(hold, site=site, conversation_id=conversation_id, why=why, held=True)
        await self._change(work)

    async def let_go(self, site: str, conversation_id: str, why: str) -> Captured | None:
        """The reason is gone, and nothing was captured since: it is ready again."""
        work = partial(hold, site=site, conversation_id=conversation_id, why=why, held=False)
        changed = await self._change(work)
        return await self.conversation(site, conversation_id) if changed else None

    async def step(self, site: str) -> str | None:
        """Which way of capture worked last at a site."""
        wanted = select(CAPTURE_STEPS.c.step).where(CAPTURE_STEPS.c.site == site)
        return await self._read(lambda line: line.scalar(wanted))

    async def keep_step(self, site: str, step: str, now: float) -> None:
        """This way worked there."""
        await self._change(partial(keep_step, site=site, step=step, now=now))


def keep(
    connection: Connection, captured: Captured, packed: Sequence[bytes], better: Better
) -> Captured:
    """Put it in the place of what was there, or beside it."""
    which = (
        CONVERSATIONS.c.site == captured.site,
        CONVERSATIONS.c.conversation_id == captured.conversation_id,
    )
    row = connection.execute(select(CONVERSATIONS).where(*which)).one_or_none()
    values = _values(captured)
    if row is None:
        values["first_at"] = captured.captured_at
        made = connection.execute(insert(CONVERSATIONS).values(values)).inserted_primary_key
        assert made is not None, "every row has a number"
        number = int(made[0])
    else:
        number = row.number
        title = better(Title(row.title, TitleFrom(row.title_from)), captured.title)
        values |= {"title": title.text, "title_from": title.source}
        if row.digest == captured.digest and row.ready:  # the same, read once more
            values |= {"ready": 1, "reasons": "", "source": row.source}
            values |= {"completeness": row.completeness}
        if not _has_record(captured) and row.source == CaptureSource.CANONICAL:
            values["turns"] = row.turns + captured.turns
        connection.execute(update(CONVERSATIONS).where(*which).values(values))
    _put_bodies(connection, number, captured, packed)
    return some(connection, which=which)[0]


def hold(connection: Connection, site: str, conversation_id: str, why: str, *, held: bool) -> bool:
    """Ready, or held back for a reason; whether anything changed."""
    before, after = ({"ready": 1, "reasons": ""}, {"ready": 0, "reasons": why})[
        :: 1 if held else -1
    ]
    which = (
        CONVERSATIONS.c.site == site,
        CONVERSATIONS.c.conversation_id == conversation_id,
        *(CONVERSATIONS.c[name] == value for name, value in before.items()),
    )
    return connection.execute(update(CONVERSATIONS).where(*which).values(after)).rowcount > 0


def keep_step(connection: Connection, site: str, step: str, now: float) -> None:
    """In the place of the one before."""
    connection.execute(delete(CAPTURE_STEPS).where(CAPTURE_STEPS.c.site == site))
    connection.execute(insert(CAPTURE_STEPS).values(site=site, step=step, since=now))


def some(
    connection: Connection,
    which: Sequence[ColumnElement[bool]],
    *,
    limit: int | None = None,
    bodies: bool = False,
) -> list[Captured]:
    """Those meant, the newest captured first."""
    wanted = select(CONVERSATIONS).where(*which)
    wanted = wanted.order_by(CONVERSATIONS.c.captured_at.desc(), CONVERSATIONS.c.number.desc())
    rows = connection.execute(wanted.limit(limit)).all()
    return [_captured(row, _bodies(connection, row.number) if bodies else ()) for row in rows]


def _put_bodies(
    connection: Connection, number: int, captured: Captured, packed: Sequence[bytes]
) -> None:
    """All anew; but the site's record stays where only a stream was heard since."""
    gone = delete(BODIES).where(BODIES.c.conversation == number)
    place = 0
    if not _has_record(captured):
        gone = gone.where(BODIES.c.kind != BodyKind.STORED)
        places = select(BODIES.c.place).where(
            BODIES.c.conversation == number, BODIES.c.kind == BodyKind.STORED
        )
        place = max(connection.scalars(places).all(), default=-1) + 1
    connection.execute(gone)
    rows = [
        {"conversation": number, "place": at, "kind": body.kind, "url": body.url, "packed": raw}
        for at, (body, raw) in enumerate(zip(captured.bodies, packed, strict=True), place)
    ]
    if rows:
        connection.execute(insert(BODIES), rows)


def _has_record(captured: Captured) -> bool:
    return any(body.kind is BodyKind.STORED for body in captured.bodies)


def _bodies(connection: Connection, number: int) -> tuple[Body, ...]:
    wanted = select(BODIES).where(BODIES.c.conversation == number).order_by(BODIES.c.place)
    return tuple(
        Body(BodyKind(row.kind), row.url, _unpacked(row.packed))
        for row in connection.execute(wanted)
    )


def _packed(bodies: Sequence[Body]) -> list[bytes]:
    return [zlib.compress(body.raw, PACKING) for body in bodies]


def _unpacked(packed: bytes) -> bytes:
    try:
        return zlib.decompress(packed)
    except zlib.error as exc:
        raise msgspec.DecodeError(f"a conversation body is damaged: {exc}") from exc


def _values(captured: Captured) -> dict[str, Any]:
    return {
        "site": captured.site,
        "conversation_id": captured.conversation_id,
        "digest": captured.digest,
        "ready": int(captured.ready),
        "reasons": " ".join(captured.reasons),
        "source": captured.source,
        "completeness": captured.completeness,
        "origin": captured.origin,
        "title": captured.title.text,
        "title_from": captured.title.source,
        "model": captured.model,
        "turns": captured.turns,
        "created_at": captured.created_at,
        "updated_at": captured.updated_at,
        "captured_at": captured.captured_at,
    }


def _captured(row: Row[*tuple[Any, ...]], bodies: tuple[Body, ...]) -> Captured:
    return Captured(
        site=row.site,
        conversation_id=row.conversation_id,
        digest=row.digest,
        ready=bool(row.ready),
        source=CaptureSource(row.source),
        completeness=Wholeness(row.completeness),
        origin=Origin(row.origin),
        captured_at=row.captured_at,
        reasons=tuple(row.reasons.split()),
        title=Title(row.title, TitleFrom(row.title_from)),
        model=row.model,
        turns=row.turns,
        created_at=row.created_at,
        updated_at=row.updated_at,
        first_at=row.first_at,
        bodies=bodies,
    )
