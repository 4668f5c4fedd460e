"""Two outputs, never mixed: the verdict on an answer, the readiness of a conversation.

The verdict says what an answer is worth to whoever asked; it is `complete` on the stream's
own proof, or when the stored conversation says so. Readiness says whether a conversation
can be saved as the site stores it; only the gate of samples makes it `canonical_ready`.
An answer can be complete long before its conversation is ready, and a conversation can be
ready although witnesses disagree about the answer.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from tabwire.fusion.agreement import Account
from tabwire.model.citations import Reference
from tabwire.model.problems import Problem
from tabwire.model.signals import Refused, Source


class Judgement(StrEnum):
    """What an answer is worth."""

    OPEN = "open"  # it may still come
    COMPLETE = "complete"  # proven whole
    PARTIAL = "partial"  # over, or in doubt, and not proven whole
    REFUSED = "refused"  # the site said no


@dataclass(frozen=True, slots=True)
class Try:
    """One place where the text of an answer was looked for. `rejected` says why it was not
    taken from there; nothing, where it was."""

    source: Source
    length: int
    rejected: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One answer as far as it is known, and why it is judged so.

    `accounts` holds both texts where witnesses still disagree after a re-read; `text` is
    then the stream's. Texts are as the site sent them; `references` says what the private
    marks in them stand for.
    """

    judgement: Judgement
    why: str
    text: str = ""
    text_from: Source = Source.STREAM
    thinking: str | None = None
    model: str | None = None
    title: str | None = None
    conversation_id: str | None = None
    evidence: tuple[str, ...] = ()
    refusal: Refused | None = None
    accounts: tuple[Account, ...] = ()
    problems: tuple[Problem, ...] = ()
    references: tuple[Reference, ...] = ()
    hung_up: bool = False  # the page itself let go of the stream before its end
    tries: tuple[Try, ...] = field(default=(), compare=False)  # for whoever looks for a cause

    @property
    def complete(self) -> bool:
        """Whether the answer is proven whole."""
        return self.judgement is Judgement.COMPLETE


class Mode(StrEnum):
    """What a Save button may do."""

    CANONICAL_READY = "canonical_ready"  # save
    AWAITING_STABILIZATION = "awaiting_stabilization"  # wait
    DEGRADED_MANUAL_ONLY = "degraded_manual_only"  # save only if the person insists


class Reason(StrEnum):
    """Why a conversation is not ready."""

    NO_CANONICAL_DATA = "no_canonical_data"
    CANONICAL_NOT_TERMINAL = "canonical_not_terminal"
    AWAITING_SECOND_SAMPLE = "awaiting_second_sample"
    CONTENT_HASH_CHANGED = "content_hash_changed"
    STABILITY_WINDOW_NOT_ELAPSED = "stability_window_not_elapsed"
    STABILIZATION_TIMEOUT = "stabilization_timeout"
    SNAPSHOT_DEGRADED_CAPTURE = "snapshot_degraded_capture"
    ANSWER_NOT_COMPLETE = "answer_not_complete"  # ours: stored, steady, and cut short
    ANSWER_STOPPED = "answer_stopped"  # ours: by the person, or by the site
    ANSWER_FAILED = "answer_failed"  # ours: the site said that it went wrong
    ANSWER_REFUSED = "answer_refused"  # ours: the site did not take the question
    NOT_CURRENT = "not_current"  # ours: a superseded or disposed attempt saves nothing


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether a conversation may be saved, and what stands in the way."""

    mode: Mode
    reasons: tuple[Reason, ...] = ()

    @property
    def ready(self) -> bool:
        """Whether Save is enabled."""
        return self.mode is Mode.CANONICAL_READY
