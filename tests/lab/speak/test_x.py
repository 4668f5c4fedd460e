"""`decode(speak(x)) == x` for Grok on x.com: streams, stored items, the history."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabwire.lab.speak.x import (
    AGENT,
    USER,
    SpokenItem,
    XSpeaker,
    speak_history,
    speak_items,
    speak_limiter,
    speak_x_error,
)
from tabwire.lab.stories.steps import Tool
from tabwire.model.conversation import Role, TurnState
from tabwire.model.signals import Noted, Refusal, Refused, ToolStepped
from tabwire.sites.grok import SITE
from tabwire.sites.memory import Memory

CHAT = "2013295304527827227"
URL = "https://grok.x.com/2/grok/add_response.json"
ITEMS = (
    "https://x.com/i/api/graphql/q/GrokConversationItemsByRestId"
    f"?variables=%7B%22restId%22%3A%22{CHAT}%22%7D"
)

WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
VISIBLE = WORDS.filter(str.strip)
PIECES = st.lists(WORDS, min_size=1, max_size=4).filter(lambda texts: "".join(texts).strip())


def voice():
    return XSpeaker(CHAT, question_id="1000000000000000001", answer_id="1000000000000000002")


def hear(lines):
    stream = SITE.open_stream(URL, Memory())
    signals = [signal for line in lines for signal in stream.feed(line)] + stream.close()
    return signals, stream.conversation()


# no thought ends like a card begins: that end would wait for the next piece, which is a card
THOUGHTS = st.lists(VISIBLE.map(lambda words: f"{words}."), max_size=3)


@given(PIECES, THOUGHTS, st.booleans())
@settings(max_examples=40)
def test_an_answer_is_heard_as_it_was_spoken_even_byte_by_byte(texts, thoughts, alone):
    speaker = voice()
    lines = [
        *speaker.opening(),
        *map(speaker.thought, thoughts),
        speaker.hint(),
        *speaker.tool(Tool()),
        *map(speaker.text, texts),
        *speaker.ending(),
    ]
    if alone:
        body = b"".join(lines)
        lines = [body[at : at + 1] for at in range(len(body))]
    signals, heard = hear(lines)
    (answer,) = heard.messages()
    assert (heard.id, answer.text) == (CHAT, "".join(texts))
    assert (answer.thinking or "") == "".join(thoughts)
    assert heard.standing.complete
    assert [one.name for one in signals if isinstance(one, ToolStepped)][:1] == ["web_search"]
    assert not [one for one in signals if isinstance(one, Noted)], "nothing unknown in it"


def test_a_hint_ends_nothing_and_a_missing_end_is_missed():
    speaker = voice()
    lines = [*speaker.opening(), speaker.text("half"), speaker.hint()]
    assert not hear(lines)[1].standing.complete


@pytest.mark.parametrize(
    "line, kind",
    [
        (speak_limiter("enough"), Refusal.RATE_LIMIT),
        (speak_x_error(88, "Rate limit exceeded"), Refusal.RATE_LIMIT),
        (speak_x_error(32, "Could not authenticate you"), Refusal.LOGIN),
        (speak_x_error(131, "Internal error"), Refusal.ERROR),
    ],
)
def test_a_refusal_is_heard_as_what_it_is(line, kind):
    signals, _ = hear([*voice().opening(), line])
    assert [one.kind for one in signals if isinstance(one, Refused)] == [kind]


@given(st.lists(st.tuples(VISIBLE, VISIBLE, st.booleans()), min_size=1, max_size=4))
def test_stored_items_say_what_was_said(turns):
    items = []
    for count, (prompt, answer, thinks) in enumerate(turns):
        at = 1_790_000_000.0 + 10 * count
        thinking = "hm." if thinks else ""
        items.append(SpokenItem(str(10**18 + 2 * count), prompt, USER, at=at))
        items.append(
            SpokenItem(str(10**18 + 2 * count + 1), answer, AGENT, at=at + 1, thinking=thinking)
        )
    (heard,) = SITE.read_body(speak_items(items), ITEMS, Memory()).conversations
    assert heard.id == CHAT
    assert [(turn.id, turn.text) for turn in heard.turns] == [
        (one.id, one.message) for one in items
    ]
    for turn, item in zip(heard.turns, items, strict=True):
        assert turn.role is (Role.USER if item.sender == USER else Role.ASSISTANT)
        assert (turn.thinking or "", turn.created_at) == (item.thinking, item.at)
    assert heard.standing.complete


def test_an_item_being_written_is_not_whole():
    items = [SpokenItem("1", "Q", USER), SpokenItem("2", "A", AGENT, partial=True)]
    (heard,) = SITE.read_body(speak_items(items), ITEMS, Memory()).conversations
    assert heard.turns[-1].state is TurnState.RUNNING
    assert not heard.standing.complete


def test_the_history_is_read_as_it_was_spoken():
    chats = [(CHAT, "日本語 <b>", 1_790_000_000.5), ("2013295190400758029", "Tabs", 0.0)]
    reading = SITE.read_body(speak_history(chats, "next"), None, Memory())
    assert reading.titles == tuple((named, title) for named, title, _ in chats)
    assert json.loads(speak_history(chats, "next"))["data"]["grok_conversation_history"]["cursor"]


def paths(value, at=""):
    """Every place in a JSON value, lists without their places."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield f"{at}.{key}"
            yield from paths(inner, f"{at}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from paths(inner, f"{at}[]")


@pytest.mark.parametrize(
    "name, said",
    [
        (
            "blackiya_sample_grok_conversation.json",
            speak_items([SpokenItem("1", "Q", USER), SpokenItem("2", "A", AGENT, thinking="t")]),
        ),
        ("blackiya_sample_grok_history.json", speak_history([(CHAT, "T", 0.0)], "next")),
    ],
)
def test_the_places_are_those_of_a_recording(shared, name, said):
    recorded = shared / "recordings/grok" / name
    if not recorded.is_file():
        pytest.skip("no recording beside the checkout")
    seen = set(paths(json.loads(recorded.read_bytes())))
    spoken = set(paths(json.loads(said)))
    assert spoken <= seen
    cursor = ".data.grok_conversation_items_by_rest_id.cursor"  # the lab sends items at once
    assert seen - spoken <= {cursor}
