"""One conversation as far as one tab heard it: the site's bodies, and what a stream told since.

Some sites store a conversation in one body, some in several: who follows whom, the texts, the
title. Of those every body that adds something is kept, and the conversation is always what the
kept bodies tell when they are read again from nothing.
"""

import json
import math
from dataclasses import replace
from hashlib import blake2b

from tabwire.capture.rebuild import joined, rebuild, write_heard
from tabwire.capture.titles import better, first_question
from tabwire.fusion.agreement import tidy
from tabwire.fusion.verdict import Verdict
from tabwire.model.captured import (
    Body,
    BodyKind,
    Captured,
    CaptureSource,
    Origin,
    Title,
    Wholeness,
)
from tabwire.model.conversation import Conversation, Role, Standing, Turn, TurnState
from tabwire.monitor.stored import StoredBody
from tabwire.sites.memory import Memory
from tabwire.sites.site import Site
from tabwire.sites.witness import as_witness

MAX_BODIES = 12  # of one conversation; a page of Grok loads three


class Gathered:
    """`title` is the best known; `digest` is empty while nothing is known."""

    def __init__(self, site: Site, conversation_id: str) -> None:
        self.conversation_id = conversation_id
        self.title = Title()
        self.digest = ""
        self.told: tuple[object, ...] = ()  # what was told of it last
        self._site = site
        self._bodies: list[Body] = []
        self._stored: Conversation | None = None
        self._heard: Conversation | None = None
        self._heard_url = ""
        self._older_missing = False

    @property
    def size(self) -> int:
        """Bytes held."""
        return sum(len(body.raw) for body in self._bodies)

    @property
    def conversation(self) -> Conversation | None:
        """All that is known."""
        return joined(self._stored, self._heard)

    @property
    def canonical(self) -> bool:
        """Whether all of it is the site's own record."""
        return self._stored is not None and self._heard is None

    def part(self, body: StoredBody) -> None:
        """A body that may tell a part of it."""
        self._bodies.append(Body(BodyKind.STORED, body.request.url, body.raw))
        del self._bodies[:-MAX_BODIES]

    def take(self, body: StoredBody, conversation: Conversation) -> bool:
        """The site's record of it. Whether this body alone tells its newest answer: one that
        does not repeats only what we knew."""
        self._older_missing = body.reading.older_missing
        if self._site.in_parts:
            alone = self._site.read_body(body.raw, body.request.url, Memory()).conversations
            self._drop_what_adds_nothing()
            self._stored = self._rebuilt(self._bodies) or conversation
            sample = any(_tells_newest(one, conversation) for one in alone)
        else:
            self._bodies = [Body(BodyKind.STORED, body.request.url, body.raw)]
            self._stored, sample = conversation, True
        if self._heard is not None and covers(self._stored, self._heard):
            self._heard = None
        self._weigh()
        return sample

    def recall(self, row: Captured) -> bool:
        """What is kept of it. Whether it reads as it did when it was kept."""
        self._bodies = [body for body in row.bodies if body.kind is BodyKind.STORED]
        self._stored = self._rebuilt(self._bodies)
        self.title = row.title
        self._weigh()
        return self._stored is not None and self.digest == row.digest

    def hear(self, conversation: Conversation, url: str) -> bool:
        """What a stream told. Whether that is more than the site's record has."""
        if self._stored is not None and covers(self._stored, conversation):
            return False
        self._heard, self._heard_url = conversation, url
        self._weigh()
        return True

    def steady(self) -> None:
        """The site's record proved steady: what a stream told is no longer needed."""
        if self._stored is not None:
            self._heard = None
            self._weigh()

    def captured(
        self, *, ready: bool, reasons: tuple[str, ...], origin: Origin, now: float
    ) -> Captured | None:
        """To be kept; None while nothing is known."""
        found = self.conversation
        if found is None:
            return None
        whole = self.canonical and found.standing.complete and not self._older_missing
        bodies = tuple(self._bodies) if self._stored is not None else ()
        if self._heard is not None:
            heard = Body(BodyKind.HEARD, self._heard_url, write_heard(self._heard))
            bodies = (*bodies, heard)
        return Captured(
            site=self._site.name,
            conversation_id=self.conversation_id,
            digest=self.digest,
            ready=ready and self.canonical,
            source=CaptureSource.CANONICAL if self.canonical else CaptureSource.STREAM,
            completeness=Wholeness.COMPLETE if whole else Wholeness.PARTIAL,
            origin=origin,
            captured_at=now,
            reasons=() if ready else reasons,
            title=better(first_question(found), self.title),
            model=found.model,
            turns=sum(1 for _ in found.shown()),
            created_at=_finite(found.created_at),
            updated_at=_finite(found.updated_at),
            bodies=bodies,
        )

    def _weigh(self) -> None:
        found = self.conversation
        self.digest = digest_of(found) if found is not None else ""

    def _rebuilt(self, bodies: list[Body]) -> Conversation | None:
        return rebuild(self._site, self.conversation_id, bodies)

    def _drop_what_adds_nothing(self) -> None:
        whole = self._rebuilt(self._bodies)
        if whole is None:
            return
        for body in self._bodies[:-1]:
            fewer = [one for one in self._bodies if one is not body]
            if self._rebuilt(fewer) == whole:
                self._bodies = fewer


