"""Watch an agent panel from inside, out of its sight: its state whenever it changed.

As `observe.py` does for a chat site: browser/inpage/agent/panel.js runs in our isolated world of
the page (and of the older panel's frame), and calls a binding that exists in that world alone.
Rows it has told before it names by number only; here they are put together again.
"""

import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from tabwire.browser.agent.connection import PanelWorld
from tabwire.browser.inpage import script
from tabwire.browser.page.errors import PageWentAway
from tabwire.browser.world import WORLD
from tabwire.cdp.connection import Session
from tabwire.cdp.protocol import Event
from tabwire.model.agent import (
    Card,
    Control,
    Loose,
    OpenTurn,
    Panel,
    Row,
    RowKind,
    SelfTest,
    TurnSeen,
)
from tabwire.sites.antigravity.page import PACKS, Pack, wish

ARM_SECONDS = 15.0
LOOK_SECONDS = 5.0
DOCUMENTS = 5
MAX_ROWS = 20000  # remembered by number; a turn has some hundreds

_BINDING_CALLED = "Runtime.bindingCalled"


class _Called(msgspec.Struct):
    name: str
    payload: str
    context: int = msgspec.field(name="executionContextId")


class RowsForgotten(Exception):
    """The page named a row by a number we do not know: it is asked for everything again."""


class PanelWatch:
    """`hear` is called in the receive loop with each state of the panel; `missed` where one could
    not be put together."""

    def __init__(
        self,
        session: Session,
        hear: Callable[[Panel], None],
        packs: tuple[Pack, ...] = PACKS,
        *,
        missed: Callable[[], None] = lambda: None,
    ) -> None:
        self._session = session
        self._world = PanelWorld(session)
        self.hear = hear
        self._tell_missed = missed
        self._binding = f"tabwire_{secrets.token_hex(8)}"
        self._wish = {"binding": self._binding, **wish(packs)}
        self._rows: dict[int, tuple[int, Row]] = {}
        self._script: str | None = None
        self._context: int | None = None
        self._unlisten: Callable[[], None] | None = None
        self.forgotten = False
        """A state came that could not be put together: `look(whole=True)` mends it."""
        self.missed = 0
        """Counts such states."""
        self.document = 0
        """Counts the documents that were looked at in this window."""

    async def arm(self) -> Panel:
        """Begin, in this document and all that follow it; the panel as it is now."""
        ask = self._session.call
        if self._unlisten is None:
            self._unlisten = self._session.listen(_BINDING_CALLED, self._called)
        bind = {"name": self._binding, "executionContextName": WORLD}
        await ask("Page.enable", seconds=ARM_SECONDS)
        await ask("Runtime.enable", seconds=ARM_SECONDS)
        await ask("Runtime.addBinding", bind, seconds=ARM_SECONDS)
        if self._script is None:
            said = msgspec.json.encode(self._wish).decode()
            source = f"{script('agent/panel')}\ntabwire.agent.panel.begin({said});"
            made = await ask(
                "Page.addScriptToEvaluateOnNewDocument", {"source": source, "worldName": WORLD}
            )
            self._script = made["identifier"]
        for _ in range(DOCUMENTS):
            with suppress(PageWentAway):
                return await self.look(whole=True, seconds=ARM_SECONDS)
        return await self.look(whole=True, seconds=ARM_SECONDS)

    async def look(self, *, whole: bool = False, seconds: float = LOOK_SECONDS) -> Panel:
        """The panel as it is now. `hear` is not told."""
        function = "start" if whole or self.forgotten else "look"
        said = await self._world.call(f"agent/panel.{function}", self._wish, seconds=seconds)
        try:
            return self._put_together(said)
        except RowsForgotten:
            said = await self._world.call("agent/panel.start", self._wish, seconds=seconds)
            return self._put_together(said)

    async def test(self) -> SelfTest:
        """Which pack is taken and which parts of each are recognised."""
        said = await self._world.call("agent/panel.health", self._wish, seconds=LOOK_SECONDS)
        return msgspec.convert(said, SelfTest)

    async def cost(self) -> dict[str, float]:
        """How often the page was looked at, and how long the last look took there."""
        said: dict[str, float] = await self._world.call("agent/panel.cost", self._wish)
        return said

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
            stop = f'tabwire.agent.panel.stop({{binding: "{self._binding}"}})'
            where = {"contextId": self._context, "silent": True}
            self._say("Runtime.evaluate", {"expression": stop, **where})

    def _say(self, method: str, params: dict[str, Any]) -> None:
        self._session.send(method, params, on_reply=lambda _: None)

    def _called(self, event: Event) -> None:
        called = event.read(_Called)
        if called.name != self._binding:
            return
        if called.payload == "":
            if called.context != self._context:
                self._rows.clear()  # another document numbers its rows anew
                self.document += 1
            self._context = called.context
            return
        said = msgspec.json.decode(called.payload)
        if not said["panel"] and said["frame"]:
            return
        try:
            panel = self._put_together(said)
        except RowsForgotten:
            self.forgotten = True
            self.missed += 1
            self._tell_missed()
            return
        self.hear(panel)

    def _put_together(self, said: dict[str, Any]) -> Panel:
        turns = tuple(
            TurnSeen(one["t"], one["u"], one["gap"], one["n"]) for one in said.get("turns", ())
        )
        opened = tuple(
            OpenTurn(one["t"], one["user"], tuple(map(self._row, one["rows"])))
            for one in said.get("open", ())
        )
        if len(self._rows) > MAX_ROWS:
            kept = {row.token for one in opened for row in one.rows}
            self._rows = {token: row for token, row in self._rows.items() if token in kept}
        self.forgotten = False
        loose = said.get("loose")
        return Panel(
            **{name: said[name] for name in _PLAIN if name in said},
            turns=turns,
            open=opened,
            cards=tuple(map(_card, said.get("cards", ()))),
            quota=tuple(said.get("quota", ())),
            loose=Loose(loose["text"], tuple(loose["logs"])) if loose else None,
            at=time.monotonic(),
        )

    def _row(self, said: dict[str, Any]) -> Row:
        token, version = said["t"], said["v"]
        if "k" not in said:
            known = self._rows.get(token)
            if known is None or known[0] != version:
                raise RowsForgotten
            return known[1]
        row = Row(
            token,
            RowKind(said["k"]),
            label=said.get("label", ""),
            text=said.get("text", ""),
            target=said.get("target", ""),
            command=said.get("command", ""),
            cwd=said.get("cwd", ""),
            shortened=said.get("short", False),
            exit_code=said.get("exit"),
            state=said.get("state", ""),
            src=said.get("src", ""),
            width=said.get("width", 0),
            height=said.get("height", 0),
        )
        self._rows[token] = version, row
        return row


_PLAIN = (
    "url", "title", "panel", "pack", "recognised", "conversation", "stop", "send", "composer",
    "status", "closed", "model", "mode", "hidden", "frame", "older", "presses", "stopped",
)  # fmt: skip


def _card(said: dict[str, Any]) -> Card:
    controls = tuple(
        Control(one.pop("t"), rect=tuple(one.pop("rect")), **one)
        for one in map(dict, said["controls"])
    )
    return Card(
        id=said["id"],
        kind=said["kind"],
        text=said["text"],
        hash=said["hash"],
        command=said["command"],
        cwd=said["cwd"],
        shortened=said["short"],
        title=said["title"],
        place=said["place"],
        controls=controls,
        token=said["t"],
        turn=said["turn"],
    )
