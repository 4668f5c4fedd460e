"""A document changed by pointer: every operation, and what none of them may do."""

import copy

import pytest

from tabwire.wire import document as wire_document
from tabwire.wire.document import BadOperation, Document, Growing, parse_pointer, plain
from tabwire.wire.records import MAX_DEPTH
from tabwire.wire.text import join_surrogates

HIGH, LOW, EMOJI = "\ud83d", "\ude00", "😀"

POINTERS = [
    ("", ()),
    ("/", ("",)),
    ("/a", ("a",)),
    ("/a/0/b", ("a", "0", "b")),
    ("/a//b", ("a", "", "b")),
    ("/a~1b", ("a/b",)),
    ("/a~0b", ("a~b",)),
    ("/~01", ("~1",)),
    ("/~10", ("/0",)),
    ("/日本/😀", ("日本", "😀")),
    ("/__proto", ("__proto",)),
]


@pytest.mark.parametrize("pointer, segments", POINTERS, ids=[c[0] or "root" for c in POINTERS])
def test_a_pointer_becomes_segments(pointer, segments):
    assert parse_pointer(pointer) == segments


BAD_POINTERS = ["a", "a/b", " /a", "/__proto__", "/a/__proto__/b", "/constructor", "/a/prototype"]


@pytest.mark.parametrize("pointer", BAD_POINTERS)
def test_a_pointer_that_is_none_or_names_a_forbidden_key_is_refused(pointer):
    with pytest.raises(BadOperation):
        parse_pointer(pointer)