def digest_of(conversation: Conversation) -> str:
    """Equal for two conversations that say the same: words, order, branches; not titles or
    times, which change while nothing is said."""
    said = blake2b(digest_size=16)
    for turn in conversation.turns:
        parts = [
            turn.id,
            turn.parent,
            turn.role,
            turn.text,
            turn.thinking,
            turn.state,
            turn.hidden,
            [one.ref for one in turn.attachments],
        ]
        said.update(json.dumps(parts, ensure_ascii=True).encode())
    said.update(json.dumps(conversation.visible, ensure_ascii=True).encode())
    return said.hexdigest()


def asked(conversation: Conversation, prompt: str | None) -> Conversation:
    """With the question in it, where the stream itself did not tell it."""
    if not prompt or any(turn.role is Role.USER for turn in conversation.turns):
        return conversation
    first = conversation.turns[0] if conversation.turns else None
    named = f"{first.id if first else 'answer'}/question"
    question = Turn(named, Role.USER, prompt, created_at=first.created_at if first else None)
    rest = conversation.turns
    if first is not None:
        rest = (replace(first, parent=named), *rest[1:])
    return replace(conversation, turns=(question, *rest), visible=(named, *conversation.visible))


def judged(found: Conversation, attempt: str, verdict: Verdict) -> Conversation:
    """What a stream told, with the standing of a verdict that proved more than its own end: the
    answer's text is the verdict's then, too."""
    if not found.turns:
        return from_verdict(found.site, attempt, verdict)
    if not verdict.complete or found.standing.complete:
        return found
    if tidy(as_witness(found).text) != tidy(verdict.text):
        found = from_verdict(found.site, attempt, verdict)
    return replace(found, standing=Standing(True, True, verdict.why, verdict.evidence))


def from_verdict(site: str, attempt: str, verdict: Verdict) -> Conversation:
    """What a stream told where only its answer is known."""
    answer = Turn(
        f"{attempt}/answer",
        Role.ASSISTANT,
        verdict.text,
        thinking=verdict.thinking,
        model=verdict.model,
        ends_turn=verdict.complete,
        references=verdict.references,
    )
    standing = Standing(verdict.complete, True, verdict.why, verdict.evidence)
    return Conversation(
        site,
        verdict.conversation_id,
        standing,
        model=verdict.model,
        turns=(answer,),
        visible=(answer.id,),
    )


def _tells_newest(alone: Conversation, whole: Conversation) -> bool:
    answers = [turn for turn in whole.chain() if turn.role is Role.ASSISTANT]
    if not answers:
        return False
    newest = answers[-1]
    return any(turn.id == newest.id and turn.text == newest.text for turn in alone.turns)


def covers(stored: Conversation, heard: Conversation) -> bool:
    """Whether the site's record has every answer that was heard."""
    whole = [turn for turn in stored.turns if turn.state is not TurnState.RUNNING]
    ids = {turn.id for turn in whole if turn.text.strip() or turn.attachments}
    texts = {tidy(turn.text) for turn in whole}
    return all(
        turn.id in ids or tidy(turn.text) in texts
        for turn in heard.turns
        if turn.role in (Role.ASSISTANT, Role.UNKNOWN) and turn.is_message and turn.text.strip()
    )


def _finite(seconds: float | None) -> float | None:
    return seconds if seconds is not None and math.isfinite(seconds) else None
