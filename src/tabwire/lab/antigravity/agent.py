"""The scripted agent: plays a plan into a conversation, and waits where it must be allowed."""

import asyncio
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tabwire.lab.antigravity import plan as p
from tabwire.lab.antigravity.conversation import Conversation, Press, Row, Turn
from tabwire.lab.antigravity.ledger import Did
from tabwire.lab.antigravity.words import Lang, word

Record = Callable[..., Any]
MOST_PIECES = 400  # more are not told apart by anybody


class _Ends(Exception):
    """The turn is over before its plan."""


class Agent:
    """Plays one plan in one turn."""

    def __init__(
        self,
        conversation: Conversation,
        turn: Turn,
        lang: Lang,
        record: Record,
        pace: float = 1.0,
    ) -> None:
        self._in = conversation
        self._turn = turn
        self._lang = lang
        self._record = record
        self._pace = pace
        self._under = ""  # the task block that steps stand in
        self._reply: Row | None = None  # a thinking block whose words have not come yet

    async def play(self, steps: Sequence[p.Step]) -> None:
        """Play it to its end; cancelled, it leaves everything as a stop does."""
        began = asyncio.get_running_loop().time()
        self._works(True)
        self._status("working")
        try:
            await self._all(steps)
        except _Ends:
            pass
        finally:
            self._over(asyncio.get_running_loop().time() - began)

    def _over(self, seconds: float) -> None:
        for row in self._turn.rows:
            if row.get("state") in ("asked", "running"):
                row["state"] = "canceled"
                if row["kind"] == "command":
                    row["header"] = self._say("canceled_command")
            row.pop("live", None)
        self._turn.status = ""
        self._turn.over = True
        self._turn.worked = self._say("worked", max(1, round(seconds * self._pace)))
        self._in.redraw(self._turn)
        self._works(False)

    async def _all(self, steps: Sequence[p.Step]) -> None:
        for step in steps:
            if not isinstance(step, p.Say):
                self._reply = None
            await self._step(step)

    async def _step(self, step: p.Step) -> None:
        match step:
            case p.Think():
                await self._think(step)
            case p.Say():
                await self._speak(step)
            case p.Tool():
                await self._tool(step)
            case p.Command():
                await self._command(step)
            case p.Permit():
                await self._permit(step)
            case p.Propose():
                await self._propose(step)
            case p.Fail():
                await self._fail(step)
            case p.Limit():
                await self._limit(step)
            case p.Quota():
                self._quota(step)
            case p.Task():
                self._row("task", title=step.title, summary=step.summary)
                outer, self._under = self._under, self._turn.rows[-1]["id"]
                await self._all(step.steps)
                self._under = outer
            case p.Pause(seconds):
                await self._wait(seconds)
            case p.Stall():
                await asyncio.Event().wait()  # whoever stops it ends this
            case p.Flicker():
                await self._flicker(step)
            case p.Busy():
                self._row("busy", text=self._say("busy"))
                raise _Ends
            case _:
                self._at_once(step)

    def _at_once(self, step: p.Step) -> None:
        match step:
            case p.Change(files, plain):
                self._in.change(files, plain)
            case p.Notify(text):
                self._row("notify", text=text)
            case p.Picture(width, height, alt):
                self._row("picture", width=width, height=height, alt=alt)
            case p.Imitate(question, command, buttons):
                self._row("imitation", question=question, command=command, buttons=buttons)
            case p.Rerender():
                self._in.told("rerender")
            case p.Virtual(keep):
                for turn in self._in.turns[: -keep or None]:
                    turn.unmounted = True
                    self._in.redraw(turn)
            case p.Fill(nodes):
                self._in.nodes += nodes
                self._in.told("fill", nodes=self._in.nodes)
            case p.Title(text):
                self._in.title, self._in.titled = text, True
                self._in.changed()

    # -- words ----------------------------------------------------------------------------

    async def _think(self, step: p.Think) -> None:
        self._status("working")
        row = self._row("reply", thought={"label": self._say("thinking"), "text": ""}, text="")
        async for text in self._grow(step.text, step.seconds, step.pieces):
            row["thought"]["text"] = text
            self._put(row)
        row["thought"]["label"] = step.said or self._say("thought", max(1, round(step.seconds)))
        row["thought"]["over"] = True
        self._reply = self._put(row)

    async def _speak(self, step: p.Say) -> None:
        self._status("generating")
        row, self._reply = self._reply or self._row("reply", text=""), None
        row["live"] = True
        async for text in self._grow(step.text, step.seconds, step.pieces):
            row["text"] = text
            self._put(row)
        del row["live"]
        self._put(row)

    async def _grow(self, text: str, seconds: float, pieces: int) -> Any:
        count = max(1, min(pieces, len(text), MOST_PIECES))
        for end in _ends(len(text), count):
            await self._wait(seconds / count)
            yield text[:end]

    async def _tool(self, step: p.Tool) -> None:
        self._status("working")
        row = self._row("tool", verb=step.during or step.verb, target=step.target, detail="")
        row["live"] = not step.bare
        self._put(row)
        await self._wait(step.seconds)
        del row["live"]
        row.update(verb=step.verb, detail=step.detail)
        if step.bare:
            row["key"] = self._in.fresh("tool")
        self._put(row)

    # -- what must be allowed -------------------------------------------------------------

    async def _command(self, step: p.Command) -> None:
        self._status("waiting" if step.ask else "running")
        row: Row = {
            "id": self._in.fresh("card"),
            "kind": "command",
            "under": self._under,
            "state": "asked" if step.ask else "running",
            "header": step.header or self._say("ask_command" if step.ask else "running_command"),
            "cwd": step.cwd,
            "command": step.command,
            "shown": _shown(step, step.command),
            "nested": step.nested,
            "labelled": step.labelled,
            "label": step.label or self._say("run"),
            "hint": step.hint,
            "reject": self._say("reject"),
            "cancel": self._say("cancel"),
            "policy": step.policy or self._say("ask_policy"),
            "policies": [self._say("ask_policy"), self._say("always_policy")],
            "buttons": step.state,
            "wrapped": step.wrapped,
            "collapsed": self._collapsed(step.collapsed),
        }
        row["key"] = row["id"]
        before = [one for one in self._turn.rows if one["kind"] == "command"]
        if step.reuse and before:
            row["key"] = before[-1]["key"]
            self._turn.rows[self._turn.rows.index(before[-1])] = row
        self._put(row)
        command = step.command
        if step.ask:
            press = await self._answer(row, step.state_seconds, step)
            if press.control != "run":
                row.update(state="rejected", header=self._say("rejected_command"))
                self._put(row)
                self._record(Did.REJECTED, card=row["id"], command=press.command)
                return
            command = press.command
            await self._wait(step.goes_seconds)
        self._record(Did.RAN, card=row["id"], command=command)
        row.update(state="running", header=self._say("running_command"), shown=command)
        self._status("running")
        self._put(row)
        await self._wait(step.run_seconds)
        row.update(
            state="ran",
            header=self._say("ran_command"),
            output=step.output,
            exit=self._say("exit_code", step.exit_code),
        )
        self._put(row)

    async def _permit(self, step: p.Permit) -> None:
        self._status("waiting")
        default = step.variant if step.variant in ("script", "address") else "question"
        row = self._row(
            "permission",
            state="asked",
            variant=step.variant,
            bare=step.bare,
            question=step.question or self._say(default),
            words={name: self._say(name) for name in _PERMITTING},
            buttons=step.state,
            collapsed=self._collapsed(step.collapsed),
        )
        press = await self._answer(row, step.state_seconds)
        await self._wait(step.goes_seconds)
        refused = press.control in ("deny", "reject") or press.text == self._say("deny")
        row["state"] = "denied" if refused else "allowed"
        self._put(row)
        did = Did.DENIED if refused else Did.ALLOWED
        self._record(did, card=row["id"], label=press.text or press.label, text=row["question"])

    async def _propose(self, step: p.Propose) -> None:
        self._status("waiting")
        row = self._row(
            "plan",
            state="asked",
            title=step.title,
            summary=step.summary,
            body=step.body,
            open=self._say("open"),
            proceed=self._say("proceed"),
            opened=False,
        )
        while step.wait:
            press = await self._answer(row)
            self._record(Did.PLAN, card=row["id"], label=press.label, control=press.control)
            if press.control == "proceed":
                await self._wait(step.goes_seconds)
                break
            row["opened"] = True
            self._put(row)
        row["state"] = "over"
        self._put(row)

    async def _answer(
        self, row: Row, state_seconds: float = 0.0, step: p.Command | None = None
    ) -> Press:
        """Wait for a press on a card, while it changes as its step says."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        pressed = self._in.awaits(row["id"])
        events: list[tuple[float, dict[str, Any]]] = []
        if state_seconds:
            events.append((state_seconds, {"buttons": ""}))
        for seconds, command in step.swaps if step else ():
            events.append((seconds, {"command": command, "shown": command}))
        for seconds, change in sorted(events, key=lambda one: one[0]):
            left = began + seconds / self._pace - loop.time()
            if (await asyncio.wait({pressed}, timeout=max(0.0, left)))[0]:
                break
            row.update(change)
            self._put(row)
        return await pressed

    # -- what goes wrong ------------------------------------------------------------------

    async def _fail(self, step: p.Fail) -> None:
        tries = 0
        while step.times == 0 or tries < step.times:
            tries += 1
            notice = self._in.notice(
                {
                    "id": self._in.fresh("error"),
                    "kind": "error",
                    "where": step.where,
                    "text": step.text or self._say("failed"),
                    "words": {name: self._say(name) for name in ("dismiss", "copy_debug", "retry")},
                }
            )
            self._works(False)
            press = await self._in.awaits(notice["id"])
            while press.control == "copy_debug":
                press = await self._in.awaits(notice["id"])
            self._in.unnotice(notice["id"])
            if press.control == "dismiss":
                self._record(Did.DISMISS, card=notice["id"], label=press.label)
                raise _Ends
            self._record(Did.RETRY, card=notice["id"], label=press.label)
            self._works(True)
            await self._wait(0.1)

    async def _limit(self, step: p.Limit) -> None:
        for _ in range(step.times):
            row = self._row("limit", text=self._say("limit"), label=self._say("continue"))
            row["state"] = "asked"
            self._put(row)
            self._works(False)
            press = await self._answer(row)
            self._record(Did.CONTINUE, card=row["id"], label=press.label)
            row["state"] = "over"
            self._put(row)
            self._works(True)

    def _quota(self, step: p.Quota) -> None:
        if step.where == "inline":
            self._row("quota", text=step.text or self._say("quota_inline"))
        else:
            names = ("dismiss", "upgrade", "see_plans", "retry")
            self._in.notice(
                {
                    "id": self._in.fresh("quota"),
                    "kind": step.where,
                    "title": step.title or self._say("quota"),
                    "text": step.text or self._say("quota_more"),
                    "words": {name: self._say(name) for name in names},
                }
            )
        if step.ends:
            raise _Ends

    async def _flicker(self, step: p.Flicker) -> None:
        for _ in range(step.times):
            for shown, seconds in ((False, step.gone_seconds), (True, step.back_seconds)):
                self._in.stop_shown = shown
                self._in.changed()
                await self._wait(seconds)

    # -- small things ---------------------------------------------------------------------

    def _row(self, kind: str, **more: Any) -> Row:
        row = {"id": self._in.fresh(kind), "kind": kind, "under": self._under, **more}
        row["key"] = row["id"]
        return self._put(row)

    def _put(self, row: Row) -> Row:
        return self._in.put(self._turn, row)

    def _status(self, name: str) -> None:
        self._turn.status = self._say(name)

    def _works(self, working: bool) -> None:
        self._in.running = self._in.stop_shown = working
        self._in.changed()

    def _collapsed(self, collapsed: bool) -> dict[str, str] | None:
        if not collapsed:
            return None
        return {"text": self._say("needs_input"), "expand": self._say("expand")}

    async def _wait(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self._pace)

    def _say(self, name: str, *values: object) -> str:
        return word(self._lang, name, *values)


_PERMITTING = (
    "deny",
    "allow",
    "allow_once",
    "allow_conversation",
    "allow_workspace",
    "allow_global",
    "submit",
    "accept",
    "reject",
)


def _shown(step: p.Command, command: str) -> str:
    return "" if step.unreadable else step.shown or command


def _ends(length: int, count: int) -> Iterator[int]:
    for number in range(1, count + 1):
        yield math.ceil(length * number / count)
