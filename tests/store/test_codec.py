"""What goes in comes out equal, whatever a page sends."""

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.asked import answer, ask
from tabwire.model.ask import Answer, AskRequest, OtherText, Timings
from tabwire.store.codec import ESCAPE, MARK, escaped, from_json, to_json, unescaped

ODD = st.sampled_from(["\x00", ESCAPE, "\ud83d", "\ude00", "\ud800", "\udfff", "0041", "inf", '"'])
TEXT = st.lists(ODD | st.characters(), max_size=8).map("".join)
NUMBER = st.floats(allow_nan=False)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
MAYBE = st.none() | TEXT
REQUESTS = st.builds(
    AskRequest,
    site=TEXT,
    prompt=TEXT,
    model=MAYBE,
    files=st.lists(TEXT, max_size=2).map(tuple),
    conversation_id=MAYBE,
    url=MAYBE,
    temporary=st.booleans(),
    timeout_seconds=NUMBER,
    client_key=MAYBE,
)
ANSWERS = st.builds(
    Answer,
    id=TEXT,
    site=TEXT,
    prompt=TEXT,
    text=TEXT,
    thinking=MAYBE,
    evidence=st.lists(TEXT, max_size=2).map(tuple),
    others=st.lists(st.builds(OtherText, source=TEXT, text=TEXT), max_size=2).map(tuple),
    timings=st.builds(Timings, connect=st.none() | NUMBER, total=st.none() | NUMBER),
    debug=st.none() | st.dictionaries(TEXT, JSON, max_size=3),
)


@given(TEXT)
def test_any_text_comes_back_and_nothing_odd_is_written(text):
    written = escaped(text)
    assert unescaped(written) == text
    written.encode()  # raises on half a surrogate pair
    assert "\x00" not in written


@given(TEXT, TEXT)
def test_two_texts_are_written_the_same_only_if_they_are(one, other):
    assert (escaped(one) == escaped(other)) == (one == other)


@given(REQUESTS)
def test_a_request_reads_back_equal(request):
    assert from_json(to_json(request), AskRequest) == request


@given(ANSWERS)
def test_an_answer_reads_back_equal(kept):
    written = to_json(kept)
    assert from_json(written, Answer) == kept
    written.encode()
    assert "\x00" not in written


PLAIN = [
    ("ordinary", "A lamp is a promise."),
    ("escape", f"odd {ESCAPE}1a text"),
    ("NUL", "a\x00b"),
    ("emoji", "😀"),
    ("looks marked", MARK),
]


@pytest.mark.parametrize("text", [c[1] for c in PLAIN], ids=[c[0] for c in PLAIN])
def test_what_json_can_hold_is_written_as_json(text):
    """So that other programs can read nearly everything."""
    assert msgspec.json.decode(to_json(ask(text)))["prompt"] == text


def test_two_halves_of_a_pair_do_not_grow_together():
    """As JSON escapes they would: `\\ud83d\\ude00` is one character to every reader."""
    assert from_json(to_json(ask("\ud83d\ude00")), AskRequest).prompt == "\ud83d\ude00"


def test_a_number_that_is_none_comes_back():
    kept = from_json(to_json(answer("a", timings=Timings(total=math.nan))), Answer)
    assert math.isnan(kept.timings.total)


def test_an_answer_is_not_lost_for_what_json_cannot_hold():
    """`debug` may hold anything."""
    read = from_json(to_json(answer("a", debug={"x": {1, 2}, "y": (1,)})), Answer)
    assert (read.text, read.debug) == ("because", {"x": [1, 2], "y": [1]})
    for text in ("plain", "odd \ud800"):
        kept = from_json(to_json(answer("a", text, debug={"x": ask})), Answer)
        assert kept.text == text
        assert "function ask" in kept.debug["x"]


@pytest.mark.parametrize("text", ["", "{", "null", '{"site": 1}', MARK, MARK + '{"site": "x"}'])
def test_a_damaged_text_is_never_read(text):
    with pytest.raises(msgspec.MsgspecError):
        from_json(text, AskRequest)
