"""Bytes exactly once, whatever the order of chunks, buffer and stored body."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwire.browser.tap.body import Body

CHUNKS = st.lists(st.binary(max_size=8), max_size=8)


@given(CHUNKS, st.data())
def test_every_byte_is_told_once_wherever_the_buffer_comes(chunks, data):
    """The browser takes the subscription at one point of the stream; its reply may reach
    us at another, earlier or later."""
    taken = data.draw(st.integers(0, len(chunks)), label="taken")
    replied = data.draw(st.integers(0, len(chunks)), label="replied")
    buffer = b"".join(chunks[:taken])
    body, told = Body(), b""
    for number in range(len(chunks) + 1):
        if number == replied:
            told += body.buffered(buffer)
        if number < len(chunks):
            chunk = chunks[number]
            told += body.came(len(chunk), chunk if number >= taken else None)
    assert told == b"".join(chunks)
    assert (body.missing, body.size) == (0, len(told))


@given(CHUNKS, st.data())
def test_what_was_told_is_always_the_beginning_and_the_stored_body_the_rest(chunks, data):
    """Some chunks come without bytes, and buffers fall short, as when they were evicted."""
    whole = b"".join(chunks)
    body, told = Body(), b""
    for chunk in chunks:
        if data.draw(st.booleans(), label="buffer"):
            told += body.buffered(whole[: data.draw(st.integers(0, body.counted))])
        told += body.came(len(chunk), chunk if data.draw(st.booleans()) else None)
        if data.draw(st.booleans(), label="hold"):
            body.hold()
        assert whole.startswith(told)
    rest = body.stored(base64.b64encode(whole).decode(), True, "")
    assert rest is not None
    assert told + rest == whole
    assert body.missing == 0


def test_a_gap_is_not_told_over():
    body = Body()
    assert body.buffered(b"") == b""
    assert body.came(3, None) == b""
    assert body.came(3, b"def") == b""
    assert (body.size, body.missing) == (0, 6)
    assert body.buffered(b"abcdef") == b"abcdef"
    assert body.came(1, b"g") == b"g"


@pytest.mark.parametrize(
    "data, decoded, charset",
    [
        ("日本".encode(), "日本", "utf-8"),
        ("日本".encode(), "日本".encode().decode("latin-1").replace("\x97", "—"), ""),
        (b"\x80\x81\x8d\x9f\xff", "€\x81\x8dŸÿ", ""),
        (b"\xef\xbb\xbfmark", "mark", "utf-8"),
        ("日本".encode("euc-jp"), "日本", "euc-jp"),
        ("日本".encode("euc-jp"), "日本", "no such charset"),
    ],
    ids="utf8 western controls mark charset unknown".split(),
)
def test_text_is_encoded_back_into_what_came(data, decoded, charset):
    body = Body()
    body.came(len(data), None)
    told = body.stored(decoded, False, charset)
    assert told == (None if charset == "no such charset" else data)


@pytest.mark.parametrize("text, is_base64", [("\ufffdbroken", False), ("no*base64=", True)])
def test_a_stored_body_that_is_another_is_refused(text, is_base64):
    body = Body()
    body.came(7, None)
    assert body.stored(text, is_base64, "utf-8") is None
    assert body.size == 0


def test_a_stored_body_of_which_nothing_was_counted_is_taken():
    assert Body().stored("whole", False, "") == b"whole"
