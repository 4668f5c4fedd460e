"""A window that is open: its conversations, the agent in it, and the pages that show it."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec

from tabwire.lab.antigravity.agent import Agent
from tabwire.lab.antigravity.conversation import Conversation, Patch, Press, Turn
from tabwire.lab.antigravity.ledger import Did, Ledger
from tabwire.lab.antigravity.plan import Plan, Say, Think
from tabwire.lab.antigravity.window import MODELS, MODES, Past, Window
from tabwire.lab.antigravity.words import word

Send = Callable[[bytes], None]

SHORT = Plan((Think("The person wants a short answer."), Say("Done. Nothing else was needed.")))
"""What is played where no plan is left."""

LEAVE_CARD = {"policy", "policy_option", "run_menu", "allow_menu", "choice", "expand", "copy"}
"""Controls of a card that answer nothing."""


class Shown:
    """A window of the replica, with all that happens in it. Lives in the lab's loop."""

    def __init__(
        self,
        name: str,
        window: Window,
        ledger: Ledger,
        start: Callable[..., "asyncio.Task[None]"],
        pace: float,
    ) -> None:
        self.id = name
        self.window = window
        self.ledger = ledger
        self.pace = pace
        self.model = window.model
        self.mode = window.mode
        self.plans = list(window.plans)
        self.ready = asyncio.Event()  # a page has drawn it
        self.target = ""  # of DevTools, once open
        self.conversations: list[Conversation] = []
        self._start = start
        self._pages: list[Send] = []
        self._runs: dict[str, asyncio.Task[None]] = {}
        self._queued: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        self._count = 0
        self.sent = 0  # patches; each bears its number
        for past in window.past:
            self._remember(past)
        self.current = self._new(window.title)
        self.current.nodes = window.nodes
        for prompt, answer in window.turns:
            self._written(self.current, prompt, answer)

    # -- pages ----------------------------------------------------------------------------

    def joined(self, send: Send) -> Callable[[], None]:
        """A page shows this window from now on, until what is returned is called."""
        self._pages.append(send)
        send(self._encoded(self.whole()))
        return lambda: self._pages.remove(send)

    def whole(self) -> Patch:
        """All a page needs to draw itself."""
        window = self.window
        return {
            "op": "state",
            "window": self.id,
            "generation": window.generation,
            "workspace": window.workspace,
            "file": window.file,
            "lang": window.lang,
            "stop": window.stop,
            "stop_label": word(window.lang, "stop"),
            "strict": window.strict,
            "typeahead": window.typeahead,
            "most": window.most,
            "panel": window.panel,
            "plain_thumbs": window.plain_thumbs,
            "page_title": window.page_title,
            "words": {
                name: word(window.lang, name)
                for name in (
                    *("changes", "change", "review", "accept_all", "reject_all"),
                    *("good", "bad", "empty"),
                )
            },
            **self._choices(),
            **self.current.shown(),
        }

    def _choices(self) -> Patch:
        return {
            "model": self.model,
            "models": MODELS,
            "mode": self.mode,
            "modes": MODES,
            "conversations": [
                {"id": one.id, "title": one.title, "when": one.when, "here": one.here}
                for one in reversed(self.conversations)
                if one.turns or one is self.current
            ],
        }

    def _tell(self, conversation: Conversation, patch: Patch) -> None:
        if conversation is self.current:
            self._send(patch)
        self.ledger.woke()

    def _send(self, patch: Patch) -> None:
        self.sent += 1
        said = self._encoded(patch)
        for send in tuple(self._pages):
            send(said)

    def _encoded(self, patch: Patch) -> bytes:
        return msgspec.json.encode({**patch, "count": self.sent})

    # -- conversations --------------------------------------------------------------------

    def _new(self, title: str = "") -> Conversation:
        self._count += 1
        made = Conversation(f"{self.id}-chat{self._count}", title, self._tell)
        self.conversations.append(made)
        return made

    def _remember(self, past: Past) -> None:
        made = self._new(past.title)
        made.when, made.here = past.when, past.here
        for prompt, answer in past.turns:
            self._written(made, prompt, answer)

    def _written(self, conversation: Conversation, prompt: str, answer: str) -> None:
        turn = Turn(conversation.fresh("turn"), prompt, over=True)
        turn.worked = word(self.window.lang, "worked", 3)
        name = conversation.fresh("reply")
        turn.rows.append({"id": name, "key": name, "kind": "reply", "under": "", "text": answer})
        conversation.turns.append(turn)
        conversation.titled = True
        conversation.title = conversation.title or prompt[:40]

    def show(self, conversation: Conversation) -> None:
        """Another conversation is the visible one; the agent of the other works on."""
        self.current = conversation
        self._send(self.whole())

    # -- the agent ------------------------------------------------------------------------

    def play(
        self, plan: Plan, prompt: str, files: tuple[str, ...] = (), chat: Conversation | None = None
    ) -> "asyncio.Task[None]":
        """Begin a turn. Ends the one that runs in that conversation."""
        chat = chat or self.current
        before = self._runs.get(chat.id)
        if before is not None:
            before.cancel()
        turn = chat.begin(prompt, files)
        record = self._recorder(chat)
        agent = Agent(chat, turn, plan.lang or self.window.lang, record, self.pace)
        work = self._played(chat, agent, plan, before)
        self._runs[chat.id] = self._start(work, f"agent of {chat.id}")
        self._send({"op": "set", "conversation": chat.id, **self._choices()})
        return self._runs[chat.id]

    async def _played(
        self, chat: Conversation, agent: Agent, plan: Plan, before: "asyncio.Task[None] | None"
    ) -> None:
        if before is not None:
            await asyncio.wait({before})
        await agent.play(plan.steps)
        self.ledger.woke()
        if self._queued.get(chat.id):
            prompt, files = self._queued[chat.id].pop(0)
            self._runs.pop(chat.id)  # it is this very task, and done
            self.play(self._next(), prompt, files, chat)

    def running(self, chat: Conversation | None = None) -> bool:
        """Whether an agent's turn is not over, be it that it waits."""
        run = self._runs.get((chat or self.current).id)
        return run is not None and not run.done()

    def stop(self) -> None:
        """The visible agent is stopped."""
        run = self._runs.get(self.current.id)
        self.current.forget()
        self._queued.pop(self.current.id, None)
        if run is not None:
            run.cancel()

    def end(self) -> None:
        """The window closes; all its agents end."""
        for run in self._runs.values():
            run.cancel()

    def _next(self) -> Plan:
        return self.plans.pop(0) if self.plans else SHORT

    # -- what pages tell ------------------------------------------------------------------

    def heard(self, told: dict[str, Any]) -> None:
        """A page tells what was done in it. Written down first."""
        chat, record = self.current, self._recorder(self.current)
        match told:
            case {"do": "ready"}:
                self.ready.set()
                self.ledger.woke()
            case {"do": "click"}:
                press = {name: told[name] for name in _CLICK if name in told}
                record(Did.CLICK, **press)
                if told.get("took"):
                    self._clicked(told)
            case {"do": "prompt", "text": text}:
                files = tuple(told.get("files", ()))
                queued = chat.running
                more = {"by": told["by"], "trusted": told["trusted"], "queued": queued}
                record(Did.PROMPT, text=text, files=files, **more)
                if queued:
                    self._queued.setdefault(chat.id, []).append((text, files))
                else:
                    self.play(self._next(), text, files)
            case {"do": "model", "name": name}:
                self.model = name
                record(Did.MODEL, text=name)
                self._send({"op": "set", "conversation": chat.id, **self._choices()})
            case {"do": "mode", "name": name}:
                self.mode = name
                record(Did.MODE, text=name)
                self._send({"op": "set", "conversation": chat.id, **self._choices()})
            case {"do": "pick", "text": text}:
                record(Did.PICK, text=text)
            case {"do": "attach", "files": names}:
                record(Did.ATTACH, files=tuple(names))

    def _clicked(self, told: dict[str, Any]) -> None:
        chat, control, card = self.current, told["control"], told.get("card", "")
        record = self._recorder(chat)
        if control == "stop":
            record(Did.STOP)
            self.stop()
        elif control == "new_chat":
            if chat.turns:
                self.show(self._new())
                self._recorder(self.current)(Did.CHAT)
        elif control == "conversation":
            found = [one for one in self.conversations if one.id == told.get("text")]
            if found:
                self.show(found[0])
                self._recorder(found[0])(Did.OPEN)
        elif control in ("accept_all", "reject_all"):
            record(Did.CHANGES, label=told["label"], control=control)
            chat.changes = []
            chat.changed()
        elif control == "quota_retry":
            record(Did.RETRY, card=card, label=told["label"])
        elif control in ("quota_dismiss", "quota_upgrade"):
            record(Did.DISMISS, card=card, label=told["label"])
            chat.unnotice(card)
        elif control == "policy_option":
            record(Did.POLICY, card=card, text=told["text"])
            self._on_card(card, policy=told["text"])
        elif control == "expand":
            self._on_card(card, collapsed=None)
        elif control == "cancel_command":
            self.stop()
        elif card and control not in LEAVE_CARD:
            command = told.get("command", "")
            chat.pressed(card, Press(control, told["label"], command, told.get("text", "")))

    def _on_card(self, card: str, **change: Any) -> None:
        row = self.current.card(card)
        for turn in self.current.turns:
            if row is not None and any(one is row for one in turn.rows):
                row.update(change)
                self.current.redraw(turn)

    def change(self, card: str, **change: Any) -> None:
        """A card is not what it was, between a look and a press."""
        self._on_card(card, **change)

    def _recorder(self, chat: Conversation) -> Callable[..., Any]:
        def record(did: Did, **told: Any) -> None:
            where = {"window": self.id, "workspace": self.window.workspace}
            self.ledger.record(did, **where, conversation=chat.id, title=chat.title, **told)

        return record


_CLICK = ("control", "label", "card", "command", "shown", "trusted", "took", "text")
