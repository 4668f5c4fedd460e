"""A page objects by whole sentences only: one made up, or one missing in the middle."""

import pytest

from tabwire.asking.recovery.objection import objects

FIRST = "The tide comes in twice a day and leaves twice a day."
SECOND = "What it leaves behind belongs to whoever walks there first."
THIRD = "Nobody has ever counted the shells that lie in one bay."
OTHER = "A paragraph of another make stands here in the place of it."

CASES = [
    # what is shown, of three sentences that came; whether it objects
    (f"{FIRST} {SECOND} {THIRD}", False),
    (f"{FIRST}\n{OTHER}\n{THIRD}", True),
    (f"{FIRST} {SECOND}", False),  # not all drawn yet
    ("", False),
    (f"{FIRST} Copy code. {SECOND} Sources. {THIRD}", False),  # captions
    (f"{FIRST} {SECOND} {THIRD} {OTHER}", True),  # one more
    (f"{FIRST} {THIRD}", True),  # one less, and not at its end
    (FIRST.upper() + SECOND + THIRD.replace(" ", "\u00a0"), False),
    (f"{FIRST} {SECOND} Nobody ever counted all shells that lie in a bay.", False),  # retouched
    (f"{FIRST} {SECOND} Too short.", False),
    (OTHER, True),
]


@pytest.mark.parametrize("shown, does", CASES)
def test_a_page_objects_where_it_says_something_else(shown, does):
    assert objects(f"{FIRST} {SECOND}\n\n{THIRD}", shown) is does


def test_what_is_no_prose_is_drawn_otherwise_and_does_not_count():
    formula = (
        "The norm is $\\lVert x \\rVert_{\\infty} = \\max_{i \\leq n} \\lvert x_i \\rvert$ of it"
    )
    drawn = "The norm is of it"
    assert not objects(f"{FIRST} {formula}. {SECOND}", f"{FIRST} {drawn}. {SECOND}")


def test_other_scripts_have_sentences_too():
    ours = "潮は一日に二度満ちて二度引いていくものであると昔から言われている。" * 2
    shown = "この段落はまったく別の言葉で書かれていて元の文とは何の関係もありません。"
    assert objects(ours, shown)
    assert not objects(ours, ours)
