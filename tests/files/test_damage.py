"""Files that are cut, broken or somebody else's: what is told of them, and what is saved."""

import json
import os
from pathlib import Path

import pytest

from files.spoken import (
    ANSWER,
    BODIES,
    BOTH,
    GROK_CHAT,
    ndjson,
    read_all,
    read_one,
    said,
    sse,
    stream_generate,
)
from kit.chatgpt import CONVERSATION, frame
from tabwire.files.bodies import MAX_PROBLEMS
from tabwire.files.detection import HEAD
from tabwire.hub import Kind, read_files
from tabwire.lab.speak import gemini as speak_gemini

NASTY = {
    "nothing": b"",
    "blank": b"\n",
    "zeros": bytes(5000),
    "bytes": bytes(range(256)) * 20,
    "html": b"<!doctype html><title>Just a moment...</title>",
    "prose": b"Dear reader,\nthis is not data.\n",
    "deep": b"[" * 5000,
    "deep objects": b'{"a":' * 5000,
    "quotes": b'"' * 999,
    "number": b"12\n[1]",
    "nulls": b"null\nnull\n",
    "lists": b"[]\n[]\n",
    "zip magic": b"PK\x03\x04" + bytes(range(256)),
    "a har of nothing": b'{"log":{}}',
    "a har of numbers": b'{"log":{"entries":[1,2,{"a":1}]}}',
    "a list with a hole": b'[{"mapping":{}},',
}


@pytest.mark.parametrize("kind", [None, *Kind], ids=str)
@pytest.mark.parametrize("body", NASTY.values(), ids=NASTY)
def test_nonsense_of_any_kind_is_told_and_never_an_exception(tmp_path, kind, body):
    for report in read_all(tmp_path, body, kind=kind):
        assert report.conversation_id is None
        assert report.problems
        assert report.messages == ()
        assert not report.complete


@pytest.mark.parametrize("kind", Kind, ids=str)
@pytest.mark.parametrize("real", Kind, ids=str)
def test_a_body_of_one_kind_read_as_another_is_never_an_exception(tmp_path, kind, real):
    reports = read_all(tmp_path, BODIES[real], kind=kind)
    assert reports
    assert all(report.conversation_id or report.problems for report in reports)


FOREIGN = [
    # id                     a stream of somebody else
    (
        "typed events",
        [{"type": "message_start", "message": {"id": "m", "role": "assistant", "content": []}}]
        + [{"type": "content_block_delta", "index": 0, "delta": {"text": "Hi"}}] * 3
        + [{"type": "message_stop"}],
    ),
    ("choices", [{"id": "x", "choices": [{"delta": {"content": "Hi"}}]}] * 3),
    ("patches", [{"p": "response/content", "o": "APPEND", "v": "Hi"}, {"v": " there"}]),
    ("words", ["Hi", "there"]),
    ("numbers", [1, 2, None, True]),
]


@pytest.mark.parametrize("frames", [c[1] for c in FOREIGN], ids=[c[0] for c in FOREIGN])
def test_an_event_stream_of_somebody_else_holds_no_conversation(tmp_path, frames):
    body = b"".join(map(frame, frames)) + b"data: [DONE]\n\n"
    report = read_one(tmp_path, body)
    assert (report.kind, report.conversation_id, report.messages) == ("sse", None, ())
    assert (report.complete, report.damaged) == (False, True)


def test_json_of_somebody_else_holds_no_conversation(tmp_path):
    for value in ({"name": "a"}, {"title": "T"}, {"items": []}, {"messages": [{"role": "user"}]}):
        report = read_one(tmp_path, json.dumps(value).encode())
        assert (report.kind, report.conversation_id) == ("canonical_json", None)
        assert report.damaged, value


def test_a_refusal_is_told_and_is_the_end_of_that_answer(tmp_path):
    report = read_one(tmp_path, speak_gemini.speak_error(1037))
    assert (report.conversation_id, report.complete, report.terminal) == (None, False, True)
    (problem,) = report.problems
    assert "rate_limit" in problem
    assert "1037" in problem


