"""A person's answer to what the autopilot asks, from whichever door.

Bound to the card, to what it says and to a time; all three are looked at again before anything is
clicked. The first valid answer wins. What the guard denies is not approved over a chat.
"""

import time
from collections.abc import Callable, Mapping

from tabwire.hub.agents.autopilot.window import DrivenWindow
from tabwire.model.autopilot import (
    Act,
    Answered,
    Answerer,
    Approval,
    ApprovalState,
    AuditLine,
)
from tabwire.model.errors import TabwireError
from tabwire.store.autopilot_rows import AutopilotRows

_ENDED = {
    ApprovalState.ANSWERING: "someone else is answering it right now",
    ApprovalState.APPROVED: "it has already been approved",
    ApprovalState.REJECTED: "it has already been rejected",
    ApprovalState.EXPIRED: "it has expired",
    ApprovalState.GONE: "its card is gone: it was answered in the window, or the agent continued",
    ApprovalState.CHANGED: "its card has changed",
    ApprovalState.FAILED: "it was already answered, and the click had no effect",
    ApprovalState.LOST: "it was asked by a process that has ended",
}
_NOTHING = "; nothing was clicked"


class Approvals:
    """Takes answers. `chat_users`: who may answer over a chat, as `door:name` or
    `door:name@channel`."""

    def __init__(
        self,
        rows: AutopilotRows,
        windows: Mapping[str, DrivenWindow],
        chat_users: frozenset[str],
        stopped: Callable[[], str],
    ) -> None:
        self._rows = rows
        self._windows = windows
        self._chat_users = chat_users
        self._stopped = stopped

    async def answer(self, said: str, approve: bool, who: Answerer) -> Answered:
        """Answer the one with this id. What came of it, in words for whoever answered."""
        asked = await self._rows.approval(said)
        if asked is None:
            return Answered(False, f"there is no approval request {said}{_NOTHING}")
        if not self._may(who):
            return await self._refused(asked, who, "you may not answer this")
        if approve and asked.denied and who.from_chat:
            why = f"the guard denies it ({asked.rule}): it can only be approved on this machine"
            return await self._refused(asked, who, why)
        if why := self._stopped():
            return await self._refused(asked, who, why)
        driven = self._windows.get(asked.window)
        if not asked.state.is_open or time.time() >= asked.expires_at:
            return await self._too_late(asked, driven)
        if driven is None or driven.stands_by is not None:
            return Answered(False, f"its window is not driven by this process{_NOTHING}", asked)
        claimed = await self._rows.claim(said, _by(who), time.time())
        if claimed is None:
            now = await self._rows.approval(said)
            return await self._too_late(now or asked, driven)
        try:
            return await driven.answer(claimed, approve, who)
        except TabwireError as exc:
            # it may have been clicked or not: never again by itself
            why = f"the window was lost while answering ({exc}): look at it"
            closed = await self._rows.close(said, ApprovalState.FAILED, why, time.time())
            return Answered(False, why, closed)

    def _may(self, who: Answerer) -> bool:
        if not who.from_chat:
            return True
        return bool({_by(who), f"{_by(who)}@{who.channel}"} & self._chat_users)

    async def _too_late(self, asked: Approval, driven: DrivenWindow | None) -> Answered:
        """Say what became of it; if its card is still there, it is asked anew."""
        why = _ENDED.get(asked.state, _ENDED[ApprovalState.EXPIRED])
        anew = None
        over = asked.state in (ApprovalState.EXPIRED, ApprovalState.OPEN)
        if over and driven is not None and driven.pilot is not None:
            anew = await driven.pilot.ask_again(asked.card)
        more = f"; it is asked again as {anew.id}" if anew and anew.id != asked.id else ""
        return Answered(False, f"{why}{_NOTHING}{more}", anew or asked)

    async def _refused(self, asked: Approval, who: Answerer, why: str) -> Answered:
        line = AuditLine(
            time.time(), Act.ANSWERED, asked.window, card=asked.card, kind=asked.kind,
            verdict=asked.verdict, rule=asked.rule, command_hash=asked.command_hash,
            card_hash=asked.card_hash, approval=asked.id, by=_by(who), note="refused",
        )  # fmt: skip
        await self._rows.append(line)
        return Answered(False, f"{why}{_NOTHING}", asked)


def _by(who: Answerer) -> str:
    return f"{who.door}:{who.name}"
