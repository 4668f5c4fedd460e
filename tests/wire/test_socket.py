"""ChatGPT's WebSocket envelope: blocks in order, each once, and whatever else it says."""

import json

import pytest

from tabwire.wire import socket as wire_socket
from tabwire.wire.delta import Appended, DeltaDecoder, Done, Opened
from tabwire.wire.records import MAX_UNREAD, Unread
from tabwire.wire.socket import SocketDecoder, SocketItem, SocketNotice
from wire.streams import ANNOUNCED, PART, delta, documents, event, message, opened, stream

HIGH, LOW, EMOJI = "\ud83d", "\ude00", "😀"


def envelope(
    block: str | bytes, item_id: object = "i1", topic_id: object = "t1", offset: object = 7
) -> dict:
    item = {
        "type": "stream-item",
        "stream_item_id": item_id,
        "parent_stream_item_id": "i0",
        "encoded_item": block if isinstance(block, str) else block.decode(),
    }
    payload = {"type": "conversation-turn-stream", "payload": item}
    return {"type": "message", "topic_id": topic_id, "offset": offset, "payload": payload}


def sent(value: object) -> bytes:
    return json.dumps(value).encode()


BLOCKS = [
    # id                     encoded_item                   the block to decode
    ("whole", "data: a\n\n", b"data: a\n\n"),
    ("without its blank line", "data: a", b"data: a\n\n"),
    ("with one newline", "data: a\n", b"data: a\n\n"),
    ("crlf", "data: a\r\n\r\n", b"data: a\n\n"),
    ("named", "event: delta\ndata: a\n\n", b"event: delta\ndata: a\n\n"),
    ("two in one", "data: a\n\ndata: b\n\n", b"data: a\n\ndata: b\n\n"),
    ("a comment", ": ping\n\n", b": ping\n\n"),
    ("CJK and emoji", f"data: 日本{EMOJI}", f"data: 日本{EMOJI}\n\n".encode()),
]


@pytest.mark.parametrize("encoded, block", [c[1:] for c in BLOCKS], ids=[c[0] for c in BLOCKS])
def test_an_item_is_one_whole_block(encoded, block):
    assert SocketDecoder().feed(sent(envelope(encoded))) == [SocketItem("t1", "i1", block)]


def test_a_list_of_envelopes_comes_out_in_order():
    decoder = SocketDecoder()
    notice = {"type": "conversation-turn-complete", "payload": {"type": "x"}}
    batch = [envelope("data: a", "i1"), notice, envelope("data: b", "i2")]
    assert decoder.feed(sent(batch)) == [
        SocketItem("t1", "i1", b"data: a\n\n"),
        SocketNotice("x", notice),
        SocketItem("t1", "i2", b"data: b\n\n"),
    ]
    assert decoder.feed(b"[]") == []
    assert decoder.close() == []


def test_an_item_seen_before_is_not_given_again():
    """A socket that reconnects repeats what it already sent."""
    decoder = SocketDecoder()
    first, second = envelope("data: a", "i1"), envelope("data: b", "i2")
    given = [item for one in (first, second, first, second) for item in decoder.feed(sent(one))]
    assert [item.item_id for item in given] == ["i1", "i2"]
    assert decoder.feed(sent([second, first, envelope("data: c", "i3")])) == [
        SocketItem("t1", "i3", b"data: c\n\n")
    ]


def test_the_same_item_id_in_another_topic_is_another_item():
    decoder = SocketDecoder()
    assert len(decoder.feed(sent([envelope("data: a"), envelope("data: b", topic_id="t2")]))) == 2


@pytest.mark.parametrize("item_id", [None, {"a": 1}, [1]], ids=["none", "object", "list"])
def test_items_without_a_usable_id_are_all_given(item_id):
    decoder = SocketDecoder()
    given = decoder.feed(sent([envelope("data: a", item_id), envelope("data: a", item_id)]))
    assert given == [SocketItem("t1", None, b"data: a\n\n")] * 2


def test_an_id_may_be_a_number():
    decoder = SocketDecoder()
    given = decoder.feed(sent([envelope("data: a", 7), envelope("data: a", 7)]))
    assert given == [SocketItem("t1", "7", b"data: a\n\n")]


