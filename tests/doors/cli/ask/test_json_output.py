"""`tabwire ask --json`, whole and as lines."""

import json
from dataclasses import fields, replace
from typing import get_args

import pytest

from doors.cli.ask.scripted import CONVERSATION, URL, WHOLE, ScriptedHub, answer, story
from tabwire.doors.cli.ask.json_output import answer_data, event_data
from tabwire.model.ask import (
    EVENT_NAMES,
    Amended,
    Answer,
    Answered,
    AskEvent,
    ConversationKnown,
    Failed,
    OtherText,
    Phase,
    PhaseBegan,
    PromptLeft,
    StillWaiting,
    TextCame,
    Timings,
)
from tabwire.model.ask_errors import LimitReached
from tabwire.model.errors import BrowserNotFound

LIMIT = LimitReached("grok", "20 questions", resets_at=1789.0)
LIMIT.attempt_id, LIMIT.conversation_id = "a2", "c2"

WHOLE_DATA = {
    "site": "chatgpt",
    "lab": False,
    "attempt_id": "a1",
    "conversation_id": CONVERSATION,
    "url": URL,
    "title": "Tabs",
    "model": "gpt-test",
    "effort": "high",
    "complete": True,
    "completeness": "complete",
    "why": "end of turn",
    "text": "A **tab** holds a page.",
    "thinking": "Hm. A tab.",
    "citations": [{"url": "https://tabs.example/1", "title": "On tabs", "publisher": "Tabs"}],
    "text_from": "network_stream",
    "evidence": ["end_turn", "stored conversation"],
    "problems": [],
    "others": [],
    "suspicious": [],
    "timings": {one.name: getattr(WHOLE.timings, one.name) for one in fields(Timings)},
    "debug": None,
}
LIMIT_DATA = {
    "site": "grok",
    "lab": None,
    "error": {
        "code": "limit_reached",
        "what": "Grok has reached a limit: 20 questions",
        "what_to_do": LIMIT.what_to_do,
        "retry": "same",
        "attempt_id": "a2",
        "conversation_id": "c2",
        "resets_at": 1789.0,
        "debug": None,
    },
}


def test_one_object_in_full(asked):
    hub = ScriptedHub(WHOLE, LIMIT)
    code, out, err = asked(hub, "ask", "Why?", "--to", "chatgpt,grok", "--json")
    assert out.count(b"\n") == 1
    assert json.loads(out) == {
        "prompt": "Why?",
        "answers": [WHOLE_DATA, LIMIT_DATA],
        "exit_code": code,
    }
    assert list(json.loads(out)["answers"][0]) == list(WHOLE_DATA)
    assert "chatgpt: answering" in err


def test_nothing_of_an_answer_is_left_out():
    """What the object has under another name, or once for all of them."""
    renamed = {"id": "attempt_id"}
    names = {renamed.get(one.name, one.name) for one in fields(Answer)} - {"prompt"}
    assert names <= set(WHOLE_DATA)


def test_others_and_debug_are_told(asked):
    found = answer(others=(OtherText("page", "x"),), debug={"debug_bodyLen": 3})
    out = asked(ScriptedHub(found), "ask", "Why?", "--to", "chatgpt", "--json")[1]
    (told,) = json.loads(out)["answers"]
    assert told["others"] == [{"source": "page", "text": "x"}]
    assert told["debug"] == {"debug_bodyLen": 3}


def test_an_answer_nobody_asked_for_through_us_has_no_attempt():
    """`tabwire fetch URL`."""
    assert answer_data(replace(WHOLE, id=""), str)["attempt_id"] is None


def test_a_comparison_is_part_of_the_object(asked):
    hub = ScriptedHub(WHOLE, answer("grok"))
    out = asked(hub, "ask", "Why?", "--to", "chatgpt,grok", "--json", "--compare")[1]
    assert json.loads(out)["comparison"] == {
        "agreed": ["Both."],
        "only": {"grok": ["Mine."]},
        "differ": [{"chatgpt": "It is 1.", "grok": "It is 2."}],
        "shared": [],
    }


def test_plain_holds_for_json_too(asked):
    out = asked(ScriptedHub(WHOLE), "ask", "Why?", "--to", "chatgpt", "--json", "--plain")[1]
    assert json.loads(out)["answers"][0]["text"] == "A tab holds a page."


def test_what_could_not_be_begun_is_told_for_every_column(asked):
    none = BrowserNotFound("no browser", what_to_do="Install one.")
    code, out, _ = asked(
        ScriptedHub(cannot_begin=none), "ask", "Why?", "--to", "grok,gemini", "--json"
    )
    told = json.loads(out)
    assert (code, told["exit_code"]) == (1, 1)
    assert [one["site"] for one in told["answers"]] == ["grok", "gemini"]
    assert {one["error"]["code"] for one in told["answers"]} == {"browser_not_found"}
    assert told["answers"][0]["error"]["what_to_do"] == "Install one."


EACH = [
    # event                                                    besides event, seconds and site
    (PhaseBegan("grok", Phase.THINKING, 3.5, "n"), "phase", {"phase": "thinking", "note": "n"}),
    (
        PromptLeft("grok", "a1", None, 3.5),
        "sent",
        {"attempt_id": "a1", "conversation_id": None},
    ),
    (
        ConversationKnown("grok", "a1", "c1", "u", 3.5),
        "conversation",
        {"attempt_id": "a1", "conversation_id": "c1", "url": "u"},
    ),
    (
        TextCame("grok", "x", True, False, 3.5),
        "text",
        {"text": "x", "thinking": True, "anew": False},
    ),
    (StillWaiting("grok", "why", 3.5), "waiting", {"why": "why"}),
    (Failed("grok", LIMIT, 3.5), "failed", LIMIT_DATA),
    (Answered("chatgpt", WHOLE, 3.5), "answer", None),
    (Amended("chatgpt", WHOLE, 3.5), "amended", None),
]


@pytest.mark.parametrize("event, name, besides", EACH, ids=[c[1] for c in EACH])
def test_every_event_is_one_object(event, name, besides):
    told = event_data(event, 1.0, str)
    assert told.pop("event") == name
    assert told.pop("seconds") == 2.5
    assert told["site"] == event.site
    if besides is None:
        assert list(told) == list(WHOLE_DATA)
    else:
        assert told == {"site": "grok"} | besides


def test_no_event_has_no_name():
    assert set(get_args(AskEvent)) == set(EVENT_NAMES)
    assert {name for _, name, _ in EACH} == set(EVENT_NAMES.values())


def test_a_stream_tells_events_at_once_and_the_whole_object_last(asked):
    hub = ScriptedHub(WHOLE)
    code, out, err = asked(hub, "ask", "Why?", "--to", "chatgpt", "--json", "--stream")
    assert (code, err) == (0, "")
    *events, last = [json.loads(line) for line in out.splitlines()]
    assert [one["event"] for one in events] == [EVENT_NAMES[type(one)] for one in story(WHOLE)]
    assert all(one["seconds"] >= 0 for one in events)
    assert last == {"event": "end", "prompt": "Why?", "answers": [WHOLE_DATA], "exit_code": 0}
