"""What the replicas share: the ledger, the plans, and what each site has stored.

Theory of operation. An answer is told by the lab, not by a response: `Room.ask` writes the
prompt into the ledger and starts a `Telling`, whose timers add one piece after the other to
what is stored. A response follows it (`async for said in telling.follow()`), and so may a
second one; a tab that is closed or reloaded loses its response, and the answer goes on,
as on the sites. Everything runs on one loop by timers: there is no task to forget.
"""

import asyncio
import time
import uuid
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from enum import StrEnum

from tabwire.lab.ledger import Ledger
from tabwire.lab.plan import Plan, plan_for


class Part(StrEnum):
    """What a piece belongs to."""

    THOUGHT = "thought"
    TEXT = "text"


class Standing(StrEnum):
    """How far an answer got."""

    RUNNING = "running"
    WHOLE = "whole"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Said:
    """One piece of an answer, told just now."""

    part: Part
    text: str


@dataclass(slots=True)
class Exchange:
    """A question and what was answered so far. `id` is new for each; sites derive theirs."""

    prompt: str
    plan: Plan
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    asked_at: float = field(default_factory=time.time)  # as the sites store it
    told: list[Said] = field(default_factory=list)
    standing: Standing = Standing.RUNNING

    @property
    def text(self) -> str:
        """The answer so far."""
        return "".join(said.text for said in self.told if said.part is Part.TEXT)

    @property
    def thoughts(self) -> tuple[str, ...]:
        """The thoughts so far."""
        return tuple(said.text for said in self.told if said.part is Part.THOUGHT)


@dataclass(slots=True)
class Chat:
    """One stored conversation. The title is set by its first question."""

    id: str
    title: str | None = None
    exchanges: list[Exchange] = field(default_factory=list)


class Telling:
    """One answer on its way: adds pieces to its exchange when their time has come."""

    def __init__(self, exchange: Exchange) -> None:
        self.exchange = exchange
        plan = exchange.plan
        self._left = [Said(Part.THOUGHT, text) for text in plan.thoughts]
        self._left += [Said(Part.TEXT, text) for text in plan.pieces]
        self._left.reverse()
        self._loop = asyncio.get_running_loop()
        self._waiting: set[asyncio.Future[None]] = set()
        self._due = self._loop.time() + plan.first_seconds
        self._timer = self._loop.call_at(self._due, self._tell)

    def stop(self) -> None:
        """Say no more: the person pressed Stop. Nothing happens once it is over."""
        self._end(Standing.STOPPED)

    async def follow(self) -> AsyncIterator[Said]:
        """Everything told so far and then each piece as it comes, until the answer is over."""
        seen = 0
        while True:
            told = self.exchange.told
            while seen < len(told):
                seen += 1
                yield told[seen - 1]
            if self.exchange.standing is not Standing.RUNNING:
                return
            more = self._loop.create_future()
            self._waiting.add(more)
            try:
                await more
            finally:
                self._waiting.discard(more)

    def _tell(self) -> None:
        """One piece, or as many as are due: a late loop must not slow the answer down."""
        plan = self.exchange.plan
        now = self._loop.time()
        while self._left and self._due <= now:
            self.exchange.told.append(self._left.pop())
            self._due += plan.every_seconds
        if not self._left:
            self._end(Standing.WHOLE)
            return
        self._timer = self._loop.call_at(self._due, self._tell)
        self._wake()

    def _end(self, standing: Standing) -> None:
        if self.exchange.standing is Standing.RUNNING:
            self._timer.cancel()
            self.exchange.standing = standing
            self._wake()

    def _wake(self) -> None:
        for more in self._waiting:
            if not more.done():
                more.set_result(None)


class Room:
    """One lab's memory. A replica's routes get it and keep nothing themselves."""

    def __init__(
        self, ledger: Ledger | None = None, planned: Callable[[str], Plan] = plan_for
    ) -> None:
        self.ledger = ledger or Ledger()
        self.plan_for = planned
        self.conversations: defaultdict[str, dict[str, Chat]] = defaultdict(dict)
        self._tellings: dict[str, Telling] = {}  # by the exchange's id

    def ask(self, site: str, conversation_id: str, prompt: str) -> Telling:
        """A prompt has come: it is written down, and its answer begins."""
        self.ledger.record(site, conversation_id, prompt)
        chat = self.conversations[site].setdefault(conversation_id, Chat(conversation_id))
        self.stop(site, conversation_id)
        exchange = Exchange(prompt, self.plan_for(prompt))
        chat.exchanges.append(exchange)
        chat.title = chat.title or exchange.plan.title
        running = Standing.RUNNING
        self._tellings = {k: t for k, t in self._tellings.items() if t.exchange.standing is running}
        telling = self._tellings[exchange.id] = Telling(exchange)
        return telling

    def chat(self, site: str, conversation_id: str) -> Chat | None:
        """What is stored under this id."""
        return self.conversations[site].get(conversation_id)

    def telling(self, site: str, conversation_id: str) -> Telling | None:
        """The newest answer of a conversation while it is being told."""
        chat = self.chat(site, conversation_id)
        if chat is None or not chat.exchanges:
            return None
        newest = chat.exchanges[-1]
        return self._tellings.get(newest.id) if newest.standing is Standing.RUNNING else None

    def stop(self, site: str, conversation_id: str) -> bool:
        """Stop the newest answer of a conversation; whether there was one to stop."""
        telling = self.telling(site, conversation_id)
        if telling is None:
            return False
        telling.stop()
        return True

    def close(self) -> None:
        """The lab ends: every answer under way ends with it, so that no response holds it up."""
        for telling in self._tellings.values():
            telling.stop()
        self.ledger.close()
