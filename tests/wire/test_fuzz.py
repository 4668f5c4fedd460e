"""Whatever the bytes: only documented records, never an exception, the cut never matters."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cuts import random_cuts
from tabwire.wire.delta import (
    Appended,
    Changed,
    DeltaDecoder,
    Done,
    Frame,
    Opened,
    Unannounced,
)
from tabwire.wire.ndjson import JsonLine, NdjsonDecoder
from tabwire.wire.records import MAX_UNREAD, Truncated, Unread
from tabwire.wire.socket import SocketDecoder, SocketItem, SocketNotice
from tabwire.wire.sse import SseDecoder, SseEvent, SseRest
from wire.streams import (
    ANNOUNCED,
    PART,
    delta,
    documents,
    event,
    message,
    mutate,
    opened,
    read,
)

SAID = {
    SseDecoder: (SseEvent, Unread, Truncated, SseRest),
    NdjsonDecoder: (JsonLine, Unread, Truncated),
    DeltaDecoder: (Appended, Opened, Changed, Frame, Unannounced, Done, Unread, Truncated),
    SocketDecoder: (SocketItem, SocketNotice, Unread),
}

SEEDS = st.integers(0, 2**63)
STREAMS = pytest.mark.parametrize("kind", [SseDecoder, NdjsonDecoder, DeltaDecoder])

STEPS = [
    {"p": PART, "o": "append", "v": "!"},
    {"p": "/message/metadata", "o": "append", "v": {"is_complete": True}},
    {"p": "/message/t/0/content", "o": "replace", "v": [1, {"a": None}]},
]
DELTAS = [
    opened(""),
    {"p": PART, "o": "append", "v": "Hello"},
    *({"v": text} for text in (" world", "日本語", "😀", "\ud83d", "\ude00", "[]{}", '"', "\\")),
    {"p": "/message/t", "o": "append", "v": [{"summary": "s", "content": "c"}]},
    {"p": "/message/t/0/content", "o": "append", "v": "more"},
    {"v": "and more"},
    {"p": PART, "o": "truncate", "v": 7},
    {"p": "", "o": "patch", "v": STEPS},
    {"v": "goes on"},
    {"v": STEPS[:1]},
    {"v": message("second"), "c": 1},
    {"p": PART, "o": "append", "v": "text"},
    {"p": "/message/a~1b", "o": "add", "v": 1.5},
    {"p": "/message/a~1b", "o": "remove"},
    {"c": 0, "p": "/message/t/-", "o": "add", "v": {}},
    {"p": "/message/status", "o": "replace", "v": "finished_successfully"},
]
EVENTS = [
    ANNOUNCED,
    event({"type": "resume_conversation_token", "token": "t", "conversation_id": "c"}),
    *map(delta, DELTAS),
    b": ping\r\n\r\n",
    event({"type": "message_marker", "marker": "last_token"}),
    event(message("legacy")),
    event({}, "ping"),
    event(b"[DONE]"),
]
LINES = [
    *(
        json.dumps({"result": {"response": {"token": "日本" * n}}}).encode() + b"\n"
        for n in range(6)
    ),
    '{"text": "日本語😀"}\r\n'.encode(),
    b'{"half": "\\ud83d"}\n',
    b"\n",
    b"[1, 2.5e3, true, null]\n",
]
VALID = {SseDecoder: EVENTS, DeltaDecoder: EVENTS, NdjsonDecoder: LINES}


def check(kind: Any, wire: bytes, chunks: list[bytes]) -> None:
    whole, cut = kind(), kind()
    said = read(whole, [wire])
    for record in said:
        assert isinstance(record, SAID[kind]), record
        if isinstance(record, Unread):
            assert record.why
            assert record.raw == record.raw[:MAX_UNREAD]
    assert _comparable(read(cut, chunks)) == _comparable(said)
    if kind is DeltaDecoder:
        assert _comparable(documents(cut)) == _comparable(documents(whole))
        json.dumps(documents(whole))


def _comparable(value: Any) -> str:
    """`repr`, because NaN and infinity are never equal to themselves."""
    return repr(value)


@STREAMS
@given(st.binary(max_size=300), SEEDS)
def test_random_bytes_give_only_documented_records(kind, wire, seed):
    check(kind, wire, random_cuts(wire, seed))


@STREAMS
@given(SEEDS)
def test_a_damaged_stream_gives_only_documented_records(kind, seed):
    wire = mutate(VALID[kind], seed, changes=8)
    check(kind, wire, random_cuts(wire, seed, pieces=30))


@STREAMS
@given(SEEDS)
def test_a_stream_damaged_beyond_recognition_gives_only_documented_records(kind, seed):
    wire = mutate(VALID[kind], seed, changes=200)
    check(kind, wire, random_cuts(wire, seed, pieces=30))


@STREAMS
def test_a_stream_cut_off_anywhere_gives_what_came_before(kind):
    wire = b"".join(VALID[kind])
    whole = read(kind(), [wire])
    for end in range(len(wire)):
        said = read(kind(), [wire[:end]])
        sure = [one for one in said if not isinstance(one, Truncated)]
        assert len(said) - len(sure) <= 1
        assert _comparable(sure[:-1]) == _comparable(whole[: len(sure)][:-1]), end


WORDS = ["message", "content", "parts", "metadata", "a", "", "0", "1", "-", "00", "~1", "__proto__"]
POINTERS = st.lists(st.sampled_from(WORDS), max_size=4).map(lambda s: "".join(f"/{w}" for w in s))
OPERATIONS = ["add", "append", "replace", "remove", "truncate", "patch", "move", ""]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from(["", "x", "日", "\ud83d"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=3)
    ),
    max_leaves=6,
)
ODD_STEPS = st.lists(
    st.fixed_dictionaries({}, optional={"p": POINTERS, "o": st.sampled_from(OPERATIONS), "v": JSON})
    | JSON,
    max_size=3,
)
ODD_DELTAS = st.fixed_dictionaries(
    {},
    optional={
        "c": st.sampled_from([0, 0, 0, 1, -1, 2**70, True, None, "0", 1.5]),
        "p": st.just(PART) | POINTERS | JSON,
        "o": st.sampled_from(OPERATIONS) | JSON,
        "v": st.just("text") | JSON | ODD_STEPS | st.builds(message, JSON),
        "type": st.just("typed"),
    },
)


@given(st.lists(ODD_DELTAS, min_size=4, max_size=20), st.booleans(), SEEDS)
def test_odd_deltas_give_only_documented_records(deltas, named, seed):
    """Well-formed JSON, ill-formed meaning: where a reader of deltas would stumble."""
    write = delta if named else event
    wire = ANNOUNCED + delta(opened("", t=["a", "b"])) + b"".join(map(write, deltas))
    check(DeltaDecoder, wire, random_cuts(wire, seed))


@given(st.lists(ODD_DELTAS, min_size=4, max_size=20))
def test_an_unreadable_delta_changes_no_document(deltas):
    decoder = DeltaDecoder()
    decoder.feed(ANNOUNCED + delta(opened("", t=["a", "b"])))
    for one in deltas:
        before = _comparable(documents(decoder))
        records = decoder.feed(delta(one))
        if all(isinstance(record, Unread | Frame) for record in records):
            assert _comparable(documents(decoder)) == before, one


@given(st.lists(ODD_DELTAS, min_size=4, max_size=20))
def test_the_short_way_and_the_long_way_agree_on_odd_deltas(deltas):
    """The short way is taken for named events of exactly `{"v": "text"}`."""
    deltas = [one for pair in zip(deltas, [{"v": "a"}] * 20, strict=False) for one in pair]
    short, long = DeltaDecoder(), DeltaDecoder()
    begin = ANNOUNCED + delta(opened("", t=["a", "b"]))
    bare = [{"v": "a"}]
    wire = begin + b"".join(map(delta, deltas))
    again = begin + b"".join(delta(one) if one not in bare else event(one) for one in deltas)
    assert _comparable(short.feed(wire)) == _comparable(long.feed(again))
    assert _comparable(documents(short)) == _comparable(documents(long))


def envelope(n: int, block: bytes) -> Any:
    item = {"type": "stream-item", "stream_item_id": f"i{n}", "encoded_item": block.decode()}
    payload = {"type": "conversation-turn-stream", "payload": item}
    return {"type": "message", "topic_id": "t", "offset": n, "payload": payload}


ENVELOPES = [json.dumps(envelope(n, block)).encode() for n, block in enumerate(EVENTS)]
NOTICE = b'{"type":"message","payload":{"type":"conversation-turn-complete","payload":{}}}'


@given(SEEDS)
def test_damaged_socket_messages_give_only_documented_records(seed):
    rng = random.Random(seed)
    sockets, deltas = SocketDecoder(), DeltaDecoder()
    for sent in [*ENVELOPES, NOTICE, b"[" + b",".join(ENVELOPES[:3]) + b"]"]:
        raw = mutate([sent], rng.random(), changes=3) if rng.random() < 0.5 else sent
        for record in sockets.feed(raw):
            assert isinstance(record, SAID[SocketDecoder]), record
            if isinstance(record, SocketItem):
                assert record.block.endswith(b"\n\n")
                said = deltas.feed(record.block)
                assert all(isinstance(one, SAID[DeltaDecoder]) for one in said)
    assert all(isinstance(one, SAID[SocketDecoder]) for one in sockets.close())
    documents(deltas)


@given(st.binary(max_size=200))
def test_random_socket_messages_give_only_documented_records(raw):
    assert all(isinstance(one, SAID[SocketDecoder]) for one in SocketDecoder().feed(raw))


@given(JSON | st.lists(st.builds(lambda inner: {"payload": {"payload": inner}}, JSON)))
def test_odd_envelopes_give_only_documented_records(value):
    raw = json.dumps(value).encode()
    assert all(isinstance(one, SAID[SocketDecoder]) for one in SocketDecoder().feed(raw))
