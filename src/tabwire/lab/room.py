"""What the replicas share: the ledger, the plans, the stories, and what each site has stored.

Theory of operation. An answer is told by the lab, not by a response: `Room.ask` writes the
prompt into the ledger and starts a `Telling`, whose timers add one piece after the other to
what is stored. A response follows it (`async for batch in telling.follow()`), and so may a
second one; a tab that is closed or reloaded loses its response, and the answer goes on,
as on the sites. Everything runs on one loop by timers: there is no task to forget.
"""

import asyncio
import time
import uuid
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from tabwire.lab.ledger import Deed, Ledger
from tabwire.lab.plan import Plan, plan_for, plan_in_story
from tabwire.lab.stories.known import PLAIN, STORIES
from tabwire.lab.stories.script import FAILS, Part, Said, Told, cues
from tabwire.lab.stories.stage import DEFAULT, Stage
from tabwire.lab.stories.steps import Befall, Fate, GiveUp, Mark, Silence, Tool, Withhold
from tabwire.lab.stories.story import Story

__all__ = ["Chat", "Exchange", "Part", "Room", "Said", "Standing", "Telling", "Told"]


class Standing(StrEnum):
    """How far an answer got."""

    RUNNING = "running"
    WHOLE = "whole"
    STOPPED = "stopped"
    FAILED = "failed"  # the site gave up


