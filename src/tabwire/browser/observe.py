"""Watch a page from inside, out of its sight: a state whenever something in it changed.

Theory of operation. browser/inpage/observe.js runs in our isolated world of every document of
the tab's main frame, and calls a binding that exists in that world alone. The present document
gets it when we arm, every later one before its own scripts run. What it reports is the
state, whole, as JSON; a state equal to the one before is not sent.

The binding's name is drawn anew for each observer: two of them may watch one tab, over one
line or two, and all worlds of our name get all bindings.
"""

import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields
from typing import Any, TypeVar

import msgspec

from tabwire.browser.inpage import script
from tabwire.browser.observed import Health, PageState, PageText
from tabwire.browser.page.errors import PageWentAway
from tabwire.browser.world import WORLD, World
from tabwire.cdp.connection import Session
from tabwire.cdp.errors import Malformed
from tabwire.cdp.protocol import Event
from tabwire.sites.page import Layout, Page

T = TypeVar("T")

ARM_SECONDS = 30.0
"""How long a page may let nobody in when we come: one that is just starting up, or drawing a
very long answer. Nobody else waits for it."""

DOCUMENTS = 5
"""Documents that may take each other's place while we arm: a page that leads on, and on."""

READ_SECONDS = 15.0
"""How long one reading may take in the page: a very long answer on a busy machine."""

_BINDING_CALLED = "Runtime.bindingCalled"


class _Called(msgspec.Struct):
    name: str
    payload: str
    context: int = msgspec.field(name="executionContextId")


class Observer:
    """One site's page data, watched for in one tab. `hear` is called in the receive loop."""

    def __init__(self, session: Session, page: Page, hear: Callable[[PageState], None]) -> None:
        self._session = session
        self._world = World(session)
        self._hear = hear
        self._binding = f"tabwire_{secrets.token_hex(8)}"
        self._wish = {"binding": self._binding, "page": said(page)}
        self._script: str | None = None
        self._context: int | None = None  # our world in the newest document
        self._unlisten: Callable[[], None] | None = None

    async def arm(self) -> PageState:
        """Begin, in this document and all that follow it; the state as it is now.

        `hear` is told it too. Whoever keeps the newest state keeps what was heard: newer
        ones may have come before this returns.
        """
        ask = self._session.call
        if self._unlisten is None:
            self._unlisten = self._session.listen(_BINDING_CALLED, self._called)
        bind = {"name": self._binding, "executionContextName": WORLD}
        await ask("Page.enable", seconds=ARM_SECONDS)
        await ask("Runtime.enable", seconds=ARM_SECONDS)  # without it new documents get no binding
        await ask("Runtime.addBinding", bind, seconds=ARM_SECONDS)
        source = f"{script('observe')}\ntabwire.observe.begin({_json(self._wish)});"
        wish = {"source": source, "worldName": WORLD}
        if self._script is None:
            made = await ask("Page.addScriptToEvaluateOnNewDocument", wish)
            self._script = made["identifier"]
        for _ in range(DOCUMENTS):
            # the script is in the next document by itself: that one is asked then
            with suppress(PageWentAway):
                return _stamped(await self._ask("start", PageState, ARM_SECONDS))
        return _stamped(await self._ask("start", PageState, ARM_SECONDS))

    async def read(self) -> PageText | None:
        """The newest answer as Markdown, or None where none follows the newest question."""
        return await self._ask("read", PageText | None, READ_SECONDS)  # type: ignore[arg-type]

    async def health(self, layout: str | None = None) -> Health:
        """Which selector of each part matches, and how often.

        With the name of a layout, its parts, also on a page that is not recognised as it.
        """
        return await self._ask("health", Health, READ_SECONDS, layout=layout)

    def close(self) -> None:
        """Hear no more. The page is told to stop; nobody waits for it."""
        if self._unlisten is None:
            return
        self._unlisten()
        self._unlisten = None
        self._say("Runtime.removeBinding", {"name": self._binding})
        if self._script is not None:
            self._say("Page.removeScriptToEvaluateOnNewDocument", {"identifier": self._script})
        if self._context is not None:
            stop = f"tabwire.observe.stop({_json({'binding': self._binding})})"
            where = {"contextId": self._context, "silent": True}
            self._say("Runtime.evaluate", {"expression": stop, **where})

    async def _ask(self, function: str, shape: type[T], seconds: float, **more: Any) -> T:
        wish = {**self._wish, **more}
        told = await self._world.call(f"observe.{function}", wish, seconds=seconds)
        return msgspec.convert(told, shape)

    def _say(self, method: str, params: dict[str, Any]) -> None:
        self._session.send(method, params, on_reply=lambda _: None)

    def _called(self, event: Event) -> None:
        called = event.read(_Called)
        if called.name != self._binding:
            return
        self._context = called.context
        if called.payload == "":
            return  # a document says that it is watched; what there is to say follows
        try:
            state = msgspec.json.decode(called.payload, type=PageState)
        except msgspec.DecodeError as exc:
            raise Malformed(_BINDING_CALLED, str(exc)) from exc
        self._hear(_stamped(state))


def said(page: Page) -> dict[str, Any]:
    """The page data as the scripts in the page take it: selectors as lists of CSS."""
    return {
        "layouts": [{"name": one.name, "parts": _parts(one)} for one in page.layouts],
        "notices": [
            {
                "kind": notice.kind.value,
                "selectors": [selector.css for selector in notice.selectors],
                "title_contains": list(notice.title_contains),
                "text_contains": list(notice.text_contains),
            }
            for notice in page.notices
        ],
        "login_words": list(page.login_words),
    }


def _parts(layout: Layout) -> dict[str, list[str]]:
    names = [field.name for field in fields(layout) if field.name != "name"]
    return {name: [selector.css for selector in getattr(layout, name)] for name in names}


def _stamped(state: PageState) -> PageState:
    return msgspec.structs.replace(state, at=time.monotonic())


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
