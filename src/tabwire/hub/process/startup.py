"""A hub whose store and jobs are still being opened: doors may serve it already.

Opening them takes longer than everything else together, and a client's first words need none of
it. So the doors are given parts that wait: each method is called on the real part once there is
one. docs/architecture.md lists where start-up is deferred.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tabwire.hub.agent_interface import Autopilot, Windows
from tabwire.hub.interface import Sessions
from tabwire.hub.local.hub import LocalAgents, LocalHub
from tabwire.hub.process_interface import AgentEvents, ServedExtensions, ServedJobs

if TYPE_CHECKING:
    from tabwire.browser.agent.lists import Conversation, What
    from tabwire.browser.agent.prompt import Sent
    from tabwire.browser.line import BrowserLine
    from tabwire.config.settings import Settings
    from tabwire.hub.agents.board import Told
    from tabwire.hub.agents.status import Status
    from tabwire.hub.agents.windows import Spot
    from tabwire.hub.browsers.access import HubLines
    from tabwire.hub.browsers.routes import InUse
    from tabwire.hub.relay.handshake import Socket
    from tabwire.hub.relay.installation import Enter
    from tabwire.hub.sessions.legacy_file import Offered
    from tabwire.hub.sessions.sessions import TakenIn
    from tabwire.model.agent import AgentEvent, Candidate
    from tabwire.model.ask import AskRequest
    from tabwire.model.autopilot import (
        Answerer,
        AnswerResult,
        Approval,
        AutopilotState,
        StatisticsBySpan,
    )
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
    from tabwire.monitor.agent.classic import Baseline


class _Pending:
    """Stands for a part of a hub until that is there."""

    def __init__(self, real: "asyncio.Future[LocalHub]") -> None:
        self._real = real

    async def _hub(self) -> LocalHub:
        return await asyncio.shield(self._real)


class PendingJobs(_Pending):
    """`Jobs` of a hub to be."""

    async def _part(self) -> ServedJobs:
        return (await self._hub()).jobs

    async def submit(
        self, requests: "Sequence[AskRequest]", asker: "Asker", *, again: bool = False
    ) -> "tuple[Job, ...]":
        """As `Jobs.submit`."""
        return await (await self._part()).submit(requests, asker, again=again)

    async def job(self, job_id: str) -> "Job | None":
        """As `Jobs.job`."""
        return await (await self._part()).job(job_id)

    async def wait(self, job_ids: Sequence[str], seconds: float | None = None) -> "tuple[Job, ...]":
        """As `Jobs.wait`."""
        return await (await self._part()).wait(job_ids, seconds)

    async def news(self, job_id: str, *, after: int = 0) -> "AsyncIterator[JobEvent]":
        """As `Jobs.news`."""
        async for one in (await self._part()).news(job_id, after=after):
            yield one

    async def stop(self, job_id: str) -> "Job":
        """As `Jobs.stop`."""
        return await (await self._part()).stop(job_id)

    async def cancel(self, job_id: str) -> "Job":
        """As `Jobs.cancel`."""
        return await (await self._part()).cancel(job_id)

    async def resume(self, job_id: str) -> "Job":
        """As `Jobs.resume`."""
        return await (await self._part()).resume(job_id)

    async def recent(
        self,
        limit: int = 20,
        *,
        states: "Collection[JobState]" = (),
        site: str | None = None,
        agent: str | None = None,
        before: str | None = None,
    ) -> "tuple[Job, ...]":
        """As `Jobs.recent`."""
        jobs = await self._part()
        return await jobs.recent(limit, states=states, site=site, agent=agent, before=before)

    async def search(
        self, words: str, *, site: str | None = None, limit: int = 20
    ) -> "tuple[Job, ...]":
        """As `Jobs.search`."""
        return await (await self._part()).search(words, site=site, limit=limit)

    async def changed(self, seen: int) -> int:
        """As `ServedJobs.changed`."""
        return await (await self._part()).changed(seen)


class PendingSessions(_Pending):
    """`Sessions` of a hub to be."""

    async def _part(self) -> Sessions:
        return (await self._hub()).sessions

    async def touch(self, agent: str, *, client: str = "", project: str = "") -> "Session":
        """As `Sessions.touch`."""
        return await (await self._part()).touch(agent, client=client, project=project)

    async def session(self, agent: str, *, lab: bool | None = None) -> "Session | None":
        """As `Sessions.session`."""
        return await (await self._part()).session(agent, lab=lab)

    async def whole(self, agent: str) -> "Session | None":
        """As `Sessions.whole`."""
        return await (await self._part()).whole(agent)

    async def all(self) -> "tuple[Session, ...]":
        """As `Sessions.all`."""
        return await (await self._part()).all()

    async def forget(self, agent: str, site: str | None = None, *, lab: bool | None = None) -> bool:
        """As `Sessions.forget`."""
        return await (await self._part()).forget(agent, site, lab=lab)

    async def clean(self) -> tuple[str, ...]:
        """As `Sessions.clean`."""
        return await (await self._part()).clean()

    async def bring_in(self, path: Path) -> "TakenIn":
        """As `Sessions.bring_in`."""
        return await (await self._part()).bring_in(path)

    async def offered(self, *folders: Path) -> "tuple[Offered, ...]":
        """As `Sessions.offered`."""
        return await (await self._part()).offered(*folders)

    async def as_v2(self) -> dict[str, object]:
        """As `Sessions.as_v2`."""
        return await (await self._part()).as_v2()


class PendingAutopilot(_Pending):
    """`Autopilot` of a hub to be."""

    async def _part(self) -> Autopilot:
        return (await self._hub()).agents.autopilot

    async def state(self) -> "AutopilotState":
        """As `Autopilot.state`."""
        return await (await self._part()).state()

    async def turn_on(self, names: list[str], window: str = "", by: str = "") -> "AutopilotState":
        """As `Autopilot.turn_on`."""
        return await (await self._part()).turn_on(names, window, by)

    async def turn_off(self, window: str = "", by: str = "") -> "AutopilotState":
        """As `Autopilot.turn_off`."""
        return await (await self._part()).turn_off(window, by)

    async def stop(self, why: str = "", by: str = "") -> "AutopilotState":
        """As `Autopilot.stop`."""
        return await (await self._part()).stop(why, by)

    async def statistics(self) -> "StatisticsBySpan":
        """As `Autopilot.statistics`."""
        return await (await self._part()).statistics()

    async def approvals(self) -> "list[Approval]":
        """As `Autopilot.approvals`."""
        return await (await self._part()).approvals()

    async def answer(self, said: str, *, approve: bool, who: "Answerer") -> "AnswerResult":
        """As `Autopilot.answer`."""
        return await (await self._part()).answer(said, approve=approve, who=who)


class PendingWindows(_Pending):
    """`Windows` of a hub to be."""

    async def _part(self) -> Windows:
        return (await self._hub()).agents.windows

    async def status(self) -> "Status":
        """As `Windows.status`."""
        return await (await self._part()).status()

    async def dump(self, window: str = "") -> "tuple[Spot, tuple[Candidate, ...]]":
        """As `Windows.dump`."""
        return await (await self._part()).dump(window)

    async def send(
        self,
        prompt: str,
        window: str = "",
        *,
        conversation: str = "",
        files: Sequence[Path] = (),
        anyway: bool = False,
    ) -> "tuple[Spot, Sent]":
        """As `Windows.send`."""
        return await (await self._part()).send(
            prompt, window, conversation=conversation, files=files, anyway=anyway
        )

    async def stop(self, window: str = "") -> "tuple[Spot, bool]":
        """As `Windows.stop`."""
        return await (await self._part()).stop(window)

    async def new_chat(
        self, window: str = "", *, leave_running: bool = False
    ) -> "tuple[Spot, bool]":
        """As `Windows.new_chat`."""
        return await (await self._part()).new_chat(window, leave_running=leave_running)

    async def conversations(self, window: str = "") -> "tuple[Spot, tuple[Conversation, ...]]":
        """As `Windows.conversations`."""
        return await (await self._part()).conversations(window)

    async def select(self, name: str, window: str = "") -> "Spot":
        """As `Windows.select`."""
        return await (await self._part()).select(name, window)

    async def choices(self, what: "What", window: str = "") -> "tuple[Spot, str, tuple[str, ...]]":
        """As `Windows.choices`."""
        return await (await self._part()).choices(what, window)

    async def choose(self, what: "What", name: str, window: str = "") -> "tuple[Spot, str]":
        """As `Windows.choose`."""
        return await (await self._part()).choose(what, name, window)

    async def screenshot(self, window: str = "") -> "tuple[Spot, bytes]":
        """As `Windows.screenshot`."""
        return await (await self._part()).screenshot(window)

    async def follow(self, window: str = "") -> "AsyncGenerator[AgentEvent, None]":
        """As `Windows.follow`."""
        async with aclosing((await self._part()).follow(window)) as events:
            async for event in events:
                yield event

    async def follow_classic(
        self, window: str = ""
    ) -> "AsyncGenerator[tuple[Spot, Baseline] | AgentEvent, None]":
        """As `Windows.follow_classic`."""
        async with aclosing((await self._part()).follow_classic(window)) as events:
            async for event in events:
                yield event


class PendingEvents(_Pending):
    """`AgentEvents` of a hub to be."""

    async def _part(self) -> AgentEvents:
        return (await self._hub()).agents.events

    async def news(self, after: int = 0) -> "AsyncIterator[Told]":
        """As `AgentEvents.news`."""
        async for one in (await self._part()).news(after):
            yield one

    async def of_window(self, said: str, lost_seconds: float) -> "AsyncIterator[Told]":
        """As `AgentEvents.of_window`."""
        return await (await self._part()).of_window(said, lost_seconds)

    async def changed(self, seen: int) -> int:
        """As `AgentEvents.changed`."""
        return await (await self._part()).changed(seen)


class PendingExtensions(_Pending):
    """`ServedExtensions` of a hub to be."""

    async def _part(self) -> ServedExtensions:
        return (await self._hub()).extensions

    async def status(self) -> "ExtensionStatus":
        """As `Extensions.status`."""
        return await (await self._part()).status()

    async def dump(self) -> "StreamDump":
        """As `Extensions.dump`."""
        return await (await self._part()).dump()

    async def pair(self) -> "PairingCode":
        """As `Extensions.pair`."""
        return await (await self._part()).pair()

    async def paired(self, seconds: float) -> "PairingOutcome":
        """As `Extensions.paired`."""
        return await (await self._part()).paired(seconds)

    async def use(self, name: str) -> "ChosenExtension":
        """As `Extensions.use`."""
        return await (await self._part()).use(name)

    async def forget(self, name: str) -> "ForgottenExtension":
        """As `Extensions.forget`."""
        return await (await self._part()).forget(name)

    async def serve(self, socket: "Socket", enter: "Enter | None" = None) -> None:
        """As `ServedExtensions.serve`."""
        await (await self._part()).serve(socket, enter)

    async def tunnel(self, socket: "Socket") -> None:
        """As `ServedExtensions.tunnel`."""
        await (await self._part()).tunnel(socket)

    async def hub_id(self) -> str:
        """As `ServedExtensions.hub_id`."""
        return await (await self._part()).hub_id()

    async def changed(self, seen: int) -> int:
        """As `ServedExtensions.changed`."""
        return await (await self._part()).changed(seen)


class PendingLines(_Pending):
    """`HubLines` of a hub to be."""

    async def _part(self) -> "HubLines":
        return (await self._hub()).lines

    async def serves(self, said: str | None, *, only_running: bool) -> bool:
        """As `HubLines.serves`."""
        return await (await self._part()).serves(said, only_running=only_running)

    @asynccontextmanager
    async def line(self, said: str | None = None) -> "AsyncIterator[BrowserLine]":
        """As `HubLines.line`."""
        async with (await self._part()).line(said) as line:
            yield line

    async def tabs_in_use(self) -> "Sequence[InUse]":
        """As `HubLines.tabs_in_use`."""
        return await (await self._part()).tabs_in_use()


def hub_to_be(now: "Settings", real: "asyncio.Future[LocalHub]") -> LocalHub:
    """The hub as doors see it, before it is there and afterwards."""
    return LocalHub(
        now,
        jobs=PendingJobs(real),
        sessions=PendingSessions(real),
        agents=LocalAgents(PendingAutopilot(real), PendingEvents(real), PendingWindows(real)),
        extensions=PendingExtensions(real),
        lines=PendingLines(real),
    )