@pytest.mark.parametrize("kind", [Kind.SSE, Kind.NDJSON, Kind.STREAM_GENERATE], ids=str)
def test_a_challenge_page_saved_as_a_stream_is_told_as_such(tmp_path, kind):
    report = read_one(tmp_path, NASTY["html"], kind=kind)
    assert (report.conversation_id, report.damaged, report.terminal) == (None, True, True)
    assert "challenge" in report.problems[-1]


@pytest.mark.parametrize(
    "body",
    [
        frame({"error": "too many requests", "message": None, "conversation_id": None}),
        json.dumps({"result": None, "error": {"code": 8, "message": "slow down"}}).encode()
        + b"\n{}",
    ],
    ids=["chatgpt", "grok"],
)
def test_a_stream_that_is_only_a_refusal_is_read_and_no_damage(tmp_path, body):
    report = read_one(tmp_path, body)
    assert (report.conversation_id, report.damaged, report.terminal) == (None, False, True)
    assert "rate_limit" in report.problems[-1]


def test_a_stream_that_only_names_its_conversation_is_no_damage(tmp_path):
    named = {"type": "title_generation", "title": "Tabs", "conversation_id": CONVERSATION}
    titled, stream = read_all(tmp_path, frame(named) + b"data: [DONE]\n\n", sse())
    assert (titled.conversation_id, titled.damaged) == (CONVERSATION, False)
    assert stream.title == "Tabs"


def test_a_thoroughly_broken_stream_lists_a_bounded_number_of_problems(tmp_path):
    report = read_one(tmp_path, sse() + b"data: {broken\n\n" * (3 * MAX_PROBLEMS))
    assert len(report.problems) == MAX_PROBLEMS
    assert (report.damaged, said(report)) == (True, BOTH)