OPERATIONS = [
    # id                         before            op          pointer   value         after
    ("add a key", {}, "add", "/a", 1, {"a": 1}),
    ("add over a key", {"a": 1}, "add", "/a", 2, {"a": 2}),
    ("add null", {}, "add", "/a", None, {"a": None}),
    ("add inserts first", {"a": [1, 2]}, "add", "/a/0", 0, {"a": [0, 1, 2]}),
    ("add inserts between", {"a": [1, 3]}, "add", "/a/1", 2, {"a": [1, 2, 3]}),
    ("add inserts last", {"a": [1]}, "add", "/a/1", 2, {"a": [1, 2]}),
    ("add at the end", {"a": [1]}, "add", "/a/-", 2, {"a": [1, 2]}),
    ("add to an empty list", {"a": []}, "add", "/a/0", 1, {"a": [1]}),
    ("add under a number that is a key", {"a": {}}, "add", "/a/0", 1, {"a": {"0": 1}}),
    ("add under a dash that is a key", {"a": {}}, "add", "/a/-", 1, {"a": {"-": 1}}),
    ("add the whole", {"a": 1}, "add", "", {"b": 2}, {"b": 2}),
    ("add deep", {"a": [{"b": {}}]}, "add", "/a/0/b/c", 1, {"a": [{"b": {"c": 1}}]}),
    ("add under escapes", {"a/b": {}}, "add", "/a~1b/c~0d", 1, {"a/b": {"c~d": 1}}),
    ("add under an empty key", {"": {}}, "add", "//a", 1, {"": {"a": 1}}),
    ("replace a key", {"a": 1}, "replace", "/a", 2, {"a": 2}),
    ("replace a missing key", {}, "replace", "/a", 2, {"a": 2}),
    ("replace an element", {"a": [1, 2]}, "replace", "/a/0", 3, {"a": [3, 2]}),
    ("replace the whole", {"a": 1}, "replace", "", {"b": 2}, {"b": 2}),
    ("replace the whole with null", {"a": 1}, "replace", "", None, None),
    ("append text", {"a": "x"}, "append", "/a", "y", {"a": "xy"}),
    ("append items", {"a": [1]}, "append", "/a", [2, 3], {"a": [1, 2, 3]}),
    ("append no items", {"a": [1]}, "append", "/a", [], {"a": [1]}),
    ("append one item", {"a": [1]}, "append", "/a", 2, {"a": [1, 2]}),
    ("append an object as one item", {"a": [1]}, "append", "/a", {"b": 2}, {"a": [1, {"b": 2}]}),
    ("append text as one item", {"a": ["x"]}, "append", "/a", "y", {"a": ["x", "y"]}),
    ("append merges objects", {"a": {"b": 1, "c": 2}}, "append", "/a", {"c": 3, "d": 4},
     {"a": {"b": 1, "c": 3, "d": 4}}),
    ("append merges no deeper", {"a": {"b": {"c": 1}}}, "append", "/a", {"b": {"d": 2}},
     {"a": {"b": {"d": 2}}}),
    ("append text where nothing is", {}, "append", "/a", "x", {"a": "x"}),
    ("append a list where nothing is", {}, "append", "/a", [1], {"a": [1]}),
    ("append an object where nothing is", {}, "append", "/a", {"b": 1}, {"a": {"b": 1}}),
    ("append where null is", {"a": None}, "append", "/a", [1], {"a": [1]}),
    ("append after the last element", {"a": ["x"]}, "append", "/a/1", "y", {"a": ["x", "y"]}),
    ("append merges the whole", {"a": 1}, "append", "", {"b": 2}, {"a": 1, "b": 2}),
    ("remove a key", {"a": 1, "b": 2}, "remove", "/a", None, {"b": 2}),
    ("remove a null", {"a": None}, "remove", "/a", None, {}),
    ("remove the first", {"a": [1, 2]}, "remove", "/a/0", None, {"a": [2]}),
    ("remove the last", {"a": [1, 2]}, "remove", "/a/1", None, {"a": [1]}),
    ("truncate text", {"a": "xyz"}, "truncate", "/a", 2, {"a": "xy"}),
    ("truncate to nothing", {"a": "xyz"}, "truncate", "/a", 0, {"a": ""}),
    ("truncate beyond the end", {"a": "xyz"}, "truncate", "/a", 99, {"a": "xyz"}),
    ("truncate a list", {"a": [1, 2, 3]}, "truncate", "/a", 1, {"a": [1]}),
    ("truncate CJK", {"a": "日本語"}, "truncate", "/a", 2, {"a": "日本"}),
    ("truncate after an emoji", {"a": f"x{EMOJI}y"}, "truncate", "/a", 3, {"a": f"x{EMOJI}"}),
    ("truncate inside an emoji", {"a": f"x{EMOJI}y"}, "truncate", "/a", 2, {"a": f"x{HIGH}"}),
    ("truncate after a lone half", {"a": f"{HIGH}xy"}, "truncate", "/a", 2, {"a": f"{HIGH}x"}),
]  # fmt: skip


@pytest.mark.parametrize(
    "before, op, pointer, value, after",
    [c[1:] for c in OPERATIONS],
    ids=[c[0] for c in OPERATIONS],
)
def test_every_operation_does_what_the_wire_means(before, op, pointer, value, after):
    document = Document(copy.deepcopy(before))
    document.apply(op, parse_pointer(pointer), value)
    assert document.get() == after


HOLDER = {"a": {"text": "x", "list": [1, 2], "flag": True, "none": None}}


def test_the_first_element_of_a_missing_list_makes_a_list() -> None:
    document = Document()
    document.apply("append", parse_pointer("/message/content/parts/0"), "Hello")
    document.apply("add", parse_pointer("/message/thoughts/0/content"), "Hm")
    document.apply("add", parse_pointer("/message/named/x"), 1)
    assert plain(document.root) == {
        "message": {
            "content": {"parts": ["Hello"]},
            "thoughts": [{"content": "Hm"}],
            "named": {"x": 1},
        }
    }


