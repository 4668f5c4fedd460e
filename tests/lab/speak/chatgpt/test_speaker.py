"""`decode(speak(x)) == x` for everything a turn can be: tools, preambles, both styles, any cut."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwire.lab.carry import cut
from tabwire.lab.speak.chatgpt import Ids, Speaker, SpokenTurn, Style, speak_conversation
from tabwire.lab.speak.chatgpt.frames import RESUME, SOCKET
from tabwire.lab.stories.steps import Tool
from tabwire.model.signals import (
    HandedOff,
    Noted,
    PromptEchoed,
    Refusal,
    Refused,
    StreamClosed,
    TextGrew,
    TextReplaced,
    ThoughtGrew,
    ThoughtReplaced,
    TitleNamed,
    ToolStepped,
    TurnEnded,
    TurnStopped,
)
from tabwire.sites.chatgpt.history import read_body
from tabwire.sites.chatgpt.stream import ChatGptStream
from tabwire.sites.memory import Memory

ID = "5f0c6a1e-1111-4222-8333-0123456789ab"
IDS = Ids("u", "t", "a")
WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
STYLES = pytest.mark.parametrize("style", Style)
SEARCH = Tool("web.search", 'search("光")', "Nothing found. 😀")
PYTHON = Tool("python", "1 + 1", "2")


def decode(chunks):
    reader = ChatGptStream(None, Memory())
    signals = [signal for chunk in chunks for signal in reader.feed(chunk)] + reader.close()
    return reader.conversation(), signals


def of(signals, kind):
    return [signal for signal in signals if isinstance(signal, kind)]


def grown(signals, kind):
    return "".join(signal.text for signal in of(signals, kind))


def say(speaker, told):
    """Tell things in order: text, (thought,), or a tool."""
    events = speaker.opening()
    for one in told:
        match one:
            case Tool():
                events += speaker.tool(one)
            case (thought,):
                events += speaker.thought(thought)
            case _:
                events += speaker.text(one)
    return events


TURNS = [
    ("plain", ["Ein ", "Tab — 标签页 ", "😀"]),
    ("thinking", [("Zuerst ",), ("denken.",), "Ein ", "Tab"]),
    ("tools", [("hm",), SEARCH, ("so",), PYTHON, "Ein ", "Tab"]),
    ("tools only", [SEARCH, PYTHON, "Ein ", "Tab"]),
    ("a preamble", ["I will look.\n\n", ("hm",), ("so",), "Ein ", "Tab"]),
    ("a preamble and tools", ["First.\n\n", ("hm",), SEARCH, "Ein ", ("again",), "Tab"]),
]
EVERY_TURN = pytest.mark.parametrize("told", [c[1] for c in TURNS], ids=[c[0] for c in TURNS])


def text_of(told):
    return "".join(one for one in told if isinstance(one, str))


@STYLES
@EVERY_TURN
def test_a_whole_turn_is_read_back_as_it_was_spoken(told, style):
    speaker = Speaker(ID, prompt="Was?", ids=IDS, style=style, title="Tabs")
    conversation, signals = decode([*say(speaker, told), *speaker.ending()])
    assert grown(signals, TextGrew) == text_of(told)
    assert of(signals, TextReplaced) == of(signals, ThoughtReplaced) == of(signals, Noted) == []
    thoughts = [one[0] for one in told if isinstance(one, tuple)]
    assert grown(signals, ThoughtGrew).replace("\n\n", "") == "".join(thoughts)
    assert [one.text for one in of(signals, PromptEchoed)] == ["Was?"]
    assert [one.title for one in of(signals, TitleNamed)] == ["Tabs"]
    assert [one.message_id for one in of(signals, TurnEnded)] == ["a"]
    used = [one.name for one in told if isinstance(one, Tool)]
    assert {one.name for one in of(signals, ToolStepped)} == set(used)
    assert conversation.standing.complete
    assert next(turn.text for turn in conversation.turns if turn.id == "a") == text_of(told)
    assert signals[-1] == StreamClosed(True, 0)


@STYLES
@EVERY_TURN
def test_how_the_bytes_were_cut_changes_nothing(told, style):
    speaker = Speaker(ID, ids=IDS, style=style)
    body = b"".join([*say(speaker, told), *speaker.ending()])
    whole, signals = decode([body])
    alone, letter_by_letter = decode([body[at : at + 1] for at in range(len(body))])
    assert alone == whole
    assert letter_by_letter == signals
    rng = random.Random(1)
    assert decode(cut(body, rng))[1] == signals


@STYLES
@EVERY_TURN
def test_a_turn_may_be_stopped_anywhere(told, style):
    for heard in range(len(told) + 1):
        speaker = Speaker(ID, ids=IDS, style=style)
        conversation, signals = decode([*say(speaker, told[:heard]), *speaker.stopped()])
        assert len(of(signals, TurnStopped)) == 1
        assert of(signals, TurnEnded) == of(signals, Noted) == []
        assert grown(signals, TextGrew) == text_of(told[:heard])
        assert not conversation.standing.complete


@STYLES
@pytest.mark.parametrize(
    "code, kind", [("generation_failed", Refusal.ERROR), ("usage_limit", Refusal.RATE_LIMIT)]
)
def test_a_turn_may_fail_anywhere(style, code, kind):
    told = TURNS[2][1]
    for heard in range(len(told) + 1):
        speaker = Speaker(ID, ids=IDS, style=style)
        _, signals = decode([*say(speaker, told[:heard]), *speaker.failed("It failed.", code)])
        assert [(one.kind, one.message) for one in of(signals, Refused)] == [(kind, "It failed.")]
        assert of(signals, TurnEnded) == of(signals, TurnStopped) == of(signals, Noted) == []


@STYLES
def test_a_hint_ends_nothing(style):
    speaker = Speaker(ID, ids=IDS, style=style)
    events = [*say(speaker, ["Ein "]), *speaker.hint()]
    conversation, signals = decode(events)
    assert of(signals, TurnEnded) == []
    assert not conversation.standing.complete
    conversation, signals = decode([*events, *speaker.text("Tab"), *speaker.ending()])
    assert grown(signals, TextGrew) == "Ein Tab"
    assert len(of(signals, TurnEnded)) == 1


@pytest.mark.parametrize("way", [SOCKET, RESUME, None])
def test_a_hand_off_says_where_the_rest_will_be(way):
    speaker = Speaker(ID, ids=IDS)
    events = [*say(speaker, ["Ein "]), speaker.handoff(way, "topic-1")]
    conversation, signals = decode(events)
    (handed,) = of(signals, HandedOff)
    assert (handed.to, handed.topic_id) == ((way, "topic-1") if way else ("unknown", None))
    assert conversation.standing.reason == "assistant-in-progress"


@given(st.lists(st.one_of(WORDS, st.tuples(WORDS)), min_size=1), st.sampled_from(Style))
def test_any_words_in_any_order_are_read_back(told, style):
    speaker = Speaker(ID, ids=IDS, style=style)
    _, signals = decode([*say(speaker, told), *speaker.ending()])
    assert grown(signals, TextGrew) == text_of(told)
    assert of(signals, TextReplaced) == of(signals, Noted) == []


def test_the_same_words_make_the_same_events():
    """An event's number is what a page asks for the rest with."""
    told = TURNS[5][1]
    first, second = (say(Speaker(ID, ids=IDS), told) for _ in range(2))
    assert first == second


