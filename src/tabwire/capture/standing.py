"""How a question that left a page stands, in the words of a person. Functions, no memory."""

from dataclasses import dataclass
from enum import StrEnum

from tabwire.fusion.agreement import Match, compare, same_question
from tabwire.fusion.machine import Machine
from tabwire.fusion.table import State
from tabwire.fusion.verdict import Judgement, Mode, Readiness, Reason
from tabwire.model.conversation import Conversation
from tabwire.model.signals import Refusal
from tabwire.sites.witness import as_witness


class Lifecycle(StrEnum):
    """An attempt, for those who do not care for ten states. Never goes back while it counts."""

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
    """What a state is to them."""
    return _LIFECYCLE[state]


class Badge(StrEnum):
    """What a control shows: seed 003's four, and how a question ends that is not answered whole."""

    IDLE = "idle"
    PROMPT_SENT = "prompt-sent"
    STREAMING = "streaming"
    COMPLETED = "completed"
    STOPPED = "stopped"  # the person, or the site, stopped the answer
    PARTIAL = "partial"  # it broke off, and nobody knows its end
    FAILED = "failed"  # the site said that it went wrong
    REFUSED = "refused"  # the site did not take the question: a limit, a login, a check


WHY = {
    Badge.STOPPED: Reason.ANSWER_STOPPED,
    Badge.FAILED: Reason.ANSWER_FAILED,
    Badge.REFUSED: Reason.ANSWER_REFUSED,
}


def badge_of(question: Machine) -> Badge:
    """What is shown of it."""
    life = ui_lifecycle(question.state)
    if life is not Lifecycle.COMPLETED:
        return Badge(life)
    found = question.findings
    match question.judgement:
        case Judgement.REFUSED:
            failed = found.refusal is None or found.refusal.kind is Refusal.ERROR
            return Badge.FAILED if failed or found.has_text() else Badge.REFUSED
        case Judgement.PARTIAL if found.stopped is not None:
            return Badge.STOPPED
        case Judgement.PARTIAL:
            return Badge.PARTIAL if found.has_text() else Badge.FAILED
        case _:
            return Badge.COMPLETED


def readiness_of(question: Machine) -> Readiness:
    """How ready its conversation is; where it ended badly, that is the first reason. What there
    is may then be saved by who insists."""
    found = question.readiness()
    why = WHY.get(badge_of(question))
    if why is None or found.ready:
        return found
    mode = Mode.DEGRADED_MANUAL_ONLY if question.over else found.mode
    less = (Reason.ANSWER_NOT_COMPLETE, Reason.NO_CANONICAL_DATA)
    return Readiness(mode, (why, *(one for one in found.reasons if one not in less)))


def asks_in(question: Machine | None) -> str | None:
    """The conversation in which it is still unanswered."""
    if question is None or question.over or question.judgement is not Judgement.OPEN:
        return None
    return question.conversation_id


def nothing_came(question: Machine | None) -> bool:
    """Whether it was refused, and left nothing behind: the conversation is what it was."""
    if question is None or question.judgement is not Judgement.REFUSED:
        return False
    return not question.findings.has_text()


@dataclass(frozen=True, slots=True)
class Stop:
    """An answer that was stopped. A site may store it as if it were whole."""

    question: str | None
    text: str

    def is_newest_of(self, conversation: Conversation) -> bool:
        """Whether a stored conversation ends with it."""
        read = as_witness(conversation)
        if not same_question(self.question, read.question):
            return False
        return compare(self.text, read.text) in (Match.SAME, Match.EXTENDS)


def stop_in(conversation: Conversation) -> Stop:
    """Its newest answer, which is known to have been stopped."""
    read = as_witness(conversation)
    return Stop(read.question, read.text)
