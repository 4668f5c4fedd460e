"""The elements of a JSON list, cut anywhere."""

import json
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwire.files.json_elements import Cut, Element, scan_list, whole_list

TEXTS = st.text(max_size=8) | st.sampled_from(['"', "\\", '\\"', "}]", "[{", '",', "\\\\", "\n"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.lists(st.dictionaries(TEXTS, VALUES, max_size=4), max_size=4)
WRITERS = st.sampled_from(
    [
        lambda value: json.dumps(value),
        lambda value: json.dumps(value, ensure_ascii=False),
        lambda value: json.dumps(value, indent=1),
        lambda value: json.dumps(value, separators=(",", ":")),
    ]
)


def scan(buffer: bytes, start: int = 0):
    """The values found, where each ends, and whether the list was cut."""
    found = list(scan_list(buffer, start))
    cut = bool(found) and isinstance(found[-1], Cut)
    elements = found[:-1] if cut else found
    assert all(isinstance(one, Element) for one in elements)
    assert all(buffer[: one.end].endswith(one.raw) for one in elements)
    return [json.loads(one.raw) for one in elements], cut


@given(OBJECTS, WRITERS)
def test_a_whole_list_gives_what_json_gives(objects, write):
    buffer = write(objects).encode("utf-8", "replace")
    objects = json.loads(buffer)
    assert scan(buffer) == (objects, False)
    views = whole_list(buffer)
    if views is not None:  # half a character in an escape: the scanner's work
        assert [json.loads(bytes(view)) for view in views] == objects


@given(OBJECTS, WRITERS, st.data())
def test_a_list_cut_anywhere_gives_its_whole_elements_and_then_the_cut(objects, write, data):
    written = [write(one).encode("utf-8", "replace") for one in objects]
    buffer = b"[" + b", ".join(written) + b"]"
    size = data.draw(st.integers(1, len(buffer) - 1))
    ends = accumulate((len(one) + 2 for one in written), initial=-1)
    whole = [one for one, end in zip(written, [*ends][1:], strict=True) if end <= size]
    assert scan(buffer[:size]) == ([json.loads(one) for one in whole], True)


SCANS = [
    # id                          buffer                             elements            cut
    ("empty list", b"[]", [], False),
    ("only its bracket", b"[", [], True),
    ("numbers are left out", b'[1, {"a": 1}, "x", null, {"b": 2}]', [{"a": 1}, {"b": 2}], False),
    ("inner lists are left out", b'[[{"a": 1}], {"b": 2}]', [{"b": 2}], False),
    ("a list after an object", b'[{"a": 1}, [2], {"b": 3}]', [{"a": 1}, {"b": 3}], False),
    ("brackets in a string", b'[{"a": "]}"}]', [{"a": "]}"}], False),
    ("a quote in a string", b'[{"a": "\\"]"}]', [{"a": '"]'}], False),
    ("a backslash before a quote", b'[{"a": "\\\\"}]', [{"a": "\\"}], False),
    ("cut after a backslash", b'[{"a": 1}, {"b": "\\', [{"a": 1}], True),
    ("cut after a quote", b'[{"a": 1}, {"', [{"a": 1}], True),
    ("cut inside a string with brackets", b'[{"a": 1}, {"b": "}]}]', [{"a": 1}], True),
    ("cut after a comma", b'[{"a": 1},', [{"a": 1}], True),
    ("cut before its bracket", b'[{"a": 1}', [{"a": 1}], True),
    ("what follows the list is not in it", b'[{"a": 1}] [{"b": 2}]', [{"a": 1}], False),
]


@pytest.mark.parametrize("buffer, objects, cut", [c[1:] for c in SCANS], ids=[c[0] for c in SCANS])
def test_the_scanner_finds_the_objects_of_the_list(buffer, objects, cut):
    assert scan(buffer) == (objects, cut)


def test_it_begins_where_it_is_told():
    buffer = b'{"x": [9], "entries" : [{"a": 1}, {"b": 2}], "y": {"c": 3}}'
    assert scan(buffer, buffer.index(b"[{")) == ([{"a": 1}, {"b": 2}], False)


def test_the_cut_says_where():
    assert list(scan_list(b'[{"a": 1}, {"b', 0))[-1] == Cut(14)


@pytest.mark.parametrize("buffer", [b"", b"[", b"{}", b'[{"a": }]', b"[1] x", b"[" * 9999, b"\xff"])
def test_what_is_not_one_whole_list_is_left_to_the_scanner(buffer):
    assert whole_list(buffer) is None


def test_a_long_string_in_a_cut_list_does_not_take_long():
    """Possessive: a long unfinished string is not tried again from each of its characters."""
    buffer = b'[{"a": "' + b"\\\\" * 200_000 + b"x" * 1_000_000
    assert scan(buffer) == ([], True)