def test_a_citation_is_explained_in_the_metadata():
    text = "As is known\ue200cite\ue202turn0search1\ue201 here."
    speaker = Speaker(ID, ids=IDS)
    events = [*say(speaker, [text[:15], text[15:]]), *speaker.ending()]
    told, explained = (
        [step["v"] for step in data(event)["v"] if "content_references" in step["p"]]
        for event in events
        if b"content_references" in event and b'"patch"' in event
    )
    ((first,),) = told
    reference, (footnote,) = explained
    for one in (first, reference):
        assert text[one["start_idx"] : one["end_idx"]] == one["matched_text"]
        assert one["matched_text"].strip("\ue200\ue201") == "cite\ue202turn0search1"
    assert (first["type"], reference["type"]) == ("hidden", "grouped_webpages")
    assert footnote["sources"][0]["url"] == reference["items"][0]["url"]
    conversation, _signals = decode(events)
    assert conversation.turns[-1].text == text
    kept = json.loads(speak_conversation(ID, [SpokenTurn("Q", text, ids=IDS)]))
    stored = kept["mapping"]["a"]["message"]["metadata"]["content_references"]
    assert stored == [reference, footnote]


@STYLES
def test_a_character_may_come_in_two_halves(style):
    """As sites do that cut text by UTF-16 unit."""
    speaker = Speaker(ID, ids=IDS, style=style)
    conversation, signals = decode([*say(speaker, ["a\ud83d", "\ude00"]), *speaker.ending()])
    assert conversation.turns[-1].text == "a😀"
    assert of(signals, Noted) == []
    kept = speak_conversation(ID, [SpokenTurn("Q", "a\ud83d\ude00", ids=IDS)])
    assert read_body(kept, None, Memory()).conversations[0].turns[-1].text == "a😀"


def test_a_guests_stream_is_plain_ascii_and_counts_tokens():
    speaker = Speaker(ID, ids=IDS, style=Style.PATCH)
    events = [*say(speaker, ["光"]), *speaker.text("😀")]
    assert events[-1].isascii()
    assert [step["p"] for step in data(events[-1])["v"]] == [
        "/message/content/parts/0",
        "/message/metadata/token_count",
    ]
    bare = Speaker(ID, ids=IDS)
    assert data([*say(bare, ["光"]), *bare.text("😀")][-1]) == {"v": "😀"}


def data(event):
    return json.loads(event.partition(b"data: ")[2])
