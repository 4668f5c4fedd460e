"""What a person was asked about the cards of one window: opened once, told, expired, ended."""

import secrets
import time
from dataclasses import dataclass

from tabwire.autopilot.context import Given
from tabwire.autopilot.ruling import Ruling, Seat
from tabwire.model.agent import Card
from tabwire.model.autopilot import Approval, ApprovalState, Asked, Closed

APPROVAL_SECONDS = 900.0
"""How long a question stands; then it is asked anew if somebody still wants to answer."""

QUIET_SECONDS = {"plan": 5.0, "error": 10.0}
"""The same words are not told twice within this, however often they are drawn anew."""

_FORGET_SECONDS = 60.0


@dataclass(slots=True)
class _Question:
    approval: Approval
    asked_at: float  # monotonic
    tell_at: float | None


class Questions:
    """Those of one window, by card. Time is an argument (monotonic), but for when they expire:
    a question outlives the process, so that is told in clock time too."""

    def __init__(self, seat: Seat, given: Given, seconds: float = APPROVAL_SECONDS) -> None:
        self.seat = seat
        self._given = given
        self._seconds = seconds
        self._asked: dict[str, _Question] = {}
        self._told: dict[tuple[str, str], float] = {}

    def of(self, card: str) -> Approval | None:
        """What was asked about this card, also where it expired."""
        found = self._asked.get(card)
        return found.approval if found else None

    async def ask(self, card: Card, ruling: Ruling, why: str, now: float) -> Approval | None:
        """Ask about a card, once; the question if it is a new one."""
        if card.id in self._asked:
            return None
        at = time.time()
        approval = Approval(
            id=secrets.token_hex(6),
            window=self.seat.key,
            workspace=self.seat.workspace,
            card=card.id,
            card_hash=card.hash,
            command_hash=ruling.command_hash,
            kind=card.kind,
            title=card.title,
            text=card.text,
            command=card.command,
            cwd=card.cwd,
            verdict=ruling.word,
            rule=ruling.rule,
            reason=ruling.reason if ruling.word != "allow" else why,
            actions=tuple(one.label for one in card.controls if not one.popup),
            created_at=at,
            expires_at=at + self._seconds,
        )
        await self._given.open(approval)
        told = self._told.get((card.kind, card.hash), float("-inf"))
        quiet = QUIET_SECONDS.get(card.kind, 0.0)
        self._asked[card.id] = _Question(approval, now, max(now, told + quiet))
        return approval

    async def pass_time(self, now: float) -> None:
        """Tell what is due, end what expired."""
        for one in list(self._asked.values()):
            if not one.approval.state.is_open:
                continue
            if self.has_expired(one.approval, now):
                await self._close(one, ApprovalState.EXPIRED, "not answered in time")
            elif one.tell_at is not None and now >= one.tell_at:
                one.tell_at = None
                self._told = {
                    key: at for key, at in self._told.items() if now - at < _FORGET_SECONDS
                }
                self._told[one.approval.kind, one.approval.card_hash] = now
                self._given.tell(Asked(one.approval))

    def has_expired(self, approval: Approval, now: float) -> bool:
        """By either clock: one that was set back must not make it younger."""
        one = self._asked.get(approval.card)
        old = one is None or one.approval.id != approval.id or now - one.asked_at >= self._seconds
        return old or time.time() >= approval.expires_at

    async def end(self, card: str, state: ApprovalState, note: str) -> None:
        """There is nothing to ask about this card any more."""
        one = self._asked.pop(card, None)
        if one is not None and one.approval.state.is_open:
            await self._close(one, state, note)

    async def end_all(self, state: ApprovalState, note: str) -> None:
        """Nothing that was asked here holds any more."""
        for card in list(self._asked):
            await self.end(card, state, note)

    def forget(self, card: str) -> None:
        """It may be asked about anew."""
        self._asked.pop(card, None)

    def next_deadline(self) -> float | None:
        """When `pass_time` has something to do."""
        living = [one for one in self._asked.values() if one.approval.state.is_open]
        ends = [one.asked_at + self._seconds for one in living]
        return min(
            [*ends, *(one.tell_at for one in living if one.tell_at is not None)], default=None
        )

    async def _close(self, one: _Question, state: ApprovalState, note: str) -> None:
        closed = await self._given.close(one.approval.id, state, note)
        if closed is not None:
            one.approval = closed
            self._given.tell(Closed(closed))