@dataclass(slots=True)
class Exchange:
    """A question and what was answered so far. `id` is new for each; sites derive theirs."""

    prompt: str
    plan: Plan
    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    asked_at: float = field(default_factory=time.time)  # as the sites store it
    told: list[Told] = field(default_factory=list)
    standing: Standing = Standing.RUNNING
    story: Story = PLAIN
    files: tuple[str, ...] = ()
    asked_as: str = ""  # what the page called its question, where it did
    responses: int = 0  # how many followed it: only the first goes through the story's marks

    @property
    def text(self) -> str:
        """The answer so far."""
        return "".join(said.text for said in self._said(Part.TEXT))

    @property
    def thoughts(self) -> tuple[str, ...]:
        """The thoughts so far."""
        return tuple(said.text for said in self._said(Part.THOUGHT))

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools used so far."""
        return tuple(one for one in self.told if isinstance(one, Tool))

    def _said(self, part: Part) -> Iterable[Said]:
        return (one for one in self.told if isinstance(one, Said) and one.part is part)


@dataclass(slots=True)
class Chat:
    """One stored conversation. The title is set by its first question."""

    id: str
    title: str | None = None
    exchanges: list[Exchange] = field(default_factory=list)
    listed: bool = True  # a temporary chat is in no list
    folder: str = ""  # the project or gem it belongs to


class Telling:
    """One answer on its way: adds pieces to its exchange when their time has come."""

    def __init__(
        self, exchange: Exchange, befall: Callable[[Exchange, Fate], None] = lambda _e, _f: None
    ) -> None:
        self.exchange = exchange
        self._befall = befall
        self._cues = cues(exchange.plan, exchange.story.script)
        self._next = next(self._cues, None)
        self._loop = asyncio.get_running_loop()
        self._waiting: set[asyncio.Future[None]] = set()
        self._due = self._loop.time() + (self._next.after if self._next else 0.0)
        self._timer = self._loop.call_at(self._due, self._tell)

    def stop(self) -> None:
        """Say no more: the person pressed Stop. Nothing happens once it is over."""
        self._end(Standing.STOPPED)

    @property
    def withheld(self) -> bool:
        """Whether the request gets no response, not even its headers, until this is over."""
        script = self.exchange.story.script
        return bool(script) and isinstance(script[0], Withhold)

    async def over(self) -> None:
        """Wait until nothing more will be told."""
        while self.exchange.standing is Standing.RUNNING:
            await self._more()

    async def follow(self) -> AsyncIterator[tuple[Told, ...]]:
        """Everything told so far, then what is added each time, until the answer is over.

        In batches: what was told while nobody looked comes at once, so that one response of a
        busy lab costs no more than it must.
        """
        seen = 0
        while True:
            told = self.exchange.told
            if seen < len(told):
                batch = tuple(told[seen:])
                seen = len(told)
                yield batch
                continue
            if self.exchange.standing is not Standing.RUNNING:
                return
            await self._more()

    async def _more(self) -> None:
        more = self._loop.create_future()
        self._waiting.add(more)
        try:
            await more
        finally:
            self._waiting.discard(more)

    def _tell(self) -> None:
        """One piece, or as many as are due: a late loop must not slow the answer down."""
        now = self._loop.time()
        while self._next is not None and self._due <= now:
            what = self._next.what
            if isinstance(what, Silence):
                self._wake()
                return
            if isinstance(what, GiveUp):
                self._end(Standing.FAILED)
                return
            if isinstance(what, Befall):
                self._befall(self.exchange, what.what)
            else:
                self.exchange.told.append(what)
            if isinstance(what, Mark) and what.what in FAILS:
                self._end(Standing.FAILED)
                return
            self._next = next(self._cues, None)
            if self._next is not None:
                self._due += self._next.after
        if self._next is None:
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
        self,
        ledger: Ledger | None = None,
        planned: Callable[[str], Plan] = plan_for,
        stage: Stage = DEFAULT,
    ) -> None:
        self.ledger = ledger or Ledger()
        self.plan_for = planned
        self.stage = stage  # what every page starts from; `stage.story` plays for every prompt
        self.conversations: defaultdict[str, dict[str, Chat]] = defaultdict(dict)
        self.on_fate: Callable[[str, Exchange, Fate], None] | None = None  # who plays sets it
        self._tellings: dict[str, Telling] = {}  # by the exchange's id

    def story_for(self, site: str, prompt: str, stage: Stage | None = None) -> Story:
        """Which story plays: the prompt's own wish, else the tab's, else the server's.

        One that this site cannot play is none.
        """
        wishes = (self.plan_for(prompt).story, (stage or self.stage).story, self.stage.story)
        played = (STORIES[name] for name in wishes if name in STORIES)
        return next((story for story in played if site in story.sites), PLAIN)

    def refuse(self, site: str, conversation_id: str, prompt: str, story: Story) -> None:
        """A prompt has come that gets no answer: it is written down all the same."""
        why = str(story.refuse or "refused")
        self.ledger.record(site, conversation_id, prompt, story=story.name, refused=why)

    def ask(
        self,
        site: str,
        conversation_id: str,
        prompt: str,
        *,
        story: Story | None = None,
        files: tuple[str, ...] = (),
    ) -> Telling:
        """A prompt has come: it is written down, and its answer begins."""
        story = story or self.story_for(site, prompt)
        played = "" if story is PLAIN else story.name
        self.ledger.record(site, conversation_id, prompt, story=played, files=files)
        chat = self.conversations[site].setdefault(conversation_id, Chat(conversation_id))
        self._stop(site, conversation_id)
        plan = plan_in_story(self.plan_for(prompt), story, prompt, site)
        exchange = Exchange(prompt, plan, story=story, files=files)
        chat.exchanges.append(exchange)
        chat.title = chat.title or exchange.plan.title
        running = Standing.RUNNING
        self._tellings = {k: t for k, t in self._tellings.items() if t.exchange.standing is running}

        def befall(exchange: Exchange, fate: Fate) -> None:
            if self.on_fate is not None:
                self.on_fate(site, exchange, fate)

        telling = self._tellings[exchange.id] = Telling(exchange, befall)
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
        """The person stops the newest answer of a conversation; whether there was one."""
        self.ledger.record(site, conversation_id, kind=Deed.STOP)
        return self._stop(site, conversation_id)

    def _stop(self, site: str, conversation_id: str) -> bool:
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
