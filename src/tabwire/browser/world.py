"""Our own world in a page: its DOM without its scripts, and out of their sight.

Theory of operation. An isolated world sees the page's elements but has its own global
object and its own built-ins, so nothing a page overrides disturbs us and nothing we define
is seen by it. A world ends with its document. We hold the world's global object by a remote
handle and find out that it ended when the handle is refused; then we make a new world, run
the files anew, and call once more.

A handle, not the number of the context: numbers begin anew in each process, so after a
navigation an old number may mean the page's own world. Between asking for a world and
getting hold of its global object the same could happen, so we ask twice: if the number is
not the same the second time, the handle is of something else.
"""

import asyncio
from dataclasses import dataclass, field
from typing import Any

import msgspec

from tabwire.browser.inpage import script
from tabwire.browser.page.errors import PageWentAway, ScriptFailed
from tabwire.cdp.connection import Session
from tabwire.cdp.errors import CommandFailed, CommandTimedOut

WORLD = "tabwire"
"""The name of our world; `addBinding` and `addScriptToEvaluateOnNewDocument` take it too."""

SCRIPT_SECONDS = 5.0
"""How long one function may take in the page, new world included. All of ours are done in
milliseconds; a healthy page that hydrates has been seen to take four seconds."""

LEAST_SECONDS = 1.0
"""For a command, whatever those before it took."""

NEW_WORLDS = 3
"""How often a world may be made for one call: a page may navigate while we make one."""

_NEVER_RAN = ("Cannot find context", "Could not find object", "No frame", "Invalid remote object")
"""The browser's words for a handle, number or frame of a document that is no more."""

_DIED = ("context was destroyed", "navigated or closed", "Promise was collected")
"""The browser's words when the document went while our function ran in it."""


class _Remote(msgspec.Struct):
    value: Any = None
    object_id: str = msgspec.field(default="", name="objectId")
    description: str = ""


class _Thrown(msgspec.Struct):
    text: str = ""
    exception: _Remote = msgspec.field(default_factory=_Remote)


class _Evaluated(msgspec.Struct):
    result: _Remote
    thrown: _Thrown | None = msgspec.field(default=None, name="exceptionDetails")


class _Created(msgspec.Struct):
    number: int = msgspec.field(name="executionContextId")


class _Frame(msgspec.Struct):
    id: str


class _Tree(msgspec.Struct):
    frame: _Frame


class _Frames(msgspec.Struct):
    tree: _Tree = msgspec.field(name="frameTree")


@dataclass(frozen=True, slots=True)
class Handle:
    """An object inside our world, as the DevTools protocol names it."""

    id: str


@dataclass(frozen=True, slots=True)
class _Inside:
    """The global object of one document's world, and which files have been run there."""

    handle: Handle
    ran: set[str] = field(default_factory=set)


class Bound:
    """Several commands under one limit of time."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._clock = asyncio.get_running_loop().time
        self._deadline = self._clock() + seconds

    @property
    def left(self) -> float:
        """Seconds left, and never nothing: the command that is late says so itself. One that
        comes after others that took it all, or after a dialog, has a moment to do so."""
        return max(self._deadline - self._clock(), min(LEAST_SECONDS, self.seconds))

    def named(self, late: CommandTimedOut) -> CommandTimedOut:
        """The same, by the time that all of them had: the last one had what was left of it."""
        return CommandTimedOut(late.command or "a command", self.seconds)


class World:
    """The isolated world of a session's main frame, whichever document is in it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._inside: _Inside | None = None

    async def call(
        self, function: str, argument: Any = None, *, seconds: float = SCRIPT_SECONDS
    ) -> Any:
        """Call `file.function` of `file`.js in browser/inpage: JSON in, JSON out.

        A promise is waited for. Raises `ScriptFailed` where it throws, `PageWentAway` where
        the document went while it ran, `CommandTimedOut` where the page lets nobody in.
        """
        return (await self._call(function, argument, seconds, by_value=True)).value

    async def hold(
        self, function: str, argument: Any = None, *, seconds: float = SCRIPT_SECONDS
    ) -> Handle | None:
        """Like `call`, for a function that returns an element or null: a handle of it."""
        element = await self._call(function, argument, seconds, by_value=False)
        return Handle(element.object_id) if element.object_id else None

    async def _call(
        self, function: str, argument: Any, seconds: float, *, by_value: bool
    ) -> _Remote:
        bound = Bound(seconds)
        try:
            return await self._called(function, argument, bound, by_value=by_value)
        except CommandTimedOut as late:
            raise bound.named(late) from late

    async def _called(
        self, function: str, argument: Any, bound: Bound, *, by_value: bool
    ) -> _Remote:
        file, _, name = function.partition(".")
        for _ in range(NEW_WORLDS):
            try:
                inside = await self._prepared(file, bound)
                if inside is not None:
                    arguments = (file, name, argument)
                    return await self._run(inside, script("call"), arguments, bound, by_value)
            except CommandFailed as refused:
                self._inside = None
                if any(words in refused.said for words in _DIED):
                    raise PageWentAway(function) from refused
                if not any(words in refused.said for words in _NEVER_RAN):
                    raise
        raise PageWentAway(function)

    async def _prepared(self, file: str, bound: Bound) -> Handle | None:
        """Our world with this file run in it, or None if the page changed meanwhile."""
        inside = self._inside or await self._enter(bound)
        self._inside = inside
        if inside is None:
            return None
        if file not in inside.ran:
            text = f"function () {{\n{script(file)}\n}}"
            await self._run(inside.handle, text, (), bound, by_value=True)
            inside.ran.add(file)
        return inside.handle

    async def _enter(self, bound: Bound) -> _Inside | None:
        """Get hold of our world's global object. Made where there is none."""
        ask = self.session.call
        frames = await ask("Page.getFrameTree", shape=_Frames, seconds=bound.left)
        where = {"frameId": frames.tree.frame.id, "worldName": WORLD}
        made = await ask("Page.createIsolatedWorld", where, shape=_Created, seconds=bound.left)
        seconds = bound.left
        expression = {"expression": "globalThis", "contextId": made.number}
        inside, again = await asyncio.gather(
            ask("Runtime.evaluate", expression, shape=_Evaluated, seconds=seconds),
            ask("Page.createIsolatedWorld", where, shape=_Created, seconds=seconds),
        )
        handle = Handle(inside.result.object_id)
        return _Inside(handle) if again.number == made.number else None

    async def _run(
        self, inside: Handle, text: str, arguments: tuple[Any, ...], bound: Bound, by_value: bool
    ) -> _Remote:
        params = {
            "objectId": inside.id,
            "functionDeclaration": text,
            "arguments": [{"value": value} for value in arguments],
            "returnByValue": by_value,
            "awaitPromise": True,
            "silent": True,
        }
        done = await self.session.call(
            "Runtime.callFunctionOn", params, shape=_Evaluated, seconds=bound.left
        )
        if done.thrown is not None:
            raise ScriptFailed(done.thrown.exception.description or done.thrown.text)
        return done.result
