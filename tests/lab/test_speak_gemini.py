"""`decode(speak(x)) == x`: what the lab says as Gemini is what we read from Gemini."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwire.lab.speak_gemini import (
    PREFIX,
    Speaker,
    SpokenAnswer,
    SpokenExchange,
    history_payload,
    list_payload,
    speak_calls,
    speak_error,
    speak_history,
    speak_list,
    speak_stream,
)
from tabwire.model.conversation import Message, Role
from tabwire.model.signals import Refused, TextGrew, TextReplaced, ThoughtGrew, ThoughtReplaced
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
