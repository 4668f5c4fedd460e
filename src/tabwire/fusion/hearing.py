"""What each signal means to an attempt: first into the findings, then named as a cause.

The stream's own signals are heard here; those of lesser witnesses in `witnesses.py`.
A stream is open from the prompt (or the first output) until its end of turn or its close.
When it closes without a proof, the witnesses have one plan of re-reads to speak.
"""

from tabwire.fusion.agreement import Account, Match, compare
from tabwire.fusion.life import TAKEN, Life, Told
from tabwire.fusion.table import Cause, State
from tabwire.fusion.verdict import Judgement
from tabwire.fusion.witnesses import hear_hint, hear_page, hear_stored
from tabwire.model import signals as s
from tabwire.model.problems import Problem

GROWTH = (
    s.PromptSent,
    s.TextGrew,
    s.TextReplaced,
    s.ThoughtGrew,
    s.ThoughtReplaced,
    s.ToolStepped,
    s.HandedOff,
)

_NOTHING_ADDED = Told("nothing was added", True)


def hear(life: Life, signal: s.Signal, source: s.Source | None) -> Told:
    """Hear one signal at `life.now`. `source` says who saw it, where its kind does not."""
    found = life.findings
    if life.state is State.CAPTURED_READY and isinstance(signal, GROWTH):
        return _grew_after_ready(life, signal)
    match signal:
        case s.TextGrew(text, message_id):
            return _grew(life, found.grow(text, message_id))
        case s.TextReplaced(text, message_id):
            return _grew(life, found.rewrite(text, message_id))
        case s.ThoughtGrew(text, message_id):
            return _grew(life, found.thinking.grow(text, message_id))
        case s.ThoughtReplaced(text, message_id):
            return _grew(life, found.thinking.replace(text, message_id))
        case s.ToolStepped():
            return _grew(life, True)
        case s.PromptSent(text):
            return _prompt_left(life, text)
        case s.TurnEnded(proof, message_id):
            found.add_evidence(source or s.Source.STREAM, proof)
            return _turn_ended(life, proof, message_id)
        case s.TurnStopped(proof):
            return _turn_stopped(life, proof, source or s.Source.STREAM)
        case s.Refused():
            return _refused(life, signal)
        case s.HandedOff(to):
            return _handed_off(life, to)
        case s.RestFollowed(certain):
            return _followed(life, certain=certain)
        case s.StillWriting(what):
            life.still_writing(said=True)
            return Told(f"the site still writes ({what})", life.over)
        case s.StreamClosed():
            return _closed(life, signal)
        case s.HintSeen(hint):
            return hear_hint(life, source or s.Source.COMPLETION, hint)
        case s.CanonicalRead():
            return hear_stored(life, signal, source or s.Source.CANONICAL)
        case s.PageSaw():
            return hear_page(life, signal)
        case _:
            return _learn(life, signal, source or s.Source.STREAM)


def _learn(life: Life, signal: s.Signal, source: s.Source) -> Told:
    """Signals that add to the findings and never move a state."""
    found = life.findings
    match signal:
        case s.TurnConfirmed(proof):
            found.add_evidence(source, proof)
        case s.Cited(references):
            found.cite(references, anew=True)
        case s.ModelNamed(model):
            found.model = model or found.model
        case s.TitleNamed(title, conversation_id):
            if conversation_id and found.conversation_id not in (None, conversation_id):
                return Told("the title of another conversation", True)
            found.title = life.better_title(found.title, title)
        case s.ConversationNamed(conversation_id):
            if found.conversation_id not in (None, conversation_id):
                found.add_problem(Problem("the stream named a second conversation"))
                return Told("the id of another conversation", True)
            found.conversation_id = conversation_id
        case s.PromptEchoed(text):
            if found.prompt is not None and compare(found.prompt, text) is not Match.SAME:
                found.add_problem(Problem("the site echoed a different prompt than the one sent"))
        case s.Noted(problem):
            found.add_problem(problem)
        case _:
            return Told("an unknown kind of signal", True)
    return TAKEN


def _prompt_left(life: Life, text: str | None) -> Told:
    if life.over:
        life.ask_for_new("a prompt was sent after the end")
        return Told("a prompt after the end belongs to a new attempt", True)
    if life.findings.prompt is None:
        life.findings.prompt = text
    if not life.move(Cause.PROMPT_LEFT):
        return Told("output is in progress, or the prompt had already left", True)
    life.stream.begin()
    life.active_at = life.now
    return TAKEN


