"""A text that is stated anew each time, compared with what was said of it before."""

import pytest

from tabwire.sites.gemini.said import Said, grown

CASES = [
    # id, before, now, what was added
    ("more", "ab", "abc", "c"),
    ("the same", "ab", "ab", ""),
    ("from nothing", "", "ab", "ab"),
    ("less", "ab", "a", None),
    ("other", "ab", "ba", None),
    ("half a character, then all of it", "a\ud83d", "a😄b", "\ude04b"),
    ("half a character, then another one", "a\ud83d", "a𝒳b", None),
    ("half a character, then none", "a\ud83d", "a", None),
    ("half a character, then a small one", "a\ud83d", "ab", None),
    ("only half a character", "\ud83d", "😄", "\ude04"),
    ("the second half first", "a\ude04", "a😄", None),
]


@pytest.mark.parametrize("before, now, added", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_growth_is_told_from_change(before, now, added):
    assert grown(before, now) == added


def test_what_was_said_is_kept_whole():
    said = Said()
    assert not said
    assert said.say("a\ud83d") == (True, "a\ud83d")
    said.add("\ude04")
    assert said.joined() == "a😄"
    assert said.say("") == (True, "")
    assert said.say("b") == (False, "b")
    assert (bool(said), said.joined()) == (True, "b")


def test_blanks_are_nothing_to_read():
    said = Said()
    said.say("words")
    assert said.say("\n") == (False, "\n")
    assert not said
