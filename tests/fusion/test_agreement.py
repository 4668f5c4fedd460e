import pytest

from tabwire.fusion.agreement import (
    MAX_COMPARED_CHARS,
    Account,
    Conflict,
    Match,
    compare,
    compare_page,
    weigh,
)
from tabwire.model.signals import Source

S, E, D, U = Match.SAME, Match.EXTENDS, Match.DIFFERS, Match.UNSURE

STORED = [
    # id                              ours                 stored                 match
    ("equal", "a *b*", "a *b*", S),
    ("composed otherwise", "caf\u00e9", "cafe\u0301", S),
    ("line ends", "a\r\nb\rc", "a\nb\nc", S),
    ("blanks at line ends and around", "a  \nb\n", "\na\nb", S),
    ("blanks inside a line count", "a  b", "a b", D),
    ("indentation counts", "x:\n  y", "x:\ny", D),
    ("marks count", "**a**", "a", D),
    ("letter case counts", "A", "a", D),
    ("goes on", "It was", "It was Assur.", E),
    ("stops earlier", "It was Assur.", "It was", D),
    ("other", "yes", "no", D),
]

RENDERED = [
    # id                              ours                            on the page          match
    ("marks are gone", "**Assur** was `the` _capital_.", "Assur was the capital.", S),
    ("list marks are gone", "- one\n- two", "one\ntwo", S),
    ("full-width forms", "ＡＢＣ", "ABC", S),
    ("captions around code", "```python\nprint(1)\n```", "pythonCopy codeprint(1)", U),
    ("not all drawn yet", "one two three four", "one two", U),
    ("nothing drawn", "one", "", U),
    ("a formula redrawn", r"Then $\frac{alpha}{beta}$ holds for all of them.", "Then αβ holds "
     "for all of them.", U),
    ("another text", "It was Assur, on the Tigris.", "Bananas keep best when hung up.", D),
    ("another text, unspaced script", "答えはアッシュールです", "明日は雨が降るでしょう", D),
    ("another short text", "4", "7", D),
]  # fmt: skip


@pytest.mark.parametrize("ours, stored, match", [c[1:] for c in STORED], ids=[c[0] for c in STORED])
def test_the_stored_text_may_differ_only_in_what_storing_changes(ours, stored, match):
    assert compare(ours, stored) is match


@pytest.mark.parametrize(
    "ours, page, match", [c[1:] for c in RENDERED], ids=[c[0] for c in RENDERED]
)
def test_the_page_objects_only_to_plainly_another_text(ours, page, match):
    assert compare_page(ours, page) is match


def test_a_long_page_is_compared_by_both_ends():
    ours = "abcdefgh " * MAX_COMPARED_CHARS
    assert compare_page(ours, ours.replace(" ", "\n")) is Match.SAME


STREAM_SAYS, WINDOW = "ours", 0.9
STORE = Account(Source.CANONICAL, "stored")
PAGE = Account(Source.PAGE, "shown")

WEIGHED = [
    # id                                    held              match account after  outvoted  becomes
    ("first objection is asked about", None, D, STORE, 5.0, False, Conflict(STORE, 5.0)),
    ("a longer text is no better", None, E, STORE, 5.0, False, Conflict(STORE, 5.0)),
    ("the same again confirms", Conflict(STORE, 4.0), D, STORE, 5.0, False,
     Conflict(STORE, 4.0, True)),
    ("the same reading twice does not", Conflict(STORE, 4.5), D, STORE, 5.0, False,
     Conflict(STORE, 4.5)),
    ("agreement settles it", Conflict(STORE, 4.0, True), S, STORE, 5.0, False, None),
    ("the store overrules the page", Conflict(PAGE, 4.0, True), S, STORE, 5.0, False, None),
    ("the store is the page's re-read", Conflict(PAGE, 4.9), D, STORE, 5.0, False,
     Conflict(STORE, 4.9, True)),
    ("a page cannot overrule the store", Conflict(STORE, 4.0, True), S, PAGE, 5.0, False,
     Conflict(STORE, 4.0, True)),
    ("a page adds nothing to the store", Conflict(STORE, 4.0), D, PAGE, 5.0, False,
     Conflict(STORE, 4.0)),
    ("a page takes its own objection back", Conflict(PAGE, 4.0), S, PAGE, 5.0, False, None),
    ("an unsure page changes nothing", Conflict(PAGE, 4.0), U, PAGE, 5.0, False,
     Conflict(PAGE, 4.0)),
    ("an outvoted page is not heard", None, D, PAGE, 5.0, True, None),
    ("a page that keeps objecting", Conflict(PAGE, 4.0), D, PAGE, 5.0, False,
     Conflict(PAGE, 4.0, True)),
]  # fmt: skip


@pytest.mark.parametrize(
    "held, match, account, now, outvoted, becomes",
    [c[1:] for c in WEIGHED],
    ids=[c[0] for c in WEIGHED],
)
def test_one_re_read_and_then_both_texts_are_kept(held, match, account, now, outvoted, becomes):
    got = weigh(held, match, account, now=now, window_seconds=WINDOW, outvoted=outvoted)
    assert got == becomes
