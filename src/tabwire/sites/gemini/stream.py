"""gemini.google.com: the bytes of an answer to signals, as they arrive.

Theory of operation. A StreamGenerate body is a row of chunks (`wire.framed`), each with
the whole answer so far (`shortcut` spares reading it again). Of the candidates the first
is the one shown. What a chunk says is compared with what was said before: text that goes
on is `TextGrew`, any other text is `TextReplaced`. The candidate itself says when it is
whole ([8][0] is 2); the context token and the closing frame only confirm it, and a body
that ends without any of these proves nothing.

    payload [1][0] c_…    [2] or [10] title    [4] candidates    [6][1][0] tool
            [25] context token    [39] model's key    [42] model's label
"""

from collections.abc import Iterator
from typing import Any

from tabwire.model.conversation import (
    Attachment,
    Conversation,
    Role,
    Standing,
    Turn,
    TurnState,
)
from tabwire.model.problems import Problem
from tabwire.model.signals import (
    Cited,
    ConversationNamed,
    ModelNamed,
    Noted,
    Refused,
    Signal,
    StreamClosed,
    TextGrew,
    TextReplaced,
    ThoughtGrew,
    ThoughtReplaced,
    TitleNamed,
    ToolStepped,
    TurnConfirmed,
    TurnEnded,
)
from tabwire.sites.gemini.candidate import CARD, Candidate, model_name, read_candidate
from tabwire.sites.gemini.cites import Sources, references_of
from tabwire.sites.gemini.envelope import Reply, read_chunk
from tabwire.sites.gemini.fields import at, text_at
from tabwire.sites.gemini.refusals import read_code, read_page, read_quota
from tabwire.sites.gemini.requests import NAME, conversation_in_url, id_on_wire
from tabwire.sites.gemini.said import Said
from tabwire.sites.gemini.shortcut import OnlyGrew, Shortcut, Shorter
from tabwire.sites.memory import Memory
from tabwire.sites.opening import Opening
from tabwire.sites.resets import with_reset
from tabwire.sites.titles import is_generic
from tabwire.sites.webpages import looks_like_html
from tabwire.wire.framed import Chunk, Closed, FramedDecoder, FramedRecord, LengthLied
from tabwire.wire.records import Truncated, Unread
from tabwire.wire.text import NotJson, read_json

CANDIDATE_COMPLETE = "candidate_complete"
MEDIA_COMPLETE = "media_complete"
CONTEXT_TOKEN = "context_token"
BYTE_COUNT = "byte_count"

_MODEL_KEY, _MODEL_LABEL = 39, 42


