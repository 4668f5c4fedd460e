"""`decode(speak(x)) == x` for ChatGPT: whole, stopped, and several turns in one conversation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwire.lab.speak.chatgpt import (
    RUNNING,
    STOPPED,
    Ids,
    SpokenTurn,
    speak_conversation,
    speak_list,
    speak_stream,
)
from tabwire.model.conversation import Role, TurnState
from tabwire.model.signals import Noted, PromptEchoed, TextGrew, TurnEnded, TurnStopped
from tabwire.sites.chatgpt.history import read_body
from tabwire.sites.chatgpt.stream import ChatGptStream
from tabwire.sites.memory import Memory

ID = "5f0c6a1e-1111-4222-8333-0123456789ab"
SECOND = Ids("u2", "t2", "a2")
TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


def decode(events, memory=None):
    reader = ChatGptStream(None, memory or Memory())
    signals = [signal for event in events for signal in reader.feed(event)] + reader.close()
    return reader.conversation(), signals


def stored(turns, title=None):
    return read_body(speak_conversation(ID, turns, title), None, Memory()).conversations[0]


def kinds(signals, kind):
    return [signal for signal in signals if isinstance(signal, kind)]


@given(st.lists(TEXT, min_size=1), st.lists(TEXT, max_size=3), TEXT)
def test_a_stream_is_read_back_as_it_was_spoken(texts, thoughts, prompt):
    said = speak_stream(texts, conversation_id=ID, prompt=prompt, thoughts=thoughts, ids=SECOND)
    conversation, signals = decode(said)
    assert "".join(signal.text for signal in kinds(signals, TextGrew)) == "".join(texts)
    assert [signal.text for signal in kinds(signals, PromptEchoed)] == [prompt]
    assert kinds(signals, Noted) == []
    assert conversation.turns[-1].id == "a2"
    assert conversation.turns[-1].text == "".join(texts)
    if "".join(texts).strip():
        assert conversation.standing.complete
        assert len(kinds(signals, TurnEnded)) == 1


@pytest.mark.parametrize(
    "texts, thoughts",
    [(["half of"], []), (["half of"], ["hm"]), ([], ["hm"]), ([], [])],
    ids=["in the text", "after thinking", "while thinking", "before a word"],
)
def test_a_stopped_answer_is_stopped_and_nothing_else(texts, thoughts):
    said = speak_stream(texts, conversation_id=ID, thoughts=thoughts, stopped=True)
    conversation, signals = decode(said)
    assert len(kinds(signals, TurnStopped)) == 1
    assert kinds(signals, TurnEnded) == []
    assert not conversation.standing.complete
    assert conversation.standing.reason == "stopped"


def test_a_stored_conversation_has_all_its_turns_and_its_title():
    turns = [
        SpokenTurn("One?", "1", ("counting",), Ids("u1", "t1", "a1"), at=10.0),
        SpokenTurn("Two?", "2", ids=SECOND, at=20.0),
    ]
    conversation = stored(turns, "Numbers")
    assert conversation.title == "Numbers"
    assert conversation.standing.complete
    recap = Ids("u1", "t1", "a1").step("recap", 1)
    assert conversation.visible == ("u1", "t1", recap, "a1", "u2", "a2")
    told = [
        (turn.role, turn.text, turn.thinking) for turn in conversation.turns if turn.id != recap
    ]
    assert told == [
        (Role.USER, "One?", None),
        (Role.ASSISTANT, "", "counting"),
        (Role.ASSISTANT, "1", None),
        (Role.USER, "Two?", None),
        (Role.ASSISTANT, "2", None),
    ]
    assert (conversation.created_at, conversation.updated_at) == (10.0, 20.0)


@pytest.mark.parametrize(
    "status, answer, thoughts, reason",
    [
        (RUNNING, "half", (), "assistant-in-progress"),
        (RUNNING, "", ("hm",), "assistant-in-progress"),
        (RUNNING, "", (), "assistant-in-progress"),
        (STOPPED, "half", (), "stopped"),
        (STOPPED, "half", ("hm",), "stopped"),
        (STOPPED, "", ("hm",), "stopped"),
    ],
)
def test_a_stored_answer_stands_as_far_as_it_got(status, answer, thoughts, reason):
    turns = [SpokenTurn("One?", "1"), SpokenTurn("Two?", answer, thoughts, SECOND, status)]
    assert stored(turns).standing.reason == reason


def test_the_stream_of_a_turn_and_what_is_stored_of_it_agree():
    said = {"prompt": "Two?", "thoughts": ("hm", "so")}
    streamed, _ = decode(speak_stream(["a", "b"], conversation_id=ID, ids=SECOND, **said))
    kept = stored([SpokenTurn("Two?", "ab", ("hm", "so"), SECOND)])
    for one, other in zip(streamed.turns, kept.turns, strict=True):
        assert (one.id, one.role, one.text, one.thinking) == (
            other.id,
            other.role,
            other.text,
            other.thinking,
        )
        assert one.state is other.state is TurnState.FINISHED


def test_the_list_names_every_chat():
    reading = read_body(speak_list([(ID, "Numbers", 1.0)]), None, Memory())
    assert reading.titles == ((ID, "Numbers"),)


def test_a_stopped_answer_says_so_twice_as_the_site_does():
    """By its status, and by how the model says it finished."""
    streamed = b"".join(speak_stream(["half"], conversation_id=ID, stopped=True))
    kept = speak_conversation(ID, [SpokenTurn("One?", "half", status=STOPPED)])
    for body in (streamed, kept):
        assert b'"finish_details": {"type": "interrupted"}' in body
        assert STOPPED.encode() in body
