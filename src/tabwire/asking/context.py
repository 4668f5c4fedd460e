"""What a flow is handed by whoever runs it: where to tell, where to keep, how to share.

Flows never see the store. What they are given keeps things on disk before it returns.
"""

from collections.abc import Awaitable, Callable, Collection
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from tabwire.browser.line import BrowserLine
from tabwire.model.ask import Answer, AskEvent, Press, Step
from tabwire.monitor.follow import Records
from tabwire.sites.site import Site


class NotOurs(Exception):
    """Another process goes on with this ask by now, or it is over: nothing may be sent."""


class Checkpoint(Protocol):
    """Keep how far the ask got; returns when it is on disk. For `sending` it may raise `NotOurs`:
    whoever is about to press Send has the ask there and then, or nobody does."""

    def __call__(
        self,
        step: Step,
        *,
        conversation_id: str | None = None,
        url: str | None = None,
        draft: str | None = None,
        press: Press | None = None,
    ) -> Awaitable[None]:
        """A fact that is not given stays as it was; an empty `draft` has been put back."""
        ...


class Tabs(Protocol):
    """The tabs we opened ourselves, in this browser and earlier."""

    async def ours(self) -> list[str]:
        """Their targets, those gone since included."""
        ...

    async def own(self, target: str) -> None:
        """We opened this one."""
        ...

    async def saw(self, there: Collection[str], closed: Collection[str]) -> None:
        """These tabs are in the browser, and those were closed in it: what is gone is forgotten."""
        ...

    async def left_in(self) -> list[str]:
        """Those this very ask was in when a process died over it; also ones of the person."""
        ...

    async def preferred(self) -> str | None:
        """The one that whoever asks used last."""
        ...

    def asked_in(self, target: str) -> None:
        """The question is put in this one."""
        ...


TAB = "tab:"
"""The key of a tab is this and its target."""

Use = Callable[[str, bool], AbstractAsyncContextManager[bool]]
"""`use(key, wait)`: one ask at a time for this key, in all processes. Gives whether we have it;
with `wait` it comes when it is free."""


@dataclass(frozen=True, slots=True)
class Given:
    """Everything an ask needs from outside."""

    attempt_id: str
    tell: Callable[[AskEvent], None]
    checkpoint: Checkpoint
    keep: Callable[[Answer], Awaitable[None]]
    """Keep an answer, or what is newly known of it; returns when it is on disk."""
    anomaly: Callable[[dict[str, object]], Awaitable[str]]
    """Keep a bundle of facts about something odd; says where."""
    use: Use
    tabs: Tabs
    lines: Callable[[], AbstractAsyncContextManager[BrowserLine]]
    """Another line to the same browser, where ours was lost. Raises where there is none."""
    clock: Callable[[], float]
    wall: Callable[[], float]
    """Seconds since 1970."""
    claimed: Callable[[str], Awaitable[bool]]
    """Whether this conversation is the one of another ask of ours."""
    records: Callable[[Site], Records] | None = None
    """Whoever records the conversation; None where it is to be kept by nobody."""
