"""One window: what is done about each card the panel shows.

    pilot = Pilot(seat, clicker, given)
    await pilot.see(panel)            # every state of the panel, and a fresh one at its deadline
    await pilot.answer(approval, …)   # a person said yes or no

In the order of a click: the ruling on the whole text, a line in the audit on disk, a last look
whether it may still be, then the page reads the card again and clicks in the same breath. What
may not go on by itself is asked of a person, once for each card. One thing is done at a time.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from tabwire.autopilot import rules
from tabwire.autopilot.breaker import Breaker
from tabwire.autopilot.click import LEASE_SECONDS, Clicker, Outcome
from tabwire.autopilot.context import Given
from tabwire.autopilot.questions import APPROVAL_SECONDS, Questions
from tabwire.autopilot.rules import Do
from tabwire.autopilot.ruling import Ruling, Seat, rule_on
from tabwire.model.agent import Card, Control, Panel
from tabwire.model.autopilot import (
    Act,
    Answered,
    Answerer,
    Approval,
    ApprovalState,
    AuditLine,
    Closed,
    Did,
    Halted,
    Switch,
    Switches,
)

PATIENCE_SECONDS = 1.5
"""A control that is covered or out of sight for so long: a person is asked."""

LOOK_SECONDS = 1.0
"""Between two looks at one that cannot be clicked: what covers it tells nobody when it goes."""

AGAIN_SECONDS = 2.0
"""A card that was clicked, went and asks again in the same nodes: a person is asked by then."""

ANOTHER_SECONDS = 0.3
"""A card that says what one said that was clicked, in other nodes after so long, is another."""

SOON_SECONDS = 0.2
_CLOCK = time.monotonic


@dataclass(slots=True)
class _Seen:
    """What is known of one card."""

    card: Card
    ruling: Ruling
    detail: str
    since: float
    rules: object
    tries: int = 0
    look_at: float | None = None
    clicked_at: float = 0.0
    clicked_in: int = 0  # the node it stood in then
    clicked: bool = False
    refused: bool = False

    def was_clicked(self) -> None:
        """It went on."""
        self.clicked, self.clicked_at, self.look_at = True, _CLOCK(), None
        self.clicked_in = self.card.token


class Pilot:
    """Decides and clicks in one window."""

    def __init__(
        self,
        seat: Seat,
        clicker: Clicker,
        given: Given,
        *,
        approval_seconds: float = APPROVAL_SECONDS,
    ) -> None:
        self.seat = seat
        self._clicker = clicker
        self._given = given
        self._questions = Questions(seat, given, approval_seconds)
        self._breaker = Breaker()
        self._seen: dict[str, _Seen] = {}
        self._first = True
        self._panel = Panel()
        self._turn = asyncio.Lock()

    def sit(self, seat: Seat) -> None:
        """The agent works there from now on."""
        self.seat = seat
        self._questions.seat = seat

    async def see(self, panel: Panel) -> None:
        """The panel as it is now."""
        async with self._turn:
            await self._see(panel)

    def next_deadline(self) -> float | None:
        """When the panel is to be looked at again (monotonic), if it says nothing before."""
        found = [one.look_at for one in self._seen.values() if one.look_at is not None]
        asked = self._questions.next_deadline()
        return min([*found, *([] if asked is None else [asked])], default=None)

    def mend(self) -> None:
        """A person turned it on again: retries count anew."""
        self._breaker.mend()

    async def lost(self, why: str) -> None:
        """The window went, or another one drives it: nothing that was asked here holds."""
        async with self._turn:
            await self._questions.end_all(ApprovalState.LOST, why)
            self._seen.clear()

    async def ask_again(self, card: str) -> Approval | None:
        """A question that expired is asked anew; the new one, if the card is still there."""
        async with self._turn:
            seen = self._seen.get(card)
            if seen is None or seen.clicked:
                return None
            asked = self._questions.of(card)
            if asked is None or not asked.state.is_open:
                self._questions.forget(card)
                await self._ask(seen, "asked again", _CLOCK())
            return self._questions.of(card)

    # --- one card --------------------------------------------------------------------------

    async def _see(self, panel: Panel) -> None:
        self._panel = panel
        present = {one.id: one.hash for one in panel.cards}
        for said, seen in list(self._seen.items()):
            if present.get(said) != seen.card.hash:
                state = ApprovalState.CHANGED if said in present else ApprovalState.GONE
                del self._seen[said]
                await self._questions.end(said, state, "the card is gone")
        for card in panel.cards:
            await self._look_at(card)
        await self._questions.pass_time(_CLOCK())
        self._first = False

    async def _look_at(self, card: Card) -> None:
        now = _CLOCK()
        seen = self._seen.get(card.id)
        if seen is None:
            detail = await self._detail(card)
            ruling = rule_on(card, self.seat, self._given.judge, detail)
            seen = self._seen[card.id] = _Seen(card, ruling, detail, now, self._given.rules())
        elif seen.rules != self._given.rules():
            await self._judge_anew(seen)
        if seen.clicked and self._asks_again(seen, card, now):
            tries = 1 if card.token == seen.clicked_in else 0
            seen = _Seen(card, seen.ruling, seen.detail, now, seen.rules, tries)
            self._seen[card.id] = seen
        seen.card = card
        if seen.clicked or (seen.look_at is not None and now < seen.look_at and seen.tries):
            return
        seen.look_at = None
        decision = rules.decide(card, seen.ruling.word, self._switches())
        if decision.do is Do.CLICK and decision.control is not None:
            await self._go_on(seen, decision.control, now)
        elif decision.do is Do.WAIT:
            until = seen.since + PATIENCE_SECONDS
            seen.look_at = until if now < until else now + LOOK_SECONDS
            if now >= until and decision.why != "disabled":
                await self._ask(seen, decision.why, now)
        elif decision.do is Do.REFUSE:
            await self._refuse(seen, now)
        elif decision.do is Do.ASK:
            await self._ask(seen, decision.why, now)

    async def _judge_anew(self, seen: _Seen) -> bool:
        """By the rules as they are now. True where that changes something; then what a person was
        asked does not hold any more."""
        rules = self._given.rules()
        ruling = rule_on(seen.card, self.seat, self._given.judge, seen.detail)
        seen.rules, before, seen.ruling = rules, seen.ruling, ruling
        if (ruling.word, ruling.rule) == (before.word, before.rule):
            return False
        seen.refused = False
        why = "the guard's rules changed; it is judged again"
        await self._questions.end(seen.card.id, ApprovalState.CHANGED, why)
        return True

    def _asks_again(self, seen: _Seen, card: Card, now: float) -> bool:
        """Whether a card that was clicked is there again and not yet: one that says the same
        came so soon that the page took it for the one before."""
        wait = AGAIN_SECONDS if card.token == seen.clicked_in else ANOTHER_SECONDS
        if now - seen.clicked_at >= wait:
            return True
        seen.look_at = seen.clicked_at + wait
        return False

    def _switches(self) -> Switches:
        return Switches() if self._given.stopped() else self._given.switches()

    async def _detail(self, card: Card) -> str:
        control = rules.yes(card)
        if card.kind != "files" or control is None:
            return ""
        return await self._clicker.detail(card, control, self._panel.pack or "")

    async def _go_on(self, seen: _Seen, control: Control, now: float) -> None:
        """It may go on by itself."""
        if seen.tries:  # never twice: nobody knows what a second click would do
            await self._ask(seen, "it was clicked but still asks", now)
            return
        if await self._judge_anew(seen):
            seen.look_at = _CLOCK()  # another verdict: it is decided on again
            return
        switch = rules.switch_for(seen.card)
        if switch is Switch.RETRIES and not self._breaker.lets(now):
            await self._break_off(seen, now)
            return

        def still() -> bool:
            return switch is not None and self._switches().has(switch)

        outcome = await self._click(seen, control, still)
        if not outcome.clicked:
            if outcome.why == "elsewhere":  # in a menu or a list: it stays there
                seen.tries = 1
                await self._ask(seen, "its button is not where cards are shown", now)
            else:  # nothing happened: it is seen afresh, and there may be a lease by then
                seen.look_at = _CLOCK() + SOON_SECONDS
            return
        seen.tries += 1
        if switch is Switch.RETRIES:
            self._breaker.tried(now)
        if outcome.verified:
            seen.was_clicked()
            await self._questions.end(
                seen.card.id, ApprovalState.GONE, "it continued automatically"
            )
        else:
            await self._ask(seen, "it was clicked but still asks", now)

    async def _click(
        self,
        seen: _Seen,
        control: Control,
        still: Callable[[], bool],
        *,
        approval: str = "",
        by: str = "",
    ) -> Outcome:
        line = self._line(seen, Act.CLICK, control=control.rule, approval=approval, by=by)
        await self._given.audit(line)
        outcome = await self._clicker.click(
            seen.card,
            control,
            self._panel.pack or "",
            detail=seen.detail,
            overlay=bool(by) and seen.card.place != "panel",
            still=still,
        )
        act = Act.NOT_CLICKED
        if outcome.clicked:
            act = Act.CLICKED if outcome.verified else Act.UNVERIFIED
        await self._write(
            replace(line, at=time.time(), act=act, note=outcome.why, away=not outcome.focused)
        )
        return outcome

    async def _refuse(self, seen: _Seen, now: float) -> None:
        if not seen.refused:
            seen.refused = True
            counted = self._first and seen.card.hash in self._given.refused
            if not counted:
                await self._write(self._line(seen, Act.REFUSED))
        await self._ask(seen, "denied", now)

    async def _break_off(self, seen: _Seen, now: float) -> None:
        if self._questions.of(seen.card.id) is None:
            await self._write(self._line(seen, Act.STOPPED, note="tried three times within 60 s"))
            why = "tried three times within 60 s and failed each time: giving up"
            self._given.tell(Halted(self.seat.key, why))
        await self._ask(seen, "too many attempts", now)

    async def _ask(self, seen: _Seen, why: str, now: float) -> None:
        asked = await self._questions.ask(seen.card, seen.ruling, why, now)
        if asked is not None and not seen.refused:
            await self._write(self._line(seen, Act.ASKED, approval=asked.id, note=why))
        await self._questions.pass_time(now)

    # --- a person's answer -------------------------------------------------------------------

    async def answer(
        self, approval: Approval, approve: bool, who: Answerer, panel: Panel
    ) -> Answered:
        """A person answered. `panel` was read after that; nothing older counts.

        All three are looked at again: the card, what it says, and the time.
        """
        async with self._turn:
            await self._see(panel)
            if why := self._given.stopped():
                return await self._not_done(approval, ApprovalState.OPEN, why)
            seen = self._seen.get(approval.card)
            if seen is None or seen.clicked:
                why = "the card has changed since it was asked about; nothing was clicked"
                return await self._not_done(approval, ApprovalState.CHANGED, why)
            same = (seen.card.hash, seen.ruling.command_hash)
            if same != (approval.card_hash, approval.command_hash):
                why = "the card's text has changed; nothing was clicked"
                return await self._not_done(approval, ApprovalState.CHANGED, why)
            if (seen.ruling.word, seen.ruling.rule) != (approval.verdict, approval.rule):
                why = "the guard's rules changed since it was asked; nothing was clicked"
                return await self._not_done(approval, ApprovalState.CHANGED, why)
            if self._questions.has_expired(approval, _CLOCK()):
                why = "it has expired; nothing was clicked"
                return await self._not_done(approval, ApprovalState.EXPIRED, why)
            return await self._carry_out(seen, approval, approve, who)

    async def _carry_out(
        self, seen: _Seen, approval: Approval, approve: bool, who: Answerer
    ) -> Answered:
        by = f"{who.door}:{who.name}"
        control = rules.yes(seen.card) if approve else rules.no(seen.card)
        done = ApprovalState.APPROVED if approve else ApprovalState.REJECTED
        await self._write(
            self._line(seen, Act.ANSWERED, approval=approval.id, by=by, note=done.value)
        )
        if control is None and approve:
            why = "it can only be answered in the window itself"
            return await self._not_done(approval, ApprovalState.OPEN, why)
        if control is None:
            return await self._done(seen, approval, done, "rejected; nothing was clicked")
        if why := rules.why_not_ready(control):
            why = f"its button cannot be clicked now: it is {why}"
            return await self._not_done(approval, ApprovalState.OPEN, why)
        await self._clicker.lease(LEASE_SECONDS)
        try:
            outcome = await self._click(
                seen, control, lambda: not self._given.stopped(), approval=approval.id, by=by
            )
        finally:
            if not self._switches().on:
                await self._clicker.revoke()
        if not outcome.clicked:
            state = ApprovalState.CHANGED if outcome.why == "changed" else ApprovalState.OPEN
            return await self._not_done(approval, state, f"nothing was clicked: {outcome.why}")
        seen.was_clicked()
        self._breaker.mend()
        if not outcome.verified:
            why = "it was clicked, but nothing changed: look at the window"
            return await self._not_done(approval, ApprovalState.FAILED, why)
        return await self._done(seen, approval, done, f"{done.value}: “{control.label}” clicked")

    async def _done(
        self, seen: _Seen, approval: Approval, state: ApprovalState, said: str
    ) -> Answered:
        closed = await self._given.close(approval.id, state, said)
        seen.was_clicked()
        self._questions.forget(seen.card.id)
        self._given.tell(Closed(closed or approval))
        return Answered(True, said, closed)

    async def _not_done(self, approval: Approval, state: ApprovalState, said: str) -> Answered:
        closed = await self._given.close(approval.id, state, said)
        if closed is not None and state is not ApprovalState.OPEN:
            self._given.tell(Closed(closed))
            self._questions.forget(approval.card)
        return Answered(False, said, closed)

    # --- the audit ---------------------------------------------------------------------------

    def _line(
        self,
        seen: _Seen,
        act: Act,
        *,
        control: str = "",
        approval: str = "",
        by: str = "",
        note: str = "",
    ) -> AuditLine:
        card, ruling = seen.card, seen.ruling
        return AuditLine(
            time.time(), act, self.seat.key, self._given.session, card.id, card.kind, control,
            ruling.word, ruling.rule, ruling.command_hash, card.hash, approval, by, note=note,
        )  # fmt: skip

    async def _write(self, line: AuditLine) -> None:
        await self._given.audit(line)
        self._given.tell(Did(line))