BAD_OPERATIONS = [
    # id                              op          pointer            value
    ("an unknown operation", "move", "/a/text", "y"),
    ("an unknown operation on a new place", "move", "/b/c/d", "y"),
    ("an unknown operation on the whole", "move", "", {}),
    ("not an operation", "", "/b/c", "y"),
    ("append a list to text", "append", "/a/text", [1]),
    ("append a number to text", "append", "/a/text", 1),
    ("append text to a flag", "append", "/a/flag", "y"),
    ("append text to an object", "append", "/a", "y"),
    ("append text to the whole", "append", "", "y"),
    ("remove what is not there", "remove", "/a/nothing", None),
    ("remove below what is not there", "remove", "/b/c/d", None),
    ("remove after the end", "remove", "/a/list/2", None),
    ("remove at the dash", "remove", "/a/list/-", None),
    ("truncate what is not there", "truncate", "/a/nothing", 1),
    ("truncate below what is not there", "truncate", "/b/c/d", 1),
    ("truncate a flag", "truncate", "/a/flag", 0),
    ("truncate an object", "truncate", "/a", 0),
    ("truncate below zero", "truncate", "/a/text", -1),
    ("truncate to a fraction", "truncate", "/a/text", 1.0),
    ("truncate to true", "truncate", "/a/text", True),
    ("truncate to text", "truncate", "/a/text", "1"),
    ("truncate to null", "truncate", "/a/list", None),
    ("add after the end", "add", "/a/list/3", 1),
    ("add far after the end", "add", "/a/list/99999999999999999999", 1),
    ("replace after the end", "replace", "/a/list/3", 1),
    ("a list has no names", "add", "/a/list/x", 1),
    ("a list has no places before it", "replace", "/a/list/-1", 1),
    ("a list counts in plain digits", "replace", "/a/list/٠", 1),
    ("a list counts without signs", "replace", "/a/list/+1", 1),
    ("a list counts without leading zeros", "replace", "/a/list/00", 1),
    ("nothing exists at text", "add", "/a/text/b", 1),
    ("nothing exists at a flag", "add", "/a/flag/b/c", 1),
    ("nothing lies after the end", "add", "/a/list/2/b", 1),
    ("nothing exists at the dash", "add", "/a/list/-/b", 1),
    ("a forbidden key in the value", "add", "/a/b", {"__proto__": 1}),
    ("a forbidden key on a new place", "add", "/b/c/d", {"__proto__": 1}),
    ("a forbidden key deep in the value", "replace", "/a/b", [{"c": [{"constructor": 1}]}]),
    ("a forbidden key merged", "append", "/a", {"prototype": 1}),
    ("a forbidden key in an item", "append", "/a/list", [{"__proto__": {}}]),
    ("a forbidden key in the whole", "add", "", {"message": {"__proto__": 1}}),
]


@pytest.mark.parametrize(
    "op, pointer, value", [c[1:] for c in BAD_OPERATIONS], ids=[c[0] for c in BAD_OPERATIONS]
)
def test_an_operation_that_does_not_fit_is_refused_and_changes_nothing(op, pointer, value):
    document = Document(copy.deepcopy(HOLDER))
    with pytest.raises(BadOperation):
        document.apply(op, parse_pointer(pointer), value)
    assert document.get() == HOLDER


@pytest.mark.parametrize("op", ["add", "append", "replace", "remove", "truncate"])
@pytest.mark.parametrize("root", [None, 1, "text"], ids=["null", "number", "text"])
def test_nothing_lies_in_a_document_that_is_no_container(root, op):
    document = Document()
    document.apply("replace", (), root)
    with pytest.raises(BadOperation):
        document.apply(op, ("a", "b"), 1)
    assert document.get() == root


def test_a_list_is_never_reached_into_beyond_its_limit(monkeypatch):
    monkeypatch.setattr(wire_document, "MAX_INDEX", 3)
    document = Document({"a": list(range(10))})
    document.apply("replace", ("a", "3"), "x")
    with pytest.raises(BadOperation):
        document.apply("replace", ("a", "4"), "y")
    assert document.get("a") == [0, 1, 2, "x", *range(4, 10)]


