"""One JSON value per line, whatever the cut."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cuts import every_cut
from tabwire.wire.ndjson import JsonLine, NdjsonDecoder
from tabwire.wire.records import Truncated, Unread
from wire.streams import cuts, read

HIGH = "\ud83d"
UNREAD = "unread"


def tell(records):
    """Values as they are, `Unread` by its bytes alone: the reason is for people."""
    return [
        record.value if isinstance(record, JsonLine)
        else (UNREAD, record.raw, record.size) if isinstance(record, Unread)
        else record
        for record in records
    ]  # fmt: skip


LINES = [
    # id                     bytes                                records
    ("nothing", b"", []),
    ("two objects", b'{"a":1}\n{"b":2}\n', [{"a": 1}, {"b": 2}]),
    ("crlf", b'{"a":1}\r\n{"b":2}\r\n', [{"a": 1}, {"b": 2}]),
    ("blank lines", b'\n\r\n  \n{"a":1}\n\t\n\n', [{"a": 1}]),
    ("any value", b'1\n"x"\n[]\n{}\n', [1, "x", [], {}]),
    ("values that are false", b'null\nfalse\n0\n""\n', [None, False, 0, ""]),
    ("no newline at the end", b'{"a":1}\n{"b":2}', [{"a": 1}, {"b": 2}]),
    ("a cr at the end", b'{"a":1}\r', [{"a": 1}]),
    ("null without a newline", b"null", [None]),
    ("blanks at the end", b'{"a":1}\n  ', [{"a": 1}]),
    ("cut inside the last", b'{"a":1}\n{"b":', [{"a": 1}, Truncated(5)]),
    ("cut inside a character", '{"a":1}\n"日'.encode()[:-1], [{"a": 1}, Truncated(3)]),
    ("cut inside a word", b"1\ntru", [1, Truncated(3)]),
    ("CJK and emoji", '"日本"\n"😀"\n'.encode(), ["日本", "😀"]),
    ("half a character", b'"\\ud83d"\n"\\ude00"\n', [HIGH, "\ude00"]),
    ("a line invalid JSON", b'1\noops\n2\n', [1, (UNREAD, b"oops", 4), 2]),
    ("HTML in between", b"1\n<p>no</p>\n2\n", [1, (UNREAD, b"<p>no</p>", 9), 2]),
    ("two values on a line", b"1 2\n3\n", [(UNREAD, b"1 2", 3), 3]),
    ("NaN", b'{"a":NaN}\n1\n', [(UNREAD, b'{"a":NaN}', 9), 1]),
    ("bytes that are no UTF-8", b'"\xff"\n\xff\n1\n', ["�", (UNREAD, b"\xff", 1), 1]),
    ("the last of two equal keys", b'{"a":1,"a":2}\n', [{"a": 2}]),
    ("a lone cr is no line end", b"[1,\r2]\n", [[1, 2]]),
    ("NUL bytes", b"\0\0\n1\n", [(UNREAD, b"\0\0", 2), 1]),
]  # fmt: skip


@pytest.mark.parametrize("wire, records", [c[1:] for c in LINES], ids=[c[0] for c in LINES])
def test_same_values_however_the_bytes_are_cut(wire, records):
    for chunks in every_cut(wire):
        assert tell(read(NdjsonDecoder(), chunks)) == records, chunks


def test_a_depth_bomb_is_unread_and_what_follows_is_read():
    bomb = b"[" * 100_000
    unread, value = NdjsonDecoder().feed(bomb + b"\n1\n")
    assert unread.size == len(bomb)
    assert len(unread.raw) < 10_000
    assert value == JsonLine(1)


def test_a_bom_does_not_cost_the_first_line():
    """Files saved by hand begin with one; a browser never shows it."""
    assert read(NdjsonDecoder(), [b"\xef\xbb\xbf1\n2\n"]) == [JsonLine(1), JsonLine(2)]


PIECES = [
    *(b"\n", b"\n", b"\r\n", b"\r", b" ", b"{}", b'{"a":[1]}', b"null", b"1", b'"', b"[", b"}"),
    *('"日本"'.encode(), '"😀"'.encode(), b"\xf0\x9f", b'"\\ud83d"', b"\xff"),
]


@given(st.data(), st.lists(st.sampled_from(PIECES), min_size=6, max_size=30).map(b"".join))
def test_random_cuts_give_the_same_values(data, wire):
    assert read(NdjsonDecoder(), data.draw(cuts(wire))) == read(NdjsonDecoder(), [wire])


@given(st.lists(st.lists(st.text(st.characters(codec="utf-8")) | st.integers()), min_size=1))
def test_what_was_written_is_read_back(values):
    wire = b"".join(json.dumps(value, ensure_ascii=False).encode() + b"\n" for value in values)
    assert NdjsonDecoder().feed(wire) == [JsonLine(value) for value in values]


def test_a_93_kb_line_in_one_byte_chunks_is_one_value():
    """The longest real line seen. Quadratic work would run into the test's time limit."""
    text = "0123456789" * 9300
    wire = json.dumps(text).encode() + b"\n"
    assert read(NdjsonDecoder(), [bytes([byte]) for byte in wire]) == [JsonLine(text)]