def test_a_first_line_longer_than_the_head_is_still_a_stream(tmp_path):
    """A pasted document as the question of a follow-up: its line comes first."""
    lines = ndjson(prompt="long " * (HEAD // 4)).splitlines(keepends=True)
    opening, question, *rest = lines
    body = b"".join([question, opening, *rest])
    report = read_one(tmp_path, body)
    assert (report.kind, report.conversation_id) == ("ndjson", GROK_CHAT)
    assert report.messages[-1].text == ANSWER


# -- cut anywhere ---------------------------------------------------------------------------


def every_beginning(path: Path, body: bytes):
    """(how many bytes, the report) of the file cut at every position, shorter and shorter."""
    path.write_bytes(body)
    for size in range(len(body) - 1, -1, -1):
        os.truncate(path, size)
        (report,) = read_files([path])
        yield size, report


def is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def loses_event(cut: bytes) -> bool:
    """A last event counts without its blank line if its data is whole."""
    last = cut.rpartition(b"\n\n")[2].strip()
    data = last.rpartition(b"data: ")[2]
    return bool(last) and not (b"data: " in last and (data == b"[DONE]" or is_json(data)))


def loses_line(cut: bytes) -> bool:
    """A last line counts without its newline if it is whole."""
    last = cut.rpartition(b"\n")[2]
    return bool(last) and not is_json(last)


def loses_chunk(cut: bytes) -> bool:
    """A length line without its chunk is a chunk that did not come."""
    last = cut.removesuffix(b"\n").rpartition(b"\n")[2]
    return last.isdigit() or (last != b")]}'" and loses_line(cut))


CUTS = [
    # id       body                                                       what a cut loses
    ("sse", sse("Ein Tab.", thoughts=["So?"], title="T"), loses_event),
    ("ndjson", ndjson("Ein Tab.", thoughts=["So?"], title="T"), loses_line),
    ("stream_generate", stream_generate("Ein Tab.", thoughts=["So?"], title="T"), loses_chunk),
]


@pytest.mark.parametrize("body, loses", [c[1:] for c in CUTS], ids=[c[0] for c in CUTS])
@pytest.mark.rows(1)
def test_of_a_stream_cut_anywhere_the_whole_records_are_told(tmp_path, body, loses):
    (whole,) = read_all(tmp_path, body)
    reached = (whole.complete, len(whole.messages), len(whole.messages[-1].text))
    unfinished = set()
    for size, report in every_beginning(tmp_path / "cut", body):
        cut = body[:size]
        where = f"cut at {size}: {cut[-60:]!r}"
        if loses(cut) or not cut.strip():
            assert report.damaged, where
        assert report.problems or report.complete, where
        assert report.conversation_id in (None, whole.conversation_id), where
        told, full = said(report), said(whole)
        assert told[:-1] == full[: len(told)][:-1], where
        last = told[-1] if told else ("", "")
        assert any(who == last[0] and text.startswith(last[1]) for who, text in full) or not told
        # Going backwards an answer only gets shorter, and its proof only goes away.
        before, reached = reached, (report.complete, len(told), len(last[1]))
        assert reached <= before, where
        if len(told) == len(full) and not report.complete:
            unfinished.add(last[1])
    assert reached == (False, 0, 0)
    assert {"Ein ", "Ein Tab."} <= unfinished, "words were lost that had arrived"


def test_a_gemini_body_cut_between_two_chunks_is_known_to_be_cut(tmp_path):
    """Its closing frame is missing, and says so of itself: nothing else would."""
    pieces = speak_gemini.speak_stream(["Ein", "Ein Tab"], conversation_id="abcdef0123456789")
    report = read_one(tmp_path, b"".join(pieces[:3]))
    assert said(report) == [("assistant", "Ein")]
    assert not report.complete
    assert report.problems


def test_a_stored_body_cut_anywhere_names_no_conversation(tmp_path):
    """Which turn is on show stands at its end, so nothing can be told of it."""
    for size, report in every_beginning(tmp_path / "cut", BODIES[Kind.CANONICAL_JSON]):
        assert (report.conversation_id, report.messages) == (None, ()), size
        assert report.problems, size
        assert report.damaged, size


def test_of_a_cut_list_of_items_the_whole_ones_are_told_and_nothing_is_proven(tmp_path):
    """x.com has no tree: its items follow each other, and the newest may be missing."""
    most = 0
    for size, report in every_beginning(tmp_path / "cut", BODIES[Kind.X_GRAPHQL]):
        assert said(report) in ([], BOTH[:1], BOTH), size
        assert (report.complete, report.damaged) == (False, True), size
        assert report.problems, size
        most = max(most, len(report.messages))
    assert most == 2


def test_a_stored_body_of_gemini_cut_anywhere_is_known_to_be_cut(tmp_path):
    body = BODIES[Kind.BATCHEXECUTE]
    for size, report in every_beginning(tmp_path / "cut", body[:-1]):
        assert report.problems, size
        assert report.damaged or not loses_chunk(body[:size]), size
        assert said(report) in ([], BOTH), size


BREAKS = [
    # id                  what is put in the middle of a stream
    ("not json", b"data: {oops\n\n"),
    ("no utf-8", b'data: {"type": "\xff\xfe"}\n\n'),
    ("zeros", b"data: \0\0\0\n\n"),
    ("deep", b"data: " + b"[" * 3000 + b"\n\n"),
    ("a name that is no name", b'data: {"conversation_id": 7, "type": "toast"}\n\n'),
]


@pytest.mark.parametrize("broken", [c[1] for c in BREAKS], ids=[c[0] for c in BREAKS])
def test_a_broken_record_costs_only_itself(tmp_path, broken):
    events = sse().split(b"\n\n")
    for place in range(1, len(events) - 1):
        body = b"\n\n".join(events[:place]) + b"\n\n" + broken + b"\n\n".join(events[place:])
        report = read_one(tmp_path, body, kind=Kind.SSE)
        assert said(report) == BOTH, place
        assert report.complete, place
