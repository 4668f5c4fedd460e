"""A stored conversation as a witness of its newest answer."""

import pytest

from tabwire.model.conversation import Attachment, Conversation, Role, Standing, Turn
from tabwire.model.signals import CanonicalRead
from tabwire.sites.witness import as_witness

WHOLE = Standing(True, True, "terminal")
OPEN = Standing(False, False, "assistant-missing")
PICTURE = (Attachment("image", "sediment://1"),)


def user(text: str) -> Turn:
    return Turn(f"u-{text}", Role.USER, text)


def answer(text: str, **fields: object) -> Turn:
    return Turn(f"a-{text}", Role.ASSISTANT, text, **fields)  # type: ignore[arg-type]


CASES = [
    # id                          turns                                          text   media
    ("the newest answer", [user("Q"), answer("A"), user("R"), answer("B")], "B", False),
    ("no answer yet", [user("Q"), answer("A"), user("R")], "", False),
    ("the last of several", [user("Q"), answer("Let me see."), answer("A")], "A", False),
    ("an empty ending", [user("Q"), answer("A"), answer(" ")], "A", False),
    ("a tool's step", [user("Q"), answer("search()", is_message=False)], "", False),
    ("hidden", [user("Q"), answer("A"), answer("H", hidden=True)], "A", False),
    ("a picture alone", [user("Q"), answer("", attachments=PICTURE)], "", True),
    (
        "a picture by a tool",
        [user("Q"), Turn("t", Role.TOOL, attachments=PICTURE), answer("")],
        "",
        True,
    ),
    (
        "a picture of an older turn",
        [user("Q"), answer("", attachments=PICTURE), user("R"), answer("B")],
        "B",
        False,
    ),
]


@pytest.mark.parametrize("turns, text, media", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_only_the_answer_to_the_last_question_is_told(turns, text, media):
    shown = tuple(turn.id for turn in turns)
    found = Conversation("chatgpt", "id", WHOLE, turns=tuple(turns), visible=shown)
    asked = [turn.text for turn in turns if turn.role is Role.USER and not turn.hidden]
    question = asked[-1] if asked else None
    assert as_witness(found) == CanonicalRead(text, True, True, media=media, question=question)


def test_its_standing_is_the_conversations():
    assert as_witness(Conversation("grok", "id", OPEN)) == CanonicalRead("", False, False)