def test_a_place_too_deep_is_refused():
    """Else reading the document would end in a RecursionError far from the cause."""
    document = Document({})
    with pytest.raises(BadOperation):
        document.apply("add", ("a",) * (MAX_DEPTH + 1), 1)
    assert document.get() == {}


GROWING = [
    # id                      before            place          text stands there (else None)
    ("text", {"a": "x"}, "/a", "xy"),
    ("text in a list", {"a": ["x"]}, "/a/0", "xy"),
    ("nothing yet", {}, "/a", "y"),
    ("null", {"a": None}, "/a", "y"),
    ("null in a list", {"a": [None]}, "/a/0", "y"),
    ("after the last element", {"a": []}, "/a/0", "y"),
    ("an object", {"a": {}}, "/a", None),
    ("a list", {"a": []}, "/a", None),
    ("a number", {"a": 1}, "/a", None),
    ("false", {"a": False}, "/a", None),
    ("the whole", {}, "", None),
]


@pytest.mark.parametrize(
    "before, pointer, text", [c[1:] for c in GROWING], ids=[c[0] for c in GROWING]
)
def test_text_grows_only_where_text_can_stand(before, pointer, text):
    document = Document(copy.deepcopy(before))
    growing = document.growing(parse_pointer(pointer))
    if text is None:
        assert growing is None
        assert document.get() == before
    else:
        growing.add("y")
        segments = (int(s) if s.isdigit() else s for s in parse_pointer(pointer))
        assert document.get(*segments) == text
        assert document.growing(parse_pointer(pointer)) is growing


def test_halves_of_a_character_are_joined_when_the_text_is_read():
    growing = Growing("x")
    growing.add(HIGH)
    assert growing.text() == f"x{HIGH}"
    growing.add(LOW)
    assert growing.text() == f"x{EMOJI}"


@pytest.mark.parametrize("read_every", [1, 100, 10**6], ids=["often", "at times", "once"])
def test_text_of_many_pieces_is_whole_whenever_it_is_read(read_every):
    """Pieces are folded together as they come; a fold may fall between two halves."""
    growing, expected = Growing("x"), "x"
    for n in range(2 * wire_document.FOLD + 3):
        piece = (HIGH, LOW, "a")[n % 3]
        growing.add(piece)
        expected += piece
        if n % read_every == 0:
            assert growing.text() == join_surrogates(expected)
    assert growing.text() == join_surrogates(expected)


def test_text_that_grew_is_truncated_by_its_utf16_units():
    document = Document({"a": "x"})
    growing = document.growing(("a",))
    for piece in (HIGH, LOW, "y"):
        growing.add(piece)
    document.apply("truncate", ("a",), 3)
    assert document.get("a") == f"x{EMOJI}"


def test_what_was_read_does_not_change_afterwards():
    document = Document({"a": {"b": ["x"]}})
    growing = document.growing(("a", "b", "0"))
    before = document.get()
    growing.add("y")
    document.apply("add", ("a", "b", "-"), 1)
    document.apply("add", ("a", "c"), 1)
    assert before == {"a": {"b": ["x"]}}
    assert document.get("a", "b") == ["xy", 1]
    assert plain(document.root) == {"a": {"b": ["xy", 1], "c": 1}}


PLACES = [
    ((), {"a": [{"b": 1}]}),
    (("a", 0, "b"), 1),
    (("a", 1), None),
    (("a", "0"), None),
    (("x", "y"), None),
    (("a", 0, "b", "c"), None),
]


@pytest.mark.parametrize("place, value", PLACES, ids=[str(c[0]) for c in PLACES])
def test_a_place_is_read_or_none(place, value):
    assert Document({"a": [{"b": 1}]}).get(*place) == value


def test_a_long_text_in_small_pieces_costs_what_its_length_costs():
    document = Document({"a": ""})
    growing = document.growing(("a",))
    for _ in range(200_000):
        growing.add("日本")
    assert document.get("a") == "日本" * 200_000
