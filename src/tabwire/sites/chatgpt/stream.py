"""chatgpt.com: the bytes of an answer to signals, as they arrive.

Theory of operation. `wire.delta` keeps one document per channel, each with one message.
A message is an answer, a thought, a tool's step or none of our business, by its author,
recipient, channel and content type. Text appended at the end of an answer is `TextGrew`
at once; any other change of content is read from the document and compared with what was
said before. The end of the turn is said by the answer itself (`finished_successfully` and
`end_turn`), never by `[DONE]`, by a marker or by a thought that finished.
"""

from collections.abc import Mapping
from typing import Any

from tabwire.model.conversation import Conversation, Standing, Turn
from tabwire.model.problems import Problem
from tabwire.model.signals import (
    Noted,
    PromptEchoed,
    Refused,
    Signal,
    StreamClosed,
    TextGrew,
    TextReplaced,
    ThoughtGrew,
    ThoughtReplaced,
    ToolStepped,
    TurnConfirmed,
)
from tabwire.sites.chatgpt import frames
from tabwire.sites.chatgpt.citing import Cites
from tabwire.sites.chatgpt.history import NAME, find_stored, read_stored
from tabwire.sites.chatgpt.messages import (
    read_attachments,
    read_text,
    read_thinking,
)
from tabwire.sites.chatgpt.names import Names
from tabwire.sites.chatgpt.parts import (
    Part,
    StreamMessage,
    difference,
    ending,
    sort_part,
    text_tail,
    thought_tail,
    tool_name,
)
from tabwire.sites.chatgpt.standing import ASSISTANT_IN_PROGRESS, FAILED, judge
from tabwire.sites.chatgpt.stream_messages import StreamMessages
from tabwire.sites.memory import Memory
from tabwire.sites.opening import Opening
from tabwire.sites.webpages import looks_like_html, read_web_page
from tabwire.sites.witness import as_witness, doubts
from tabwire.wire.delta import (
    Appended,
    Changed,
    DeltaDecoder,
    DeltaRecord,
    Done,
    Frame,
    Opened,
    Unannounced,
)
from tabwire.wire.document import Growing, plain
from tabwire.wire.records import Truncated, Unread
from tabwire.wire.text import NotJson, read_json

_HOLDER_KEYS = frozenset({"conversation_id", "error"})  # what stands beside a message


