"""JSON with the faults real sites send, and text counted as JavaScript counts it."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwire.wire import text as wire_text
from tabwire.wire.records import MAX_DEPTH
from tabwire.wire.text import (
    NotJson,
    has_surrogates,
    join_surrogates,
    read_json,
    showable,
    utf16_units,
)

HIGH, LOW, EMOJI = "\ud83d", "\ude00", "😀"
ANY_TEXT = st.text(st.one_of(st.characters(), st.sampled_from([HIGH, LOW, EMOJI, "日"])))

READABLE = [
    # id                        bytes                               value
    ("an object", b'{"a": [1, 2.5, true, null]}', {"a": [1, 2.5, True, None]}),
    ("room around it", b' \t\r\n{"a":1}\r\n ', {"a": 1}),
    ("CJK as it is", '"日本語"'.encode(), "日本語"),
    ("CJK escaped", b'"\\u65e5\\u672c"', "日本"),
    ("emoji as it is", '"😀"'.encode(), EMOJI),
    ("emoji as an escaped pair", b'"\\ud83d\\ude00"', EMOJI),
    ("a high half alone", b'"\\ud83d"', HIGH),
    ("a low half alone", b'"\\ude00"', LOW),
    ("halves the wrong way round", b'"\\ude00\\ud83d"', LOW + HIGH),
    ("a half and text", b'"a\\ud83db"', f"a{HIGH}b"),
    ("a half beside raw CJK", '"日\\ud83d"'.encode(), f"日{HIGH}"),
    ("a half as a key", b'{"\\ud83d": 1}', {HIGH: 1}),
    ("a byte that is no UTF-8", b'"a\xffb"', "a�b"),
    ("a character cut short", b'"a\xe6\x97"', "a�"),
    ("a surrogate in UTF-8", b'"\xed\xa0\xbd"', "���"),
    ("a bad byte in a key", b'{"\xff": 1}', {"�": 1}),
    ("NUL escaped", b'"\\u0000"', "\0"),
    ("the last of two equal keys", b'{"a": 1, "a": 2}', {"a": 2}),
    ("two equal keys and a bad byte", b'{"a": 1, "a": 2, "b": "\xff"}', {"a": 2, "b": "�"}),
    (
        "an integer beyond 64 bits",
        b"123456789012345678901234567890",
        123456789012345678901234567890,
    ),
    ("minus zero", b"-0", 0),
]


@pytest.mark.parametrize("raw, value", [c[1:] for c in READABLE], ids=[c[0] for c in READABLE])
def test_json_is_read_whatever_its_faults(raw, value):
    assert read_json(raw) == value


@pytest.mark.parametrize(
    "raw, value", [c[1:] for c in READABLE[:11]], ids=[c[0] for c in READABLE[:11]]
)
def test_text_is_read_as_its_bytes_are(raw, value):
    assert read_json(raw.decode()) == value


def test_text_that_holds_half_a_character_is_read():
    assert read_json(f'"{HIGH}"') == HIGH


REFUSED = [
    ("nothing", b""),
    ("blanks", b" \r\n"),
    ("NaN", b"NaN"),
    ("NaN inside", b'{"a": [NaN]}'),
    ("Infinity", b"Infinity"),
    ("minus Infinity", b"[-Infinity]"),
    ("NaN beside a bad byte", b'["\xff", NaN]'),
    ("two values", b"{} {}"),
    ("half an object", b'{"a": "b'),
    ("half an escape", b'"\\ud8'),
    ("a comma too many", b"[1,]"),
    ("single quotes", b"{'a': 1}"),
    ("a bare word", b"undefined"),
    ("a control character in text", b'"a\nb"'),
    ("NUL bytes", b"\0\0\0"),
    ("HTML", b"<!DOCTYPE html>"),
    ("the sentinel", b"[DONE]"),
    ("only bad bytes", b"\xff\xfe"),
]


@pytest.mark.parametrize("raw", [c[1] for c in REFUSED], ids=[c[0] for c in REFUSED])
def test_what_is_no_json_is_refused_with_a_reason(raw):
    with pytest.raises(NotJson) as refusal:
        read_json(raw)
    assert str(refusal.value)


def nested(depth: int, inside: bytes = b"") -> bytes:
    return b"[" * depth + inside + b"]" * depth


@pytest.mark.parametrize("inside", [b"", b'"\xff"'], ids=["well-formed", "lenient"])
def test_json_as_deep_as_allowed_is_read(inside):
    assert read_json(nested(MAX_DEPTH, inside))


BOMBS = [
    ("lists", nested(100_000)),
    ("lists around a bad byte", nested(100_000, b'"\xff"')),
    ("a bad byte, then lists", b'["\xff",' + nested(100_000) + b"]"),
    ("lists never closed", b"[" * 100_000),
    ("objects", b'{"a":' * 100_000 + b"1" + b"}" * 100_000),
    ("one deeper than allowed", nested(MAX_DEPTH + 1)),
    ("one deeper than allowed, lenient", nested(MAX_DEPTH + 1, b'"\xff"')),
    ("objects one deeper than allowed", b'{"a":' * (MAX_DEPTH + 1) + b"1" + b"}" * (MAX_DEPTH + 1)),
]


@pytest.mark.parametrize("raw", [c[1] for c in BOMBS], ids=[c[0] for c in BOMBS])
def test_a_depth_bomb_is_refused(raw):
    with pytest.raises(NotJson):
        read_json(raw)


def test_brackets_inside_text_are_no_depth():
    assert read_json(json.dumps("[" * 5000)) == "[" * 5000


def test_the_forgiving_reader_has_a_limit_of_its_own(monkeypatch):
    monkeypatch.setattr(wire_text, "MAX_LENIENT", 8)
    assert read_json(b'"\xff"') == "�"
    assert read_json(b'"well-formed text is read at any length"')
    with pytest.raises(NotJson):
        read_json(b'"bad \xff byte"')


def test_a_number_of_5000_digits_is_a_value_or_refused():
    with contextlib.suppress(NotJson):
        assert read_json(b"9" * 5000)


@given(st.recursive(st.none() | st.booleans() | st.integers() | ANY_TEXT, st.lists, max_leaves=8))
def test_what_was_written_is_read_back(value):
    """Escaped halves that stand side by side are one character to every JSON reader."""
    assert read_json(json.dumps(value).encode()) == _joined(value)


def _joined(value):
    if isinstance(value, list):
        return [_joined(item) for item in value]
    return join_surrogates(value) if isinstance(value, str) else value


JOINED = [
    # id               text as it came        joined                  showable
    ("empty", "", "", ""),
    ("ascii", "abc", "abc", "abc"),
    ("CJK", "日本", "日本", "日本"),
    ("a pair", HIGH + LOW, EMOJI, EMOJI),
    ("pairs and text", f"a{HIGH}{LOW}b{HIGH}{LOW}", f"a{EMOJI}b{EMOJI}", f"a{EMOJI}b{EMOJI}"),
    ("a high half", f"a{HIGH}", f"a{HIGH}", "a�"),
    ("a low half", f"{LOW}a", f"{LOW}a", "�a"),
    ("a high half before text", f"{HIGH}a", f"{HIGH}a", "�a"),
    ("wrong way round", LOW + HIGH, LOW + HIGH, "��"),
    ("two high halves, one low", HIGH + HIGH + LOW, HIGH + EMOJI, f"�{EMOJI}"),
]


@pytest.mark.parametrize("text, joined, shown", [c[1:] for c in JOINED], ids=[c[0] for c in JOINED])
def test_halves_that_meet_are_joined(text, joined, shown):
    assert join_surrogates(text) == joined
    assert showable(text) == shown


@given(ANY_TEXT)
def test_joining_changes_no_unit_and_is_done_at_once(text):
    joined = join_surrogates(text)
    assert _units(joined) == _units(text)
    assert join_surrogates(joined) == joined
    assert utf16_units(joined) == len(_units(text)) // 2


@given(ANY_TEXT)
def test_what_is_showable_can_be_written(text):
    shown = showable(text)
    assert not has_surrogates(shown)
    assert shown.encode("utf-8").decode("utf-8") == shown
    if not has_surrogates(text):
        assert shown == text


def _units(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


LENGTHS = [("", 0), ("abc", 3), ("日本", 2), (EMOJI, 2), (HIGH, 1), (f"a{EMOJI}日", 4)]


@pytest.mark.parametrize("text, units", LENGTHS, ids=map(ascii, (c[0] for c in LENGTHS)))
def test_length_is_what_javascript_reports(text, units):
    assert utf16_units(text) == units
