"""The life of one answer. Every change of state is a line in this table.

Nothing outside this file decides a state: `machine.py` names causes and looks here.

Theory of operation. A state says what is true of one attempt, a cause says what happened.
There are three kinds of state:

* living: the answer may still come (idle to canonical_probing);
* settled: it is over (captured_ready, terminated_partial, error);
* dead: it is no longer the one that counts (superseded, disposed).

The table has no cycle, so an attempt never goes back. Two settled failures keep one way
forward: a stored conversation that later proves steady makes them captured_ready, because
the answer a cut stream lost may stand whole on the server. Nothing leads from settled to
living, and nothing but disposal leads out of superseded.

Every living state has all exits: a request can be refused before its first byte, a person
can stop an answer that has not begun. A cause that is missing from a state's row changes
nothing there; the machine records it.
"""

from enum import StrEnum


class State(StrEnum):
    """What is true of an attempt. The names are the seed's."""

    IDLE = "idle"
    PROMPT_SENT = "prompt_sent"
    STREAMING = "streaming"
    COMPLETED_HINT = "completed_hint"
    CANONICAL_PROBING = "canonical_probing"
    CAPTURED_READY = "captured_ready"
    TERMINATED_PARTIAL = "terminated_partial"
    ERROR = "error"
    SUPERSEDED = "superseded"
    DISPOSED = "disposed"


class Cause(StrEnum):
    """What happened."""

    PROMPT_LEFT = "prompt_left"  # the request that carries the prompt left the page
    OUTPUT_GREW = "output_grew"  # text, reasoning or a tool step came over the wire
    PAGE_BUSY = "page_busy"  # the page shows that it is generating
    TURN_ENDED = "turn_ended"  # the stream proved the end of an answer that is not empty
    HINTED = "hinted"  # something lesser says it is over, and nothing better contradicts
    CANONICAL_ENDED = "canonical_ended"  # the stored conversation says this turn is over
    CANONICAL_STEADY = "canonical_steady"  # the gate passed on a complete answer
    CANONICAL_SHORT = "canonical_short"  # the gate passed on an answer that is not complete
    TURN_STOPPED = "turn_stopped"  # the person, or the site, stopped it before its end
    REFUSED = "refused"  # the site said no
    WITNESSES_SILENT = "witnesses_silent"  # the stream broke off and nobody knew the end
    GAVE_UP = "gave_up"  # nothing came for as long as the caller would wait
    SUPERSEDED = "superseded"  # a newer attempt took over the conversation
    DISPOSED = "disposed"  # the page went elsewhere, or the attempt is dropped


_EXITS = {
    Cause.TURN_STOPPED: State.TERMINATED_PARTIAL,
    Cause.REFUSED: State.ERROR,
    Cause.SUPERSEDED: State.SUPERSEDED,
    Cause.DISPOSED: State.DISPOSED,
}
# Silence before any output is a failure; after it, what came is kept as a part.
_SILENT_EMPTY = {Cause.WITNESSES_SILENT: State.ERROR, Cause.GAVE_UP: State.ERROR}
_SILENT_SHORT = {
    Cause.WITNESSES_SILENT: State.TERMINATED_PARTIAL,
    Cause.GAVE_UP: State.TERMINATED_PARTIAL,
}
_TO_ITS_END = {
    Cause.TURN_ENDED: State.COMPLETED_HINT,
    Cause.HINTED: State.COMPLETED_HINT,
    Cause.CANONICAL_ENDED: State.CANONICAL_PROBING,
}
_TO_OUTPUT = {Cause.OUTPUT_GREW: State.STREAMING, Cause.PAGE_BUSY: State.STREAMING}
_STILL_SAVED = {
    Cause.CANONICAL_STEADY: State.CAPTURED_READY,
    Cause.SUPERSEDED: State.SUPERSEDED,
    Cause.DISPOSED: State.DISPOSED,
}

TRANSITIONS: dict[State, dict[Cause, State]] = {
    State.IDLE: {
        Cause.PROMPT_LEFT: State.PROMPT_SENT,
        **_TO_OUTPUT,
        **_TO_ITS_END,
        **_SILENT_EMPTY,
        **_EXITS,
    },
    State.PROMPT_SENT: {**_TO_OUTPUT, **_TO_ITS_END, **_SILENT_EMPTY, **_EXITS},
    State.STREAMING: {**_TO_ITS_END, **_SILENT_SHORT, **_EXITS},
    State.COMPLETED_HINT: {
        Cause.CANONICAL_ENDED: State.CANONICAL_PROBING,
        **_SILENT_SHORT,
        **_EXITS,
    },
    State.CANONICAL_PROBING: {
        Cause.CANONICAL_STEADY: State.CAPTURED_READY,
        Cause.CANONICAL_SHORT: State.TERMINATED_PARTIAL,
        **_SILENT_SHORT,
        **_EXITS,
    },
    State.CAPTURED_READY: {
        Cause.SUPERSEDED: State.SUPERSEDED,
        Cause.DISPOSED: State.DISPOSED,
    },
    State.TERMINATED_PARTIAL: _STILL_SAVED,
    State.ERROR: _STILL_SAVED,
    State.SUPERSEDED: {Cause.DISPOSED: State.DISPOSED},
    State.DISPOSED: {},
}

LIVING = frozenset(
    {
        State.IDLE,
        State.PROMPT_SENT,
        State.STREAMING,
        State.COMPLETED_HINT,
        State.CANONICAL_PROBING,
    }
)
SETTLED = frozenset({State.CAPTURED_READY, State.TERMINATED_PARTIAL, State.ERROR})
DEAD = frozenset({State.SUPERSEDED, State.DISPOSED})


def mermaid() -> str:
    """The table as a Mermaid state diagram; causes that share an arrow share a label."""
    lines = ["stateDiagram-v2", f"    [*] --> {State.IDLE}"]
    for state, row in TRANSITIONS.items():
        arrows: dict[State, list[str]] = {}
        for cause, target in row.items():
            arrows.setdefault(target, []).append(cause.value)
        lines.extend(
            f"    {state} --> {target}: {', '.join(causes)}" for target, causes in arrows.items()
        )
        if not row:
            lines.append(f"    {state} --> [*]")
    return "\n".join(lines) + "\n"
