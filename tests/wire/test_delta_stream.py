"""`delta_encoding v1` as a stream: announcement, frames, channels, its end, its limits."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cuts import every_cut
from tabwire.wire import delta as wire_delta
from tabwire.wire.delta import Appended, Changed, DeltaDecoder, Done, Frame, Opened, Unannounced
from tabwire.wire.records import MAX_UNREAD, Truncated, Unread
from wire.streams import (
    ANNOUNCED,
    PART,
    cuts,
    delta,
    documents,
    event,
    message,
    opened,
    read,
    stream,
    tell,
)

HIGH, LOW, EMOJI = "\ud83d", "\ude00", "😀"
NEW = opened("")
HI = {"p": PART, "o": "append", "v": "Hi"}
GREW_HI = ("+", PART, "Hi")


@pytest.mark.parametrize(
    "frame",
    [{"type": "title_generation", "title": "T"}, message("x"), {"error": "x", "error_code": "y"}],
    ids=["typed", "legacy", "error"],
)
def test_a_frame_under_the_name_delta_is_still_a_frame(frame):
    """After a `remove`, which needs no value, reading it as a delta would remove again."""
    listed = {"p": "/message/t", "o": "add", "v": [1, 2, 3]}
    removed = {"p": "/message/t/0", "o": "remove"}
    decoder = DeltaDecoder()
    records = read(decoder, [stream(NEW, listed, removed, frame, HI)])
    place = [("=", "/message/t"), ("=", "/message/t/0")]
    assert tell(records) == ["new", *place, Frame(frame), GREW_HI]
    assert decoder.documents[0].get("message", "t") == [2, 3]


def test_every_channel_has_its_own_document():
    decoder = DeltaDecoder()
    later = {"v": message("b"), "c": 1}
    back = {"c": 0, "p": PART, "o": "append", "v": "0"}
    records = read(decoder, [stream(opened("a"), HI, later, {"v": "1"}, back, {"v": "!"})])
    assert records == [
        Opened(0),
        Appended(0, PART, "Hi"),
        Opened(1),
        Appended(1, PART, "1"),
        Appended(0, PART, "0"),
        Appended(0, PART, "!"),
    ]
    assert documents(decoder) == {0: message("aHi0!"), 1: message("b1")}


def test_a_message_may_come_without_its_operation_and_be_changed_in_its_channel():
    decoder = DeltaDecoder()
    status = {"p": "/message/status", "o": "replace", "v": "done"}
    records = read(decoder, [stream({"v": message("a"), "c": 7}, status)])
    assert records == [Opened(7), Changed(7, "/message/status")]
    assert documents(decoder) == {7: message("a", status="done")}


def test_merging_into_the_whole_is_told_at_its_place():
    decoder = DeltaDecoder()
    records = read(decoder, [stream(NEW, HI, {"p": "", "o": "append", "v": {"error": None}})])
    assert records[-1] in (Opened(0), Changed(0, ""))
    assert documents(decoder) == {0: {**message("Hi"), "error": None}}


ENCODINGS = [
    # id                 the frame                                     deltas are read
    ("in quotes", event(b'"v1"', "delta_encoding"), []),
    ("bare", event(b"v1", "delta_encoding"), []),
    ("with blanks", event(b' "v1" ', "delta_encoding"), []),
    ("twice", event(b'"v1"', "delta_encoding") * 2, []),
    ("not at all", b"", [Unannounced()]),
    ("after a frame", event({"type": "x"}) + ANNOUNCED, [Frame({"type": "x"})]),
]


@pytest.mark.parametrize("frame, said", [c[1:] for c in ENCODINGS], ids=[c[0] for c in ENCODINGS])
def test_deltas_are_read_as_v1(frame, said):
    """Without an announcement too, with a note: a resumed stream may lack it."""
    for chunks in every_cut(frame + delta(NEW) + delta(HI)):
        records = read(DeltaDecoder(), chunks)
        assert tell(records) == [*said, "new", GREW_HI], chunks


UNKNOWN = [b'"v2"', b'"v10"', b"v", b'"V1"', b"1", b'{"v":1}', b"\xff"]


@pytest.mark.parametrize("encoding", UNKNOWN, ids=map(ascii, UNKNOWN))
def test_an_unknown_encoding_is_refused_and_frames_still_pass(encoding):
    wire = event(encoding, "delta_encoding") + delta(NEW) + event(HI) + event({"type": "x"})
    decoder = DeltaDecoder()
    records = read(decoder, [wire + event(b"[DONE]")])
    assert tell(records) == ["unread"] * 3 + [Frame({"type": "x"}), Done()]
    assert documents(decoder) == {}


def test_an_encoding_refused_later_stops_the_text_that_was_growing():
    wire = stream(NEW, HI) + event(b'"v2"', "delta_encoding") + delta({"v": "no"})
    decoder = DeltaDecoder()
    assert tell(read(decoder, [wire])) == ["new", GREW_HI, "unread", "unread"]
    assert documents(decoder) == {0: message("Hi")}


def test_the_word_done_is_told_wherever_it_stands():
    """A hand-off says it in the middle of a turn, and deltas may follow."""
    wire = stream(NEW, HI) + event(b"[DONE]") + delta({"v": "!"}) + event(b" [DONE] ", "delta")
    decoder = DeltaDecoder()
    assert tell(read(decoder, [wire])) == ["new", GREW_HI, Done(), ("+", PART, "!"), Done()]


LEGACY = [
    message("a"),
    {"message": None, "conversation_id": "c", "error": "broken"},
    {"type": "resume_conversation_token", "token": "t", "v": 1},
    {"error": "limit", "error_code": "429"},
    ["a list"],
    "text",
    None,
]


@pytest.mark.parametrize("value", LEGACY, ids=map(str, range(len(LEGACY))))
def test_legacy_and_typed_frames_pass_as_they_are_without_any_encoding(value):
    wire = event(value)
    for chunks in every_cut(wire):
        assert read(DeltaDecoder(), chunks) == [Frame(value)], chunks


LAST = [
    # the last event, whose blank line was lost
    ("a delta", delta({"v": "!"})),
    ("a delta in full", delta({"c": 0, "p": PART, "o": "append", "v": "!"})),
    ("a removal, which has no value", delta({"p": PART, "o": "remove"})),
    ("a frame", event({"type": "message_stream_complete"})),
    ("done", event(b"[DONE]")),
    ("a named frame", event({"a": 1}, "other")),
    ("a ping", event({"a": 1}, "ping")),
    ("an encoding", event(b'"v1"', "delta_encoding")),
    ("an unknown encoding", event(b'"v2"', "delta_encoding")),
]


@pytest.mark.parametrize("last", [c[1] for c in LAST], ids=[c[0] for c in LAST])
@pytest.mark.parametrize("lost", [1, 2], ids=["one newline lost", "both lost"])
def test_a_last_event_without_its_blank_line_counts_where_it_is_whole(last, lost):
    """Files saved by hand lose their last newlines."""
    whole, short = DeltaDecoder(), DeltaDecoder()
    wire = stream(NEW, HI) + last
    assert read(short, [wire[:-lost]]) == read(whole, [wire])
    assert documents(short) == documents(whole)


CUT = [b'data: {"v":"!', b'event: delta\ndata: {"v":"', b"data: [DO", b"event: delta", b"dat"]


@pytest.mark.parametrize("end", CUT, ids=map(ascii, CUT))
def test_a_stream_cut_inside_an_event_says_how_much_was_lost(end):
    for chunks in every_cut(stream(NEW, HI) + end):
        decoder = DeltaDecoder()
        assert tell(read(decoder, chunks)) == ["new", GREW_HI, Truncated(len(end))], chunks
        assert documents(decoder) == {0: message("Hi")}


def test_records_are_handed_over_while_the_document_stands_as_they_left_it():
    decoder = DeltaDecoder()
    texts = []
    decoder.feed_to(
        stream(NEW, HI, {"v": "!"}, {"o": "replace", "v": "Ho"}, {"o": "append", "v": "!"}),
        lambda _: texts.append(decoder.documents[0].get("message", "content", "parts", 0)),
    )
    assert texts == ["", "Hi", "Hi!", "Ho", "Ho!"]


MIXED = [
    NEW,
    HI,
    {"v": "日本😀"},
    {"v": HIGH},
    {"v": LOW},
    {"p": "", "o": "patch", "v": [{"p": PART, "o": "append", "v": "!"}]},
    {"v": "?"},
]


@given(st.data(), st.sampled_from([b"\n", b"\r\n", b"\r"]), st.booleans())
def test_random_cuts_line_ends_and_a_bom_change_nothing(data, newline, bom):
    lines = stream(*MIXED, b"oops", b'{"v":"\xe6\x97\xa5"}').replace(b"\n", newline)
    wire = b"\xef\xbb\xbf" * bom + lines
    decoder = DeltaDecoder()
    records = read(decoder, data.draw(cuts(wire)))
    text = f"Hi日本😀{EMOJI}!?日"
    assert documents(decoder) == {0: message(text)}
    assert [one for one in records if isinstance(one, Unread)] == [records[-2]]
    assert len(records) == len(MIXED) + 2


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


DEPTHS = [150, 300, 450, 700, 850, 950, 990, 1000, 5000, 100_000]
DEEP = [
    # id             a delta around something nested
    ("a value", b'{"p":"/x","o":"add","v":%s}'),
    ("a message", b'{"v":{"message":%s}}'),
    ("an item", b'{"p":"/x","o":"append","v":%s}'),
    ("a channel", b'{"c":%s,"v":"x"}'),
    ("a pointer", b'{"p":%s,"v":"x"}'),
    ("an operation", b'{"o":%s,"v":"x"}'),
    ("a step", b'{"p":"","o":"patch","v":[%s]}'),
    ("a step's value", b'{"p":"","o":"patch","v":[{"p":"/x","o":"add","v":%s}]}'),
    ("a step's refused value", b'{"p":"","o":"patch","v":[{"p":"/x","o":"no","v":%s}]}'),
    ("beside text", b'{"v":"x","z":%s}'),
    ("the only value", b'{"v":%s}'),
    ("a frame", b'{"type":%s}'),
    ("an encoding", b"%s"),
]


@pytest.mark.parametrize("around", [c[1] for c in DEEP], ids=[c[0] for c in DEEP])
def test_a_depth_bomb_is_read_or_refused_and_the_document_stays_readable(around):
    for depth in DEPTHS:
        for name in ("delta", "message", "delta_encoding"):
            decoder = DeltaDecoder()
            records = read(decoder, [stream(NEW, HI) + event(around % nested(depth), name)])
            assert {type(one) for one in records} <= {Opened, Appended, Changed, Frame, Unread}
            documents(decoder)


def test_patches_in_patches_are_no_bomb():
    for depth in DEPTHS[:-1]:
        steps = b'[{"p":"","o":"patch","v":' * depth + b"[]" + b"}]" * depth
        decoder = DeltaDecoder()
        records = read(decoder, [stream(NEW, b'{"p":"","o":"patch","v":%s}' % steps, HI)])
        assert tell(one for one in records if not isinstance(one, Unread)) == ["new", GREW_HI]


@pytest.mark.parametrize("op, value", [("add", 1), ("append", "x"), ("append", [1])])
def test_a_pointer_of_many_segments_is_refused_before_it_builds_a_tower(op, value):
    deep = {"p": "/a" * 5000, "o": op, "v": value}
    decoder = DeltaDecoder()
    records = read(decoder, [stream(NEW, deep, HI)])
    assert tell(records) == ["new", "unread", GREW_HI]
    assert documents(decoder) == {0: message("Hi")}


def test_pointers_cannot_build_a_tower_step_by_step():
    """Each delta nests a little more inside what the ones before it made."""
    towers = [{"p": "/a" * (90 * n), "o": "add", "v": {}} for n in range(1, 30)]
    decoder = DeltaDecoder()
    read(decoder, [stream(NEW, *towers)])
    documents(decoder)


def test_lists_cannot_build_a_tower_step_by_step():
    value = json.loads(nested(150))
    towers = [{"p": "/a" + "/0" * (150 * n), "o": "add", "v": value} for n in range(20)]
    decoder = DeltaDecoder()
    read(decoder, [stream(NEW, *towers)])
    documents(decoder)


def test_only_so_many_channels_are_opened(monkeypatch):
    monkeypatch.setattr(wire_delta, "MAX_CHANNELS", 3)
    decoder = DeltaDecoder()
    records = read(decoder, [stream(*({"v": message(), "c": c} for c in range(5)), {**HI, "c": 2})])
    assert records[:3] == [Opened(0), Opened(1), Opened(2)]
    assert tell(records[3:5]) == ["unread", "unread"]
    assert records[5:] == [Appended(2, PART, "Hi")]
    assert sorted(decoder.documents) == [0, 1, 2]


@pytest.mark.parametrize("write", [delta, event], ids=["the short way", "the long way"])
def test_text_grows_only_so_far(monkeypatch, write):
    monkeypatch.setattr(wire_delta, "MAX_TEXT", 5)
    decoder = DeltaDecoder()
    wire = stream(NEW, HI) + write({"v": "abc"}) + write({"v": "d"}) + event({"type": "x"})
    records = read(decoder, [wire])
    assert tell(records) == ["new", GREW_HI, ("+", PART, "abc"), "unread", Frame({"type": "x"})]
    assert documents(decoder) == {0: message("Hiabc")}


def test_an_operation_that_fails_opens_no_document():
    decoder = DeltaDecoder()
    bad = [{"c": 5, "p": "/x", "o": "remove"}, {"c": 6, "p": "/x", "o": "no", "v": 1}]
    assert tell(read(decoder, [stream(*bad)])) == ["unread", "unread"]
    assert documents(decoder) == {}


def test_of_an_unreadable_delta_only_the_beginning_is_kept():
    huge = "x" * 1_000_000
    deltas = [
        {"p": huge, "o": "add", "v": 1},
        {"p": "/a", "o": huge, "v": 1},
        {"c": huge, "v": 1},
        {"p": "/__proto__/" + huge, "o": "add", "v": 1},
        {"p": "", "o": "patch", "v": [{"p": "/a", "o": "no", "v": huge}]},
        {"p": "/message/" + huge, "o": "remove"},
        b"{" + huge.encode(),
    ]
    wire = stream(NEW, *deltas) + event(huge.encode(), "delta_encoding") + delta(HI)
    records = read(DeltaDecoder(), [wire])[1:]
    assert len(records) == len(deltas) + 2
    for one in records:
        assert len(one.raw) <= MAX_UNREAD
        assert len(one.why) <= MAX_UNREAD


def test_a_long_answer_of_200_000_deltas_is_read_in_one_go_and_in_small_chunks():
    """Quadratic work would run into the test's time limit."""
    text = "日本 and more "
    wire = stream(NEW, HI) + delta({"v": text}) * 200_000
    for size in (len(wire), 4096):
        decoder = DeltaDecoder()
        records = 0
        for at in range(0, len(wire), size):
            records += len(decoder.feed(wire[at : at + size]))
        assert records == 200_002
        assert documents(decoder) == {0: message("Hi" + text * 200_000)}


def test_a_93_kb_delta_in_one_byte_chunks_is_one_record():
    text = "0123456789" * 9300
    decoder = DeltaDecoder()
    records = read(decoder, [bytes([byte]) for byte in stream(NEW, {**HI, "v": text})])
    assert tell(records) == ["new", ("+", PART, text)]


def test_text_that_only_names_its_channel_is_bare_text():
    """Else a new document would be replaced by the first word of its answer."""
    decoder = DeltaDecoder()
    records = read(decoder, [stream(NEW, HI, {"v": message("b"), "c": 1}, {"v": "c", "c": 1})])
    assert records[-1] == Appended(1, PART, "c")
    assert documents(decoder) == {0: message("Hi"), 1: message("bc")}


def test_text_after_the_end_of_a_list_is_a_new_item_each_time():
    end = {"p": "/message/t/-", "o": "append", "v": "a"}
    decoder = DeltaDecoder()
    read(decoder, [stream(NEW, {"p": "/message/t", "o": "add", "v": []}, end, {"v": "b"})])
    assert decoder.documents[0].get("message", "t") == ["a", "b"]
