"""Agents and their chats: the statements, and `SessionRows`, the face they have.

A session nobody used for as long as `Limits` says is gone, whether or not somebody cleaned up:
it is never given, and every change begins by removing those. All of that is one transaction, so
two processes at once never have one agent too many, or half of one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import ColumnElement, Row, and_, delete, insert, select, update
from sqlalchemy.engine import Connection

from tabwire.model.session import Chat, Session
from tabwire.store.tables import CHATS, SESSION_FILES, SESSIONS
from tabwire.store.transactions import Transactions

IN_LAB = "lab/"  # before the site of a chat at the lab's stand-in, in the database


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a session is kept without use, and how many there are at once."""

    seconds: float
    agents: int


class SessionRows:
    """The sessions of a store. `now` is in seconds since 1970."""

    def __init__(self, transactions: Transactions) -> None:
        self._read = transactions.read
        self._change = transactions.change

    async def touch(
        self, agent: str, now: float, limits: Limits, *, client: str, project: str
    ) -> Session:
        """The session of this agent, made if need be. An empty word changes nothing."""
        work = partial(touch, agent=agent, now=now, limits=limits, client=client, project=project)
        return await self._change(work)

    async def used(self, agent: str, chat: Chat, now: float, limits: Limits) -> None:
        """This agent goes on in this chat from now on."""
        await self._change(partial(used, agent=agent, chat=chat, now=now, limits=limits))

    async def forget(self, agent: str, site: str | None, *, lab: bool = False) -> bool:
        """Its chat at a site or in the lab, or all of it. Whether there was anything."""
        return await self._change(partial(forget, agent=agent, site=site, lab=lab))

    async def session(self, agent: str, now: float, limits: Limits) -> Session | None:
        """The one of this agent, unless it expired."""
        which = and_(SESSIONS.c.agent == agent, _alive(now, limits))
        found = await self._read(lambda line: some(line, which))
        return found[0] if found else None

    async def all(self, now: float, limits: Limits) -> list[Session]:
        """Those that have not expired, in the order they came."""
        return await self._read(lambda line: some(line, _alive(now, limits)))

    async def clean(self, now: float, limits: Limits) -> list[str]:
        """Remove those that expired; their agents."""
        return await self._change(partial(clean, now=now, limits=limits))

    async def take_in(
        self, sessions: Sequence[Session], file: tuple[str, str], now: float, limits: Limits
    ) -> list[str]:
        """Add those of a file, told by its path and digest; the agents there was room for."""
        work = partial(take_in, sessions=sessions, file=file, now=now, limits=limits)
        return await self._change(work)

    async def was_taken_in(self, file: tuple[str, str]) -> bool:
        """Whether this file was, as it is now."""
        path, digest = file
        wanted = select(SESSION_FILES.c.digest).where(SESSION_FILES.c.path == path)
        return await self._read(lambda line: line.scalar(wanted) == digest)


def touch(
    connection: Connection, agent: str, now: float, limits: Limits, *, client: str, project: str
) -> Session:
    """Make it, or note that it is used."""
    clean(connection, now, limits)
    said = {name: word for name, word in (("client", client), ("project", project)) if word}
    _here(connection, agent, now, limits, said)
    return some(connection, SESSIONS.c.agent == agent)[0]


def used(connection: Connection, agent: str, chat: Chat, now: float, limits: Limits) -> None:
    """Its chat at that site is this one."""
    clean(connection, now, limits)
    _put(connection, _here(connection, agent, now, limits, {}), chat)


def forget(connection: Connection, agent: str, site: str | None, *, lab: bool = False) -> bool:
    """A chat, or a session with all its chats."""
    number = connection.scalar(select(SESSIONS.c.number).where(SESSIONS.c.agent == agent))
    if number is None:
        return False
    if site is not None:
        gone = delete(CHATS).where(CHATS.c.session == number, CHATS.c.site == _place(site, lab))
        return connection.execute(gone).rowcount > 0
    _remove(connection, [number])
    return True


def clean(connection: Connection, now: float, limits: Limits) -> list[str]:
    """Remove those that expired; their agents."""
    expired = select(SESSIONS.c.number, SESSIONS.c.agent).where(~_alive(now, limits))
    rows = connection.execute(expired.order_by(SESSIONS.c.number)).all()
    _remove(connection, [row.number for row in rows])
    return [row.agent for row in rows]


