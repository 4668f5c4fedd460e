"""`decode(speak(x)) == x`: what the lab says as Gemini is what we read from Gemini."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwire.lab.speak.gemini import (
    LIMITED,
    PREFIX,
    Quota,
    Speaker,
    SpokenAnswer,
    SpokenExchange,
    history_payload,
    list_payload,
    speak_calls,
    speak_error,
    speak_history,
    speak_list,
    speak_refused,
    speak_stream,
)
from tabwire.model.conversation import Message, Role
from tabwire.model.signals import (
    Refusal,
    Refused,
    StreamClosed,
    TextGrew,
    TextReplaced,
    ThoughtGrew,
    ThoughtReplaced,
    ToolStepped,
    TurnEnded,
)
from tabwire.sites.gemini import SITE
from tabwire.sites.memory import Memory
from tabwire.wire.framed import Chunk, Closed, FramedDecoder
from tabwire.wire.text import join_surrogates

TEXT = st.text(st.sampled_from("ab =<'&\"\\/\n你é😄\ud83d\ude04"), max_size=40)


@pytest.mark.parametrize("repeated", [True, False])
@given(st.lists(TEXT, max_size=6), st.lists(TEXT, max_size=3), st.booleans())
def test_a_stream_is_heard_as_it_was_spoken(repeated, texts, thoughts, complete):
    pieces = speak_stream(
        texts,
        conversation_id="abc",
        thoughts=thoughts,
        title="A <title>",
        complete=complete,
        model="3 Pro",
        repeated=repeated,
    )
    stream = SITE.open_stream(None, Memory())
    heard, thought = "", ""
    for signal in [one for piece in pieces for one in stream.feed(piece)] + stream.close():
        match signal:
            case TextGrew(text=text):
                heard += text
            case TextReplaced(text=text):
                heard = text
            case ThoughtGrew(text=text):
                thought += text
            case ThoughtReplaced(text=text):
                thought = text
    said = join_surrogates(next((text for text in reversed(texts) if text), ""))
    assert join_surrogates(heard) == said
    assert join_surrogates(thought) == join_surrogates(
        next((text for text in reversed(thoughts) if text), "")
    )
    found = stream.conversation()
    assert (found.id, found.title) == ("abc", "A <title>")
    last = join_surrogates(texts[-1]) if texts else ""
    if complete and last:
        assert found.model == "gemini-3-pro"
        assert found.standing.complete == bool(said.strip())


def test_one_piece_per_chunk_the_prefix_first_and_the_closing_last():
    pieces = speak_stream(["你", "你好"], conversation_id="abc")
    assert pieces[0] == PREFIX
    decoder = FramedDecoder()
    heard = [decoder.feed(piece) for piece in pieces]
    assert [len(records) for records in heard] == [0, *[1] * (len(pieces) - 2), 2]
    closed = heard[-1][-1]
    assert closed == Closed(closed.records, sum(map(len, pieces)), sum(map(len, pieces)))
    chunks = [one for records in heard for one in records if isinstance(one, Chunk)]
    assert closed.records == sum(len(json.loads(one.raw)) for one in chunks)


ANSWERS = st.lists(st.tuples(TEXT, st.booleans()), max_size=3)
EXCHANGES = st.lists(st.tuples(TEXT, ANSWERS, st.integers(0, 2)), min_size=1, max_size=4)


@given(EXCHANGES)
def test_a_conversation_is_read_as_it_was_spoken(spoken):
    exchanges = [
        SpokenExchange(
            f"r_{number}",
            question,
            tuple(
                SpokenAnswer(f"rc_{number}_{place}", text, whole=whole)
                for place, (text, whole) in enumerate(answers)
            ),
            chosen=chosen % max(1, len(answers)),
            seconds=number,
        )
        for number, (question, answers, chosen) in enumerate(spoken)
    ]
    reading = SITE.read_body(speak_history("abc", exchanges), None, Memory())
    assert reading.problems == ()
    expected = []
    for one in exchanges:
        expected.append(Message(Role.USER, join_surrogates(one.question)))
        if one.answers:
            text = join_surrogates(one.answers[one.chosen].text)
            expected.append(Message(Role.ASSISTANT, text))
    heard = reading.conversations[0].messages() if reading.conversations else ()
    assert heard == tuple(message for message in expected if message.text.strip())


def test_a_list_is_read_as_it_was_spoken():
    chats = [("abc", "Sums"), ("def", "<More> & 'so on'")]
    assert SITE.read_body(speak_list(chats), None, Memory()).titles == tuple(chats)


def test_an_error_is_heard_as_it_was_spoken():
    stream = SITE.open_stream(None, Memory())
    (refused,) = [one for one in stream.feed(speak_error(1060)) if isinstance(one, Refused)]
    assert refused.code == "1060"


SEEN = TEXT.filter(str.strip)


@given(st.lists(st.tuples(SEEN, SEEN, TEXT), min_size=1, max_size=4))
def test_turns_one_after_the_other_are_stored_as_they_were_heard(turns):
    memory = Memory()
    exchanges, heard = [], []
    for count, (question, text, thoughts) in enumerate(turns):
        ids = f"r_{count}", f"rc_{count}"
        speaker = Speaker("abc", response_id=ids[0], candidate_id=ids[1], model="3 Pro")
        pieces = [
            *speaker.opening(),
            speaker.thought(thoughts),
            *(speaker.text(text[: end + 1]) for end in range(len(text))),
            *speaker.ending("Sums" if count == 0 else None),
        ]
        stream = SITE.open_stream(None, memory)
        for piece in pieces:
            stream.feed(piece)
        stream.close()
        heard.append(stream.conversation())
        answer = SpokenAnswer(ids[1], text, thoughts)
        exchanges.append(SpokenExchange(ids[0], question, (answer,), model="3 Pro"))
    (stored,) = SITE.read_body(speak_history("abc", exchanges), None, memory).conversations
    assert {one.id for one in heard} == {stored.id}
    assert stored.title == "Sums"
    answers = [turn for turn in stored.turns if turn.role is Role.ASSISTANT]
    for one, turn in zip(heard, answers, strict=True):
        (told,) = one.turns
        assert one.standing.complete
        assert (told.id, join_surrogates(told.text)) == (turn.id, join_surrogates(turn.text))
        assert join_surrogates(told.thinking or "") == join_surrogates(turn.thinking or "")


def test_a_stream_that_was_stopped_is_closed_and_not_whole():
    speaker = Speaker("abc")
    pieces = [*speaker.opening(), speaker.text("Half an"), *speaker.stopped()]
    stream = SITE.open_stream(None, Memory())
    for piece in pieces:
        stream.feed(piece)
    stream.close()
    found = stream.conversation()
    assert found.turns[0].text == "Half an"
    assert (found.standing.complete, found.standing.terminal) == (False, True)


def test_several_calls_in_one_body_are_all_heard():
    exchange = SpokenExchange("r_1", "Why?", (SpokenAnswer("rc_1", "Because."),))
    body = speak_calls(
        [
            ("MaZiqc", list_payload([("abc", "Sums")])),
            ("ESY5D", []),
            ("hNvQHb", history_payload("abc", [exchange])),
        ]
    )
    reading = SITE.read_body(body, None, Memory())
    assert reading.titles == (("abc", "Sums"),)
    assert [one.text for one in reading.conversations[0].messages()] == ["Why?", "Because."]
    assert reading.problems == ()


def heard(pieces):
    """The signals of a body, byte by byte, and the stream that read it."""
    stream = SITE.open_stream(None, Memory())
    body = b"".join(pieces)
    signals = [one for at in range(len(body)) for one in stream.feed(body[at : at + 1])]
    return signals + stream.close(), stream


def test_tools_are_heard_while_they_work_and_words_end_them():
    speaker = Speaker("abc")
    pieces = [*speaker.opening(), speaker.begun(), speaker.tool("a"), speaker.thought("Hm. ")]
    pieces += [speaker.tool("b"), speaker.text("Da"), speaker.tool("a"), *speaker.ending()]
    signals, stream = heard(pieces)
    assert [one.name for one in signals if isinstance(one, ToolStepped)] == ["a", "b", "a"]
    assert stream.conversation().turns[0].text == "Da"


def test_a_hint_names_things_and_ends_nothing():
    speaker = Speaker("abc", model="3 Pro")
    pieces = [*speaker.opening(), speaker.begun(), speaker.text("Half"), *speaker.hint("Early")]
    signals, stream = heard(pieces)
    assert not [one for one in signals if isinstance(one, TurnEnded)]
    assert (stream.conversation().title, stream.conversation().model) == ("Early", "gemini-3-pro")
    assert not stream.conversation().standing.complete


@pytest.mark.parametrize("quota", [None, Quota(0, 100, 1774263794)])
def test_a_site_that_gives_up_is_heard_in_its_own_stream(quota):
    speaker = Speaker("abc")
    pieces = [*speaker.opening(), speaker.text("Half 半"), *speaker.failed(LIMITED, quota)]
    signals, stream = heard(pieces)
    (refused,) = [one for one in signals if isinstance(one, Refused)]
    assert (refused.kind, refused.code) == (Refusal.RATE_LIMIT, "1037")
    assert refused.resets_at == (quota and quota.until)
    assert signals[-1] == StreamClosed(True, 0)
    assert stream.conversation().turns[0].text == "Half 半"


@pytest.mark.parametrize("status", [400, 401])
def test_a_request_that_was_not_let_in_is_heard(status):
    signals, _ = heard([speak_refused(status)])
    assert [one.code for one in signals if isinstance(one, Refused)] == [str(status)]


# -- beside the recordings -------------------------------------------------------------------

RECORDED = Path(__file__).resolve().parents[4] / "shared" / "recordings" / "gemini"
needs_recordings = pytest.mark.skipif(
    not RECORDED.is_dir(), reason="the recordings are not beside the checkout"
)


def payloads(body):
    """The payloads of a body's data records, and every record."""
    rows = [line for line in body.splitlines() if line.startswith("[")]
    records = [record for line in rows for record in json.loads(line)]
    return [json.loads(one[2]) for one in records if one[0] == "wrb.fr" and one[2]], records


