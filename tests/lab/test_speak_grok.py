"""`decode(speak(x)) == x` over several turns: streams, stored bodies, and a resumed stream."""

import json
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from tabwire.lab.speak_grok import (
    ASSISTANT,
    HUMAN,
    Speaker,
    SpokenChat,
    SpokenResponse,
    speak_about,
    speak_list,
    speak_nodes,
    speak_responses,
    speak_stream,
)
from tabwire.model.conversation import Role, TurnState
from tabwire.sites.grok import SITE
from tabwire.sites.memory import Memory

CHAT = "99999999-2222-4333-8444-555555555555"
URL = "https://grok.com/rest/app-chat/conversations/new"
ONE = f"https://grok.com/rest/app-chat/conversations/{CHAT}"

WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
VISIBLE = WORDS.filter(str.strip)
PIECES = st.lists(WORDS, min_size=1, max_size=4).filter(lambda texts: "".join(texts).strip())
TURNS = st.lists(st.tuples(VISIBLE, PIECES, st.lists(VISIBLE, max_size=2)), min_size=1, max_size=4)


def named(turn: int, part: int) -> str:
    return str(UUID(int=(turn + 1) * 16 + part))


def speaker(turn: int) -> Speaker:
    return Speaker(
        CHAT,
        question_id=named(turn, 0),
        answer_id=named(turn, 1),
        follows=named(turn - 1, 1) if turn else None,
        asked_at=1_790_000_000.0 + 10 * turn,
        answered_at=1_790_000_001.0 + 10 * turn,
        model="grok-4",
    )


def hear(lines, url, memory):
    stream = SITE.open_stream(url, memory)
    for line in lines:
        stream.feed(line)
    stream.close()
    return stream.conversation()


@given(TURNS)
def test_turns_one_after_the_other_are_heard_as_one_conversation(turns):
    memory = Memory()
    expected = []
    for count, (prompt, texts, thoughts) in enumerate(turns):
        voice = speaker(count)
        lines = [
            *voice.opening(prompt, bool(thoughts)),
            *map(voice.thought, thoughts),
            *map(voice.text, texts),
            *voice.ending("Tabs" if count == 0 else None),
        ]
        heard = hear(lines, f"{ONE}/responses" if count else URL, memory)
        expected += [prompt, "".join(texts)]
        assert [one.text for one in heard.messages()] == expected
        assert heard.messages()[-1].thinking == ("".join(thoughts) or None)
        assert heard.standing.complete
    assert (heard.id, heard.title, heard.model) == (CHAT, "Tabs", "grok-4")
    assert [turn.id for turn in heard.turns] == [
        named(turn, part) for turn in range(len(turns)) for part in (0, 1)
    ]


@given(TURNS, st.booleans())
def test_stored_responses_say_what_the_streams_said(turns, running):
    stored = []
    for count, (prompt, texts, thoughts) in enumerate(turns):
        at = 1_790_000_000.0 + 10 * count
        before = named(count - 1, 1) if count else None
        unfinished = running and count == len(turns) - 1
        stored.append(SpokenResponse(named(count, 0), prompt, HUMAN, parent=before, at=at))
        stored.append(
            SpokenResponse(
                named(count, 1),
                "".join(texts),
                ASSISTANT,
                parent=named(count, 0),
                at=at + 1,
                model="grok-4",
                thinking="".join(thoughts),
                running=unfinished,
                partial=unfinished,
            )
        )
    memory = Memory()
    SITE.read_body(speak_nodes(stored), f"{ONE}/response-node", memory)
    (heard,) = SITE.read_body(
        speak_responses(reversed(stored)), f"{ONE}/load-responses", memory
    ).conversations
    assert heard.visible == tuple(one.id for one in stored)
    by_id = {turn.id: turn for turn in heard.turns}
    for one in stored:
        turn = by_id[one.id]
        assert (turn.text, turn.parent, turn.created_at) == (one.message, one.parent, one.at)
        assert turn.role is (Role.USER if one.sender == HUMAN else Role.ASSISTANT)
        assert (turn.thinking or "") == one.thinking
        assert turn.state is (TurnState.RUNNING if one.partial else TurnState.FINISHED)
    assert heard.standing.complete is not running


@given(VISIBLE, PIECES)
def test_a_resumed_stream_brings_the_rest_of_a_broken_one(prompt, texts):
    memory = Memory()
    broken = hear(
        speak_stream(texts[:1], conversation_id=CHAT, prompt=prompt, complete=False), URL, memory
    )
    assert not broken.standing.complete
    voice = Speaker(CHAT)
    lines = [*voice.resume(), *map(voice.text, texts), *voice.ending()]
    answer_id = broken.visible[-1]
    again = f"https://grok.com/rest/app-chat/conversations/reconnect-response-v2/{answer_id}"
    heard = hear(lines, again, memory)
    assert [one.text for one in heard.messages()] == [prompt, "".join(texts)]
    assert heard.standing.complete


def test_a_follow_up_has_its_frames_directly_under_the_result():
    """As seen on the real site: only a first turn says the conversation and wraps its frames."""
    first, second = (
        [json.loads(line)["result"].keys() for line in (*one.opening("Q"), one.text("A"))]
        for one in (speaker(0), speaker(1))
    )
    assert first[0] == {"conversation"}
    assert all(keys == {"response"} for keys in first[1:])
    assert not any(keys & {"conversation", "response"} for keys in second)


def test_a_resumed_stream_opens_with_an_empty_answer_by_nobody():
    """As seen on the real site; taken for an end it would be an empty answer called whole."""
    (line,) = Speaker(CHAT).resume()
    opened = json.loads(line)["result"]["response"]["modelResponse"]
    assert (opened["message"], opened["sender"], opened["partial"]) == ("", "", False)
    assert not hear([line], URL, Memory()).standing.complete


def test_lists_and_titles_are_read_as_they_were_spoken():
    chats = [SpokenChat(CHAT, "Tabs"), SpokenChat(named(1, 0), "日本語 <b>")]
    titles = tuple((chat.id, chat.title) for chat in chats)
    assert SITE.read_body(speak_list(chats), None, Memory()).titles == titles
    about = f"https://grok.com/rest/app-chat/conversations_v2/{CHAT}"
    assert SITE.read_body(speak_about(chats[0]), about, Memory()).titles == titles[:1]
