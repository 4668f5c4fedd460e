"""What lesser witnesses mean to an attempt: hints, the page, the stored conversation.

They add to the evidence of what the stream proved, and where it proved nothing they may
speak for it, each in its measure. A hint moves a state and proves nothing. The page
confirms or objects. The stored conversation can prove an answer whole, and only its steady
samples make a conversation ready.

While the stream is open it is the better witness: a hint is recorded and not followed, and
a stored text that is not ours is taken for another turn's. Whoever feeds a stored reading
vouches that it was asked for after the prompt left.
"""

from tabwire.fusion.agreement import Match
from tabwire.fusion.findings import EMPTY, Heard
from tabwire.fusion.life import TAKEN, Life, Told
from tabwire.fusion.table import Cause, State
from tabwire.model.signals import CanonicalRead, PageSaw, Source

# why a text is not taken from there
OF_PAGE = {
    Match.SAME: "",
    Match.EXTENDS: "it continues after the proven text",
    Match.DIFFERS: "it differs from the proven text",
    Match.UNSURE: "a page proves nothing",
}
OF_STORE = {
    Heard.ACCEPTED: "",
    Heard.DISAGREES: "it differs from the stream",
    Heard.EMPTY: EMPTY,
    Heard.PREVIOUS: "it answers another question",
    Heard.OTHER: "it is a different text while the stream is open",
}


def hear_hint(life: Life, source: Source, hint: str) -> Told:
    """Something says the turn is over."""
    if source in life.profile.ignored_hints:
        return Told(f"hints from {source} are ignored", True)
    if life.page.generating:
        return Told("a hint, but the page still shows that it is being written", True)
    if life.stream.open and not life.profile.hints_end_open_streams:
        return Told("a hint, but the stream is still open", True)
    life.findings.add_evidence(source, hint)
    if not life.move(Cause.HINTED):
        return Told(f"a hint has no effect in the state {life.state}")
    life.seek_end()
    return TAKEN


def hear_page(life: Life, page: PageSaw) -> Told:
    """What stands on the page for this exchange."""
    still = life.page.see(page, life.now, life.profile.page_quiet_seconds)
    if page.generating:
        life.active_at = life.now
        life.move(Cause.PAGE_BUSY)
        return TAKEN
    if page.text is not None:
        held = life.findings.conflict
        window = life.profile.stability_seconds
        match = life.findings.hear_page(page.text, now=life.now, window_seconds=window)
        life.findings.note_try(Source.PAGE, page.text, OF_PAGE[match] if page.text else EMPTY)
        life.ask_to_reread(held)
    return hear_hint(life, Source.PAGE, "finished and still") if still else TAKEN


def hear_stored(life: Life, read: CanonicalRead, source: Source) -> Told:
    """One reading of the stored conversation."""
    if life.state is State.CAPTURED_READY:
        if not life.probe.changed(read):
            return Told("already ready", True)
        life.ask_for_new("the stored answer changed after it was ready")
        return Told("already ready: a changed answer belongs to a new attempt", True)
    if read.degraded or source is Source.SNAPSHOT:
        life.probe.degraded = True
        life.findings.note_try(Source.CANONICAL, read.text, "it is only a snapshot of the page")
        return Told("a snapshot of the page proves nothing")
    life.probe.rearm(life.now)
    life.findings.stored_media = life.findings.stored_media or read.media
    if not read.terminal:
        life.probe.take(read, life.now, media=life.findings.media)
        life.stored_unfinished(read.text)
        life.findings.note_try(Source.CANONICAL, read.text, "it is not finished")
        return Told("the stored answer is not finished")
    held = life.findings.conflict
    heard = life.findings.hear_stored(
        read,
        stream_open=life.stream.open,
        stream_produced=life.stream.produced,
        now=life.now,
        window_seconds=life.profile.stability_seconds,
    )
    life.findings.note_try(Source.CANONICAL, read.text, OF_STORE[heard])
    life.ask_to_reread(held)
    match heard:
        case Heard.EMPTY:
            life.probe.take(read, life.now, media=False)
            return Told("the stored answer is empty")
        case Heard.PREVIOUS:
            return Told("an answer to another question", True)
        case Heard.OTHER:
            return Told("a different text while the stream is open", True)
        case _:
            return _sample(life, read, heard)


def _sample(life: Life, read: CanonicalRead, heard: Heard) -> Told:
    life.move(Cause.CANONICAL_ENDED)
    result = life.probe.take(read, life.now, media=life.findings.media)
    if not result.ready:
        life.seek_end()
        return Told(", ".join(result.reasons))
    life.findings.steady(heard)
    life.plan.stop()
    # a site may store what a person cut short as if it were whole: we know better
    whole = read.complete and life.findings.stopped is None
    life.move(Cause.CANONICAL_STEADY if whole else Cause.CANONICAL_SHORT)
    return TAKEN
