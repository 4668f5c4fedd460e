"""Every message is a reply, a failure, an event or an `Unread`; none is a crash."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cuts import every_cut
from tabwire.cdp import protocol
from tabwire.cdp.errors import Malformed
from tabwire.cdp.protocol import (
    MAX_UNREAD,
    NO_REASON,
    Event,
    Failure,
    Numbering,
    Reply,
    Unread,
    read,
)


def raw(text: str) -> msgspec.Raw:
    return msgspec.Raw(text.encode())


READ = [
    # id, message, what it says
    ("reply", '{"id":7,"result":{"a":1}}', Reply(7, raw('{"a":1}'))),
    ("reply of a session", '{"id":7,"result":{},"sessionId":"S"}', Reply(7, raw("{}"), "S")),
    ("fields in another order", '{"sessionId":"S","result":{},"id":7}', Reply(7, raw("{}"), "S")),
    ("result null", '{"id":7,"result":null}', Reply(7, raw("null"))),
    (
        "refusal",
        '{"id":7,"error":{"code":-32000,"message":"no","data":"why"},"sessionId":"S"}',
        Failure(7, -32000, "no", "why", "S"),
    ),
    ("refusal without a code", '{"id":7,"error":{"message":"no"}}', Failure(7, NO_REASON, "no")),
    (
        "refusal with data that is no text",
        '{"id":7,"error":{"code":-1,"message":"no","data":{"a":1}}}',
        Failure(7, -1, "no", '{"a":1}'),
    ),
    (
        "refusal of another shape",
        '{"id":7,"error":"no"}',
        Failure(7, NO_REASON, 'an error of unknown shape: "no"'),
    ),
    (
        "reply with nothing in it",
        '{"id":7}',
        Failure(7, NO_REASON, "a reply with neither result nor error"),
    ),
    (
        "both a result and an error",
        '{"id":7,"result":{"a":1},"error":{"code":-1,"message":"no"}}',
        Failure(7, -1, "no"),
    ),
    ("event", '{"method":"A.b","params":{"x":[1]}}', Event("A.b", raw('{"x":[1]}'), None, 35)),
    ("event without params", '{"method":"A.b"}', Event("A.b", raw("{}"), None, 16)),
    (
        "event of a session",
        '{"method":"A.b","params":{},"sessionId":"S"}',
        Event("A.b", raw("{}"), "S", 44),
    ),
    ("unknown fields", '{"method":"A.b","new":{"x":"}"}}', Event("A.b", raw("{}"), None, 32)),
]


@pytest.mark.parametrize("message, said", [c[1:] for c in READ], ids=[c[0] for c in READ])
def test_a_message_says_what_it_says(message, said):
    assert read(message.encode()) == said


ODD = [
    b"",
    b"null",
    b"[]",
    b"{}",
    b"7",
    b'"text"',
    b"\xff\xfe",
    b"not json",
    b'{"id":"7","result":{}}',
    b'{"id":7.5,"result":{}}',
    b'{"method":5}',
    b'{"method":"A.b","sessionId":5}',
    b'{"error":{"code":-32700,"message":"parse error"}}',
    b'{"id":null,"error":{"code":-32700,"message":"parse error"}}',
    b'{"method":"A.b","params":{}} trailing',
    b'{"method":"A.b","params":' + b"[" * 5000 + b"]" * 5000,
    b'{"method":"A.b","params":["\\ud83d",' + b"[" * 5000 + b"]" * 5001 + b"}",
    b'{"method":"A.b","params":{"x":NaN}}',
    b'["\\ud83d"]',
    b'"params \\ud83d"',
    b'{"id":"7","result":"\\ud83d"}',
]


@pytest.mark.parametrize("message", ODD)
def test_an_odd_message_is_unread_with_a_reason(message):
    said = read(message)
    assert isinstance(said, Unread)
    assert said.why
    assert (said.raw, said.size) == (message[:MAX_UNREAD], len(message))


def test_an_error_that_names_no_command_says_so():
    said = read(b'{"error":{"code":-32700,"message":"parse error"}}')
    assert isinstance(said, Unread)
    assert said.why == "an error without a command id"


def test_an_error_of_unknown_shape_is_shown_in_part_whatever_it_holds():
    said = read(b'{"id":7,"error":"' + b"\xff" + b"x" * 1_000_000 + b'"}')
    assert isinstance(said, Failure)
    assert said.message.startswith('an error of unknown shape: "\ufffdxx')
    assert len(said.message) < MAX_UNREAD + 100


def test_of_a_huge_unreadable_message_only_the_beginning_is_kept():
    said = read(b"x" * 1_000_000)
    assert isinstance(said, Unread)
    assert (len(said.raw), said.size) == (MAX_UNREAD, 1_000_000)


@pytest.mark.parametrize("message", [c[1] for c in READ], ids=[c[0] for c in READ])
def test_a_message_cut_short_is_unread(message):
    whole = message.encode()
    for chunks in every_cut(whole):
        first = next(iter(chunks), b"")
        if first != whole:
            assert isinstance(read(first), Unread), first


@given(st.binary(max_size=200))
def test_no_bytes_crash_the_reader(message):
    assert isinstance(read(message), Reply | Failure | Event | Unread)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from(["id", "method", "params", "error", "x"]), json_values))
def test_no_object_crashes_the_reader(message):
    assert isinstance(read(json.dumps(message).encode()), Reply | Failure | Event | Unread)


@given(st.text(), st.dictionaries(st.text(), json_values), st.none() | st.text())
def test_what_is_written_can_be_read_by_any_json_reader(method, params, session):
    number, message = Numbering().write(method, params, session)
    wanted = {"id": number, "method": method, "params": params}
    assert json.loads(message) == (wanted if session is None else wanted | {"sessionId": session})


def test_ids_are_never_used_twice():
    numbering = Numbering()
    assert [numbering.write("A.b")[0] for _ in range(3)] == [1, 2, 3]


def test_a_command_without_params_or_session_has_neither():
    assert Numbering().write("A.b")[1] == b'{"id":1,"method":"A.b"}'


class Wanted(msgspec.Struct):
    requestId: str  # noqa: N815


def test_content_is_read_as_a_dict_or_as_the_fields_wanted():
    event = read(b'{"method":"A.b","params":{"requestId":"r","data":"x"}}')
    assert isinstance(event, Event)
    assert event.read() == {"requestId": "r", "data": "x"}
    assert event.read(Wanted) == Wanted("r")


def test_content_of_another_shape_is_malformed_and_says_of_what():
    event = read(b'{"method":"A.b","params":{"requestId":5}}')
    assert isinstance(event, Event)
    with pytest.raises(Malformed, match=r"A\.b: .*requestId"):
        event.read(Wanted)


@pytest.mark.parametrize("text", ["\\ud83d", "a\\udc00b", "\\ud83d\\ude00"])
def test_half_a_character_in_content_is_kept_as_it_came(text):
    """A page may cut its text anywhere in UTF-16; strict JSON readers refuse such."""
    event = read(f'{{"method":"A.b","params":{{"requestId":"{text}"}}}}'.encode())
    assert isinstance(event, Event)
    assert event.read(Wanted).requestId == json.loads(f'"{text}"')


def test_half_a_character_can_be_sent():
    _, message = Numbering().write("Input.insertText", {"text": "a\ud83d"}, "S")
    assert json.loads(message)["params"] == {"text": "a\ud83d"}
    assert json.loads(message)["sessionId"] == "S"


def test_bytes_that_are_no_utf8_become_the_replacement_character():
    event = read(b'{"method":"A.b","params":{"requestId":"a\xff"}}')
    assert isinstance(event, Event)
    assert event.read(Wanted).requestId == "a\ufffd"


def test_half_a_character_in_a_result_or_a_refusal_is_kept_too():
    """A reply refused for it would leave its caller waiting."""
    reply = read(b'{"id":7,"result":{"text":"a\\ud83d"},"sessionId":"S"}')
    assert isinstance(reply, Reply)
    assert (reply.id, reply.session, reply.read()) == (7, "S", {"text": "a\ud83d"})
    failure = read(b'{"id":7,"error":{"code":-1,"message":"no","data":5},"x":"\\ud83d"}')
    assert failure == Failure(7, -1, "no", "5")


def test_a_reply_of_another_shape_says_which():
    reply = read(b'{"id":7,"result":{"requestId":5}}')
    assert isinstance(reply, Reply)
    with pytest.raises(Malformed, match=r"reply 7: .*requestId"):
        reply.read(Wanted)


def test_the_forgiving_reader_is_spared_what_is_too_large(monkeypatch):
    """It takes ten times the memory of what it reads."""
    message = b'{"method":"A.b","params":{"text":"\\ud83d"}}'
    event = read(message)
    assert isinstance(event, Event)
    monkeypatch.setattr(protocol, "MAX_LENIENT", 10)
    with pytest.raises(Malformed):
        event.read()
    assert isinstance(read(message.replace(b"A.b", b"\\ud83d")), Unread)
