import pytest

from tabwire.fusion.draft import Draft, has_content

CASES = [
    # id                              (text, message id; "=" replaces)              current text
    ("pieces join", [("a", None), ("b", None)], "ab"),
    ("the newest message is the answer", [("pre", "m1"), ("ans", "m2"), ("wer", "m2")], "answer"),
    ("an id that comes late names the same text", [("a", None), ("b", "m1")], "ab"),
    ("text without an id continues the message", [("a", "m1"), ("b", None)], "ab"),
    ("an older message can grow again", [("a", "m1"), ("x", "m2"), ("b", "m1")], "ab"),
    ("replaced", [("a", "m1"), ("=new", "m1"), ("!", "m1")], "new!"),
    ("replaced by nothing", [("a", None), ("=", None)], ""),
    ("nothing", [], ""),
]


@pytest.mark.parametrize("steps, text", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_the_text_of_the_message_that_grew_last(steps, text):
    draft = Draft()
    for piece, message_id in steps:
        if piece.startswith("="):
            draft.replace(piece[1:], message_id)
        else:
            draft.grow(piece, message_id)
    assert draft.text() == text


def test_an_unknown_id_is_the_current_message_only_while_no_ids_are_known():
    nameless, named = Draft(), Draft()
    nameless.grow("a")
    named.grow("a", "m1")
    assert nameless.solid("m9")
    assert not named.solid("m9")


def test_the_version_counts_real_changes_only():
    draft = Draft()
    draft.grow("a")
    seen = draft.version()
    assert not draft.grow("")
    assert not draft.replace("a")
    assert draft.version() == seen
    assert draft.replace("b")
    assert draft.version() != seen


def test_a_flood_is_bounded_and_said():
    draft = Draft(limit=5)
    assert draft.grow("abc")
    assert not draft.grow("def")
    assert not draft.replace("abcdef")
    assert (draft.text(), draft.size, draft.overflowed) == ("abc", 3, True)


def test_replacing_frees_what_it_replaced():
    draft = Draft(limit=5)
    draft.grow("abcd")
    assert draft.replace("efghi")
    assert (draft.text(), draft.size, draft.overflowed) == ("efghi", 5, False)


def test_the_whole_joins_messages_with_a_blank_line():
    draft = Draft()
    draft.grow("first", "m1")
    draft.grow("second", "m2")
    assert draft.whole() == "first\n\nsecond"


@pytest.mark.parametrize("text", ["", " \n\t", "\u200b", "\ufeff \u2060"])
def test_what_nobody_can_see_is_no_content(text):
    draft = Draft()
    draft.grow(text)
    assert not has_content(text)
    assert not draft.solid()


@pytest.mark.parametrize("text", ["4", " .", "漢", "🙂"])
def test_one_sign_is_content(text):
    assert has_content(text)
