"""`Hub`, the one interface of every door: a Protocol by subject.

`LocalHub` (hub/local/) is a hub in the calling process, `RemoteHub` (hub/remote/) the
hub of this person in another one. Adding to this file is a decision. `browser` is the choice of
a person or a program (`auto`, `extension`, `launch`, `attach[=URL]`, `lab`); None is the setting.
`on_wait` is called with what a person has to do before the call can continue.

The Protocols of Antigravity are in agent_interface.py. Two Protocols extend `Hub`
(process_interface.py): `ServedHub` is the hub as the doors in its own
process have it, `RunningHub` is the hub's process as others control it.

Events belong to their subject, not to one stream of the hub: those of a job (`hub.jobs.news`) are
numbered per job and end with it, and both hubs have them; those of Antigravity's windows
(`hub.agents.events`) have no end, and only the hub's own process has them, because it alone
follows the windows; others read them from `/api/v1/antigravity/events`.
"""

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from tabwire.hub.agent_interface import Agents

if TYPE_CHECKING:
    from tabwire.capture.export import Exported
    from tabwire.config.settings import Settings
    from tabwire.hub.browsers.doctor import Check
    from tabwire.hub.browsers.snapshot import Elements, Kept
    from tabwire.hub.browsers.watch import TabRow
    from tabwire.hub.jobs.ask_runner import AskControl, PlannedAsk
    from tabwire.hub.sessions.legacy_file import Offered
    from tabwire.hub.sessions.sessions import TakenIn
    from tabwire.model.ask import Answer, AskEvent, AskRequest
    from tabwire.model.ask_errors import AskError
    from tabwire.model.captured import Captured
    from tabwire.model.extensions import (
        ChosenExtension,
        ExtensionStatus,
        ForgottenExtension,
        PairingCode,
        PairingOutcome,
        StreamDump,
    )
    from tabwire.model.job import Asker, Job, JobState
    from tabwire.model.job_events import JobEvent
    from tabwire.model.session import Session
    from tabwire.monitor.sightings import Befell, Sighting
    from tabwire.store.rows import Attempt
    from tabwire_guard.verdict import Judgement

Say = Callable[[str], None]


class Jobs(Protocol):
    """Questions carried out for somebody: they outlive whoever asked."""

    async def submit(
        self, requests: "Sequence[AskRequest]", asker: "Asker", *, again: bool = False
    ) -> "tuple[Job, ...]":
        """One job per request, on disk when this returns. The same question is one job."""

    async def job(self, job_id: str) -> "Job | None":
        """A job as it is now."""

    async def wait(self, job_ids: Sequence[str], seconds: float | None = None) -> "tuple[Job, ...]":
        """The jobs when all of them rest, or when the time is over."""

    def news(self, job_id: str, *, after: int = 0) -> "AsyncIterator[JobEvent]":
        """What happened to a job since event `after`, then what happens, until it is over."""

    async def stop(self, job_id: str) -> "Job":
        """Press the site's Stop; what was written until then is the answer."""

    async def cancel(self, job_id: str) -> "Job":
        """Nobody wants it any more."""

    async def resume(self, job_id: str) -> "Job":
        """Look again for the answer of a job that may have been sent."""

    async def recent(
        self,
        limit: int = 20,
        *,
        states: "Collection[JobState]" = (),
        site: str | None = None,
        agent: str | None = None,
        before: str | None = None,
    ) -> "tuple[Job, ...]":
        """The newest jobs, newest first."""

    async def search(
        self, words: str, *, site: str | None = None, limit: int = 20
    ) -> "tuple[Job, ...]":
        """Jobs with these words in the question or the answer."""


class Asks(Protocol):
    """Questions asked and waited for, and those of the past."""

    def load(self) -> None:
        """Import what asking and fetching need, before an event loop would wait for it."""

    def check_browser(self, said: str) -> None:
        """Raise where this is not a choice of browser."""

    def first_words(self, sites: Sequence[str], *, browser: str | None = None) -> tuple[str, ...]:
        """What the terms of these sites' providers say: once per home and site."""

    def plan(
        self, requests: "Sequence[AskRequest]", *, browser: str | None = None
    ) -> "tuple[PlannedAsk, ...]":
        """What asking would do, and where. Touches nothing."""

    def read_prompt(
        self,
        argument: str | None,
        files: Sequence[Path] = (),
        context: Sequence[Path] = (),
        stdin: str | None = None,
    ) -> str:
        """The prompt from argument, files and stdin, with context files inlined."""

    async def ask(
        self,
        requests: "Sequence[AskRequest]",
        tell: "Callable[[AskEvent], None]",
        *,
        browser: str | None = None,
        on_wait: Say | None = None,
        control: "AskControl | None" = None,
        again: bool = False,
    ) -> "tuple[Answer | AskError, ...]":
        """Ask all at once; one result per request, in order. One failure spoils no other."""

    async def fetch(
        self,
        said: str,
        *,
        site: str | None = None,
        browser: str | None = None,
        tell: "Callable[[AskEvent], None]" = ...,
        on_wait: Say | None = None,
    ) -> "Answer":
        """An answer asked for before: `last`, an attempt, a conversation or its address."""

    async def history(
        self, limit: int = 20, *, site: str | None = None, browser: str | None = None
    ) -> "tuple[Attempt, ...]":
        """Questions of the past, newest first: the lab's where that is the browser."""

    async def search(
        self,
        words: str,
        limit: int = 20,
        *,
        site: str | None = None,
        browser: str | None = None,
    ) -> "tuple[Attempt, ...]":
        """Questions with these words in the question or the answer, newest first."""

    async def attempt(self, attempt_id: str) -> "Attempt | None":
        """One question of the past and what came of it."""

    async def last_conversation(self, site: str, *, browser: str | None = None) -> "Attempt | None":
        """The newest question of a site whose conversation is known: `--continue last`."""


