"""Antigravity's windows through the hub that follows them, from another process.

What is done there is done over the attachment that the hub has. A hub is used where one runs that
is of our own version and goes by the same settings; else the window is reached from this process.
Nothing that acts is repeated: a prompt whose response was lost may have been sent.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlencode

import msgspec

from tabwire import __version__
from tabwire.browser.agent.errors import PromptMaybeSent
from tabwire.browser.agent.lists import Conversation, What
from tabwire.browser.agent.prompt import Sent
from tabwire.config.settings import settings
from tabwire.hub.agents.consent import require_consent
from tabwire.hub.agents.status import Status
from tabwire.hub.agents.windows import Spot
from tabwire.hub.local.agents import LocalWindows
from tabwire.hub.remote.api import BASE, Api, HubSaid, encoded, read
from tabwire.hub.remote.connection import LineLost, NoHub, asked, told_by
from tabwire.hub.remote.joined_runs import JoinedRuns
from tabwire.model.agent import AgentEvent, AgentLost
from tabwire.model.agent_events import read_agent_event
from tabwire.model.errors import TabwireError
from tabwire.wire.sse import SseDecoder, SseEvent

if TYPE_CHECKING:
    from tabwire.model.agent import Candidate
    from tabwire.monitor.agent.classic import Baseline

T = TypeVar("T")

PATH = "/antigravity"
ACT_SECONDS = 60.0  # that the hub may take to act in a window, besides what every request may
PAUSE_SECONDS = 0.1  # before a hub that ended a stream is asked again


class _About(msgspec.Struct, frozen=True):
    """Whether a hub follows Antigravity, and by which settings."""

    version: str
    on: bool
    port: int
    quota: str


class _Now(msgspec.Struct):
    seconds: float


class _At(msgspec.Struct):
    spot: Spot


class _Sent(_At):
    sent: Sent


class _Stopped(_At):
    stopped: bool


class _Begun(_At):
    begun: bool


class _Conversations(_At):
    conversations: tuple[Conversation, ...]


class _Chosen(_At):
    chosen: str


class _Choices(_Chosen):
    names: tuple[str, ...]


class _Picture(_At):
    png: bytes


Lost = Callable[[LineLost], TabwireError]


def not_confirmed(_lost: LineLost) -> TabwireError:
    """The hub went away while it acted: it may have been done or not."""
    return TabwireError(
        "the hub ended before it confirmed that this was done",
        what_to_do="Look at the window, then run the command again if it was not done.",
    )


def maybe_sent(lost: LineLost) -> TabwireError:
    """The hub went away while it sent a prompt."""
    return PromptMaybeSent(str(lost))


class RemoteWindows:
    """The windows as the hub of this person has them; where none follows them, as this process
    reaches them."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._local = LocalWindows()

    async def status(self) -> Status:
        """As `Windows.status`."""
        return await self._either(lambda: self._get("status", {}, Status), self._local.status)

    async def dump(self, window: str = "") -> "tuple[Spot, tuple[Candidate, ...]]":
        """As `Windows.dump`; always from this process."""
        return await self._local.dump(window)

    async def send(
        self,
        prompt: str,
        window: str = "",
        *,
        conversation: str = "",
        files: Sequence[Path] = (),
        anyway: bool = False,
    ) -> tuple[Spot, Sent]:
        """As `Windows.send`. Never repeated."""
        body = {
            "prompt": prompt,
            "window": window,
            "conversation": conversation,
            "files": [str(one.absolute()) for one in files],  # the hub has another folder
            "anyway": anyway,
        }

        async def through() -> tuple[Spot, Sent]:
            told = await self._post("send", body, _Sent)
            return told.spot, told.sent

        return await self._either(
            through,
            lambda: self._local.send(
                prompt, window, conversation=conversation, files=files, anyway=anyway
            ),
            lost=maybe_sent,
        )

    async def stop(self, window: str = "") -> tuple[Spot, bool]:
        """As `Windows.stop`."""

        async def through() -> tuple[Spot, bool]:
            told = await self._post("stop", {"window": window}, _Stopped)
            return told.spot, told.stopped

        return await self._either(through, lambda: self._local.stop(window), lost=not_confirmed)

    async def new_chat(self, window: str = "", *, leave_running: bool = False) -> tuple[Spot, bool]:
        """As `Windows.new_chat`."""

        async def through() -> tuple[Spot, bool]:
            body = {"window": window, "leave_running": leave_running}
            told = await self._post("new", body, _Begun)
            return told.spot, told.begun

        return await self._either(
            through,
            lambda: self._local.new_chat(window, leave_running=leave_running),
            lost=not_confirmed,
        )

    async def conversations(self, window: str = "") -> tuple[Spot, tuple[Conversation, ...]]:
        """As `Windows.conversations`."""

        async def through() -> tuple[Spot, tuple[Conversation, ...]]:
            told = await self._get("conversations", {"window": window}, _Conversations)
            return told.spot, told.conversations

        return await self._either(through, lambda: self._local.conversations(window))

    async def select(self, name: str, window: str = "") -> Spot:
        """As `Windows.select`."""

        async def through() -> Spot:
            return (await self._post("select", {"name": name, "window": window}, _At)).spot

        return await self._either(
            through, lambda: self._local.select(name, window), lost=not_confirmed
        )

    async def choices(self, what: What, window: str = "") -> tuple[Spot, str, tuple[str, ...]]:
        """As `Windows.choices`."""

        async def through() -> tuple[Spot, str, tuple[str, ...]]:
            told = await self._get(f"{what}s", {"window": window}, _Choices)
            return told.spot, told.chosen, told.names

        return await self._either(through, lambda: self._local.choices(what, window))

    async def choose(self, what: What, name: str, window: str = "") -> tuple[Spot, str]:
        """As `Windows.choose`."""

        async def through() -> tuple[Spot, str]:
            told = await self._post(what, {"name": name, "window": window}, _Chosen)
            return told.spot, told.chosen

        return await self._either(
            through, lambda: self._local.choose(what, name, window), lost=not_confirmed
        )

    async def screenshot(self, window: str = "") -> tuple[Spot, bytes]:
        """As `Windows.screenshot`."""

        async def through() -> tuple[Spot, bytes]:
            told = await self._post("shot", {"window": window}, _Picture)
            return told.spot, told.png

        return await self._either(through, lambda: self._local.screenshot(window))

    async def follow(self, window: str = "") -> AsyncGenerator[AgentEvent, None]:
        """As `Windows.follow`; goes on from this process when the hub ends."""
        require_consent()
        runs = JoinedRuns()
        while await self._is_followed():
            try:
                async with aclosing(self._events(window)) as events:
                    async for event in events:
                        for one in runs.told(event):
                            yield one
                        if isinstance(event, AgentLost):
                            return
            except (LineLost, NoHub):
                pass
            require_consent()  # switched off: the hub lets go of it too
            for one in runs.cut(time.monotonic()):
                yield one
            await asyncio.sleep(PAUSE_SECONDS)
        async with aclosing(self._local.follow(window)) as events:
            async for event in events:
                for one in runs.told(event):
                    yield one

    def follow_classic(
        self, window: str = ""
    ) -> "AsyncGenerator[tuple[Spot, Baseline] | AgentEvent, None]":
        """As `Windows.follow_classic`; always from this process."""
        return self._local.follow_classic(window)

    # --- the hub --------------------------------------------------------------------------------

    async def _is_followed(self) -> bool:
        """Whether a hub that goes by what this process goes by follows the windows."""
        now = settings()
        if now.hub == "off":
            return False
        try:
            about = await self._api.once("GET", PATH, _About)
        except (NoHub, LineLost, HubSaid, msgspec.DecodeError):  # also one of another version
            return False
        return about == _About(__version__, True, now.antigravity_port, now.antigravity_quota)

    async def _either(
        self,
        through: Callable[[], Awaitable[T]],
        alone: Callable[[], Awaitable[T]],
        *,
        lost: Lost | None = None,
    ) -> T:
        """Through the hub, else from this process. `lost`: of what acts, the error where the hub
        went away with it; what only looks is done again."""
        require_consent()
        if await self._is_followed():
            try:
                return await through()
            except NoHub:  # it ended just now, and was asked for nothing
                pass
            except LineLost as exc:
                if lost is not None:
                    raise lost(exc) from exc
        return await alone()

    async def _get(self, name: str, query: Mapping[str, str], kind: type[T]) -> T:
        path = f"{BASE}{PATH}/{name}?{urlencode(query)}"
        return read(await asked("GET", path, held=ACT_SECONDS), kind)

    async def _post(self, name: str, body: Mapping[str, Any], kind: type[T]) -> T:
        path = f"{BASE}{PATH}/{name}"
        return read(await asked("POST", path, encoded(body), held=ACT_SECONDS), kind)

    async def _events(self, window: str) -> AsyncGenerator[AgentEvent, None]:
        """Of one window, until the hub says that nothing follows. Raises `LineLost`."""
        lost = settings().antigravity_lost_seconds
        query = urlencode({"window": window, "lost_seconds": f"{lost:g}"})
        headers = {"accept": "text/event-stream"}
        decoder, began = SseDecoder(), 0.0
        path = f"{BASE}{PATH}/events?{query}"
        async with told_by("GET", path, headers) as (status, chunks):
            if status != 200:
                read((status, b"".join([chunk async for chunk in chunks])), dict[str, Any])
            async for chunk in chunks:
                for told in decoder.feed(chunk):
                    if not isinstance(told, SseEvent):
                        continue
                    if told.name == "end":
                        return
                    if told.name == "now":
                        now = msgspec.json.decode(told.data, type=_Now)
                        began = time.monotonic() - now.seconds
                    elif (event := read_agent_event(told.data, began=began)) is not None:
                        yield event
        raise LineLost  # it ended without saying so