class GeminiStream:
    """One answering response of Gemini: `StreamReader`.

    Without `shortcuts` every chunk is parsed in full: slower, and the same signals.
    """

    def __init__(self, url: str | None, memory: Memory, *, shortcuts: bool = True) -> None:
        self._memory = memory
        self._decoder = FramedDecoder()
        self._shortcut = Shortcut() if shortcuts else None
        self._opening = Opening(b"<")
        self._id = conversation_in_url(url or "")
        self._id_is_stated = False
        self._answer_id: str | None = None  # rc_…, of the candidate shown
        self._text = Said()
        self._thoughts = Said()
        self._attachments: tuple[Attachment, ...] = ()
        self._sources = Sources()
        self._whole = False
        self._model: str | None = None
        self._title: str | None = None
        self._tool: str | None = None
        self._refused: Refused | None = None
        self._more_at: float | None = None  # when a quota that is spent is there again
        self._confirmed: list[str] = []
        self._closed = False
        self._records = 0
        self._chunk_records = 0  # of the chunk read last
        self._text_at: tuple[str, int] | None = None  # candidate and envelope read last
        self._lies = 0
        self._lost = 0

    def feed(self, chunk: bytes) -> list[Signal]:
        """Take the next bytes, cut anywhere."""
        signals: list[Signal] = []
        for record in self._decoder.read(self._opening.feed(chunk)):
            signals.extend(self._take(record))
        return signals

    def close(self) -> list[Signal]:
        """No more bytes will come."""
        signals: list[Signal] = []
        head = self._opening.held
        if head and looks_like_html(head):
            signals.append(self._refuse(read_page(head)))
        elif head:
            signals.extend(self._take_all(self._decoder.feed(head)))
        signals.extend(self._take_all(self._decoder.close()))
        if self._lies > 1:
            signals.append(Noted(Problem(f"{self._lies} length lines do not fit their chunks")))
        signals.append(StreamClosed(self._closed, self._lost))
        return signals

    def conversation(self) -> Conversation | None:
        """What has been read so far: the answer, as far as it came."""
        has_answer = self._answer_id is not None or bool(self._text or self._attachments)
        if not has_answer and not self._id_is_stated and self._refused is None:
            return None
        turns = (self._turn(),) if has_answer else ()
        return Conversation(
            site=NAME,
            id=self._id,
            standing=self._standing(),
            title=self._memory.title(NAME, self._id, self._title),
            model=self._model,
            turns=turns,
            visible=tuple(turn.id for turn in turns),
        )

    def _turn(self) -> Turn:
        state = TurnState.RUNNING
        if self._is_complete():
            state = TurnState.FINISHED
        elif self._refused is not None:
            state = TurnState.FAILED
        elif self._closed:
            state = TurnState.STOPPED
        return Turn(
            id=self._answer_id or "answer",
            role=Role.ASSISTANT,
            text=self._text.joined(),
            thinking=self._thoughts.joined() or None,
            attachments=self._attachments,
            model=self._model,
            state=state,
            ends_turn=self._is_complete(),
            is_message=bool(self._text or self._attachments) or not self._thoughts,
            references=references_of(self._text.joined(), self._sources),
        )

    def _is_complete(self) -> bool:
        return self._whole and bool(self._text or self._attachments)

    def _standing(self) -> Standing:
        evidence = tuple(self._confirmed)
        if self._is_complete():
            proof = CANDIDATE_COMPLETE if self._text else MEDIA_COMPLETE
            return Standing(True, True, proof, (proof, *evidence))
        if self._refused is not None:
            return Standing(False, True, f"refused: {self._refused.kind}", evidence)
        if self._whole:
            return Standing(False, True, "whole but empty", evidence)
        if self._closed:
            return Standing(False, True, "closed without a whole candidate", evidence)
        return Standing(False, False, "no sign of the end", evidence)

    # -- records ------------------------------------------------------------------------

    def _take_all(self, records: list[FramedRecord]) -> Iterator[Signal]:
        for record in records:
            yield from self._take(record)

    def _take(self, record: FramedRecord) -> Iterator[Signal]:
        match record:
            case Chunk():
                yield from self._take_chunk(record)
            case Closed():
                yield from self._take_closing(record)
            case LengthLied(declared=declared, found=found):
                self._lies += 1
                if self._lies == 1:
                    what = f"a length line says {declared} for a chunk of {found}"
                    yield Noted(Problem(what))
            case Unread(why=why, size=size):
                yield self._lose(size, f"unreadable line: {why}")
            case Truncated(lost=lost):
                yield self._lose(lost, f"cut off inside a chunk: {lost} bytes unused")

    def _take_closing(self, closing: Closed) -> Iterator[Signal]:
        self._closed = True
        missing = closing.declared_bytes - closing.seen_bytes
        if missing == 0:
            yield from self._confirm(BYTE_COUNT)
        elif missing > 0 and closing.records != self._records:
            yield self._lose(missing, f"the closing frame counts {missing} bytes more than came")
        else:  # line ends were changed, say: every record is there
            what = f"the closing frame counts {closing.declared_bytes} bytes"
            yield Noted(Problem(f"{what}, {closing.seen_bytes} came"))

    def _take_chunk(self, chunk: Chunk) -> Iterator[Signal]:
        shorter = self._shortcut.shorten(chunk) if self._shortcut else None
        if isinstance(shorter, OnlyGrew):
            self._records += self._chunk_records
            self._text.add(shorter.text)
            if shorter.text:
                yield TextGrew(shorter.text, self._answer_id)
            return
        if shorter is not None:
            value = shorter.records
        else:
            try:
                value = read_json(chunk.raw)
            except NotJson as exc:
                yield self._lose(len(chunk.raw), f"unreadable chunk: {exc}")
                return
        replies, self._chunk_records = read_chunk(value)
        self._records += self._chunk_records
        for reply in replies:
            yield from self._take_reply(reply, shorter)
        if self._shortcut and replies and shorter is None and self._text_at is not None:
            self._shortcut.learn(chunk.raw, *self._text_at)

    def _take_reply(self, reply: Reply, shorter: Shorter | None) -> Iterator[Signal]:
        self._text_at = None
        if reply.code is not None:
            yield self._refuse(with_reset(read_code(reply.code), self._more_at))
        if reply.payload is None:
            return
        try:
            payload = shorter.payload if shorter else read_json(reply.payload)
        except NotJson as exc:
            yield self._lose(len(reply.payload), f"unreadable payload: {exc}")
            return
        if not isinstance(payload, list):
            return
        base = find_envelope(payload)
        self._more_at = read_quota(payload, base) or self._more_at
        yield from self._take_names(payload, base)
        shown = at(payload, base + 4, 0)
        if isinstance(shown, list):
            candidate = read_candidate(shown)
            if candidate.id and not candidate.text.startswith(CARD):
                self._text_at = candidate.id, base
            yield from self._take_candidate(candidate, grows=shorter is not None)
        if text_at(payload, base + 25):
            yield from self._confirm(CONTEXT_TOKEN)

    def _take_names(self, payload: list[Any], base: int) -> Iterator[Signal]:
        stated = id_on_wire(at(payload, base + 1, 0))
        if stated and (stated != self._id or not self._id_is_stated):
            self._id, self._id_is_stated = stated, True
            self._memory.saw(NAME, stated)
            yield ConversationNamed(stated)
        title = read_title(payload, base)
        if title and title != self._title and not is_generic(title):
            self._title = title
            yield TitleNamed(title, self._id)
        if self._title and self._id:
            self._memory.learn_title(NAME, self._id, self._title)
        label = at(payload, base + _MODEL_LABEL) if at(payload, base + _MODEL_KEY) else None
        model = model_name(label)
        if model and model != self._model:
            self._model = model
            yield ModelNamed(model)
        tool = text_at(payload, base + 6, 1, 0)
        if tool and tool != self._tool:
            yield ToolStepped(tool, message_id=self._answer_id)
        self._tool = tool

    def _take_candidate(self, candidate: Candidate, *, grows: bool) -> Iterator[Signal]:
        """`grows`: the candidate's text is only what was added to the text so far."""
        who = self._answer_id = candidate.id or self._answer_id
        was_complete = self._is_complete()
        if candidate.thoughts:
            grew, thought = self._thoughts.say(candidate.thoughts)
            if thought:
                yield ThoughtGrew(thought, who) if grew else ThoughtReplaced(thought, who)
        if grows:
            grew, text = True, candidate.text
            self._text.add(text)
        else:
            grew, text = self._text.say(candidate.shown_text)
        if text:
            yield TextGrew(text, who) if grew else TextReplaced(text, who)
        self._attachments = candidate.attachments or self._attachments
        self._sources = candidate.sources or self._sources
        self._whole = candidate.whole
        if self._is_complete() and not was_complete:
            if references := references_of(self._text.joined(), self._sources):
                yield Cited(references, who)
            yield TurnEnded(CANDIDATE_COMPLETE if self._text else MEDIA_COMPLETE, who)

    # -- what is said once --------------------------------------------------------------

    def _confirm(self, proof: str) -> Iterator[Signal]:
        if proof not in self._confirmed:
            self._confirmed.append(proof)
            yield TurnConfirmed(proof)

    def _refuse(self, refused: Refused) -> Refused:
        self._refused = refused
        return refused

    def _lose(self, size: int, what: str) -> Noted:
        self._lost += size
        return Noted(Problem(what, lossy=True))


def find_envelope(payload: list[Any]) -> int:
    """Where the envelope begins: null, ids, …, and a list of candidates four further on.

    At the beginning as a rule; a peer met payloads with something put before it.
    """
    for base in range(len(payload) - 4):
        if (
            payload[base] is None
            and id_on_wire(at(payload[base + 1], 0))
            and isinstance(payload[base + 4], list)
        ):
            return base
    return 0


def read_title(payload: Any, base: int = 0) -> str | None:
    """The title, where this payload brings one: field 11."""
    title = text_at(payload, base + 10, 0)
    if title is None and isinstance(held := at(payload, base + 2), dict):
        title = text_at(held, 10, 0)
    return title if title and title.strip() else None
