"""One shape for what ChatGPT, Gemini and Grok remember of a chat.

A conversation keeps every branch; `visible` names the turns a person sees, oldest first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tabwire.model.citations import Reference


class Role(StrEnum):
    """Who speaks."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"
    UNKNOWN = "unknown"  # the site does not say: never taken for a whole answer


class TurnState(StrEnum):
    """How far a turn got."""

    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file or picture that belongs to a turn; `ref` is the site's own name for it."""

    kind: str
    ref: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One contribution. `text` is Markdown as the site sent it, never trimmed.

    `references` says what the private marks in it stand for, where the site has such marks.
    `is_message` is false for what a person does not read as a message: a tool call,
    a code run, a bare piece of reasoning, a note to the model.
    """

    id: str
    role: Role
    text: str = ""
    thinking: str | None = None
    attachments: tuple[Attachment, ...] = ()
    model: str | None = None
    created_at: float | None = None
    updated_at: float | None = None
    parent: str | None = None
    state: TurnState = TurnState.FINISHED
    ends_turn: bool = False
    hidden: bool = False
    is_message: bool = True
    references: tuple[Reference, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """What a reader sees: reasoning folded into the answer it led to."""

    role: Role
    text: str
    thinking: str | None = None
    references: tuple[Reference, ...] = ()  # what marks in the text stand for


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether the newest answer is over (`terminal`) and whole (`complete`), and why."""

    complete: bool
    terminal: bool
    reason: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """A chat with all its branches, as far as one or more bodies told it."""

    site: str
    id: str | None
    standing: Standing
    title: str | None = None
    model: str | None = None
    turns: tuple[Turn, ...] = ()
    visible: tuple[str, ...] = ()
    created_at: float | None = None
    updated_at: float | None = None

    def chain(self) -> Iterator[Turn]:
        """The visible turns, oldest first."""
        by_id = {turn.id: turn for turn in self.turns}
        return (by_id[turn_id] for turn_id in self.visible if turn_id in by_id)

    def shown(self) -> Iterator[Turn]:
        """Those of the visible turns that a person reads or sees as a message: no note of the
        system, no step of a tool but a picture it made, no bare reasoning, nothing hidden."""
        for turn in self.chain():
            if turn.hidden or turn.role is Role.SYSTEM:
                continue
            if turn.is_message if turn.role is not Role.TOOL else turn.attachments:
                yield turn

    def messages(self) -> tuple[Message, ...]:
        """The visible messages of person and assistant, and those that do not say whose they
        are; empty and hidden ones left out."""
        messages: list[Message] = []
        thoughts: list[str] = []
        for turn in self.chain():
            if turn.role is Role.USER:
                thoughts.clear()
            if turn.role in (Role.SYSTEM, Role.TOOL) or turn.hidden:
                continue
            if turn.thinking:
                thoughts.append(turn.thinking)
            if turn.is_message and turn.text.strip():
                thinking = "\n\n".join(thoughts) if turn.role is not Role.USER else ""
                said = Message(turn.role, turn.text, thinking or None, turn.references)
                messages.append(said)
                thoughts.clear()
        return tuple(messages)