def take_in(
    connection: Connection,
    sessions: Sequence[Session],
    file: tuple[str, str],
    now: float,
    limits: Limits,
) -> list[str]:
    """Add what is newer than what is here. Nobody who is here is pushed out for it."""
    clean(connection, now, limits)
    here = {one.agent: one for one in some(connection)}
    room = max(0, limits.agents - len(here))
    new = [one for one in sessions if one.agent not in here]
    new = sorted(new, key=lambda one: one.last_access, reverse=True)[:room]
    added = {one.agent for one in new}
    taken = [one for one in sessions if one.agent in here or one.agent in added]
    for one in taken:
        known = here.get(one.agent)
        number = _kept(connection, one, known, now)
        for chat in one.chats:
            before = known.chat_in(chat.site, lab=chat.lab) if known is not None else None
            if before is None or before.last_used < chat.last_used:
                _put(connection, number, chat)
    path, digest = file
    connection.execute(delete(SESSION_FILES).where(SESSION_FILES.c.path == path))
    connection.execute(insert(SESSION_FILES).values(path=path, digest=digest, taken_at=now))
    return [one.agent for one in taken]


def some(connection: Connection, *which: ColumnElement[bool]) -> list[Session]:
    """Those meant, in the order they came."""
    rows = connection.execute(select(SESSIONS).where(*which).order_by(SESSIONS.c.number)).all()
    chats: dict[int, list[Chat]] = {row.number: [] for row in rows}
    wanted = select(CHATS).where(CHATS.c.session.in_(chats)).order_by(CHATS.c.number)
    for chat in connection.execute(wanted) if chats else ():
        chats[chat.session].append(_chat(chat))
    return [
        Session(row.agent, row.last_access, row.project, row.client, tuple(chats[row.number]))
        for row in rows
    ]


def _here(
    connection: Connection, agent: str, now: float, limits: Limits, said: dict[str, str]
) -> int:
    """The number of this agent's row, which is used now; made in the place of the longest idle
    where there would be one too many."""
    values = {"last_access": now, "kept_at": now, **said}
    found = connection.scalar(select(SESSIONS.c.number).where(SESSIONS.c.agent == agent))
    if found is not None:
        connection.execute(update(SESSIONS).where(SESSIONS.c.number == found).values(values))
        return int(found)
    by_idleness = select(SESSIONS.c.number).order_by(
        SESSIONS.c.last_access.desc(), SESSIONS.c.number.desc()
    )
    _remove(connection, connection.scalars(by_idleness).all()[max(0, limits.agents - 1) :])
    return _insert(connection, {"agent": agent, "project": "", "client": "", **values})


def _kept(connection: Connection, one: Session, known: Session | None, now: float) -> int:
    """The number of an imported session's row. It is kept as if it had been used now, or it
    would be gone before anybody could go on with it."""
    if known is None:
        values = {"last_access": one.last_access, "kept_at": now}
        named = {"agent": one.agent, "project": one.project, "client": one.client}
        return _insert(connection, {**named, **values})
    which = SESSIONS.c.agent == one.agent
    newest = max(one.last_access, known.last_access)
    values = {"last_access": newest, "kept_at": now}
    connection.execute(update(SESSIONS).where(which).values(values))
    return int(connection.scalar(select(SESSIONS.c.number).where(which)) or 0)


def _insert(connection: Connection, values: dict[str, object]) -> int:
    made = connection.execute(insert(SESSIONS).values(values)).inserted_primary_key
    assert made is not None, "every row has a number"
    return int(made[0])


def _put(connection: Connection, session: int, chat: Chat) -> None:
    site = _place(chat.site, chat.lab)
    which = (CHATS.c.session == session, CHATS.c.site == site)
    connection.execute(delete(CHATS).where(*which))
    values = {
        "session": session,
        "site": site,
        "conversation_id": chat.conversation_id,
        "url": chat.url,
        "tab": chat.tab,
        "last_used": chat.last_used,
    }
    connection.execute(insert(CHATS).values(values))


def _remove(connection: Connection, numbers: Sequence[int]) -> None:
    if numbers:
        connection.execute(delete(CHATS).where(CHATS.c.session.in_(numbers)))
        connection.execute(delete(SESSIONS).where(SESSIONS.c.number.in_(numbers)))


def _alive(now: float, limits: Limits) -> ColumnElement[bool]:
    return SESSIONS.c.kept_at >= now - limits.seconds


def _chat(row: Row[*tuple[object, ...]]) -> Chat:
    site = row.site.removeprefix(IN_LAB)
    lab = site != row.site
    return Chat(site, row.conversation_id, row.url, row.tab, row.last_used, lab)


def _place(site: str, lab: bool) -> str:
    return f"{IN_LAB}{site}" if lab else site
