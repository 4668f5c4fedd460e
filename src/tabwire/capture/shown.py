"""What the person is told of the conversation on show: badge, Save, Force Save, and why.

Save is offered only for what fusion calls `canonical_ready` and what is on the disk; Force Save
only for what it calls `degraded_manual_only`. The sentences have no numbers that run, so that
a page is told again only when something changed.
"""

from dataclasses import dataclass

from tabwire.capture.recorder import Recorder
from tabwire.capture.standing import nothing_came
from tabwire.capture.titles import better, first_question
from tabwire.capture.under_way import UNDER_WAY
from tabwire.fusion.verdict import Mode, Reason
from tabwire.model.captured import Title

STORING = "storing"
NOTHING = "nothing_seen"
READY = "ready"

SENTENCES: dict[str, str] = {
    NOTHING: "No conversation was captured on this page yet.",
    STORING: "The conversation is being saved to disk.",
    READY: "The conversation is complete and stored.",
    UNDER_WAY: "A question is in progress in this conversation.",
    Reason.NO_CANONICAL_DATA: "The site's own record of the conversation has not been read yet.",
    Reason.CANONICAL_NOT_TERMINAL: "The site is still writing the answer.",
    Reason.AWAITING_SECOND_SAMPLE: "The conversation was read once; it is read again to make sure.",
    Reason.CONTENT_HASH_CHANGED: "The conversation has just changed; it is being read again.",
    Reason.STABILITY_WINDOW_NOT_ELAPSED: "The conversation is being checked for changes.",
    Reason.STABILIZATION_TIMEOUT: "A second, identical reading was not possible.",
    Reason.SNAPSHOT_DEGRADED_CAPTURE: "Only the text on the page is known, not the site's record.",
    Reason.ANSWER_NOT_COMPLETE: "The newest answer is not complete.",
    Reason.ANSWER_STOPPED: "The newest answer was stopped before its end.",
    Reason.ANSWER_FAILED: "The site could not finish the newest answer.",
    Reason.ANSWER_REFUSED: "The site did not accept the question.",
    Reason.NOT_CURRENT: "Another answer has replaced this one.",
}


@dataclass(frozen=True, slots=True)
class Shown:
    """One page's control. The names are those of the wire."""

    conversation: str | None
    attempt: str | None
    life: str
    readiness: str | None
    why: str
    why_code: str
    title: str
    save: bool
    force: bool
    degraded: bool


def shown(recorder: Recorder, saved: str | None, *, asked: bool = False) -> Shown:
    """What to show now. `saved` is the digest of what is kept as ready of this conversation;
    `asked`: a question is under way in it, here or elsewhere."""
    name = recorder.shown
    gathered = recorder.gathered(name)
    readiness = recorder.readiness
    mode = readiness.mode if readiness is not None else None
    code = str(readiness.reasons[0]) if readiness is not None and readiness.reasons else NOTHING
    kept = gathered is not None and bool(gathered.digest) and gathered.digest == saved
    if kept and nothing_came(recorder.question):
        mode = Mode.CANONICAL_READY  # the site took nothing: the conversation is what it was
    elif mode is Mode.CANONICAL_READY:
        code = READY if kept else STORING
        mode = mode if kept else Mode.AWAITING_STABILIZATION
    if asked and (mode is not None or gathered is not None):
        mode, code = Mode.AWAITING_STABILIZATION, UNDER_WAY
    found = gathered.conversation if gathered is not None else None
    if code == Reason.ANSWER_NOT_COMPLETE and found is not None and found.standing.complete:
        code = str(Reason.STABILIZATION_TIMEOUT)  # it is whole, and was read only once
    title = (
        better(first_question(found), gathered.title) if gathered is not None and found else Title()
    )
    return Shown(
        conversation=name,
        attempt=recorder.current,
        life=str(recorder.life),
        readiness=str(mode) if mode is not None else None,
        why=SENTENCES.get(code, SENTENCES[NOTHING]),
        why_code=code,
        title=title.text,
        save=mode is Mode.CANONICAL_READY,
        force=mode is Mode.DEGRADED_MANUAL_ONLY and found is not None,
        degraded=gathered is not None and found is not None and not gathered.canonical,
    )
