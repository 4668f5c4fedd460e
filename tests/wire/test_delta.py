"""`delta_encoding v1`: every operation and what is inherited, told as short streams.

Each story begins with an opened message with one empty part, in channel 0.
"""

import pytest

from kit.cuts import every_cut
from tabwire.wire.delta import DeltaDecoder, Frame
from wire.streams import (
    ANNOUNCED,
    PART,
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
PART_1 = "/message/content/parts/1"
CONTENT, META, S, T = "/message/content", "/message/metadata", "/message/s", "/message/t"


def do(pointer: str, op: str, *value) -> dict:
    return {"p": pointer, "o": op, **({"v": value[0]} if value else {})}


def steps(*triples: tuple) -> list[dict]:
    return [do(*triple) for triple in triples]


def patch(*triples: tuple, at: str = "") -> dict:
    return do(at, "patch", steps(*triples))


def grew(text: str, pointer: str = PART) -> tuple[str, str, str]:
    return ("+", pointer, text)


def changed(pointer: str) -> tuple[str, str]:
    return ("=", pointer)


HI = do(PART, "append", "Hi")

STORIES = [
    # (id, deltas, what is said, the document)
    ("append", [HI, HI], [grew("Hi"), grew("Hi")], message("HiHi")),
    ("a bare string goes on",
     [HI, {"v": "!"}, {"v": "?"}], [grew("Hi"), grew("!"), grew("?")], message("Hi!?")),
    ("an empty string is text too", [HI, {"v": ""}], [grew("Hi"), grew("")], message("Hi")),
    ("operation and place inherited",
     [HI, {"v": "!", "c": 0}], [grew("Hi"), grew("!")], message("Hi!")),
    ("only the place given",
     [HI, {"p": S, "v": "T"}], [grew("Hi"), grew("T", S)], message("Hi", s="T")),
    ("only the operation given",
     [HI, {"o": "replace", "v": "Ho"}], [grew("Hi"), changed(PART)], message("Ho")),
    ("a replace is inherited",
     [do(S, "replace", "a"), {"v": "b"}], [changed(S)] * 2, message("", s="b")),
    ("the value is not inherited",
     [HI, do(PART, "append"), {"v": "!"}], [grew("Hi"), "unread", grew("!")], message("Hi!")),
    ("a replaced text grows on",
     [HI, {"o": "replace", "v": "Ho"}, {"o": "append", "v": "!"}],
     [grew("Hi"), changed(PART), grew("!")], message("Ho!")),
    ("a truncated text grows on",
     [HI, {"o": "truncate", "v": 1}, {"o": "append", "v": "o"}, {"v": "!"}],
     [grew("Hi"), changed(PART), grew("o"), grew("!")], message("Ho!")),
    ("text where nothing was",
     [do(META, "add", {}), do(META + "/a", "append", "x"), {"v": "y"}],
     [changed(META), grew("x", META + "/a"), grew("y", META + "/a")],
     message("", metadata={"a": "xy"})),
    ("items appended",
     [do(T, "append", [{"a": 1}]), {"v": [{"b": 2}]}, {"v": {"c": 3}}],
     [changed(T)] * 3, message("", t=[{"a": 1}, {"b": 2}, {"c": 3}])),
    ("text inside an appended item",
     [do(T, "append", [{"text": "a"}]), {"p": T + "/0/text", "v": "b"}, {"v": "c"}],
     [changed(T), grew("b", T + "/0/text"), grew("c", T + "/0/text")],
     message("", t=[{"text": "abc"}])),
    ("text is one item of a list",
     [do(T, "add", ["a"]), {"o": "append", "v": "b"}], [changed(T)] * 2, message("", t=["a", "b"])),
    ("a bare string after a list is its next item",
     [HI, {"p": T, "v": ["a"]}, {"v": "b"}],
     [grew("Hi"), changed(T), changed(T)], message("Hi", t=["a", "b"])),
    ("objects merged",
     [do(META, "append", {"a": 1, "b": 1}), {"v": {"b": 2}}],
     [changed(META)] * 2, message("", metadata={"a": 1, "b": 2})),
    ("add and remove", [do(S, "add", 1), {"o": "remove"}], [changed(S)] * 2, message("")),
    ("a removal inherited",
     [do(T, "add", [1, 2, 3]), do(T + "/2", "remove"), {"p": T + "/0"}],
     [changed(T), changed(T + "/2"), changed(T + "/0")], message("", t=[2])),
    ("a new part",
     [HI, do(PART_1, "add", "a"), {"o": "append", "v": "b"}, {"v": "c"}],
     [grew("Hi"), changed(PART_1), grew("b", PART_1), grew("c", PART_1)], message("Hi", "abc")),
    ("pointer escapes",
     [do("/message/a~1b~0c", "append", "x"), {"v": "y"}],
     [grew("x", "/message/a~1b~0c"), grew("y", "/message/a~1b~0c")],
     message("", **{"a/b~c": "xy"})),
    # -- patches
    ("a patch",
     [patch((PART, "append", "Hi"), (S, "replace", 1))],
     [grew("Hi"), changed(S)], message("Hi", s=1)),
    ("a bare string after a patch",
     [patch((T, "append", "x"), (PART, "append", "Hi"), (S, "add", "y")), {"v": "!"}],
     [grew("x", T), grew("Hi"), changed(S), grew("!")], message("Hi!", t="x", s="y")),
    ("a bare string after a patch without text",
     [HI, patch((S, "add", "y")), {"v": "!"}],
     [grew("Hi"), changed(S), grew("!")], message("Hi!", s="y")),
    ("a patch is inherited",
     [patch((PART, "append", "Hi")), {"v": steps((PART, "append", "!"))}],
     [grew("Hi"), grew("!")], message("Hi!")),
    ("a patch without its place, after a new message",
     [{"o": "patch", "v": steps((PART, "append", "Hi"))}], [grew("Hi")], message("Hi")),
    ("a list without an operation, after a new message",
     [{"v": steps((PART, "append", "Hi"))}], [grew("Hi")], message("Hi")),
    ("a list without an operation, after an append",
     [HI, {"v": steps((PART, "append", "!"), (S, "add", 1))}, {"v": "?"}],
     [grew("Hi"), grew("!"), changed(S), grew("?")], message("Hi!?", s=1)),
    ("a list without an operation, after a replace",
     [do(S, "replace", 1), {"v": steps((PART, "append", "Hi"))}],
     [changed(S), grew("Hi")], message("Hi", s=1)),
    ("a list without an operation, at a place",
     [{"p": "/message", "v": steps(("/content/parts/0", "append", "Hi"), ("/s", "add", 1))}],
     [grew("Hi"), changed(S)], message("Hi", s=1)),
    ("a list of no operations is a value",
     [do(S, "replace", 1), {"v": [{"p": 1}]}, {"v": []}], [changed(S)] * 3, message("", s=[])),
    ("a patch at a place",
     [patch(("/content/parts/0", "append", "Hi"), at="/message"), {"v": "!"}],
     [grew("Hi"), grew("!")], message("Hi!")),
    ("a patch at a place, inherited",
     [patch(("/s", "add", 1), at="/message"), {"v": steps(("/t", "add", 2))}],
     [changed(S), changed(T)], message("", s=1, t=2)),
    ("no inheritance inside a patch",
     [do("", "patch", [HI, {"v": "!"}, {"p": PART, "v": "?"}])],
     [grew("Hi"), "unread", "unread"], message("Hi")),
    ("a patch in a patch",
     [patch(("/message", "patch", steps(("/s", "add", 1), ("/content/parts/0", "append", "Hi"))))],
     [changed(S), grew("Hi")], message("Hi", s=1)),
    ("an empty patch", [HI, patch(), {"v": "!"}], [grew("Hi"), grew("!")], message("Hi!")),
    ("one bad step of a patch",
     [patch((PART, "append", "Hi"), (S, "remove"), (PART, "append", "!"))],
     [grew("Hi"), "unread", grew("!")], message("Hi!")),
    ("steps that are none",
     [do("", "patch", [1, "x", None, [], do(1, "add", 1)])], ["unread"] * 5, message("")),
    ("a step that is half a character",
     [do("", "patch", [HIGH])], ["unread"], message("")),
    ("a patch that is no list",
     [do("", "patch", {"p": PART}), patch((PART, "append", "Hi"))],
     ["unread", grew("Hi")], message("Hi")),
    # -- new documents, and text that stood in something changed
    ("a new message after an append",
     [HI, {"v": message("x")}], [grew("Hi"), "new"], message("x")),
    ("a new message after a patch",
     [patch((PART, "append", "Hi")), {"v": message("x")}, {"v": "y"}],
     [grew("Hi"), "new", grew("y")], message("xy")),
    ("the whole replaced",
     [HI, do("", "replace", message("x"))], [grew("Hi"), "new"], message("x")),
    ("what holds the text replaced",
     [HI, do(CONTENT, "replace", {"content_type": "text", "parts": ["x"]}), HI, {"v": "!"}],
     [grew("Hi"), changed(CONTENT), grew("Hi"), grew("!")], message("xHi!")),
    ("an element inserted before the text",
     [do(T, "add", ["a", "b"]), do(T + "/1", "append", "+"),
      do(T + "/0", "add", "new"), do(T + "/1", "append", "!")],
     [changed(T), grew("+", T + "/1"), changed(T + "/0"), grew("!", T + "/1")],
     message("", t=["new", "a!", "b+"])),
    ("an element removed before the text",
     [do(T, "add", ["a", "b", "c"]), do(T + "/1", "append", "+"),
      do(T + "/0", "remove"), do(T + "/1", "append", "!")],
     [changed(T), grew("+", T + "/1"), changed(T + "/0"), grew("!", T + "/1")],
     message("", t=["b+", "c!"])),
    ("an index with a leading zero is none",
     [HI, do(PART + "0", "replace", 1), HI], [grew("Hi"), "unread", grew("Hi")], message("HiHi")),
    # -- characters
    ("CJK and emoji",
     [HI, {"v": "日本"}, {"v": EMOJI}],
     [grew("Hi"), grew("日本"), grew(EMOJI)], message(f"Hi日本{EMOJI}")),
    ("an emoji in two halves",
     [HI, {"v": HIGH}, {"v": LOW}, {"v": "!"}],
     [grew("Hi"), grew(HIGH), grew(LOW), grew("!")], message(f"Hi{EMOJI}!")),
    ("a half that stays alone",
     [HI, {"v": HIGH}, {"v": "!"}], [grew("Hi"), grew(HIGH), grew("!")], message(f"Hi{HIGH}!")),
    ("truncate counts units",
     [HI, {"v": f"{EMOJI}!"}, {"o": "truncate", "v": 4}],
     [grew("Hi"), grew(f"{EMOJI}!"), changed(PART)], message(f"Hi{EMOJI}")),
    ("truncate inside an emoji, then its half again",
     [HI, {"v": EMOJI}, {"o": "truncate", "v": 3}, {"o": "append", "v": LOW}],
     [grew("Hi"), grew(EMOJI), changed(PART), grew(LOW)], message(f"Hi{EMOJI}")),
    ("two keys alike: the last counts",
     [HI, b'{"v":"no","v":"yes"}'], [grew("Hi"), grew("yes")], message("Hiyes")),
    ("bytes that are no UTF-8", [HI, b'{"v":"\xff"}'], [grew("Hi"), grew("�")], message("Hi�")),
    # -- what cannot be read, and goes nowhere
    ("no JSON", [HI, b"{oops", {"v": "!"}], [grew("Hi"), "unread", grew("!")], message("Hi!")),
    ("NaN", [HI, b'{"v":NaN}', {"v": "!"}], [grew("Hi"), "unread", grew("!")], message("Hi!")),
    ("text after an append that did not fit",
     [do(S, "add", True), HI, do(S, "append", "x"), {"v": "lost"}],
     [changed(S), grew("Hi"), "unread", "unread"], message("Hi", s=True)),
    ("text after an append to a forbidden key",
     [HI, do("/message/__proto__", "append", "x"), {"v": "lost"}],
     [grew("Hi"), "unread", "unread"], message("Hi")),
    ("text after an unknown operation",
     [HI, do(PART, "explode", "x"), {"v": "lost"}],
     [grew("Hi"), "unread", "unread"], message("Hi")),
    ("a removal of what is not there", [do("/a/b/c", "remove")], ["unread"], message("")),
    ("forbidden keys",
     [do("/__proto__/x", "add", 1), do("/message/constructor", "replace", 1),
      do(S, "add", {"a": [{"prototype": 1}]}), {"v": message("", __proto__=1)},
      patch(("/message/__proto__", "add", 1))],
     ["unread"] * 5, message("")),
    ("fields of the wrong kind",
     [{"c": "0", "v": "x"}, {"c": True, "v": "x"}, {"c": None, "v": "x"}, {"c": 0.0, "v": "x"},
      {"p": 1, "v": "x"}, {"p": None, "v": "x"}, {"o": 1, "v": "x"}, {"o": None, "v": "x"},
      do("message", "add", 1)],
     ["unread"] * 9, message("")),
]  # fmt: skip
STORY = pytest.mark.parametrize(
    "deltas, said, document", [c[1:] for c in STORIES], ids=[c[0] for c in STORIES]
)
NEW = opened("")


@STORY
def test_deltas_change_the_document_and_say_where(deltas, said, document):
    decoder = DeltaDecoder()
    records = read(decoder, [stream(NEW, *deltas)])
    assert tell(records) == ["new", *said]
    assert documents(decoder) == {0: document}


@STORY
def test_same_records_and_document_however_the_bytes_are_cut(deltas, said, document):
    wire = stream(NEW, *deltas)
    whole = DeltaDecoder()
    records = read(whole, [wire])
    for chunks in every_cut(wire):
        cut = DeltaDecoder()
        assert read(cut, chunks) == records, chunks
        assert documents(cut) == documents(whole), chunks


NAMELESS = [  # a delta without a value is known as one by its event's name alone
    case for case in STORIES if all(isinstance(one, bytes) or "v" in one for one in case[1])
]


@pytest.mark.parametrize(
    "deltas, said, document", [c[1:] for c in NAMELESS], ids=[c[0] for c in NAMELESS]
)
def test_a_stream_without_event_names_says_the_same(deltas, said, document):
    """The short way for `{"v": "text"}` is taken for named events only."""
    decoder = DeltaDecoder()
    records = read(decoder, [ANNOUNCED + b"".join(map(event, (NEW, *deltas)))])
    assert tell(records) == ["new", *said]
    assert documents(decoder) == {0: document}


@STORY
def test_typed_events_and_pings_in_between_disturb_nothing(deltas, said, document):
    typed = {"type": "message_marker", "marker": "last_token", "p": "/x", "o": "remove", "c": 9}
    legacy = message("legacy", role="user")
    error = {"error": "x", "error_code": "y"}
    between = [
        *(event(typed), event(legacy), event(error), event([1]), event({})),
        *(event({}, "ping"), b": ping\n\n", event(b""), event(b"", "delta"), b"event: delta\n\n"),
    ]
    noise = b"".join(between)
    wire = ANNOUNCED + noise + b"".join(delta(one) + noise for one in (NEW, *deltas))
    decoder = DeltaDecoder()
    records = read(decoder, [wire])
    assert tell(one for one in records if not isinstance(one, Frame)) == ["new", *said]
    frames = [one.value for one in records if isinstance(one, Frame)]
    assert frames == [typed, legacy, error, [1], {}] * (len(deltas) + 2)
    assert documents(decoder) == {0: document}