class Conversations(Protocol):
    """Conversations that were recorded and kept."""

    async def recent(
        self, limit: int = 20, *, site: str | None = None, browser: str | None = None
    ) -> "tuple[Captured, ...]":
        """Those captured last first: the lab's where that is the browser, else all others."""

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

    def write(self, folder: Path, made: "Exported", *, force: bool = False) -> Path:
        """Write such a file into a folder. `force`: over an existing one."""


class Sessions(Protocol):
    """Which chats and tabs belong to which agent."""

    async def touch(self, agent: str, *, client: str = "", project: str = "") -> "Session":
        """The session of an agent that is here, made if need be."""

    async def session(self, agent: str, *, lab: bool | None = None) -> "Session | None":
        """The session of an agent, unless it has expired."""

    async def whole(self, agent: str) -> "Session | None":
        """The session of an agent with the chats of sites and lab."""

    async def all(self) -> "tuple[Session, ...]":
        """All sessions, newest first."""

    async def forget(self, agent: str, site: str | None = None, *, lab: bool | None = None) -> bool:
        """Forget a session or its chat at one site; whether there was one."""

    async def clean(self) -> tuple[str, ...]:
        """Forget those that expired; their agents."""

    async def bring_in(self, path: Path) -> "TakenIn":
        """Import a sessions.json of the older tool."""

    async def offered(self, *folders: Path) -> "tuple[Offered, ...]":
        """Files that could be imported and were not yet."""

    async def as_v2(self) -> dict[str, object]:
        """The content of a sessions.json of version 2."""


class Guard(Protocol):
    """Judges shell commands, with the person's own rules."""

    def judge(
        self,
        command: str,
        *,
        shell: str = "",
        cwd: str | None = None,
        workspace: str | None = None,
    ) -> "Judgement":
        """Allow, ask or deny, and why. Nothing is run."""


class Browsers(Protocol):
    """Browsers and their tabs: listed, watched, looked at, examined."""

    async def tabs(
        self, browser: str | None = None, *, every: bool = False, on_wait: Say | None = None
    ) -> "tuple[TabRow, ...]":
        """The chat tabs of a running browser; with `every`, all its tabs."""

    async def watch(
        self,
        tab: str,
        tell: "Callable[[Sighting], None]",
        *,
        browser: str | None = None,
        requests: bool = False,
        discover: bool = False,
        profile: str = "default",
        on_wait: Say | None = None,
    ) -> "Befell":
        """Follow a tab until it ends, reporting what happens. Cancel to stop sooner."""

    async def snapshot(
        self,
        tab: str,
        *,
        browser: str | None = None,
        folder: Path | None = None,
        text: bool = False,
        on_wait: Say | None = None,
    ) -> "Kept":
        """Save a screenshot of a page and a report on our selectors."""

    async def dom(
        self,
        tab: str,
        selector: str,
        *,
        browser: str | None = None,
        limit: int = 20,
        html: bool = False,
        on_wait: Say | None = None,
    ) -> "Elements":
        """What a CSS selector finds on a page, shadow roots included."""

    def doctor(
        self, sites: Sequence[str], *, browser: str | None = None, on_wait: Say | None = None
    ) -> "AsyncIterator[Check]":
        """Check the browser, the profile and each site, one after the other."""

    async def login(self, site: str, *, say: Say) -> bool:
        """Open a window in which the person logs in; whether they did."""


class Extensions(Protocol):
    """The extensions that are paired with this hub, and the one that is used."""

    async def status(self) -> "ExtensionStatus":
        """Which are paired, which one is used, and why none is."""

    async def dump(self) -> "StreamDump":
        """What went by in pages, while a person has it dumped."""

    async def pair(self) -> "PairingCode":
        """A code for a person to type in the extension."""

    async def paired(self, seconds: float) -> "PairingOutcome":
        """Who typed it, when somebody has or the time is over."""

    async def use(self, name: str) -> "ChosenExtension":
        """Use this extension from now on."""

    async def forget(self, name: str) -> "ForgottenExtension":
        """Unpair this one."""


class Hub(Protocol):
    """Everything Tabwire can do, by subject."""

    @property
    def settings(self) -> "Settings":
        """What is set."""

    @property
    def jobs(self) -> Jobs:
        """Questions carried out for somebody."""

    @property
    def asks(self) -> Asks:
        """Questions asked and waited for."""

    @property
    def conversations(self) -> Conversations:
        """What was recorded."""

    @property
    def sessions(self) -> Sessions:
        """Which chats belong to which agent."""

    @property
    def agents(self) -> Agents:
        """Antigravity."""

    @property
    def guard(self) -> Guard:
        """Commands judged."""

    @property
    def browsers(self) -> Browsers:
        """Browsers and tabs."""

    @property
    def extensions(self) -> Extensions:
        """The extension in the person's own browser."""
