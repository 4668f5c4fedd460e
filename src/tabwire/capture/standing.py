"""How a question that left a page stands, in the words of a person. Functions, no memory."""

from tabwire.fusion.machine import Machine
from tabwire.fusion.verdict import Judgement


def asks_in(question: Machine | None) -> str | None:
    """The conversation in which it is still unanswered."""
    if question is None or question.over or question.judgement is not Judgement.OPEN:
        return None
    return question.conversation_id


def nothing_came(question: Machine | None) -> bool:
    """Whether it was refused, and left nothing behind: the conversation is what it was."""
    if question is None or question.judgement is not Judgement.REFUSED:
        return False
    return not question.findings.has_text()
