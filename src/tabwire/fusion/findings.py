"""What was heard about one answer, and what it adds up to.

Findings know no state and no deadline: they keep what stream, stored conversation and page
said, and whether these agree. `judge` turns them into a verdict.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from tabwire.fusion.agreement import (
    Account,
    Conflict,
    Match,
    compare,
    compare_page,
    same_question,
    weigh,
)
from tabwire.fusion.draft import Draft, has_content
from tabwire.fusion.table import LIVING, Cause, State
from tabwire.fusion.verdict import Judgement, Try, Verdict
from tabwire.model.citations import Reference
from tabwire.model.problems import Problem
from tabwire.model.signals import CanonicalRead, Refused, Source

MAX_EVIDENCE = 64  # a turn has a handful; a page that hints for ever must not fill memory
MAX_PROBLEMS = 100  # enough to see what is wrong; the rest are more of the same
MAX_REFERENCES = 2000  # of a long report; the rest of its marks are dropped from the text
MEDIA_PROOF = "media"  # how a site begins the proof of an answer that is a picture

EMPTY = "it is empty"
NOT_PROVEN = "it is not proven whole"
NOT_READ = "it was not read"
NOT_NEEDED = "it was not needed"

TitleRule = Callable[[str | None, str | None], str | None]


@dataclass(frozen=True, slots=True)
class Proof:
    """The stream's own end of turn. It covers one version of one message and no more."""

    what: str
    message_id: str | None
    version: int

    @property
    def media(self) -> bool:
        """Whether the answer is a picture or the like, so that no text is no lack."""
        return self.what.startswith(MEDIA_PROOF)


@dataclass(frozen=True, slots=True)
class Stored:
    """The stored answer we accept as this one.

    `steady`: it passed the gate, the page shows the same, or it stood while nobody said
    otherwise. `ahead_of` is how many of its characters the stream has confirmed, None where
    they match only after tidying.
    """

    text: str
    complete: bool
    ahead_of: int | None
    steady: bool = False


class Heard(StrEnum):
    """What became of a stored reading."""

    ACCEPTED = "accepted"
    DISAGREES = "disagrees"
    EMPTY = "empty"
    PREVIOUS = "previous"  # it answers another question, as a rule the one before
    OTHER = "other"  # the stream is open and tells another text: read again later