@pytest.mark.parametrize("topic_id", [None, 7, {"a": 1}], ids=["none", "number", "object"])
def test_an_item_without_a_usable_topic_is_given(topic_id):
    given = SocketDecoder().feed(sent(envelope("data: a", topic_id=topic_id)))
    assert given == [SocketItem(None, "i1", b"data: a\n\n")]


def test_only_so_many_items_are_remembered_and_the_oldest_is_forgotten(monkeypatch):
    monkeypatch.setattr(wire_socket, "MAX_SEEN_ITEMS", 2)
    decoder = SocketDecoder()
    ids = ["a", "b", "b", "c", "c", "b", "a"]
    given = decoder.feed(sent([envelope("data: x", item_id) for item_id in ids]))
    assert [item.item_id for item in given] == ["a", "b", "c", "a"]


ORDERS = [
    # id                        offsets as they come           as they are given, rest at the end
    ("in order", [5, 6, 7], [5, 6, 7]),
    ("two changed places", [0, 1, 3, 2, 4], [0, 1, 2, 3, 4]),
    ("three of them", [0, 1, 4, 3, 2, 5], [0, 1, 2, 3, 4, 5]),
    ("one never comes", [0, 1, 3, 4], [0, 1, 3, 4]),
    ("numbers by ten", [10, 20, 30], [10, 20, 30]),
    ("nothing known of them yet", [3, 2, 4], [3, 2, 4]),
    ("too late to wait for", [5, 6, 2, 7], [5, 6, 2, 7]),
]


@pytest.mark.parametrize("come, given", [c[1:] for c in ORDERS], ids=[c[0] for c in ORDERS])
def test_items_that_come_too_early_wait_for_those_before_them(come, given):
    decoder = SocketDecoder()
    records = [one for at in come for one in decoder.feed(sent(envelope("data: a", at, "t", at)))]
    records += decoder.close()
    assert [int(one.item_id) for one in records] == given


def test_a_missing_item_is_not_waited_for_long(monkeypatch):
    """A topic that skips numbers is believed once; from then on nothing waits."""
    monkeypatch.setattr(wire_socket, "MAX_EARLY_ITEMS", 2)
    decoder = SocketDecoder()
    held = [decoder.feed(sent(envelope("data: a", at, "t", at))) for at in (0, 1, 3, 4, 5, 7, 8)]
    assert [len(one) for one in held] == [1, 1, 0, 0, 3, 1, 1]


@pytest.mark.parametrize("offset", [None, "3", True, 1.5, {}], ids=ascii)
def test_an_item_whose_offset_is_no_number_is_given_at_once(offset):
    decoder = SocketDecoder()
    decoder.feed(sent([envelope("data: a", at, "t", at) for at in (0, 1)]))
    assert len(decoder.feed(sent(envelope("data: a", "x", "t", offset)))) == 1


def test_two_items_of_one_offset_are_both_given():
    decoder = SocketDecoder()
    items = [(0, 0), (1, 1), (3, 3), ("other", 3), (2, 2)]
    given = [one for n, at in items for one in decoder.feed(sent(envelope("data: a", n, "t", at)))]
    assert sorted(one.item_id for one in given) == ["0", "1", "2", "3", "other"]


NOTICES = [
    # id                       envelope                                                kind
    ("a turn is complete", {"type": "message", "payload": {"type": "conversation-turn-complete"}},
     "conversation-turn-complete"),
    ("a turn is complete, with more",
     {"type": "message", "payload": {"type": "conversation-turn-complete", "payload": {"a": 1}}},
     "conversation-turn-complete"),
    ("done", {"type": "message", "payload": {"type": "conversation-turn-stream",
                                             "payload": {"type": "done"}}}, "done"),
    ("no payload", {"type": "presence"}, "presence"),
    ("a payload that is none", {"type": "reply", "payload": "x"}, "reply"),
    ("an item without its block", {"payload": {"type": "s", "payload": {"type": "stream-item"}}},
     "stream-item"),
    ("a block that is no text",
     {"payload": {"type": "s", "payload": {"type": "stream-item", "encoded_item": 1}}},
     "stream-item"),
]  # fmt: skip


