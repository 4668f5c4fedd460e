"""Server-sent events, whatever the cut. Cases from the HTML standard unless they say more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cuts import every_cut
from tabwire.wire.records import Truncated, Unread
from tabwire.wire.sse import SseDecoder, SseEvent, SseRest
from wire.streams import cuts, read

M = "message"
BOM = b"\xef\xbb\xbf"
DELTA = b"event: delta\ndata: "  # the shape the decoder knows a short way for


def said(*pairs: tuple[str, bytes]) -> list[SseEvent]:
    return [SseEvent(name, data) for name, data in pairs]


EVENTS = [
    # id                      bytes on the wire                             events
    ("nothing", b"", []),
    ("lf", b"data: a\n\n", said((M, b"a"))),
    ("crlf", b"data: a\r\n\r\n", said((M, b"a"))),
    ("cr", b"data: a\r\r", said((M, b"a"))),
    ("lf crlf", b"data: a\n\r\ndata: b\r\n\n", said((M, b"a"), (M, b"b"))),
    ("cr lf is one line end", b"data: a\r\ndata: b\r\n\r\n", said((M, b"a\nb"))),
    ("cr crlf is two", b"data: a\r\r\ndata: b\n\n", said((M, b"a"), (M, b"b"))),
    ("two events", b"data: a\n\ndata: b\n\n", said((M, b"a"), (M, b"b"))),
    ("many blank lines", b"\n\n\ndata: a\n\n\n\n\n\ndata: b\n\n\n", said((M, b"a"), (M, b"b"))),
    ("a name", b"event: ping\ndata: a\n\n", said(("ping", b"a"))),
    ("a name after the data", b"data: a\nevent: ping\n\n", said(("ping", b"a"))),
    ("the last name counts", b"event: a\nevent: b\ndata: c\n\n", said(("b", b"c"))),
    ("an empty name is none", b"event: a\nevent:\ndata: c\n\n", said((M, b"c"))),
    ("names do not go on", b"event: a\ndata: b\n\ndata: c\n\n", said(("a", b"b"), (M, b"c"))),
    ("no space after the colon", b"event:a\ndata:b\n\n", said(("a", b"b"))),
    ("one space is taken, not two", b"data:  a \n\n", said((M, b" a "))),
    ("a tab is no space", b"data:\ta\n\n", said((M, b"\ta"))),
    ("data lines are joined", b"data: a\ndata: b\ndata: c\n\n", said((M, b"a\nb\nc"))),
    ("empty data lines count", b"data: a\ndata:\ndata\n\n", said((M, b"a\n\n"))),
    ("empty data is an event", b"data:\n\ndata\n\n", said((M, b""), (M, b""))),
    ("a colon in the data", b"data: a: b\n\n", said((M, b"a: b"))),
    ("comments", b": ping\n\n:\n\n: x\ndata: a\n:y\n\n", said((M, b"a"))),
    ("no data, no event", b"event: a\n\nid: 1\n\nretry: 3\n\ndata: b\n\n", said((M, b"b"))),
    ("other fields", b"id: 1\nretry: 3\nodd: x\ndata: a\n\n", said((M, b"a"))),
    ("fields are whole words", b"datax: a\n data: b\nData: c\ndata : d\n\n", []),
    ("a BOM at the start", BOM + b"data: a\n\n", said((M, b"a"))),
    ("a BOM and a blank line", BOM + b"\n\ndata: a\n\n", said((M, b"a"))),
    ("only one BOM", BOM + BOM + b"data: a\n\ndata: b\n\n", said((M, b"b"))),
    ("a BOM later is no start", b"data: a\n\n" + BOM + b"data: b\n\n", said((M, b"a"))),
    ("a BOM in the data", b"data: " + BOM + b"a\n\n", said((M, BOM + b"a"))),
    ("a BOM after blank lines", b"\n\n" + BOM + b"data: b\n\n", []),
    ("CJK", "event: 更新\ndata: 日本語\n\n".encode(), said(("更新", "日本語".encode()))),
    ("emoji", "data: 😀👩‍💻\n\n".encode(), said((M, "😀👩‍💻".encode()))),
    ("bytes that are no UTF-8", b"event: \xff\ndata: \xff\xfe\n\n", said(("�", b"\xff\xfe"))),
    ("other separators", b"data: a\x0bb\xe2\x80\xa8c\n\n", said((M, b"a\x0bb\xe2\x80\xa8c"))),
    ("the short way", DELTA + b"a\n\n" + DELTA + b"b\n\n", said(("delta", b"a"), ("delta", b"b"))),
    ("the short way after a BOM", BOM + DELTA + b"a\n\n", said(("delta", b"a"))),
    ("the short way, crlf", (DELTA + b"a\n\n").replace(b"\n", b"\r\n"), said(("delta", b"a"))),
    ("the short way, empty", DELTA + b"\n\n", said(("delta", b""))),
    ("the short way, two spaces", DELTA + b" a\n\n", said(("delta", b" a"))),
    ("not the short way: more data", DELTA + b"a\ndata: b\n\n", said(("delta", b"a\nb"))),
    ("not the short way: more names", DELTA + b"a\nevent: b\n\n", said(("b", b"a"))),
    ("not the short way: an id", DELTA + b"a\nid: 7\n\n", said(("delta", b"a"))),
]


@pytest.mark.parametrize("wire, events", [c[1:] for c in EVENTS], ids=[c[0] for c in EVENTS])
def test_same_events_however_the_bytes_are_cut(wire, events):
    for chunks in every_cut(wire):
        assert read(SseDecoder(), chunks) == events, chunks


ENDS = [
    # id                      the end of the stream     lost and the data it holds, if any
    ("inside the data", b'data: {"v":', SseRest(11), b'{"v":'),
    ("after the data's newline", b"data: a\n", SseRest(7), b"a"),
    ("after a name", b"event: delta", Truncated(12), None),
    ("inside a field's name", b"da", Truncated(2), None),
    ("inside a character", "data: 日".encode()[:-1], SseRest(8), b"\xe6\x97"),
    ("between two data lines", b"data: a\ndata: b", SseRest(15), b"a\nb"),
    ("after a comment, inside a name", b": ping\nevent: del", Truncated(17), None),
    ("after a comment, inside the data", b": ping\ndata: a", SseRest(14), b"a"),
]


@pytest.mark.parametrize("end, rest, data", [c[1:] for c in ENDS], ids=[c[0] for c in ENDS])
@pytest.mark.parametrize("before", [b"", b"data: x\n\n", BOM], ids=["alone", "after", "bom"])
def test_the_end_of_a_cut_stream_is_told(before, end, rest, data):
    for chunks in every_cut(before + end):
        *events, last = read(SseDecoder(), chunks)
        assert events == (said((M, b"x")) if before.endswith(b"\n") else [])
        assert type(last) is type(rest), chunks
        assert last.lost - rest.lost in (0, len(BOM) if before == BOM else 0)
        assert getattr(last, "data", None) == data


QUIET = [b"", b"\n", b"\r\n", b": ping", b": ping\n", b":", b"\n\n\n"]


@pytest.mark.parametrize("end", QUIET, ids=map(ascii, QUIET))
def test_a_stream_that_ends_between_events_lost_nothing(end):
    for chunks in every_cut(b"data: a\n\n" + end):
        assert read(SseDecoder(), chunks) == said((M, b"a")), chunks


def over(raw: bytes, size: int) -> Unread:
    return Unread(raw, f"longer than {len(raw)} bytes", size)


OVERLONG = [
    # id                     bytes (limit 8)                                      events
    ("exactly the limit", b"data: ab\n\ndata: c\n\n", said((M, b"ab"), (M, b"c"))),
    ("one over", b"data: abc\n\ndata: d\n\n", [over(b"data: ab", 9), *said((M, b"d"))]),
    ("the second", b"data: a\n\ndata: bcd\n\ndata: e\n\n",
     [*said((M, b"a")), over(b"data: bc", 9), *said((M, b"e"))]),
    ("two in a row", b"data: abc\n\ndata: bcd\n\ndata: e\n\n",
     [over(b"data: ab", 9), over(b"data: bc", 9), *said((M, b"e"))]),
    ("many short lines", b"data: a\ndata: b\n\ndata: c\n\n",
     [over(b"data: a\n", 15), *said((M, b"c"))]),
    ("one that never ends", b"data: a\n\ndata: bcdefg",
     [*said((M, b"a")), over(b"data: bc", 12), Truncated(12)]),
]  # fmt: skip


@pytest.mark.parametrize("wire, events", [c[1:] for c in OVERLONG], ids=[c[0] for c in OVERLONG])
def test_an_event_over_the_limit_is_unread_and_what_follows_is_read(wire, events):
    for chunks in every_cut(wire):
        assert read(SseDecoder(limit=8), chunks) == events, chunks


PIECES = [
    *(b"\n", b"\n", b"\r", b"\r\n", b"\n\n", b"\r\n\r\n", b" ", b":", BOM, b"\xff"),
    *(b"data: ", b"data:", b"data", b"event: delta\n", DELTA, b"id: 1", b": c", b"x"),
    *("日本".encode(), "😀".encode(), b"\xf0\x9f"),
]
WIRES = st.lists(st.sampled_from(PIECES), min_size=6, max_size=40).map(b"".join)


@given(st.data(), WIRES, st.sampled_from([8, 20, 1 << 20]))
def test_random_cuts_give_the_same_events(data, wire, limit):
    cut = read(SseDecoder(limit), data.draw(cuts(wire)))
    whole = read(SseDecoder(limit), [wire])
    assert cut == whole
    assert [getattr(one, "data", None) for one in cut] == [
        getattr(one, "data", None) for one in whole
    ]


@given(WIRES)
def test_events_are_those_a_plain_reading_of_the_standard_gives(wire):
    assert SseDecoder().feed(wire + b"\n\n") == _by_the_standard(wire + b"\n\n")


def _by_the_standard(wire: bytes) -> list[SseEvent]:
    events, name, data = [], "", None
    wire = wire.removeprefix(BOM).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    for line in wire.split(b"\n")[:-1]:
        if not line:
            if data is not None:
                events.append(SseEvent(name or M, b"\n".join(data)))
            name, data = "", None
            continue
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"event":
            name = value.decode("utf-8", "replace")
        elif field == b"data":
            data = [*(data or []), value]
    return events


def test_a_93_kb_event_in_one_byte_chunks_is_one_event():
    """The longest real line seen. Quadratic work would run into the test's time limit."""
    data = b"0123456789" * 9300
    wire = b"data: " + data + b"\n\n"
    assert read(SseDecoder(), [bytes([byte]) for byte in wire]) == said((M, data))


def test_a_93_kb_event_of_short_lines_in_one_byte_chunks_is_one_event():
    wire = b"data: 0\r\n" * 10_000 + b"\r\n"
    assert read(SseDecoder(), [bytes([byte]) for byte in wire]) == said(
        (M, b"\n".join([b"0"] * 10_000))
    )


def test_empty_chunks_change_nothing():
    chunks = [b"", b"data: a\r", b"", b"\n", b"", b"\r", b"", b"\n", b""]
    assert read(SseDecoder(), chunks) == said((M, b"a"))
