"""`decode(speak(x)) == x` over several turns: streams, stored bodies, and a resumed stream."""

import json
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabwire.lab.speak.grok import (
    AGENTS,
    ASSISTANT,
    HUMAN,
    INTERNAL,
    NOT_ALLOWED,
    TOO_MANY,
    UNAUTHENTICATED,
    Speaker,
    SpokenChat,
    SpokenResponse,
    speak_about,
    speak_list,
    speak_nodes,
    speak_responses,
    speak_stream,
)
from tabwire.lab.stories.steps import Tool
from tabwire.model.conversation import Role, TurnState
from tabwire.model.signals import Noted, Refusal, Refused, ToolStepped
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


NAMES = st.sampled_from(["web.search", "python", "x"])
TOOLS = st.lists(st.builds(Tool, NAMES, VISIBLE, VISIBLE), max_size=3)


@given(VISIBLE, PIECES, st.lists(VISIBLE, max_size=9), TOOLS, st.booleans())
@settings(max_examples=50)
def test_agents_and_tools_are_heard_as_what_they_are(prompt, texts, thoughts, tools, agents):
    voice = Speaker(CHAT, model="grok-4", agents=AGENTS if agents else ())
    lines = [
        *voice.opening(prompt, bool(thoughts)),
        *map(voice.thought, thoughts),
        *(line for tool in tools for line in voice.tool(tool)),
        *map(voice.text, texts),
        *voice.ending("Tabs"),
    ]
    stream = SITE.open_stream(URL, Memory())
    signals = [signal for line in lines for signal in stream.feed(line)] + stream.close()
    heard = stream.conversation()
    assert [one.text for one in heard.messages()] == [prompt, "".join(texts)]
    assert heard.messages()[-1].thinking == ("".join(thoughts) or None)
    assert heard.standing.complete
    cards = [one for one in signals if isinstance(one, ToolStepped)]
    called = [one for one in cards if one.name != "raw_function_result"]
    assert [list(json.loads(one.text).values()) for one in called] == [[t.asks] for t in tools]
    answered = [one.text for one in cards if one.name == "raw_function_result"]
    assert answered == [tool.answers for tool in tools]
    assert not [one for one in signals if isinstance(one, Noted)], "nothing unknown in it"


@given(VISIBLE, PIECES, st.lists(VISIBLE, max_size=2))
@settings(max_examples=20)
def test_bytes_that_arrive_alone_say_the_same(prompt, texts, thoughts):
    body = b"".join(
        speak_stream(texts, conversation_id=CHAT, prompt=prompt, thoughts=thoughts, title="T")
    )
    whole = hear([body], URL, Memory())
    assert hear([body[at : at + 1] for at in range(len(body))], URL, Memory()) == whole
    assert whole.messages()[-1].text == "".join(texts)


def test_a_hint_in_the_middle_ends_nothing():
    voice = Speaker(CHAT)
    lines = [*voice.opening("Q"), voice.text("half"), voice.hint()]
    assert not hear(lines, URL, Memory()).standing.complete
    whole = hear([*lines, voice.text(" and half"), *voice.ending()], URL, Memory())
    assert (whole.messages()[-1].text, whole.standing.complete) == ("half and half", True)


@pytest.mark.parametrize(
    "code, kind",
    [(TOO_MANY, Refusal.RATE_LIMIT), (INTERNAL, Refusal.ERROR), (NOT_ALLOWED, Refusal.BLOCKED),
     (UNAUTHENTICATED, Refusal.LOGIN)],
)  # fmt: skip
def test_an_error_line_is_a_refusal_and_keeps_the_words(code, kind):
    voice = Speaker(CHAT)
    stream = SITE.open_stream(URL, Memory())
    lines = [*voice.opening("Q"), voice.text("half"), voice.error(code, "no")]
    signals = [signal for line in lines for signal in stream.feed(line)] + stream.close()
    assert [one.kind for one in signals if isinstance(one, Refused)] == [kind]
    assert stream.conversation().turns[-1].text == "half"


def paths(value, at=""):
    """Every place in a JSON value, lists without their places."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield f"{at}.{key}"
            yield from paths(inner, f"{at}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from paths(inner, f"{at}[]")


def test_the_places_are_those_of_a_recorded_answer(shared):
    recorded = shared / "recordings/grok/terminal_log_conversations_new_2026-03.ndjson"
    if not recorded.is_file():
        pytest.skip("no recording beside the checkout")
    lines = recorded.read_bytes().splitlines()
    seen = {path for line in lines for path in paths(json.loads(line))}
    body = speak_stream(["a"], conversation_id=CHAT, title="T", model="grok-4", thoughts=["b"])
    said = {path for line in body for path in paths(json.loads(line))}
    # the recorded answer did not think
    assert said - seen == {".result.response.modelResponse.thinkingTrace"}
    missing = {path for path in seen - said if path.count(".") < 4}
    assert missing == set(), "places near the root that the lab leaves out"
