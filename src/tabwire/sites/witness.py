"""A stored conversation as a witness of its newest answer."""

from tabwire.model.citations import Reference
from tabwire.model.conversation import Conversation, Role
from tabwire.model.signals import CanonicalRead


def as_witness(conversation: Conversation) -> CanonicalRead:
    """What the stored conversation says of the answer to its last question.

    Never the text of an older turn: a question still without an answer has none.
    """
    texts: list[str] = []
    references: list[Reference] = []
    media = False
    for turn in conversation.chain():
        if turn.role is Role.USER and not turn.hidden:
            texts, references, media = [], [], False
        elif turn.role in (Role.ASSISTANT, Role.TOOL):
            media = media or bool(turn.attachments)
            if turn.role is Role.ASSISTANT and turn.is_message and not turn.hidden:
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
    )
