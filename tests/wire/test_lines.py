"""Bytes to lines, whatever the cut; and the bounded buffer under every decoder."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cuts import every_cut
from tabwire.wire.held import Held
from tabwire.wire.lines import LineSplitter, NewlineUnifier
from tabwire.wire.records import MAX_UNREAD, Unread
from wire.streams import cuts

LINES = [
    # id                   bytes                lines                      unfinished line, its size
    ("nothing", b"", [], ([], 0)),
    ("one line", b"a\n", [b"a"], ([], 0)),
    ("two lines", b"a\nbc\n", [b"a", b"bc"], ([], 0)),
    ("empty lines", b"\n\n\n", [b"", b"", b""], ([], 0)),
    ("crlf", b"a\r\nb\r\n", [b"a", b"b"], ([], 0)),
    ("empty crlf lines", b"\r\n\r\n", [b"", b""], ([], 0)),
    ("lf and crlf", b"a\nb\r\nc\n", [b"a", b"b", b"c"], ([], 0)),
    ("a lone cr ends no line", b"a\rb\n", [b"a\rb"], ([], 0)),
    ("two crs lose one", b"a\r\r\n", [b"a\r"], ([], 0)),
    ("no newline at the end", b"a\nbc", [b"a"], ([b"bc"], 2)),
    ("a cr at the end", b"a\nb\r", [b"a"], ([b"b"], 2)),
    (
        "CJK and emoji",
        "日本\n😀\n語".encode(),
        ["日本".encode(), "😀".encode()],
        (["語".encode()], 3),
    ),
    ("no UTF-8 at all", b"\xff\xfe\n\x00\n", [b"\xff\xfe", b"\x00"], ([], 0)),
    ("other separators stay", b"a\x0bb\x85\xe2\x80\xa8c\n", [b"a\x0bb\x85\xe2\x80\xa8c"], ([], 0)),
]


@pytest.mark.parametrize("wire, lines, left", [c[1:] for c in LINES], ids=[c[0] for c in LINES])
def test_same_lines_however_the_bytes_are_cut(wire, lines, left):
    for chunks in every_cut(wire):
        splitter = LineSplitter()
        got = [line for chunk in chunks for line in splitter.feed(chunk)]
        assert (got, splitter.close()) == (lines, left), chunks


def over(raw: bytes, size: int) -> Unread:
    return Unread(raw, f"longer than {len(raw)} bytes", size)


OVERLONG = [
    # id                    bytes (limit 4)            lines                                 left
    ("exactly the limit", b"abcd\ne\n", [b"abcd", b"e"], ([], 0)),
    ("one over", b"abcde\nf\n", [over(b"abcd", 5), b"f"], ([], 0)),
    ("the second line", b"a\nbcdefgh\ni\n", [b"a", over(b"bcde", 7), b"i"], ([], 0)),
    ("the last whole line", b"a\nbcdefgh\n", [b"a", over(b"bcde", 7)], ([], 0)),
    ("two in a row", b"abcdef\nghijkl\nm\n", [over(b"abcd", 6), over(b"ghij", 6), b"m"], ([], 0)),
    ("at the end of the stream", b"a\nbcdefg", [b"a"], ([over(b"bcde", 6)], 6)),
    (
        "cut inside a character",
        "a\n日日\nb\n".encode(),
        [b"a", over(b"\xe6\x97\xa5\xe6", 6), b"b"],
        ([], 0),
    ),
]


@pytest.mark.parametrize(
    "wire, lines, left", [c[1:] for c in OVERLONG], ids=[c[0] for c in OVERLONG]
)
def test_a_line_over_the_limit_is_unread_and_what_follows_is_read(wire, lines, left):
    for chunks in every_cut(wire):
        splitter = LineSplitter(limit=4)
        got = [line for chunk in chunks for line in splitter.feed(chunk)]
        assert (got, splitter.close()) == (lines, left), chunks


PIECES = [b"\n", b"\r\n", b"\r", b"a", b"bcdef", b"", "日".encode(), "😀".encode(), b"\xff"]


@given(st.data(), st.sampled_from([3, 8, 1 << 20]))
def test_random_cuts_give_the_same_lines(data, limit):
    wire = b"".join(data.draw(st.lists(st.sampled_from(PIECES), min_size=8, max_size=30)))
    whole, cut = LineSplitter(limit), LineSplitter(limit)
    lines = whole.feed(wire)
    got = [line for chunk in data.draw(cuts(wire)) for line in cut.feed(chunk)]
    assert (got, cut.close()) == (lines, whole.close())


@given(st.binary(max_size=200))
def test_no_byte_is_lost_or_made_up(wire):
    splitter = LineSplitter()
    lines = splitter.feed(wire)
    rest, size = splitter.close()
    expected = [line.removesuffix(b"\r") for line in wire.split(b"\n")]
    assert [*lines, *(rest or [b""])] == expected
    assert size == len(wire.split(b"\n")[-1])


def test_a_93_kb_line_in_one_byte_chunks_is_one_line():
    """The longest real line seen. Quadratic work would run into the test's time limit."""
    line = b"0123456789" * 9300
    splitter = LineSplitter()
    got = [found for byte in line + b"\n" for found in splitter.feed(bytes([byte]))]
    assert got == [line]


UNIFIED = [
    ("lf stays", b"a\nb\n", b"a\nb\n"),
    ("crlf", b"a\r\nb\r\n", b"a\nb\n"),
    ("cr", b"a\rb\r", b"a\nb\n"),
    ("cr cr", b"a\r\rb", b"a\n\nb"),
    ("cr crlf", b"a\r\r\nb", b"a\n\nb"),
    ("crlf lf", b"a\r\n\nb", b"a\n\nb"),
    ("crlf cr", b"a\r\n\rb", b"a\n\nb"),
    ("lf cr", b"a\n\rb", b"a\n\nb"),
    ("lf crlf", b"a\n\r\nb", b"a\n\nb"),
    ("only crs", b"\r\r\r", b"\n\n\n"),
    ("only lfs", b"\n\n\n", b"\n\n\n"),
    ("CJK", "日\r\n本\r語".encode(), "日\n本\n語".encode()),
]


@pytest.mark.parametrize("wire, unified", [c[1:] for c in UNIFIED], ids=[c[0] for c in UNIFIED])
def test_every_line_end_becomes_one_newline_however_cut(wire, unified):
    for chunks in every_cut(wire):
        newlines = NewlineUnifier()
        assert b"".join(map(newlines.feed, chunks)) == unified, chunks
        newlines = NewlineUnifier()
        spaced = [piece for chunk in chunks for piece in (chunk, b"")]
        assert b"".join(map(newlines.feed, spaced)) == unified, "an empty chunk is no event"


def test_held_counts_what_it_does_not_keep():
    held = Held(limit=5)
    for piece in (b"abc", b"", b"def", b"ghi"):
        held.add(piece)
    assert held.size == 9
    assert held.take() == Unread(b"abcde", "longer than 5 bytes", 9)


def test_held_starts_anew_after_each_record():
    held = Held(limit=5)
    held.add(b"too long by far")
    held.take()
    assert held.size == 0
    held.add(b"abcde")
    assert held.take() == b"abcde"
    assert held.take() == b""


def test_of_an_unreadable_record_only_the_beginning_is_kept():
    held = Held(limit=3 * MAX_UNREAD)
    held.add(b"x" * 4 * MAX_UNREAD)
    for unread in (held.take(), Unread.of(b"x" * 4 * MAX_UNREAD, "why")):
        assert unread.raw == b"x" * MAX_UNREAD
        assert unread.size == 4 * MAX_UNREAD
