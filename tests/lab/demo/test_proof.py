"""What the demo calls true is what the lab received and said, and nothing else is."""

from dataclasses import replace

import pytest

from tabwire.lab.demo.columns import Column
from tabwire.lab.demo.keepsake import Tile
from tabwire.lab.demo.play import differences, proven
from tabwire.lab.ledger import Deed, Entry, Ledger
from tabwire.lab.plan import plan_for
from tabwire.lab.room import Chat, Exchange, Part, Room, Said
from tabwire.lab.serve import Lab
from tabwire.model.ask import Answer, Completeness
from tabwire.model.ask_errors import SiteBusy

PROMPT, TEXT, THOUGHTS = "Why?", "Because.\nOf that.", ("Hm. ", "So.")
ANSWER = Answer(
    "a1", "grok", PROMPT, TEXT, Completeness.COMPLETE, "end", "c1", thinking="Hm.\n\nSo."
)


def lab_that_said(text: str = TEXT, prompt: str = PROMPT) -> Lab:
    """A lab that was asked once at Grok, in the conversation c1."""
    room = Room(Ledger())
    told = [*(Said(Part.THOUGHT, one) for one in THOUGHTS), Said(Part.TEXT, text)]
    exchange = Exchange(prompt, plan_for(prompt), told=told)
    room.conversations["grok"]["c1"] = Chat("c1", exchanges=[exchange])
    room.ledger.record("grok", "c1", prompt)
    return Lab(1, "", (), room)


def test_what_the_lab_said_is_no_difference():
    assert differences(Column("grok", text=TEXT), ANSWER, lab_that_said(), PROMPT) == []


WRONG = [
    # id, what came back, what was shown as it came, what is said of it
    ("no answer", SiteBusy("grok", 3.0), TEXT, "no answer: Grok is still writing"),
    ("partial", replace(ANSWER, completeness=Completeness.PARTIAL), TEXT, "is partial"),
    ("other text", replace(ANSWER, text="Because."), "Because.", "NOT the text the lab sent"),
    ("shown otherwise", ANSWER, "Because.", "shown as it came is NOT"),
    ("no thoughts", replace(ANSWER, thinking=None), TEXT, "thinking is NOT"),
    ("another chat", replace(ANSWER, conversation_id="c2"), TEXT, "not just ours"),
]


@pytest.mark.parametrize("result, shown, words", [c[1:] for c in WRONG], ids=[c[0] for c in WRONG])
def test_everything_else_is(result, shown, words):
    (found,) = differences(Column("grok", text=shown), result, lab_that_said(), PROMPT)
    assert words in found


def test_a_prompt_that_was_sent_twice_is_a_difference():
    lab = lab_that_said()
    lab.ledger.record("grok", "c1", PROMPT)
    (found,) = differences(Column("grok", text=TEXT), ANSWER, lab, PROMPT)
    assert "2 prompts" in found


def test_a_prompt_that_was_refused_did_not_arrive():
    lab = lab_that_said()
    lab.ledger.record("grok", "c1", PROMPT, refused="limit")
    assert differences(Column("grok", text=TEXT), ANSWER, lab, PROMPT) == []


def test_an_answer_to_another_question_is_a_difference():
    found = differences(Column("grok", text=TEXT), ANSWER, lab_that_said(prompt="How?"), PROMPT)
    assert any("NOT the text" in one for one in found)
    assert any("not just ours" in one for one in found)


GOOD, BAD = Tile(Column("a"), b""), Tile(Column("b"), b"", ("no answer",))
ENTRY = Entry("a", "c", "Why?", 0.0, Deed.PROMPT)

ENDS = [
    # id, tiles, what the lab received, proven
    ("all true", [GOOD, GOOD], [ENTRY] * 2, True),
    ("one is not", [GOOD, BAD], [ENTRY] * 2, False),
    ("one too many", [GOOD], [ENTRY] * 2, False),
    ("one too few", [GOOD, GOOD], [ENTRY], False),
    ("nothing was asked", [], [], False),
]


@pytest.mark.parametrize("tiles, received, so", [c[1:] for c in ENDS], ids=[c[0] for c in ENDS])
def test_it_is_proven_only_where_every_site_is_and_nothing_else_was_received(tiles, received, so):
    assert proven(tiles, received) is so
