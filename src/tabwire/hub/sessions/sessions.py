"""Sessions: which chats and tabs belong to which agent (seed 001, section 8).

An agent is named by its environment, else by its MCP client, else it is given a name. Its
preferred conversation of each site is where it goes on; after a while without use it is
forgotten, and the agent beyond the maximum takes the place of the longest idle.

Nothing is held in memory: whoever asks, in whatever process, sees what is on the disk.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tabwire.hub.sessions.legacy_file import Offered, as_v2, found_in, read_sessions
from tabwire.model.session import Chat, Session

if TYPE_CHECKING:
    from tabwire.config.settings import Settings
    from tabwire.store.store import Store

__all__ = ["Chat", "Offered", "Session", "Sessions", "TakenIn", "opened_sessions"]


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What came of an import. `problems` are of what was left out, each with its place."""

    path: str
    version: int
    agents: tuple[str, ...]
    problems: tuple[str, ...]


class Sessions:
    """All sessions of this person. `clock` tells seconds since 1970.

    `lab`: where nobody says which, the chats of the lab are meant. Those of the sites and those
    of the lab are kept apart, so that no agent goes on in a chat that the other side does not
    have.
    """

    def __init__(
        self,
        store: "Store",
        settings: "Settings",
        *,
        clock: Callable[[], float] = time.time,
        lab: bool = False,
    ) -> None:
        from tabwire.store.session_rows import Limits

        self._rows = store.sessions
        self._settings = settings
        self._limits = Limits(settings.session_ttl_minutes * 60.0, settings.max_agents)
        self._clock = clock
        self._lab = lab

    async def touch(self, agent: str, *, client: str = "", project: str = "") -> Session:
        """An agent is here: its session, made if need be."""
        found = await self._rows.touch(
            agent, self._clock(), self._limits, client=client, project=project
        )
        return _of(found, lab=self._lab)

    async def used(
        self,
        agent: str,
        site: str,
        *,
        url: str,
        conversation_id: str | None,
        tab: str | None,
        lab: bool | None = None,
    ) -> None:
        """An ask of this agent ended well in this chat."""
        now = self._clock()
        chat = Chat(site, conversation_id, url, tab, now, self._lab if lab is None else lab)
        await self._rows.used(agent, chat, now, self._limits)

    async def forget(self, agent: str, site: str | None = None, *, lab: bool | None = None) -> bool:
        """Going on there failed, or a person said so. Whether there was anything."""
        return await self._rows.forget(agent, site, lab=self._lab if lab is None else lab)

    async def session(self, agent: str, *, lab: bool | None = None) -> Session | None:
        """The one of this agent, if it has not expired, with its chats of one side."""
        found = await self._rows.session(agent, self._clock(), self._limits)
        return None if found is None else _of(found, lab=self._lab if lab is None else lab)

    async def whole(self, agent: str) -> Session | None:
        """The one of this agent with all its chats, as a list has it."""
        return await self._rows.session(agent, self._clock(), self._limits)

    async def all(self) -> tuple[Session, ...]:
        """Newest first, each with all its chats: a chat says whether it is of the lab."""
        found = await self._rows.all(self._clock(), self._limits)
        return tuple(sorted(found, key=lambda one: one.last_access, reverse=True))

    async def clean(self) -> tuple[str, ...]:
        """Forget those that expired; their agents."""
        return tuple(await self._rows.clean(self._clock(), self._limits))

    # --- sessions.json of the seed's tool -----------------------------------------------------

    async def take_in(self, path: Path) -> int:
        """Import a sessions.json of the seed's tool, V1 or V2; how many agents."""
        return len((await self.bring_in(path)).agents)

    async def bring_in(self, path: Path) -> TakenIn:
        """The same, with what was left out and why. The file stays as it is.

        Raises `Unreadable` where nothing in it can be read; then nothing is changed.
        """
        now = self._clock()
        file = await asyncio.to_thread(read_sessions, path, now)
        mark = (file.path, file.digest)
        taken = await self._rows.take_in(file.sessions, mark, now, self._limits)
        left = [one.agent for one in file.sessions if one.agent not in taken]
        full = f"there is no room for it: max_agents is {self._limits.agents}"
        problems = [*file.problems, *(f"{agent}: {full}" for agent in left)]
        return TakenIn(file.path, file.version, tuple(taken), tuple(problems))

    async def offered(self, *folders: Path) -> tuple[Offered, ...]:
        """Files that could be imported and were not yet: from these folders, else from where
        this process works and from the person's own. Nothing is taken in by looking."""
        where = folders or (Path.cwd(), Path.home())
        found = await asyncio.to_thread(found_in, where, self._clock())
        return tuple(
            [one for one in found if not await self._rows.was_taken_in((one.path, one.digest))]
        )

    async def as_v2(self) -> dict[str, object]:
        """What a sessions.json of version 2 holds, exactly as in the seed."""
        sessions = await self._rows.all(self._clock(), self._limits)
        return as_v2(sessions, self._settings.session_ttl_minutes, self._settings.max_agents)


def _of(session: Session, *, lab: bool) -> Session:
    return replace(session, chats=tuple(one for one in session.chats if one.lab == lab))


@asynccontextmanager
async def opened_sessions() -> AsyncIterator[Sessions]:
    """Those of this person, for the length of a block. A hub that runs is not disturbed."""
    from tabwire.config.settings import settings
    from tabwire.hub.browsers.access import is_lab
    from tabwire.hub.jobs.books import opened_books

    now = settings()
    async with opened_books(now) as books:
        yield Sessions(books.store, now, lab=is_lab(now.browser))
