"""Bodies the site really sent, and a peer's test inputs, where they lie beside the checkout."""

import json

import pytest

from kit.cuts import random_cuts
from tabwire.model.signals import Refused, TextGrew, TextReplaced
from tabwire.sites.gemini import SITE
from tabwire.sites.memory import Memory
from tabwire.sites.site import RequestKind
from tabwire.wire.framed import Chunk, Closed, FramedDecoder


def recordings(shared):
    found = sorted((shared / "recordings/gemini").glob("*.txt"))
    if not found:
        pytest.skip("no recordings of Gemini")
    return found


def test_every_length_and_every_byte_count_recorded_is_true(shared):
    """So the framing is understood: no lie, nothing unread, and the closing count right."""
    for path in recordings(shared):
        raw = path.read_bytes()
        decoder = FramedDecoder()
        records = decoder.feed(raw) + decoder.close()
        assert {type(record) for record in records} == {Chunk, Closed}, path.name
        assert records[-1].declared_bytes == records[-1].seen_bytes == len(raw)
        count = sum(len(json.loads(one.raw)) for one in records if isinstance(one, Chunk))
        assert records[-1].records == count


def test_the_recorded_answer_is_complete_and_only_grows(shared):
    path = shared / "recordings/gemini/devtools_note_StreamGenerate_cjk_emoji_2026-03.txt"
    if not path.is_file():
        pytest.skip("not recorded")
    raw = path.read_bytes()
    for pieces in ([raw], random_cuts(raw, 7), random_cuts(raw, 8, pieces=400)):
        stream = SITE.open_stream(None, Memory())
        signals = [signal for piece in pieces for signal in stream.feed(piece)]
        signals += stream.close()
        assert sum(isinstance(one, TextGrew) for one in signals) == 11
        assert not any(isinstance(one, TextReplaced) for one in signals)
        found = stream.conversation()
        assert found.standing.evidence == ("candidate_complete", "context_token", "byte_count")
        text = "".join(one.text for one in signals if isinstance(one, TextGrew))
        assert found.turns[0].text == text


def test_the_recorded_error_is_a_refusal(shared):
    for path in recordings(shared):
        if "error_frame" in path.name:
            stream = SITE.open_stream(None, Memory())
            signals = stream.feed(path.read_bytes())
            assert [one.code for one in signals if isinstance(one, Refused)] == ["1096"]


def vectors(shared):
    index = shared / "corpus/vectors/index.json"
    if not index.is_file():
        pytest.skip("no vectors")
    for vector in json.loads(index.read_text())["vectors"]:
        if vector["platform"] == "gemini" and vector["call"] == "parse":
            yield vector, index.parent


def read(url, path, memory):
    if SITE.sort_request("POST", url) is RequestKind.ANSWER:
        stream = SITE.open_stream(url, memory)
        stream.feed(path.read_bytes())
        stream.close()
        return stream.conversation(), ()
    reading = SITE.read_body(path.read_bytes(), url, memory)
    return next(iter(reading.conversations), None), reading.titles


def test_every_vector_gets_its_binding_answer(shared):
    count = 0
    for vector, folder in vectors(shared):
        memory = Memory()
        for before in vector.get("setup", ()):
            read(before["url"], folder / before["input"], memory)
        found, titles = read(vector["url"], folder / vector["input"], memory)
        wanted = {**vector["expected"], **vector.get("should_be", {})}
        said = [(one.role, one.text) for one in found.messages()] if found else []
        assert said == [(one["role"], one["text"]) for one in wanted["messages"]], vector["id"]
        assert (found and found.id) == wanted["conversation_id"], vector["id"]
        standing = (found.standing.complete, found.standing.terminal) if found else (False, False)
        assert standing == (wanted["ready"], wanted["terminal"]), vector["id"]
        if not wanted.get("model_is_default"):
            assert (found and found.model) == wanted["model"], vector["id"]
        if found is None:
            learnt = {tuple(title) for title in wanted.get("titles_learnt", ())}
            assert set(titles) == learnt, vector["id"]
        count += 1
    assert count
