"""What lies in this person's store: conversations and sessions."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabwire.capture.export import Exported
    from tabwire.hub.sessions.legacy_file import Offered
    from tabwire.hub.sessions.sessions import Sessions as StoredSessions
    from tabwire.hub.sessions.sessions import TakenIn
    from tabwire.model.captured import Captured
    from tabwire.model.session import Session


class LocalConversations:
    """Kept conversations, read from this person's store."""

    async def recent(
        self, limit: int = 20, *, site: str | None = None, browser: str | None = None
    ) -> "tuple[Captured, ...]":
        """Those captured last first: the lab's where that is the browser, else all others."""
        from tabwire.hub.conversations.catalogue import recent

        return await recent(limit, site, browser=browser)

    async def export(
        self,
        said: str,
        form: str = "original",
        *,
        site: str | None = None,
        force: bool = False,
        browser: str | None = None,
    ) -> "tuple[Captured, Exported]":
        """One of them (`last`, an id, `site/id`, an address), and a file of it. `force`: also
        where it is not ready."""
        from tabwire.hub.conversations.catalogue import exported

        return await exported(said, form, site=site, force=force, browser=browser)

    def write(self, folder: Path, made: "Exported", *, force: bool = False) -> Path:
        """Write such a file into a folder. `force`: over an existing one."""
        from tabwire.hub.conversations.catalogue import write

        return write(folder, made, force=force)


class LocalSessions:
    """Sessions, read from this person's store. A hub that runs is not disturbed."""

    async def touch(self, agent: str, *, client: str = "", project: str = "") -> "Session":
        """The session of an agent that is here, made if need be."""
        async with self._opened() as sessions:
            return await sessions.touch(agent, client=client, project=project)

    async def session(self, agent: str, *, lab: bool | None = None) -> "Session | None":
        """The session of an agent, unless it has expired."""
        async with self._opened() as sessions:
            return await sessions.session(agent, lab=lab)

    async def whole(self, agent: str) -> "Session | None":
        """The session of an agent with the chats of sites and lab."""
        async with self._opened() as sessions:
            return await sessions.whole(agent)

    async def all(self) -> "tuple[Session, ...]":
        """All sessions, newest first."""
        async with self._opened() as sessions:
            return await sessions.all()

    async def forget(self, agent: str, site: str | None = None, *, lab: bool | None = None) -> bool:
        """Forget a session or its chat at one site; whether there was one."""
        async with self._opened() as sessions:
            return await sessions.forget(agent, site, lab=lab)

    async def clean(self) -> tuple[str, ...]:
        """Forget those that expired; their agents."""
        async with self._opened() as sessions:
            return await sessions.clean()

    async def bring_in(self, path: Path) -> "TakenIn":
        """Import a sessions.json of the older tool."""
        async with self._opened() as sessions:
            return await sessions.bring_in(path)

    async def offered(self, *folders: Path) -> "tuple[Offered, ...]":
        """Files that could be imported and were not yet."""
        async with self._opened() as sessions:
            return await sessions.offered(*folders)

    async def as_v2(self) -> dict[str, object]:
        """The content of a sessions.json of version 2."""
        async with self._opened() as sessions:
            return await sessions.as_v2()

    def _opened(self) -> "AbstractAsyncContextManager[StoredSessions]":
        from tabwire.hub.sessions.sessions import opened_sessions

        return opened_sessions()
