"""ChatGPT's stored conversations."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.chatgpt import CONVERSATION, message, stored, thoughts
from tabwire.model.conversation import Conversation, Standing
from tabwire.model.signals import Refusal
from tabwire.sites.chatgpt.history import owns_body, read_body
from tabwire.sites.memory import Memory

URL = f"https://chatgpt.com/backend-api/conversation/{CONVERSATION}"


def read(tree: Any, memory: Memory | None = None) -> Conversation:
    reading = read_body(json.dumps(tree).encode(), URL, memory or Memory())
    assert reading.problems == ()
    (conversation,) = reading.conversations
    return conversation


USER = message("u", "user", ["Q"])
DONE = message("a", parts=["A"], end_turn=True)
PICTURE = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://f1"}

STANDINGS = [
    # id                               chain                                       complete terminal
    ("whole", [USER, DONE], True, True),
    ("no answer", [USER], False, False),
    ("running", [USER, message("a", parts=["A"], status="in_progress")], False, False),
    ("only thoughts", [USER, thoughts("t", ("S", "C"))], False, True),
    ("empty answer", [USER, message("a", parts=[" "], end_turn=True)], False, True),
    ("no end of turn", [USER, message("a", parts=["A"])], False, True),
    (
        "stopped by the person",
        [USER, message("a", parts=["A"], status="finished_partial_completion")],
        False,
        True,
    ),
    ("failed", [USER, message("a", parts=["A"], status="error", end_turn=True)], False, True),
    ("a new question waits", [USER, DONE, message("u2", "user", ["Q2"])], False, False),
    (
        "a later text that does not end the turn",
        [USER, DONE, message("b", parts=["More"])],
        False,
        True,
    ),
    (
        "image only",
        [
            USER,
            message(
                "a", end_turn=True, content={"content_type": "multimodal_text", "parts": [PICTURE]}
            ),
        ],
        True,
        True,
    ),
    (
        "image by a tool, then an empty ending",
        [
            USER,
            message("t", "tool", content={"content_type": "multimodal_text", "parts": [PICTURE]}),
            message("a", parts=[""], end_turn=True),
        ],
        True,
        True,
    ),
    (
        "a tool still runs",
        [USER, message("t", "tool", [""], status="in_progress")],
        False,
        False,
    ),
    (
        "a tool call that ended is no answer",
        [USER, message("c", content={"content_type": "code", "text": "x"}, recipient="python")],
        False,
        True,
    ),
]


@pytest.mark.parametrize(
    "chain, complete, terminal", [c[1:] for c in STANDINGS], ids=[c[0] for c in STANDINGS]
)
def test_the_newest_answer_is_judged(
    chain: list[dict[str, Any]], complete: bool, terminal: bool
) -> None:
    standing = read(stored(*chain)).standing
    assert (standing.complete, standing.terminal) == (complete, terminal)


def branched(current: str, other: dict[str, Any]) -> dict[str, Any]:
    """Two answers to the same question: `a` and another."""
    tree = stored(USER, DONE)
    tree["mapping"]["u"]["children"].append(other["id"])
    tree["mapping"][other["id"]] = {
        "id": other["id"],
        "message": other,
        "parent": "u",
        "children": [],
    }
    tree["current_node"] = current
    return tree


def test_an_abandoned_branch_still_running_does_not_matter() -> None:
    running = message("b", parts=["…"], status="in_progress", create_time=9.0)
    conversation = read(branched("a", running))
    assert conversation.standing.complete
    assert [m.text for m in conversation.messages()] == ["Q", "A"]
    assert [turn.id for turn in conversation.turns] == ["u", "a", "b"]  # branches are kept


def test_the_branch_on_show_is_judged_even_if_older() -> None:
    newer = message("b", parts=["B"], end_turn=True, create_time=9.0)
    assert [m.text for m in read(branched("a", newer)).messages()] == ["Q", "A"]
    assert [m.text for m in read(branched("b", newer)).messages()] == ["Q", "B"]


def test_a_pointer_that_leads_nowhere_falls_back_to_the_newest() -> None:
    tree = stored(
        message("u", "user", ["Q"], create_time=1.0),
        message("a", parts=["A"], end_turn=True, create_time=2.0),
        current="gone",
    )
    assert [m.text for m in read(tree).messages()] == ["Q", "A"]


def test_a_tree_that_leads_in_a_circle_ends() -> None:
    tree = stored(USER, DONE)
    tree["mapping"]["root"]["parent"] = "a"
    assert [m.text for m in read(tree).messages()] == ["Q", "A"]


def test_reasoning_is_folded_into_the_answer_it_led_to() -> None:
    conversation = read(stored(USER, thoughts("t", ("S", "first"), ("T", "")), DONE))
    assert conversation.messages()[-1].thinking == "first\n\nT"


def test_tool_steps_and_hidden_messages_are_not_messages() -> None:
    hidden = message(
        "s", "system", ["rules"], metadata={"is_visually_hidden_from_conversation": True}
    )
    call = message("c", content={"content_type": "code", "text": "print()"}, recipient="python")
    result = message("r", "tool", content={"content_type": "execution_output", "text": "1"})
    conversation = read(stored(hidden, USER, call, result, DONE))
    assert [m.text for m in conversation.messages()] == ["Q", "A"]


def test_text_is_kept_as_it_came() -> None:
    chain = [message("u", "user", ["  a", {"x": 1}, "b\n"]), DONE]
    assert read(stored(*chain)).messages()[0].text == "  ab\n"


def test_what_a_person_said_aloud_is_text() -> None:
    said = {"content_type": "audio_transcription", "text": "hello there"}
    spoken = message("u", "user", content={"content_type": "multimodal_text", "parts": [said]})
    assert read(stored(spoken, DONE)).messages()[0].text == "hello there"


MODELS = [
    ({"default_model_slug": "gpt-5"}, {}, "gpt-5"),
    ({"default_model_slug": "auto"}, {"resolved_model_slug": "gpt-5-6"}, "gpt-5-6"),
    ({}, {"model_slug": "b", "model": "c"}, "b"),
    ({}, {"resolved_model_slug": "auto", "model": "c"}, "c"),
    ({}, {}, None),
]


@pytest.mark.parametrize("fields, metadata, model", MODELS)
def test_the_model_is_what_the_body_states(
    fields: dict[str, Any], metadata: dict[str, Any], model: str | None
) -> None:
    answer = message("a", parts=["A"], end_turn=True, metadata=metadata)
    assert read(stored(USER, answer, **fields)).model == model


ENVELOPES = [
    ("bare", lambda tree: tree),
    ("conversation", lambda tree: {"conversation": tree}),
    ("data", lambda tree: {"data": {"conversation": tree}}),
]


@pytest.mark.parametrize("wrap", [e[1] for e in ENVELOPES], ids=[e[0] for e in ENVELOPES])
def test_envelopes_are_opened(wrap: Any) -> None:
    assert read(wrap(stored(USER, DONE))).id == CONVERSATION


@pytest.mark.parametrize(
    "fields", [{"conversation_id": "not-a-uuid"}, {"conversation_id": None, "id": "x"}]
)
def test_a_conversation_with_a_wrong_id_is_refused_even_if_the_address_has_one(
    fields: dict[str, Any],
) -> None:
    reading = read_body(json.dumps(stored(USER, DONE, **fields)).encode(), URL, Memory())
    assert reading.conversations == ()
    assert reading.problems[0].lossy


def test_a_conversation_without_any_id_takes_the_address() -> None:
    tree = stored(USER, DONE)
    del tree["conversation_id"]
    assert read(tree).id == CONVERSATION


def test_titles_of_a_list_are_learnt_and_generic_ones_never_overwrite() -> None:
    memory = Memory()
    items = {"items": [{"id": CONVERSATION, "title": "A specific title"}]}
    reading = read_body(json.dumps(items).encode(), None, memory)
    assert reading.titles == ((CONVERSATION, "A specific title"),)
    assert read(stored(USER, DONE, title="New chat"), memory).title == "A specific title"


def test_the_title_request_names_its_conversation() -> None:
    memory = Memory()
    url = f"https://chatgpt.com/backend-api/conversation/gen_title/{CONVERSATION}"
    assert read_body(b'{"title": "Made"}', url, memory).titles == ((CONVERSATION, "Made"),)
    assert memory.title("chatgpt", CONVERSATION, None) == "Made"


def test_an_error_body_is_a_refusal() -> None:
    reading = read_body(b'{"detail": "Conversation not found"}', URL, Memory())
    assert reading.refusal is not None
    assert reading.refusal.kind is Refusal.ERROR


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"3", b'{"foo": "bar"}', b"\xff\xfe"])
def test_what_is_no_body_of_ours_is_a_problem_and_no_crash(raw: bytes) -> None:
    reading = read_body(raw, URL, Memory())
    assert reading.conversations == ()
    assert any(problem.lossy for problem in reading.problems)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
FIELDS = ["id", "author", "content", "status", "end_turn", "metadata", "recipient", "channel"]


@given(st.dictionaries(st.sampled_from(FIELDS), json_values), json_values, json_values)
def test_any_shape_of_message_is_survived(
    damage: dict[str, Any], parent: Any, current: Any
) -> None:
    tree = stored(USER, DONE)
    tree["mapping"]["a"]["message"] = {**DONE, **damage}
    tree["mapping"]["a"]["parent"] = parent
    tree["current_node"] = current
    reading = read_body(json.dumps(tree).encode(), URL, Memory())
    for conversation in reading.conversations:
        assert isinstance(conversation.standing, Standing)
        assert conversation.standing.terminal or not conversation.standing.complete
        conversation.messages()


def test_our_own_bodies_are_recognised_by_their_keys() -> None:
    assert owns_body(stored(USER, DONE))
    assert owns_body({"items": [{"id": CONVERSATION, "title": "T"}]})
    assert not owns_body({"responses": []})
    assert not owns_body({"items": []})
    assert not owns_body({"items": [3]})
    assert not owns_body([1])


ODD = [
    {"author": {"role": []}},
    {"author": {"role": {}}},
    {"author": []},
    {"content": {"content_type": [], "parts": ["A"]}},
    {"content": {"content_type": {}, "parts": {"0": "A"}}},
    {"content": {"content_type": "text", "parts": [[], {}, None, 3, "A"]}},
    {"content": {"content_type": "thoughts", "thoughts": [[], None, {"content": []}]}},
    {"status": []},
    {"status": {}},
    {"metadata": {"finish_details": {"type": []}}},
    {"metadata": {"finish_details": []}},
    {"metadata": {"resolved_model_slug": [], "model": {}}},
    {"recipient": []},
    {"channel": {}},
    {"create_time": "now", "update_time": []},
]


@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_fields_of_the_wrong_kind_are_survived(odd: dict[str, Any]) -> None:
    reading = read_body(json.dumps(stored(USER, {**DONE, **odd})).encode(), URL, Memory())
    (conversation,) = reading.conversations
    assert conversation.messages()[0].text == "Q"
    if "author" in odd:
        assert [(m.role, m.text) for m in conversation.messages()][1:] == [("unknown", "A")]
        assert not conversation.standing.complete
        assert ["name its author" in problem.what for problem in reading.problems] == [True]
    else:
        assert reading.problems == ()
