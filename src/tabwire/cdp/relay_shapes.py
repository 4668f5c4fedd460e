"""What passes through the carrier over an extension: commands, answers, tabs, and who uses them."""

import json
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import msgspec

from tabwire.cdp.relay_frames import BAD_ARGUMENTS, NOT_ALLOWED, NOTHING, TabSaid, Trouble

MAX_NAME = 40  # characters of a tab group's name
MAX_SENT_AWAY = 1024

Done = msgspec.Raw | Trouble
OnDone = Callable[[Done], None]


class Client(NamedTuple):
    """Who uses the browser now: a name that the person sees on the tab group, and the job."""

    name: str = "tabwire"
    job: str = ""

    @property
    def shown(self) -> str:
        """As much of the name as a person would read."""
        return self.name[:MAX_NAME] or "tabwire"


CLIENT: ContextVar[Client] = ContextVar("client", default=Client())  # noqa: B039 - it is frozen
"""Set by whoever carries out a job; read when a tab is opened or attached to."""


class SentAway:
    """The jobs whose person pressed Cancel; the oldest are forgotten."""

    def __init__(self) -> None:
        self._jobs: dict[str, None] = {}

    def add(self, clients: Iterable[Client]) -> None:
        """Whoever has no job is not remembered: it is not known from the next one."""
        self._jobs.update({client.job: None for client in clients if client.job})
        while len(self._jobs) > MAX_SENT_AWAY:
            del self._jobs[next(iter(self._jobs))]

    def __contains__(self, client: Client) -> bool:
        return client.job in self._jobs


class Verbs(Protocol):
    """What carries verbs to the extension. Everything it says comes to `RelayCarrier.heard`."""

    @property
    def product(self) -> str:
        """The browser, as `Browser.getVersion` names one."""

    def do(self, verb: str, arguments: dict[str, Any], done: OnDone) -> None:
        """Have it done; `done` is called once, in the order of the line, never before this
        returns. Raises `LineFull`."""


class Command(msgspec.Struct):
    """What a connection sends."""

    id: int
    method: str
    params: msgspec.Raw = NOTHING
    session: str | None = msgspec.field(default=None, name="sessionId")


class Up(msgspec.Struct, omit_defaults=True):
    """A reply or an event, as a browser would write it."""

    id: int | None = None
    method: str | None = None
    params: Any = None
    result: Any = None
    error: Any = None
    session: str | None = msgspec.field(default=None, name="sessionId")


class Wish(msgspec.Struct):
    """What the commands about targets say; each leaves out most of it."""

    target: str = msgspec.field(default="", name="targetId")
    session: str = msgspec.field(default="", name="sessionId")
    url: str = "about:blank"
    discover: bool = False


class Child(msgspec.Struct):
    """A frame or worker inside a tab."""

    session: str = msgspec.field(default="", name="sessionId")


class Attached(msgspec.Struct):
    """What the extension says when the debugger is there."""

    target: str | None = None


_command = msgspec.json.Decoder(Command).decode


def read_command(message: bytes) -> Command:
    """One of our own; a prompt may hold half a character, which the strict reader refuses."""
    try:
        return _command(message)
    except ValueError:
        said = json.loads(message)
        params = msgspec.Raw(json.dumps(said.pop("params", {})).encode())
        return msgspec.structs.replace(msgspec.convert(said, Command), params=params)


@dataclass(slots=True)
class KnownTab:
    """A tab we know of. `sessions` are those invented for it, each with its user."""

    said: TabSaid
    sessions: dict[str, Client] = field(default_factory=dict)
    children: set[str] = field(default_factory=set)
    coming: list[OnDone] = field(default_factory=list)  # who waits for the debugger to be there

    @property
    def target(self) -> str:
        """Its name as a target."""
        return self.said.target or f"tab-{self.said.tab}"


class UsedTab(NamedTuple):
    """A tab that somebody is attached to, and who."""

    target: str
    url: str
    title: str
    clients: tuple[Client, ...]


CANCELLED_TROUBLE = Trouble(
    NOT_ALLOWED, "you pressed Cancel on the bar in which Chrome says that the tab is being debugged"
)
SUCCESS = msgspec.Raw(b'{"success":true}')


def ignored(_done: Done) -> None:
    """What fails here fails because the tab is gone."""


def no_tab(target: str) -> Trouble:
    """As a browser says it."""
    return Trouble(BAD_ARGUMENTS, f"No target with given id found: {target[:64]}")


def used_of(tabs: Iterable[KnownTab]) -> tuple[UsedTab, ...]:
    """Those with a session, each user once."""
    return tuple(
        UsedTab(tab.target, tab.said.url or "", tab.said.title or "", tuple(clients))
        for tab in tabs
        if (clients := dict.fromkeys(tab.sessions.values()))
    )


def info_of(tab: KnownTab) -> dict[str, Any]:
    """A tab as a browser tells of its targets."""
    return {
        "targetId": tab.target,
        "type": "page",
        "title": tab.said.title or "",
        "url": tab.said.url or "",
        "attached": bool(tab.sessions) or tab.said.attached,
    }
