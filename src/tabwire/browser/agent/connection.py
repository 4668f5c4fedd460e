"""One window of Antigravity: a socket to its page, and our world in the frame with the panel."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from tabwire.browser.world import WORLD, Bound, Handle, World, _Created, _Evaluated, _Inside
from tabwire.cdp.connection import Connection, Session
from tabwire.cdp.pending import CALL_SECONDS, OnReply
from tabwire.cdp.routes import Listener
from tabwire.cdp.websocket import connect
from tabwire.sites.antigravity.page import Window

OPEN_SECONDS = 5.0
FRAME = "cascade-panel"


class PageSession(Session):
    """The verbs of a session on a socket that is one page's own: messages carry no session."""

    __slots__ = ()

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection, "")

    def call(
        self, method: str, params: Any = None, *, shape: Any = dict, seconds: float = CALL_SECONDS
    ) -> Coroutine[Any, Any, Any]:
        """See `Connection.call`."""
        return self.connection.call(method, params, shape=shape, seconds=seconds)

    def send(
        self, method: str, params: Any = None, *, on_reply: OnReply, seconds: float = CALL_SECONDS
    ) -> None:
        """See `Connection.send`."""
        self.connection.send(method, params, on_reply=on_reply, seconds=seconds)

    def listen(self, method: str, listener: Listener) -> Callable[[], None]:
        """See `Connection.listen`."""
        return self.connection.listen(method, listener)


async def open_window(window: Window, *, seconds: float = OPEN_SECONDS) -> PageSession:
    """Dial a window's own socket. Raises `CannotConnect`; whoever opened it closes
    `.connection`."""
    return PageSession(Connection(await connect(window.debugger, seconds=seconds)))


class _Frame(msgspec.Struct):
    id: str
    url: str = ""


class _Tree(msgspec.Struct):
    frame: _Frame
    children: list["_Tree"] = msgspec.field(default_factory=list, name="childFrames")


class _Frames(msgspec.Struct):
    tree: _Tree = msgspec.field(name="frameTree")


class PanelWorld(World):
    """Our world in the frame that has the panel: the page's own, or the older panel's frame."""

    async def _enter(self, bound: Bound) -> _Inside | None:
        ask = self.session.call
        frames = await ask("Page.getFrameTree", shape=_Frames, seconds=bound.left)
        where = {"frameId": _panel_frame(frames.tree), "worldName": WORLD}
        made = await ask("Page.createIsolatedWorld", where, shape=_Created, seconds=bound.left)
        seconds = bound.left
        expression = {"expression": "globalThis", "contextId": made.number}
        inside, again = await asyncio.gather(
            ask("Runtime.evaluate", expression, shape=_Evaluated, seconds=seconds),
            ask("Page.createIsolatedWorld", where, shape=_Created, seconds=seconds),
        )
        handle = Handle(inside.result.object_id)
        return _Inside(handle) if again.number == made.number else None


def _panel_frame(tree: _Tree) -> str:
    """The frame of the older panel where there is one in this page, else the page."""
    waiting = [*tree.children]
    while waiting:
        one = waiting.pop(0)
        if FRAME in one.frame.url:
            return one.frame.id
        waiting += one.children
    return tree.frame.id
