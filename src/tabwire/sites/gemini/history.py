"""gemini.google.com: stored bodies (batchexecute) to conversations and titles.

`hNvQHb` answers with the turns of one chat, newest first; `MaZiqc` with the list of chats
and their titles; other calls sometimes with a title for the chat the page shows. Every
other answer is none of our business, which is no problem.

    turn [0] ids   [2][0][0] question   [3][0] candidates   [3][3] id of the one shown
         [3][21] model's label   [4] time
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tabwire.model.conversation import Conversation, Role, Standing, Turn, TurnState
from tabwire.model.problems import Problem
from tabwire.model.signals import Refused
from tabwire.sites.gemini.candidate import RUNNING, Candidate, model_name, read_candidate
from tabwire.sites.gemini.cites import references_of
from tabwire.sites.gemini.envelope import Reply, read_chunk
from tabwire.sites.gemini.fields import at, list_at, text_at, time_at
from tabwire.sites.gemini.original import rewrap
from tabwire.sites.gemini.refusals import read_code, read_page
from tabwire.sites.gemini.requests import (
    LIST_CHATS,
    NAME,
    READ_CHAT,
    conversation_in_url,
    id_on_wire,
)
from tabwire.sites.memory import Memory
from tabwire.sites.site import Reading
from tabwire.sites.titles import is_generic
from tabwire.sites.webpages import looks_like_html
from tabwire.wire.framed import Chunk, Closed, FramedDecoder, FramedRecord, LengthLied
from tabwire.wire.records import Truncated, Unread
from tabwire.wire.text import NotJson, read_json


@dataclass(slots=True)
class _Found:
    """What was read so far of one body."""

    conversations: list[Conversation] = field(default_factory=list)
    titles: list[tuple[str, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    refusal: Refused | None = None
    records: int = 0
    closed: bool = False
    older_missing: bool = False

    def reading(self) -> Reading:
        """All of it."""
        return Reading(
            tuple(self.conversations),
            tuple(self.titles),
            tuple(self.problems),
            self.refusal,
            self.older_missing,
        )


def owns_body(body: Any) -> bool:
    """Whether a JSON value is a chunk of ours: our bodies are framed, but one may be bare."""
    return isinstance(body, list) and bool(read_chunk(body)[0])


def read_body(raw: bytes, url: str | None, memory: Memory) -> Reading:
    """What a batchexecute body says; titles are learnt for the bodies that follow."""
    if looks_like_html(raw[:1024]):
        return Reading(refusal=read_page(raw))
    if raw[:1] == b"{":
        return _read_original(raw, url, memory)
    found = _Found()
    decoder = FramedDecoder()
    for record in decoder.read(raw):
        _take(record, url, memory, found)
    for record in decoder.close():
        _take(record, url, memory, found)
    if not found.closed:
        found.problems.append(Problem("no closing frame: more may have followed"))
    return found.reading()


def _read_original(raw: bytes, url: str | None, memory: Memory) -> Reading:
    """An original that we wrote (original.py)."""
    found = _Found()
    try:
        replies = rewrap(read_json(raw))
    except NotJson as exc:
        return Reading(problems=(Problem(str(exc), lossy=True),))
    if replies is None:
        return Reading(problems=(Problem("it contains no Gemini conversation", lossy=True),))
    for reply in replies:
        _take_reply(reply, url, memory, found)
    return found.reading()


def _take(record: FramedRecord, url: str | None, memory: Memory, found: _Found) -> None:
    match record:
        case Chunk(raw=raw):
            try:
                replies, records = read_chunk(read_json(raw))
            except NotJson as exc:
                found.problems.append(Problem(f"unreadable chunk: {exc}", lossy=True))
                return
            found.records += records
            for reply in replies:
                _take_reply(reply, url, memory, found)
        case Closed(records=records, declared_bytes=declared, seen_bytes=seen):
            found.closed = True
            if declared != seen:
                what = f"the closing frame counts {declared} bytes, but {seen} arrived"
                found.problems.append(Problem(what, lossy=records != found.records))
        case LengthLied(declared=declared, found=units):
            what = f"a length line says {declared} for a chunk of {units}"
            found.problems.append(Problem(what))
        case Unread(why=why):
            found.problems.append(Problem(f"unreadable line: {why}", lossy=True))
        case Truncated(lost=lost):
            what = f"cut off inside a chunk: {lost} bytes unused"
            found.problems.append(Problem(what, lossy=True))


def _take_reply(reply: Reply, url: str | None, memory: Memory, found: _Found) -> None:
    if reply.code is not None:
        found.refusal = read_code(reply.code)
    if reply.payload is None:
        return
    try:
        payload = read_json(reply.payload)
    except NotJson as exc:
        what = f"unreadable payload of {reply.call or 'a call'}: {exc}"
        found.problems.append(Problem(what, lossy=True))
        return
    listed = reply.call == LIST_CHATS
    for chat, title in _read_list(payload) if listed else _read_title(payload, url):
        memory.learn_title(NAME, chat, title)
        found.titles.append((chat, title))
    if reply.call == READ_CHAT:
        conversation = read_chat(payload, url, memory)
        if conversation is not None:
            found.conversations.append(conversation)
        if text_at(payload, 1):
            found.older_missing = True
            found.problems.append(Problem("older turns of this conversation are not included"))


def _read_list(payload: Any) -> Iterator[tuple[str, str]]:
    for row in list_at(payload, 2):
        chat, title = id_on_wire(at(row, 0)), text_at(row, 1)
        if chat and title and not is_generic(title):
            yield chat, title


def _read_title(payload: Any, url: str | None) -> Iterator[tuple[str, str]]:
    """`{"11":["…"]}` names the chat whose page asked."""
    title = text_at(payload, 10, 0) if isinstance(payload, dict) else None
    chat = conversation_in_url(url or "")
    if chat and title and not is_generic(title):
        yield chat, title


@dataclass(frozen=True, slots=True)
class _Exchange:
    """A question and its answers, one of them shown."""

    question: Turn
    answers: tuple[Turn, ...]
    shown: Turn | None
    candidate: Candidate | None  # the one shown
    chat: str | None


def read_chat(payload: Any, url: str | None, memory: Memory) -> Conversation | None:
    """All turns of a stored chat; None where the payload holds no turn."""
    nodes = [node for node in list_at(payload, 0) if isinstance(node, list)]
    exchanges: list[_Exchange] = []
    names = _Names()
    parent: str | None = None
    for number, node in enumerate(reversed(nodes), start=1):
        exchange = _read_exchange(node, names, parent, newest=number == len(nodes))
        exchanges.append(exchange)
        parent = (exchange.shown or exchange.question).id
    if not any(one.question.text or one.answers for one in exchanges):
        return None
    newest = exchanges[-1]
    chat = next((one.chat for one in exchanges if one.chat), None)
    chat = chat or conversation_in_url(url or "")
    if chat:
        memory.saw(NAME, chat)
    visible = [turn for one in exchanges for turn in (one.question, one.shown) if turn is not None]
    models = [turn.model for turn in visible if turn.model]
    times = [turn.created_at for turn in visible if turn.created_at is not None]
    return Conversation(
        site=NAME,
        id=chat,
        standing=_judge(newest.candidate),
        title=memory.title(NAME, chat, None),
        model=models[-1] if models else None,
        turns=tuple(turn for one in exchanges for turn in (one.question, *one.answers)),
        visible=tuple(turn.id for turn in visible),
        created_at=None if text_at(payload, 1) else min(times, default=None),
        updated_at=max(times, default=None),
    )


class _Names:
    """Ids for turns, each only once: a body that states one twice must not lose a turn."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def take(self, wanted: str) -> str:
        name = wanted
        while name in self._taken:
            self._taken[wanted] += 1
            name = f"{wanted}#{self._taken[wanted]}"
        self._taken[name] = 1
        return name


