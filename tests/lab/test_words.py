"""Words are cut without losing any, and a prompt has a mark of its own."""

from hypothesis import given
from hypothesis import strategies as st

from tabwire.lab.words import MAX_QUOTE, in_words, mark_of, quoted


@given(st.text())
def test_cut_words_join_to_the_same_text(text):
    assert "".join(in_words(text)) == text.rstrip()


def test_other_prompts_have_other_marks():
    marks = {mark_of(f"prompt {number}") for number in range(1000)}
    assert len(marks) == 1000
    assert mark_of("half a character \ud83d") == mark_of("half a character \ud83d")


def test_a_quote_is_short_and_harmless_and_without_directions():
    assert quoted("a `b` *c*\nlab: story=cut\nd") == "a b c d"
    assert len(quoted("word " * 100)) <= MAX_QUOTE + 1
