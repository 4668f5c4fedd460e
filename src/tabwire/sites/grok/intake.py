"""One JSON record of grok.com or of Grok on x.com: into the chat, and out as signals.

Streams give many records, a stored body is one; both come through `take`, so that all
that is ever learned of a conversation meets in one Chat.

Theory of operation. A record is `{"result": {…}}` or the bare object. In it stand, side
by side, a `conversation`, a `title`, and a frame: under `response` for a first turn,
directly under `result` for follow-up turns. On x.com the frame is a piece of the message.
The conversation's id may come late or never: until then the pieces stay in a Chat of our
own. An id is taken from the record, else from the URL; only where neither can name it do
we take the conversation read last, and only if nothing speaks against it (`settle`).
"""

from typing import Any

from tabwire.model.conversation import Conversation
from tabwire.model.problems import Problem
from tabwire.model.signals import ConversationNamed, Noted, Signal, TitleNamed
from tabwire.sites.grok.chat import NAME, Chat
from tabwire.sites.grok.fields import dict_at, text_at
from tabwire.sites.grok.frames import FrameReader
from tabwire.sites.grok.refusals import refusal_in
from tabwire.sites.grok.requests import conversation_in_url, response_in_url
from tabwire.sites.grok.shapes import token_frame
from tabwire.sites.memory import Memory
from tabwire.sites.titles import is_generic

MAX_SHAPES = 8  # unknown record shapes told per body: enough to see what is new


class Intake:
    """Takes the records of one body or stream and keeps what they say."""

    def __init__(self, url: str | None, memory: Memory) -> None:
        self._memory = memory
        self._url_id = conversation_in_url(url) if url else None
        self._asked_response = response_in_url(url)
        self._id: str | None = None
        self._frames = FrameReader(Chat())
        self._shapes: set[str] = set()
        self._told_other_id = False

    @property
    def ended(self) -> bool:
        """Whether a mark of the end was seen."""
        return self._frames.ended

    def take(self, record: Any) -> list[Signal]:
        """What this record says."""
        if not isinstance(record, dict):
            return [Noted(Problem("a record that is not a JSON object", lossy=True))]
        if self._id is not None and (token := token_frame(record)) is not None:
            return self._frames.take_token(token)  # nearly all records of an answer
        if refused := refusal_in(record):
            self._frames.fail()
            return [refused]
        signals: list[Signal] = []
        holder = dict_at(record, "result") or record
        frame = dict_at(holder, "response") or holder
        about = dict_at(holder, "conversation") or dict_at(frame, "conversation")
        stated = text_at(about, "conversationId") or text_at(holder, "conversationId")
        self._name(stated or text_at(record, "conversationId"), signals)
        known = bool(about or stated)
        if about:
            self.chat.describe(about)
            self._learn_title(text_at(about, "title"), signals)
        if title := text_at(dict_at(holder, "title"), "newTitle"):
            self._learn_title(title, signals)
            known = True
        if "responseNodes" in holder or "inflightResponses" in holder:
            self.chat.link(holder)
            known = True
        if "responses" in holder:
            self._frames.ended = self.chat.load(holder) or self._frames.ended
            known = True
        known = self._frames.take(frame, signals) or known
        if not known:
            self._note_shape(record, signals)
        return signals

    def flush(self) -> list[Signal]:
        """The end of the stream: what was held back."""
        return self._frames.flush()

    def settle(self) -> list[Signal]:
        """No record will name the conversation any more: may it be the one read last?"""
        if self._id is not None or not self.chat.responses:
            return []
        newest = self._memory.newest(NAME)
        if newest is None:
            return [Noted(Problem("these responses do not name their conversation"))]
        kept: Chat = self._memory.parts(NAME, newest, Chat())
        mentioned = self.chat.mentioned() | {self._asked_response or ""}
        if not kept.is_bare and not kept.knows_any(mentioned):
            what = "these responses do not name their conversation and do not fit the last one"
            return [Noted(Problem(what))]
        self._home(newest, kept)
        return [Noted(Problem("no conversation is named here: the previous one is assumed"))]

    def conversation(self) -> Conversation | None:
        """What is known so far, this body's records and earlier ones together."""
        title = self._memory.title(NAME, self._id, self.chat.title)
        return self.chat.conversation(self._id, title)

    @property
    def chat(self) -> Chat:
        """Where the pieces go: our own until the conversation is named."""
        return self._frames.chat

    def _name(self, stated: str, signals: list[Signal]) -> None:
        found = stated or (self._url_id if self._id is None else None)
        if not found or found == self._id:
            return
        if self._id is None:
            self._memory.saw(NAME, found)
            self._home(found, self._memory.parts(NAME, found, self.chat))
            signals.append(ConversationNamed(found))
        elif not self._told_other_id:
            self._told_other_id = True
            signals.append(Noted(Problem(f"a record names another conversation, {found}")))

    def _home(self, conversation_id: str, kept: Chat) -> None:
        self._id = conversation_id
        if self.chat.title:
            self._memory.learn_title(NAME, conversation_id, self.chat.title)
        if kept is not self.chat:
            kept.absorb(self.chat)
            self._frames.chat = kept

    def _learn_title(self, title: str, signals: list[Signal]) -> None:
        if is_generic(title):
            return
        self.chat.title = title
        if self._id is not None:
            self._memory.learn_title(NAME, self._id, title)
        signals.append(TitleNamed(title, self._id))

    def _note_shape(self, record: dict[str, Any], signals: list[Signal]) -> None:
        shape = ", ".join(sorted(map(str, record))[:6])
        if shape not in self._shapes and len(self._shapes) < MAX_SHAPES:
            self._shapes.add(shape)
            signals.append(Noted(Problem(f"a record of unknown shape ({shape})")))
