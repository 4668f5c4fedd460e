"""Views of an attempt for those who do not care for ten states. Functions, no memory."""

from enum import StrEnum

from tabwire.fusion.machine import Machine
from tabwire.fusion.monitor_phases import Phase
from tabwire.fusion.table import LIVING, Cause, State
from tabwire.fusion.verdict import Judgement
from tabwire.model.signals import Refusal


class Lifecycle(StrEnum):
    """What a badge shows. It never goes back within one attempt that counts."""

    IDLE = "idle"
    PROMPT_SENT = "prompt-sent"
    STREAMING = "streaming"
    COMPLETED = "completed"


# `completed` means that no more is expected, not that the answer is whole. An attempt that
# no longer counts shows nothing: the page went elsewhere, or another attempt speaks.
_LIFECYCLE = {
    State.IDLE: Lifecycle.IDLE,
    State.PROMPT_SENT: Lifecycle.PROMPT_SENT,
    State.STREAMING: Lifecycle.STREAMING,
    State.COMPLETED_HINT: Lifecycle.COMPLETED,
    State.CANONICAL_PROBING: Lifecycle.COMPLETED,
    State.CAPTURED_READY: Lifecycle.COMPLETED,
    State.TERMINATED_PARTIAL: Lifecycle.COMPLETED,
    State.ERROR: Lifecycle.COMPLETED,
    State.SUPERSEDED: Lifecycle.IDLE,
    State.DISPOSED: Lifecycle.IDLE,
}


def ui_lifecycle(state: State) -> Lifecycle:
    """The badge of a state."""
    return _LIFECYCLE[state]


def monitor_phase(machine: Machine, *, connected: bool = True, approval: bool = False) -> Phase:
    """The phase of an attempt that is followed by wire.

    A run the person stopped is over as they wished, so `complete`; any other end without
    a whole answer is a `timeout`. What the answer is worth is the verdict's to say.
    """
    has_text = machine.findings.has_text()
    refusal = machine.findings.refusal
    if refusal is not None and refusal.kind is Refusal.RATE_LIMIT and not has_text:
        return Phase.QUOTA_REACHED
    if machine.judgement is Judgement.COMPLETE or machine.cause is Cause.TURN_STOPPED:
        return Phase.COMPLETE
    if machine.state not in LIVING:
        return Phase.TIMEOUT
    if not connected:
        return Phase.DISCONNECTED
    if approval:
        return Phase.WAITING_APPROVAL
    if machine.state in (State.IDLE, State.PROMPT_SENT):
        return Phase.WAITING
    return Phase.GENERATING if has_text else Phase.THINKING