@dataclass(slots=True)
class Findings:
    """Everything gathered about one answer. Written by the machine only."""

    previous_text: str | None = None
    conversation_id: str | None = None
    draft: Draft = field(default_factory=Draft)
    thinking: Draft = field(default_factory=Draft)
    prompt: str | None = None
    model: str | None = None
    title: str | None = None
    proof: Proof | None = None
    stopped: str | None = None
    hung_up: bool = False  # the page let go of the stream, and nothing came since
    refusal: Refused | None = None
    stored: Stored | None = None
    stored_media: bool = False  # the stored answer is, or holds, a picture
    stored_agrees: bool = False  # a stored reading equalled what the stream proved
    page_text: str | None = None
    conflict: Conflict | None = None
    references: dict[str, Reference] = field(default_factory=dict)  # by their marks
    evidence: dict[str, None] = field(default_factory=dict)
    problems: dict[Problem, None] = field(default_factory=dict)
    tried: dict[Source, Try] = field(default_factory=dict)  # the newest reading of each witness

    @property
    def proven(self) -> bool:
        """Whether the stream's proof still covers the text as it stands."""
        proof = self.proof
        if proof is None or self.draft.overflowed:
            return False
        if self.draft.version(proof.message_id) != proof.version:
            return False
        return proof.media or self.draft.solid(proof.message_id)

    @property
    def media(self) -> bool:
        """Whether the answer is known to be a picture or the like."""
        return self.stored_media or (self.proof is not None and self.proof.media)

    def grow(self, text: str, message_id: str | None) -> bool:
        """The stream added text; whether anything changed. Costs the new characters only."""
        continues = self.draft.is_current(message_id)
        if not self.draft.grow(text, message_id):
            self._note_overflow()
            return False
        if self.stored is not None:
            at = self.stored.ahead_of if continues else 0
            if at is not None and self.stored.text.startswith(text, at):
                self.stored = replace(self.stored, ahead_of=at + len(text))
            else:
                self.stored = None
        self._forget_agreement()
        return True

    def rewrite(self, text: str, message_id: str | None) -> bool:
        """The stream replaced the text; whether anything changed."""
        if not self.draft.replace(text, message_id):
            self._note_overflow()
            return False
        if self.stored is not None:
            if compare(self.ours(), self.stored.text) is Match.DIFFERS:
                self.stored = None
            else:
                self.stored = replace(self.stored, ahead_of=_confirmed(text, self.stored.text))
        self._forget_agreement()
        return True

    def prove(self, what: str, message_id: str | None) -> bool:
        """The stream ended the turn; whether that proves an answer that is not empty."""
        key = self.draft.find(message_id)
        proof = Proof(what, key, self.draft.version(key))
        empty = not proof.media and not self.draft.solid(key)
        if empty and self.proven:
            return False  # an empty message ended after the answer did
        self.proof = proof
        return self.proven

    def hear_stored(
        self,
        read: CanonicalRead,
        *,
        stream_open: bool,
        stream_produced: bool,
        now: float,
        window_seconds: float,
    ) -> Heard:
        """Weigh a terminal reading of the stored conversation against what we have."""
        if not same_question(self.prompt, read.question):
            return Heard.PREVIOUS
        if not has_content(read.text) and not self.media:
            return Heard.EMPTY
        ours = self.ours()
        account = Account(Source.CANONICAL, read.text)
        if self.proven:
            match = self._compare_stored(ours, read)
            self.weigh(match, account, now, window_seconds)
            self.stored_agrees = match is Match.SAME
            if match is not Match.SAME:
                return Heard.DISAGREES
            self.add_evidence(Source.CANONICAL, "same text")
        elif not has_content(ours):
            if self.previous_text and compare(self.previous_text, read.text) is Match.SAME:
                return Heard.PREVIOUS
            if stream_open and stream_produced:
                return Heard.OTHER  # it still thinks: an answer cannot be stored already
        elif compare(ours, read.text) is Match.DIFFERS:
            if stream_open:
                return Heard.OTHER
            self.weigh(Match.DIFFERS, account, now, window_seconds)
            return Heard.DISAGREES
        else:
            self.conflict = None
        self.cite(read.references, anew=False)
        self.stored = Stored(read.text, read.complete, _confirmed(ours, read.text))
        self._compare_shown()
        return Heard.ACCEPTED

    def steady(self, heard: Heard) -> None:
        """The gate passed on the reading just heard."""
        if self.stored is not None and heard is Heard.ACCEPTED:
            self.stored = replace(self.stored, steady=True)

    def settle(self) -> None:
        """Every witness had its time: a stored answer that none of them objects to stands."""
        if self.stored is not None and self.conflict is None:
            self.stored = replace(self.stored, steady=True)

    def _compare_shown(self) -> None:
        """The page shows the very text that is stored: two witnesses are enough."""
        stored, shown = self.stored, self.page_text
        if stored is None or stored.steady or shown is None or not has_content(stored.text):
            return
        if compare_page(stored.text, shown) is Match.SAME:
            self.stored = replace(stored, steady=True)
            self.add_evidence(Source.PAGE, "same text")

    def hear_page(self, text: str, *, now: float, window_seconds: float) -> Match:
        """Weigh what stands on the page; without a proof it is kept and decides nothing."""
        if not has_content(text):
            return Match.UNSURE
        if not self.proven or self.media:
            earlier = self.previous_text
            if not earlier or compare_page(earlier, text) is not Match.SAME:
                self.page_text = text
                self._compare_shown()
            return Match.UNSURE
        match = compare_page(self.ours(), text)
        self.weigh(match, Account(Source.PAGE, text), now, window_seconds)
        if match is Match.SAME:
            self.add_evidence(Source.PAGE, "same text")
        elif match is Match.DIFFERS and self.stored_agrees:
            self.add_problem(Problem("the page shows different text than the stream and the store"))
        return match

    def weigh(self, match: Match, account: Account, now: float, window_seconds: float) -> None:
        """Let one account start, confirm or settle a conflict."""
        self.conflict = weigh(
            self.conflict,
            match,
            account,
            now=now,
            window_seconds=window_seconds,
            outvoted=self.stored_agrees,
        )

    def confirm_conflict(self) -> None:
        """The re-read never came: the stored text's objection stands, a page's does not."""
        if self.conflict is not None and self.conflict.account.source is not Source.PAGE:
            self.conflict = replace(self.conflict, confirmed=True)

    def ours(self) -> str:
        """The text the stream tells: of the proven message, else of the newest."""
        return self.draft.text(self._message())

    def _message(self) -> str | None:
        """The proven one; None for the newest."""
        return self.proof.message_id if self.proven and self.proof else None

    def cite(self, references: tuple[Reference, ...], *, anew: bool) -> None:
        """What marks stand for. `anew`: it is better than what was known of the same marks."""
        for one in references:
            known = one.mark in self.references
            if anew if known else len(self.references) < MAX_REFERENCES:
                self.references[one.mark] = one

    def add_evidence(self, source: Source, what: str) -> None:
        """Remember a sign of the end, once."""
        if len(self.evidence) < MAX_EVIDENCE:
            self.evidence.setdefault(f"{source}: {what}")

    def add_problem(self, problem: Problem) -> None:
        """Remember something odd, once."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.setdefault(problem)

    def note_try(self, source: Source, text: str, rejected: str) -> None:
        """Remember what a witness had to offer, and what speaks against taking it."""
        self.tried[source] = Try(source, len(text), rejected)

    def _tries(self, text_from: Source) -> tuple[Try, ...]:
        """Where the text was looked for, and why it was not taken from there."""
        stream = Try(Source.STREAM, self.draft.length(self._message()), NOT_PROVEN)
        if not stream.length:
            stream = replace(stream, rejected=EMPTY)
        tries = {Source.STREAM: stream}
        for source in (Source.CANONICAL, Source.PAGE):
            tries[source] = self.tried.get(source, Try(source, 0, NOT_READ))
        return tuple(
            replace(one, rejected="" if source is text_from else one.rejected or NOT_NEEDED)
            for source, one in tries.items()
        )

    def judgement(self, state: State) -> Judgement:
        """What the answer is worth. Costs nothing that grows with the text."""
        if self.conflict is not None and self.conflict.confirmed:
            return Judgement.PARTIAL
        if self.refusal is not None:
            return Judgement.REFUSED
        if self.stopped is not None:
            return Judgement.PARTIAL
        if self.proven or self._stored_whole():
            return Judgement.COMPLETE
        return Judgement.OPEN if state in LIVING else Judgement.PARTIAL

    def judge(self, state: State, cause: Cause | None) -> Verdict:
        """The verdict as it stands; `cause` is what moved the state last."""
        judgement = self.judgement(state)
        text, text_from = self.ours(), Source.STREAM
        accounts: tuple[Account, ...] = ()
        if self.conflict is not None and self.conflict.confirmed:
            accounts = (Account(Source.STREAM, text), self.conflict.account)
        elif not self.proven and self._stored_whole() and self.stored is not None:
            text, text_from = self.stored.text, Source.CANONICAL
        elif judgement is Judgement.PARTIAL and not has_content(text):
            second = self._second_best()
            text, text_from = (second.text, second.source) if second else (text, text_from)
        return Verdict(
            judgement=judgement,
            why=self._why(judgement, cause),
            text=text,
            text_from=text_from,
            thinking=self.thinking.whole() or None,
            model=self.model,
            title=self.title,
            conversation_id=self.conversation_id,
            evidence=tuple(self.evidence),
            refusal=self.refusal,
            accounts=accounts,
            problems=tuple(self.problems),
            references=tuple(self.references.values()),
            tries=self._tries(text_from),
            hung_up=self.hung_up,
        )

    def fingerprint(self, state: State) -> tuple[object, ...]:
        """Changes when a verdict that was told would have to be told again."""
        judgement = self.judgement(state)
        covered = (self.proof.message_id, self.proof.version) if self.proven and self.proof else ()
        conflict = self.conflict if self.conflict is not None and self.conflict.confirmed else None
        stored = self.stored.text if self.stored and not covered and self._stored_whole() else None
        cited = () if judgement is Judgement.OPEN else tuple(self.references.values())
        shown = None  # what stands in for a text that never came
        if judgement is Judgement.PARTIAL and not self.draft.solid():
            shown = self._second_best()
        return judgement, covered, conflict and conflict.account, stored, cited, shown

    def has_text(self) -> bool:
        """Whether there is anything a person could save."""
        return self.draft.solid() or self.media or self._second_best() is not None

    def _compare_stored(self, ours: str, read: CanonicalRead) -> Match:
        if not read.complete:
            return Match.DIFFERS  # we have a proof, and the store says it was cut short
        if self.media and not has_content(ours):
            return Match.SAME  # a picture: any caption will do
        return compare(ours, read.text)

    def _why(self, judgement: Judgement, cause: Cause | None) -> str:
        if self.conflict is not None and self.conflict.confirmed:
            return f"{self.conflict.account.source} disagrees"
        if judgement is Judgement.REFUSED and self.refusal is not None:
            return str(self.refusal.kind)
        if self.stopped is not None:
            return "stopped"
        if judgement is Judgement.COMPLETE:
            return "end of turn" if self.proven else "stored conversation"
        return str(cause) if cause is not None else "nothing has happened"

    def _stored_whole(self) -> bool:
        stored = self.stored
        if stored is None or not stored.complete:
            return False
        is_there = has_content(stored.text) or self.media
        return is_there and (stored.steady or self.draft.solid())

    def _second_best(self) -> Account | None:
        if self.stored is not None:
            return Account(Source.CANONICAL, self.stored.text)
        return Account(Source.PAGE, self.page_text) if self.page_text is not None else None

    def _forget_agreement(self) -> None:
        """Who agreed or objected did so to a text that is no longer ours."""
        self.stored_agrees, self.conflict = False, None

    def _note_overflow(self) -> None:
        if self.draft.overflowed:
            self.add_problem(Problem("the answer is longer than the limit", lossy=True))


def _confirmed(ours: str, stored: str) -> int | None:
    return len(ours) if stored.startswith(ours) else None