def _read_exchange(
    node: list[Any], names: _Names, parent: str | None, *, newest: bool
) -> _Exchange:
    response = text_at(node, 0, 1) or "turn"
    time = time_at(node, 4)
    question = Turn(
        id=names.take(f"{response}/question"),
        role=Role.USER,
        text=text_at(node, 2, 0, 0) or "",
        created_at=time,
        parent=parent,
    )
    model = model_name(at(node, 3, 21))
    candidates = [read_candidate(one) for one in list_at(node, 3, 0) if isinstance(one, list)]
    chosen = text_at(node, 3, 3)
    shown = next(
        (place for place, one in enumerate(candidates) if one.id is not None and one.id == chosen),
        0,
    )
    answers = tuple(
        Turn(
            id=names.take(one.id or f"{response}/answer"),
            role=Role.ASSISTANT,
            text=one.shown_text,
            thinking=one.thoughts,
            attachments=one.attachments,
            model=model,
            created_at=time,
            parent=question.id,
            state=_state(one, newest=newest),
            ends_turn=one.whole,
            is_message=bool(one.shown_text or one.attachments) or not one.thoughts,
            references=references_of(one.shown_text, one.sources),
        )
        for one in candidates
    )
    return _Exchange(
        question,
        answers,
        answers[shown] if answers else None,
        candidates[shown] if candidates else None,
        id_on_wire(at(node, 0, 0)),
    )


def _state(candidate: Candidate, *, newest: bool) -> TurnState:
    if candidate.whole:
        return TurnState.FINISHED
    return TurnState.RUNNING if newest else TurnState.STOPPED  # the person went on without it


def _judge(candidate: Candidate | None) -> Standing:
    """Whether the newest answer is whole: its own word for it, and something to read."""
    if candidate is None:
        return Standing(False, False, "answer missing")
    if candidate.whole:
        if candidate.shown_text.strip():
            return Standing(True, True, "candidate_complete", ("candidate_complete",))
        if candidate.attachments:
            return Standing(True, True, "media_complete", ("media_complete",))
        return Standing(False, True, "whole but empty")
    if candidate.state in (None, RUNNING):
        return Standing(False, False, "answer in progress")
    return Standing(False, False, f"candidate state {candidate.state}")