class ChatGptStream:
    """One answering response of ChatGPT: `StreamReader`."""

    def __init__(self, url: str | None, memory: Memory) -> None:
        self._memory = memory
        self._opening = Opening(b"<", b"{")
        self._decoder = DeltaDecoder()
        self._signals: list[Signal] = []  # what the call under way has found
        self._messages = StreamMessages()
        self._names = Names(url, memory)
        self._cites = Cites()
        self._answering: StreamMessage | None = None
        self._thinking: StreamMessage | None = None
        self._pictured = False
        self._done = False
        self._handed_off = False
        self._refused: Refused | None = None
        self._evidence: list[str] = []
        self._stored: Conversation | None = None
        self._unknown_types: set[str] = set()
        self._lost = 0
        self._unread = False  # something came that could not be read
        self._strays: set[str] = set()  # places outside of a message where text came

    def feed(self, chunk: bytes) -> list[Signal]:
        """Take the next bytes, cut anywhere."""
        self._decoder.feed_to(self._opening.feed(chunk), self._take)
        return self._found()

    def close(self) -> list[Signal]:
        """No more bytes will come."""
        if self._opening.held:
            self._read_head(self._opening.held)
        self._decoder.close_to(self._take)
        self._signals.extend(map(Noted, self._messages.problems(self._names.id)))
        return [*self._found(), StreamClosed(self._done, self._lost)]

    def _found(self) -> list[Signal]:
        self._signals += self._cites.news()
        signals, self._signals = self._signals, []
        return signals

    def conversation(self) -> Conversation | None:
        """What has been read so far. Of a stream that was handed off before it said anything,
        its id; None where neither an id nor a message came, or none that could be read."""
        if self._stored is not None:
            return self._stored
        names = self._names
        turns = tuple(self._messages.turns(names.id))
        if names.id is None and not any(turn.text or turn.thinking for turn in turns):
            return None
        if not turns and (self._unread or not names.is_stated):
            return None
        return Conversation(
            site=NAME,
            id=names.id,
            standing=self._standing(turns),
            title=self._memory.title(NAME, names.id, names.title),
            model=names.model,
            turns=turns,
            visible=tuple(turn.id for turn in turns),
            created_at=min((t.created_at for t in turns if t.created_at), default=None),
        )

    def _standing(self, turns: tuple[Turn, ...]) -> Standing:
        found = judge(turns)
        if found.complete:
            return Standing(True, True, found.reason, (*found.evidence, *self._evidence))
        if self._refused is not None:
            return FAILED
        return ASSISTANT_IN_PROGRESS if self._handed_off else found

    # -- what is not a stream at all --------------------------------------------------

    def _read_head(self, head: bytes) -> None:
        if looks_like_html(head):
            self._refuse(read_web_page(head))
            return
        try:
            body = read_json(head)
        except NotJson:
            self._lose("not an event stream", len(head))
            return
        refused = frames.read_error_body(body)
        if refused is not None:
            self._refuse(refused)
        else:
            self._take_frame(body)

    # -- records ------------------------------------------------------------------------

    def _append(self, record: Appended) -> None:
        known = self._messages.by_channel.get(record.channel)
        if known is None:
            self._open_at(record.channel, record.pointer)
            return
        if record.pointer == known.tail and (known is self._answering or known is self._thinking):
            known.said.add(record.text)
            kind = TextGrew if known.part is Part.ANSWER else ThoughtGrew
            self._signals.append(kind(record.text, known.told_id))
        else:
            self._change(known, record.pointer)

    def _take(self, record: DeltaRecord) -> None:
        if isinstance(record, Appended):
            self._append(record)
            return
        match record:
            case Changed(channel=channel, pointer=pointer):
                known = self._messages.by_channel.get(channel)
                if known is not None:
                    self._change(known, pointer)
                else:
                    self._open_at(channel, pointer)
            case Opened(channel=channel):
                self._open(channel)
            case Frame(value=value):
                self._take_frame(value)
            case Done():
                self._done = True
                self._signals.append(TurnConfirmed("[DONE]"))
            case Unannounced():
                self._signals.append(
                    Noted(Problem("deltas without an announced encoding, read as v1"))
                )
            case Unread(why=why, size=size):
                self._lose(f"unreadable record: {why}", size)
            case Truncated(lost=lost):
                self._lose(f"cut off inside a record: {lost} bytes unused", lost)

    def _open_at(self, channel: int, pointer: str) -> None:
        """Something came to a channel in which no message stands yet."""
        if pointer.startswith("/message"):
            self._open(channel)
        else:
            self._note_stray(pointer)

    def _open(self, channel: int) -> None:
        holder = self._decoder.documents[channel].root
        if not isinstance(holder, dict):
            return
        self._signals.extend(self._names.conversation(holder.get("conversation_id")))
        if holder.get("error"):
            self._refuse(frames.read_error(holder))
        known = self._begin(holder)
        if known is not None:
            self._messages.by_channel[channel] = known

    def _begin(self, holder: dict[str, Any]) -> StreamMessage | None:
        """A message stands in a new holder: perhaps a new one, perhaps one seen before."""
        known = self._messages.begin(holder)
        if known is None:
            return None
        self._cites.look(known)
        self._sort(known)
        self._say(known)
        self._check_end(known)
        return known

    def _change(self, known: StreamMessage, pointer: str) -> None:
        """Something changed inside a message: only what can matter is looked at."""
        self._cites.look(known, pointer)
        if pointer in ("/message", "/message/id"):
            self._messages.name(known)
        if pointer.startswith("/message/metadata/"):
            if "/finish_details" in pointer or pointer.endswith("model_slug"):
                self._signals.extend(self._names.answered_by(known.message))
                self._check_end(known)
            return
        if pointer.startswith("/message"):
            if not pointer.startswith(
                ("/message/content/", "/message/status", "/message/end_turn")
            ):
                self._sort(known)
            if pointer.startswith("/message/content") or pointer == "/message":
                self._say(known)
            self._check_end(known)
        elif pointer == "/conversation_id":
            self._signals.extend(self._names.conversation(known.holder.get("conversation_id")))
        elif pointer == "/error" and known.holder.get("error"):
            self._refuse(frames.read_error(known.holder))

    def _sort(self, known: StreamMessage) -> None:
        known.part = sort_part(known.message)
        if known.part in (Part.ANSWER, Part.THOUGHT, Part.TOOL):
            self._signals.extend(self._names.answered_by(known.message))

    def _say(self, known: StreamMessage) -> None:
        """Compare what the message holds now with what was said of it, and say the rest."""
        message = plain(known.message)
        content = message.get("content")
        before = known.said.text()
        match known.part:
            case Part.ANSWER:
                now = read_text(content) if isinstance(content, dict) else ""
                known.tail = text_tail(content)
                if now and known is not self._answering:
                    if self._answering is not None:  # the last message is the answer
                        self._signals.append(TextReplaced(now, known.told_id))
                        before = now
                    self._answering = known
                self._signals.extend(difference(before, now, known.told_id, TextGrew, TextReplaced))
            case Part.THOUGHT:
                now = read_thinking(message) or ""
                known.tail = thought_tail(content)
                if now and known is not self._thinking:
                    if self._thinking is not None:  # thoughts follow each other
                        self._signals.append(ThoughtGrew("\n\n", known.told_id))
                    self._thinking = known
                self._signals.extend(
                    difference(before, now, known.told_id, ThoughtGrew, ThoughtReplaced)
                )
            case Part.PROMPT:
                now = read_text(content) if isinstance(content, dict) else ""
                if now and now != before:
                    self._signals.append(PromptEchoed(now, known.told_id))
            case Part.TOOL:
                now = self._say_step(message, before, known.told_id)
            case Part.NONE:
                return
        known.said = Growing(now)

    def _say_step(self, message: Mapping[str, Any], before: str, told_id: str | None) -> str:
        content = message.get("content")
        if isinstance(content, dict) and read_attachments(content):
            self._pictured = True
        name = tool_name(message)
        text = read_text(content) if isinstance(content, dict) else ""
        now = f"{name}\n{text}"
        if now != before:
            self._signals.append(ToolStepped(name, text, told_id))
        return now

    def _check_end(self, known: StreamMessage) -> None:
        end = ending(known, self._pictured)
        if end is None:
            return
        known.over = True
        if isinstance(end, Refused):
            self._refuse(end)
        else:
            self._signals += [*self._cites.news(), end]

    # -- frames -------------------------------------------------------------------------

    def _take_frame(self, value: Any) -> None:
        stored = find_stored(value)
        if stored is not None:
            self._take_stored(stored)
            return
        if not isinstance(value, dict):
            self._signals.append(Noted(Problem("a frame that is not an object")))
            return
        kind = value.get("type")
        if isinstance(kind, str):
            self._take_typed(kind, value)
            return
        self._signals.extend(self._names.conversation(frames.find_conversation_id(value)))
        self._signals.extend(
            self._names.called(value.get("conversation_title") or value.get("title"))
        )
        if value.get("error"):
            self._refuse(frames.read_error(value))
        if isinstance(value.get("message"), dict):
            if (known := self._begin(value)) is not None:
                known.is_framed = True
        elif not value.get("error") and value.get("message") is not None:
            self._lose("a message that is not an object")

    def _take_typed(self, kind: str, value: dict[str, Any]) -> None:
        self._signals.extend(self._names.conversation(frames.find_conversation_id(value)))
        match kind:
            case "title_generation":
                self._signals.extend(self._names.called(value.get("title")))
            case "input_message":
                self._begin({"message": value.get("input_message")})
            case "server_ste_metadata":
                metadata = value.get("metadata")
                if self._names.model is None:
                    self._signals.extend(self._names.answered_by({"metadata": metadata}))
            case "message_stream_complete":
                self._evidence.append(kind)
                self._signals.append(TurnConfirmed(kind))
            case "stream_handoff":
                self._handed_off = True
                self._signals.extend(frames.read_handoff(value))
            case "moderation" | "url_moderation":
                refused = frames.read_moderation(value)
                if refused is not None:
                    self._refuse(refused)
            case _ if kind not in frames.IGNORED_TYPES and kind not in self._unknown_types:
                self._unknown_types.add(kind)
                self._signals.append(Noted(Problem(f"frame of unknown type {kind!r}")))

    def _take_stored(self, stored: Mapping[str, Any]) -> None:
        """A whole conversation in one frame wins outright."""
        found = read_stored(stored, self._memory)
        if not isinstance(found, Conversation):
            self._signals.extend(Noted(problem) for problem in found.problems)
            return
        self._stored = found
        self._signals.extend(map(Noted, doubts(found.turns)))
        self._signals.extend(self._names.conversation(found.id))
        self._signals.extend(self._names.called(found.title))
        self._signals.append(as_witness(found))

    def _note_stray(self, pointer: str) -> None:
        """Text where no message stands, told once for each place."""
        place = pointer.split("/")[1] if "/" in pointer else pointer
        if place not in self._strays and place not in _HOLDER_KEYS:
            self._strays.add(place)
            self._lose(f"text at {pointer!r}, where there is no message")

    def _lose(self, what: str, size: int = 0) -> None:
        self._lost += size
        self._unread = True
        self._signals.append(Noted(Problem(what, lossy=True)))

    def _refuse(self, refused: Refused) -> None:
        self._refused = refused
        self._signals.append(refused)
