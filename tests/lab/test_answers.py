"""Every kind of answer is made from its prompt."""

import pytest

from tabwire.lab.answers import GIGANTIC_PIECES, KINDS
from tabwire.lab.words import mark_of


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_an_answer_has_no_blank_ends_and_is_the_same_for_the_same_prompt(kind):
    pieces = KINDS[kind]("Why?")
    text = "".join(pieces)
    assert text == text.strip()
    assert all(pieces)
    assert pieces == KINDS[kind]("Why?")


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"one"}))
def test_another_prompt_gets_another_answer(kind):
    one, other = ("".join(KINDS[kind](prompt)) for prompt in ("This one?", "That one?"))
    assert one != other


def test_one_is_one_character():
    assert {len("".join(KINDS["one"](f"p{n}"))) for n in range(20)} == {1}


def test_gigantic_is_five_megabytes_in_twenty_thousand_pieces():
    pieces = KINDS["gigantic"]("Tell me all")
    assert len(pieces) == GIGANTIC_PIECES
    assert len("".join(pieces).encode()) > 5_000_000
    assert mark_of("Tell me all") in pieces[0]


def test_odd_holds_what_terminals_and_databases_choke_on():
    text = "".join(KINDS["odd"]("x"))
    for odd in ("\x00", "\x1b[31m", "\u202e", "\u2028", "\ue200", "שלום", "x" * 20_000):
        assert odd in text


def test_an_echo_repeats_the_whole_prompt():
    assert "".join(KINDS["echo"]("Two\nlines")).startswith("Two\nlines\n\n")


def test_rich_has_a_fence_in_a_fence_a_table_maths_and_other_scripts():
    text = "".join(KINDS["rich"]("x"))
    for part in (
        "````markdown",
        "|:---|---:|:---:|",
        "$$\\int",
        "> > ",
        "- [x]",
        "العربية",
        "한국어",
    ):
        assert part in text
