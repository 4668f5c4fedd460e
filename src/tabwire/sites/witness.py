"""A conversation as a witness of its newest answer, and what of it is in doubt."""

from collections.abc import Iterable

from tabwire.model.citations import Reference
from tabwire.model.conversation import Conversation, Role, Turn
from tabwire.model.problems import Problem
from tabwire.model.signals import CanonicalRead

NO_AUTHOR = Problem("a message does not name its author: it is not used as a complete answer")


def doubts(turns: Iterable[Turn]) -> tuple[Problem, ...]:
    """What of these turns cannot be told for sure."""
    unsigned = any(turn.role is Role.UNKNOWN and turn.text.strip() for turn in turns)
    return (NO_AUTHOR,) if unsigned else ()


def stored_thinking(conversation: Conversation) -> str | None:
    """The reasoning that led to the newest answer, as the stored conversation has it."""
    thoughts: list[str] = []
    for turn in conversation.chain():
        if turn.role is Role.USER and not turn.hidden:
            thoughts = []
        elif turn.role in (Role.ASSISTANT, Role.UNKNOWN) and turn.thinking and not turn.hidden:
            thoughts.append(turn.thinking)
    return "\n\n".join(thoughts) or None


def as_witness(conversation: Conversation) -> CanonicalRead:
    """What the stored conversation says of the answer to its last question.

    Never the text of an older turn: a question still without an answer has none.
    """
    texts: list[str] = []
    references: list[Reference] = []
    media = False
    question: str | None = None
    for turn in conversation.chain():
        if turn.role is Role.USER and not turn.hidden:
            texts, references, media = [], [], False
            question = turn.text
        elif turn.role is not Role.SYSTEM:
            media = media or bool(turn.attachments)
            if turn.role is not Role.TOOL and turn.is_message and not turn.hidden:
                texts.append(turn.text)
                references.extend(turn.references)
    text = next((text for text in reversed(texts) if text.strip()), "")
    standing = conversation.standing
    return CanonicalRead(
        text,
        standing.terminal,
        standing.complete,
        media=media,
        references=tuple(references),
        question=question,
    )