@pytest.mark.parametrize("value, kind", [c[1:] for c in NOTICES], ids=[c[0] for c in NOTICES])
def test_anything_else_is_a_notice(value, kind):
    assert SocketDecoder().feed(sent(value)) == [SocketNotice(kind, value)]


UNREAD = [b"", b"oops", b"{", b"NaN", b"1", b'"text"', b"null", b"[1]", b"[" * 100_000, b"\xff"]


@pytest.mark.parametrize("raw", UNREAD, ids=lambda raw: ascii(raw[:8]))
def test_what_is_no_envelope_is_unread_and_what_follows_is_read(raw):
    decoder = SocketDecoder()
    [unread] = decoder.feed(raw)
    assert isinstance(unread, Unread)
    assert unread.size == len(raw)
    assert unread.raw == raw[:MAX_UNREAD]
    assert decoder.feed(sent(envelope("data: a"))) == [SocketItem("t1", "i1", b"data: a\n\n")]


def test_one_bad_envelope_of_a_list_does_not_cost_the_others():
    given = SocketDecoder().feed(sent([envelope("data: a", "i1"), 1, envelope("data: b", "i2")]))
    assert [type(one) for one in given] == [SocketItem, Unread, SocketItem]


def test_a_message_over_the_limit_is_unread(monkeypatch):
    monkeypatch.setattr(wire_socket, "MAX_LINE", 100)
    decoder = SocketDecoder()
    [unread] = decoder.feed(sent(envelope("data: " + "a" * 200)))
    assert isinstance(unread, Unread)
    assert decoder.feed(b'{"type": "x"}') == [SocketNotice("x", {"type": "x"})]


@pytest.mark.parametrize("depth", [150, 450, 900, 990])
def test_a_kind_that_is_a_depth_bomb_is_a_notice_or_unread(depth):
    raw = b'{"type":' + b"[" * depth + b"]" * depth + b"}"
    [given] = SocketDecoder().feed(raw)
    assert isinstance(given, SocketNotice | Unread)


def read_topic(blocks: list[bytes]) -> tuple[list, dict]:
    """Feed blocks as a socket's items, each twice, to one decoder of deltas."""
    envelopes = [envelope(block, f"i{n}") for n, block in enumerate(blocks)]
    sockets, deltas = SocketDecoder(), DeltaDecoder()
    records = []
    for one in (*envelopes, *envelopes):
        for item in sockets.feed(sent(one)):
            records += deltas.feed(item.block)
    return [*records, *deltas.close()], documents(deltas)


def test_a_handed_off_turn_reads_as_the_stream_would():
    hi, halves = {"p": PART, "o": "append", "v": "Hi"}, [{"v": HIGH}, {"v": LOW}]
    blocks = [ANNOUNCED, *map(delta, (opened(""), hi, *halves)), event(b"[DONE]")]
    records, found = read_topic(blocks)
    appended = [Appended(0, PART, text) for text in ("Hi", HIGH, LOW)]
    assert records == [Opened(0), *appended, Done()]
    assert found == {0: message(f"Hi{EMOJI}")}

    whole = DeltaDecoder()
    assert whole.feed(stream(opened(""), hi, *halves) + event(b"[DONE]")) == records
    assert documents(whole) == found


def test_an_emoji_whose_bare_halves_come_in_two_items_is_one_character():
    """A sender that cuts text by UTF-16 unit before it writes the envelope."""
    written = 'event: delta\ndata: {"v":"%s"}\n\n'
    blocks = [ANNOUNCED.decode(), delta(opened("")).decode()]
    blocks += [delta({"p": PART, "o": "append", "v": "Hi"}).decode()]
    blocks += [written % HIGH, written % LOW]
    sockets, deltas = SocketDecoder(), DeltaDecoder()
    for n, block in enumerate(blocks):
        [item] = sockets.feed(sent(envelope(block, f"i{n}")))
        deltas.feed(item.block)
    assert documents(deltas) == {0: message(f"Hi{EMOJI}")}