def _grew(life: Life, changed: bool) -> Told:
    if not changed:
        return _NOTHING_ADDED
    life.active_at = life.now
    life.findings.hung_up = False
    life.stream.grew()
    if life.findings.stored is None:
        life.probe.forget()  # samples of a text that has since grown
    life.move(Cause.OUTPUT_GREW)
    life.still_coming()
    return (
        TAKEN if life.state is State.STREAMING else Told(f"text arrived in the state {life.state}")
    )


def _grew_after_ready(life: Life, signal: s.Signal) -> Told:
    if isinstance(signal, s.TextReplaced) and signal.text == life.findings.ours():
        return _NOTHING_ADDED
    life.ask_for_new("output arrived after the conversation was ready")
    return Told("already ready: more text belongs to a new attempt", True)


def _turn_ended(life: Life, proof: str, message_id: str | None) -> Told:
    found = life.findings
    if life.state is State.CAPTURED_READY:
        return Told("already ready: one more sign of the end")
    known = found.proof if found.proven else None
    if not found.prove(proof, message_id):
        return Told("an end of turn, but an empty answer is never complete")
    if found.proof == known:
        return Told("the end of turn was already known", True)
    life.stream.end()
    life.active_at = life.now
    stored = found.stored
    if stored is not None and compare(found.ours(), stored.text) is not Match.SAME:
        held = found.conflict
        account = Account(s.Source.CANONICAL, stored.text)
        found.weigh(Match.DIFFERS, account, life.now, life.profile.stability_seconds)
        life.ask_to_reread(held)
    moved = life.move(Cause.TURN_ENDED)
    life.plan.start(life.now)
    return TAKEN if moved else Told(f"proof for the verdict; the state stays {life.state}")


def _turn_stopped(life: Life, proof: str, source: s.Source) -> Told:
    if _is_whole(life) or life.state is State.CAPTURED_READY:
        return Told("stopped after it was complete", True)
    life.findings.stopped = proof
    life.findings.add_evidence(source, proof)
    life.stream.end()
    life.plan.stop()
    life.move(Cause.TURN_STOPPED)
    return TAKEN


def _refused(life: Life, refusal: s.Refused) -> Told:
    if life.over or _is_whole(life):
        life.findings.add_problem(Problem(f"refused after the end: {refusal.kind}"))
        return Told("refused after the end", True)
    life.findings.refusal = refusal
    life.stream.end()
    life.plan.stop()
    life.move(Cause.REFUSED)
    return Told(str(refusal.kind))


def _handed_off(life: Life, to: str) -> Told:
    life.stream.hand_off(to)
    life.active_at = life.now
    life.still_coming()
    return Told(f"the rest arrives over another connection ({to})")


def _followed(life: Life, *, certain: bool) -> Told:
    if life.judgement not in (Judgement.OPEN, Judgement.PARTIAL):
        return Told(f"the answer is {life.judgement}", True)
    life.findings.hung_up = False
    life.stream.follow(certain=certain)
    life.active_at = life.now
    life.still_coming()
    return Told("listening for the rest")


def _closed(life: Life, signal: s.StreamClosed) -> Told:
    if signal.lost_bytes:
        what = f"the stream broke off, {signal.lost_bytes} bytes unread"
        life.findings.add_problem(Problem(what, lossy=True))
    life.findings.hung_up = signal.hung_up
    was_open = life.stream.open
    if not life.stream.close():
        if not life.stream.open and life.judgement is Judgement.OPEN:
            life.plan.start(life.now, after=life.profile.handoff_seconds)
        return Told(f"not ended: the turn was handed off ({life.stream.handed_to})")
    if life.judgement is not Judgement.OPEN:
        return Told(f"the answer is {life.judgement}", True)
    if was_open or not life.plan.running:
        life.plan.start(life.now)
    return Told("closed without an end of turn: waiting for witnesses")


def _is_whole(life: Life) -> bool:
    """Whether the end was proven, even if a witness has since raised doubts."""
    return life.findings.proven or life.judgement is Judgement.COMPLETE