def differences(ours, theirs, path="payload"):
    """Where ours says something of another kind than theirs. What we leave out is no fault."""
    if ours is None or theirs is None:
        return []
    if isinstance(ours, list) and isinstance(theirs, list):
        pairs = enumerate(zip(ours, theirs, strict=False))
        return [one for at, (a, b) in pairs for one in differences(a, b, f"{path}[{at}]")]
    if isinstance(ours, dict) and isinstance(theirs, dict):
        known = ours.keys() & theirs.keys()
        return [
            one for key in known for one in differences(ours[key], theirs[key], f"{path}.{key}")
        ]
    return [] if type(ours) is type(theirs) else [f"{path}: {ours!r} beside {theirs!r}"]


@needs_recordings
def test_a_stream_has_the_shape_of_the_recorded_one():
    name = "devtools_note_StreamGenerate_cjk_emoji_2026-03.txt"
    theirs, records = payloads((RECORDED / name).read_bytes().decode())
    speaker = Speaker("abc", model="Fast")
    quota = Quota(14, 15, 1774263794)
    said = [
        *speaker.opening(),
        speaker.text("Da"),
        speaker.text("Da!"),
        *speaker.ending(None, quota),
    ]
    ours, our_records = payloads(b"".join(said).decode())
    opening, running, whole = theirs[0], theirs[1], theirs[-3]
    assert differences(ours[0], opening) == []
    assert differences(ours[1], running) == differences(ours[2], running) == []
    assert differences(ours[3], whole) == []
    assert [len(one) for one in ours[1:4]] == [len(running)] * 3
    # then what is left of the quota, and the context token; the books at the very end
    assert [set(one[2]) for one in ours[4:]] == [set(one[2]) for one in theirs[-2:]]
    assert differences(ours[4], theirs[-2]) == differences(ours[5], theirs[-1]) == []
    assert [one[0] for one in our_records[-3:]] == [one[0] for one in records[-3:]]
    places = [{at for at, one in enumerate(ours[3]) if one is not None}]
    assert places[0] <= {at for at, one in enumerate(whole) if one is not None}


@needs_recordings
def test_lists_and_errors_have_the_shape_of_the_recorded_ones():
    name = "har_prompthelper_batchexecute_MaZiqc_cjk_0_2026-03.txt"
    (theirs,), records = payloads((RECORDED / name).read_bytes().decode())
    (ours,), our_records = payloads(speak_list([("abc", "Sums"), ("def", "More")]).decode())
    assert differences(ours, theirs) == []
    assert len(ours[2][0]) == len(theirs[2][0])
    assert differences(our_records[0][:2], records[0][:2]) == []
    error = (RECORDED / "error_frame_BardErrorInfo_1096_empty.txt").read_bytes()
    assert speak_error(1096) == error
