"""Gemini's framing: the same chunks however the bytes are cut, and no length believed blindly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cuts import every_cut, random_cuts
from tabwire.wire.framed import (
    AGAIN_FROM,
    Again,
    Chunk,
    Closed,
    FramedDecoder,
    LengthLied,
    common_bytes,
)
from tabwire.wire.records import Truncated, Unread

NO_CHUNK = "neither a length nor a chunk"
NOT_WHOLE = "an incomplete chunk"


def frame(chunk: str) -> bytes:
    units = len(chunk.encode("utf-16-le")) // 2
    return f"{units + 2}\n{chunk}\n".encode()


def unread(line: bytes, why: str) -> Unread:
    return Unread(line, why, len(line))


CJK = '[["wrb.fr",null,"你好😄 ok"]]'
TWO_LINES = '[["a"]\n,["b"]]'
CLOSING = b')]}\'\n\n24\n[["e",4,null,null,32]]\n'
CLOSED = [Chunk(b'[["e",4,null,null,32]]'), Closed(4, 32, 32)]
LIKE_CLOSING = '["[\\"e\\",4,null,null,9]]"]'

CASES = [
    # id, bytes on the wire, records, what the end leaves
    ("plain", b')]}\'\n\n8\n["ab"]\n', [Chunk(b'["ab"]')], []),
    ("units are UTF-16", frame(CJK), [Chunk(CJK.encode())], []),
    ("two chunks", frame("[1]") + frame("[2]"), [Chunk(b"[1]"), Chunk(b"[2]")], []),
    ("crlf", b")]}'\r\n\r\n5\r\n[1]\r\n", [Chunk(b"[1]")], []),
    ("no prefix", b"5\n[1]\n", [Chunk(b"[1]")], []),
    ("prefix and chunk on one line", b")]}'[1]\n", [Chunk(b"[1]")], []),
    ("two bodies in a row", b")]}'\n\n5\n[1]\n" * 2, [Chunk(b"[1]"), Chunk(b"[1]")], []),
    ("byte order mark", b"\xef\xbb\xbf)]}'\n\n5\n[1]\n", [Chunk(b"[1]")], []),
    ("no lengths", b")]}'\n\n[1]\n\n[2]\n", [Chunk(b"[1]"), Chunk(b"[2]")], []),
    ("blank line between", b"5\n\n[1]\n", [Chunk(b"[1]")], []),
    ("raw newline inside", frame(TWO_LINES), [Chunk(TWO_LINES.encode())], []),
    ("raw newlines and digits", frame("[1,\n2\n]"), [Chunk(b"[1,\n2\n]")], []),
    ("length too small", b"4\n[1]\n", [LengthLied(4, 5), Chunk(b"[1]")], []),
    ("length too big", b"50\n[1]\n", [LengthLied(50, 5), Chunk(b"[1]")], []),
    (
        "nothing whole",
        b"8\n[a]\n[b]\n",
        [LengthLied(8, 9), unread(b"[a]", NOT_WHOLE), unread(b"[b]", NOT_WHOLE)],
        [],
    ),
    (
        "length in bytes",
        '10\n["é"]\n5\n[1]\n'.encode(),
        [LengthLied(10, 7), Chunk('["é"]'.encode()), Chunk(b"[1]")],
        [],
    ),
    ("length of a length", b"7\n5\n[1]\n", [LengthLied(7, 3), Chunk(b"[1]")], []),
    (
        "broken chunk, then a good one",
        b'20\n[["wr\n5\n[1]\n5\n[2]\n',
        [LengthLied(20, 13), unread(b'[["wr', NOT_WHOLE), Chunk(b"[1]"), Chunk(b"[2]")],
        [],
    ),
    (
        "broken chunk, and the lengths add up by chance",
        b'13\n[["wr\n5\n[1]\n',
        [LengthLied(13, 13), unread(b'[["wr', NOT_WHOLE), Chunk(b"[1]")],
        [],
    ),
    (
        "broken chunk over its length",
        b'12\n[["wr\nxxxxxxxx\n5\n[1]\n',
        [
            LengthLied(12, 16),
            unread(b'[["wr', NOT_WHOLE),
            unread(b"xxxxxxxx", NO_CHUNK),
            Chunk(b"[1]"),
        ],
        [],
    ),
    (
        "noise",
        b"5\n[1]\nhello\n5\n[2]\n",
        [Chunk(b"[1]"), unread(b"hello", NO_CHUNK), Chunk(b"[2]")],
        [],
    ),
    ("a number nobody counts to", b"1234567890123\n", [unread(b"1234567890123", NO_CHUNK)], []),
    ("last newline missing", b"5\n[1]", [], [Chunk(b"[1]")]),
    ("last newline missing, lying", b"9\n[1]", [], [LengthLied(9, 5), Chunk(b"[1]")]),
    ("cut in a chunk", b"5\n[1]\n9\n[2,", [Chunk(b"[1]")], [Truncated(3)]),
    ("cut after a length", b"5\n[1]\n9\n", [Chunk(b"[1]")], [Truncated(2)]),
    ("cut in a length", b"5\n[1]\n9", [Chunk(b"[1]")], [Truncated(1)]),
    ("cut in the prefix", b")]}", [], [Truncated(3)]),
    ("only the prefix", b")]}'", [], []),
    ("cut after a raw newline", b'30\n[["a"]\n', [], [Truncated(6)]),
    ("noise at the end", b"hello", [], [unread(b"hello", NO_CHUNK)]),
    ("nothing", b"", [], []),
    ("closing", CLOSING, CLOSED, []),
    ("closing, no newline", CLOSING[:-1], [], CLOSED),
    (
        "closing beside another record",
        b'[["di",1],["e",4,null,null,99]]\n',
        [Chunk(b'[["di",1],["e",4,null,null,99]]'), Closed(4, 99, 32)],
        [],
    ),
    ("a closing that is text", frame(LIKE_CLOSING), [Chunk(LIKE_CLOSING.encode())], []),
]


@pytest.mark.parametrize("wire, records, left", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_same_records_however_the_bytes_are_cut(wire, records, left):
    for chunks in every_cut(wire):
        decoder = FramedDecoder()
        got = [record for chunk in chunks for record in decoder.feed(chunk)]
        assert (got, decoder.close()) == (records, left), chunks


def test_every_chunk_survives_lengths_that_all_lie():
    """Recover by line: however wrong the numbers are, no chunk is lost."""
    for lie in (0, 1, 7, 10**6, 10**11):
        wire = b"".join(b"%d\n[[%d]]\n" % (lie, number) for number in range(50))
        decoder = FramedDecoder()
        records = decoder.feed(wire) + decoder.close()
        chunks = [record.raw for record in records if isinstance(record, Chunk)]
        assert chunks == [b"[[%d]]" % number for number in range(50)]
        lies = sum(isinstance(record, LengthLied) for record in records)
        assert lies >= 40  # 7 is right for [[0]] to [[9]]


def test_a_line_over_the_limit_is_unread_and_the_next_chunk_is_read():
    decoder = FramedDecoder(limit=16)
    records = [
        record
        for piece in (b"5\n[1]\n40\n[", b"x" * 38, b"]\n5\n[2]\n")
        for record in decoder.feed(piece)
    ]
    assert records[0] == Chunk(b"[1]")
    assert [type(record) for record in records[1:3]] == [LengthLied, Unread]
    assert records[2].size == 40
    assert records[3:] == [Chunk(b"[2]")]


def test_held_lines_over_the_limit_are_let_go():
    """A length of a terabyte must not make us hold a terabyte."""
    decoder = FramedDecoder(limit=100)
    records = decoder.feed(b"999999999999\n[[\n" + b"x\n" * 60)
    assert records[0] == LengthLied(999999999999, records[0].found)
    assert sum(isinstance(record, Unread) for record in records) == 61


GROWTH = [
    # id, the chunk before, the chunk after, shared, again
    ("text grew", b'["aaaa"]', b'["aaaabb"]', 6, None),
    ("the same", b"[1]", b"[1]", 3, None),
    ("little alike", b"[1]", b"[2]", 1, None),
    (
        "goes on after the growth",
        b'["aaaa",' + b"1," * AGAIN_FROM + b'"tt"]',
        b'["aaaabbb",' + b"1," * AGAIN_FROM + b'"ttt"]',
        6,
        Again(9, 6, 2 * AGAIN_FROM + 5),
    ),
]


@pytest.mark.parametrize(
    "before, after, shared, again", [c[1:] for c in GROWTH], ids=[c[0] for c in GROWTH]
)
def test_a_chunk_says_how_it_repeats_the_one_before(before, after, shared, again):
    decoder = FramedDecoder()
    decoder.feed(before + b"\n")
    (record,) = decoder.feed(after + b"\n")
    assert (record.shared, record.again) == (shared, again)


ALPHABET = st.text(st.sampled_from('ab",\\你é😄'), max_size=40)


@given(
    st.lists(st.tuples(ALPHABET, ALPHABET, ALPHABET), max_size=8),
    st.integers(0, 2**32),
)
def test_lengths_are_counted_right_whatever_repeats(parts, seed):
    """The count of a chunk builds on the one before it; each must still be the true one."""
    filler = "é" * AGAIN_FROM
    chunks = [f"[{head}{filler}{middle}{filler}{tail}]" for head, middle, tail in parts]
    decoder = FramedDecoder()
    wire = b"".join(map(frame, chunks))
    records = [record for piece in random_cuts(wire, seed) for record in decoder.feed(piece)]
    assert [*records, *decoder.close()] == [Chunk(chunk.encode()) for chunk in chunks]


@given(st.binary(max_size=60), st.binary(max_size=60), st.integers(0, 70))
def test_common_bytes_finds_the_longest_common_start(one, other, guess):
    expected = 0
    while expected < min(len(one), len(other)) and one[expected] == other[expected]:
        expected += 1
    assert common_bytes(one, other) == expected
    assert common_bytes(one, other, guess=guess) == expected
    assert common_bytes(b"xy" + one, b"z" + other, 2, 1, guess=guess) == expected


PIECES = st.sampled_from(
    [b")]}'", b"\n", b"\r\n", b"5", b"[1]", b"[[", b"]]", b'"', b"\xe4\xbd", b"\x00", b"12", b"{"]
)


@given(st.lists(PIECES, max_size=40).map(b"".join), st.integers(0, 2**32))
def test_any_bytes_give_the_same_documented_records_however_they_are_cut(wire, seed):
    whole = FramedDecoder()
    expected = whole.feed(wire) + whole.close()
    cut = FramedDecoder()
    got = [record for piece in random_cuts(wire, seed) for record in cut.feed(piece)]
    assert [*got, *cut.close()] == expected
    assert all(isinstance(r, Chunk | LengthLied | Closed | Unread | Truncated) for r in expected)
