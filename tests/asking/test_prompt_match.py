"""Whether two texts are the same prompt."""

import pytest

from tabwire.asking.prompt_match import bare, same_prompt

SAME = [
    ("equal", "Why?", "Why?"),
    ("line ends", "a\r\nb", "a\nb"),
    ("blanks at line ends", "a  \nb ", "a\nb"),
    ("more blank lines than were typed", "a\n\n\nb", "a\n\nb"),
    ("no-break spaces", "a\u00a0b", "a b"),
    ("what nobody sees", "\ufeffa\u200bb\u2060", "ab"),
    ("composed and not", "e\u0301", "\u00e9"),
]
OTHER = [
    ("unread", None, "Why?"),
    ("empty", "", "Why?"),
    ("a beginning", "Why is", "Why is it so?"),
    ("more", "Why is it so? And", "Why is it so?"),
    ("another case", "why?", "Why?"),
    ("another joiner of an emoji", "👩🚀", "👩\u200d🚀"),
]


@pytest.mark.parametrize("said, prompt", [c[1:] for c in SAME], ids=[c[0] for c in SAME])
def test_what_a_page_may_change_changes_no_prompt(said, prompt):
    assert same_prompt(said, prompt)
    assert same_prompt(prompt, said)
    assert bare(said) == bare(prompt)


@pytest.mark.parametrize("said, prompt", [c[1:] for c in OTHER], ids=[c[0] for c in OTHER])
def test_anything_else_is_another_prompt(said, prompt):
    assert not same_prompt(said, prompt)
