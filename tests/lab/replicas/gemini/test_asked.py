"""What the page's requests say."""

import json

import pytest

from tabwire.lab.replicas.gemini.asked import Question, calls_in, question_in

CASES = [
    # id, the inner list, what is asked
    ("new", [["Hi", 0], ["en"], ["", "", ""]], Question("Hi")),
    ("goes on", [["Hi", 0], ["en"], ["c_ab", "r_1", "rc_1"]], Question("Hi", "ab")),
    (
        "with files",
        [["Hi", 0, None, [[["/c/1", 1], "a.txt"], [["/c/2"]], 3]], ["en"], [""]],
        Question("Hi", files=("a.txt",)),
    ),
    ("gem", [["Hi"], ["en"], [""], *[None] * 16, "g"], Question("Hi", gem="g")),
    ("temporary", [["Hi"], ["en"], [""], *[None] * 42, 1], Question("Hi", temporary=True)),
    ("nothing", [], None),
    ("no words", [[None], ["en"], [""]], None),
]


@pytest.mark.parametrize("inner, asked", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_question_is_read(inner, asked):
    assert question_in({"f.req": json.dumps([None, json.dumps(inner)])}) == asked


@pytest.mark.parametrize("said", ["", "{", "[]", "[[1]]", '[[["a"]]]', '[[["a", "{"]]]', "null"])
def test_what_is_no_batch_is_none(said):
    assert question_in({"f.req": said}) is None
    assert calls_in({"f.req": said}) in (None, [])


def test_calls_are_read_in_order():
    calls = [[["a", "[1]", None, "generic"], ["b", "[]", None, "generic"]]]
    assert calls_in({"f.req": json.dumps(calls)}) == [("a", [1]), ("b", [])]
