"""What a badge shows of an attempt, for those who do not care for ten states."""

from enum import StrEnum

from tabwire.fusion.table import State


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
