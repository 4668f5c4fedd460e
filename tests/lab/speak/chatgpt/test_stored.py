"""What is stored of a turn is what was streamed of it, with tools, files and every kind of end."""

import json

import pytest

from tabwire.lab.speak.chatgpt import (
    FAILED,
    RUNNING,
    STOPPED,
    WHOLE,
    Ids,
    Recap,
    SpokenTurn,
    Thoughts,
    speak_conversation,
    speak_list,
)
from tabwire.lab.stories.steps import Tool
from tabwire.sites.chatgpt.history import read_body
from tabwire.sites.memory import Memory

ID = "5f0c6a1e-1111-4222-8333-0123456789ab"
IDS = Ids("u", "t", "a")
STEPS = (Thoughts(("hm", "so")), Tool(), Thoughts(("well",)), Tool("python", "1", "1"), Recap())


def stored(*turns, **more):
    return read_body(speak_conversation(ID, turns, **more), None, Memory()).conversations[0]


def tree(*turns, **more):
    return json.loads(speak_conversation(ID, turns, **more))


def test_every_step_stands_in_its_place():
    kinds = [
        (message["author"]["role"], message["content"]["content_type"], message["recipient"])
        for message in messages(tree(SpokenTurn("Q", "A", ids=IDS, steps=STEPS)))
    ]
    assert kinds == [
        ("user", "text", "all"),
        ("assistant", "thoughts", "all"),
        ("assistant", "code", "web.search"),
        ("tool", "text", "all"),
        ("assistant", "thoughts", "all"),
        ("assistant", "code", "python"),
        ("tool", "execution_output", "all"),
        ("assistant", "reasoning_recap", "all"),
        ("assistant", "text", "all"),
    ]


def messages(conversation):
    """Along the visible branch, oldest first."""
    chain, name = [], conversation["current_node"]
    while name is not None:
        node = conversation["mapping"][name]
        chain.append(node["message"])
        name = node["parent"]
    return [message for message in reversed(chain) if message]


def test_each_message_names_the_one_before_it():
    found = messages(tree(SpokenTurn("Q", "A", ids=IDS, steps=STEPS)))
    named = [message["metadata"]["parent_id"] for message in found[1:]]
    assert named == [message["id"] for message in found[:-1]]


@pytest.mark.parametrize(
    "status, reason",
    [
        (WHOLE, "terminal"),
        (RUNNING, "assistant-in-progress"),
        (STOPPED, "stopped"),
        (FAILED, "failed"),
    ],
)
@pytest.mark.parametrize("steps", [STEPS[:n] for n in range(len(STEPS) + 1)], ids=len)
def test_a_turn_stands_as_it_ended_whatever_it_was_doing(status, reason, steps):
    for answer in ("", "words"):
        if status == WHOLE and not answer:
            continue
        turn = SpokenTurn("Q", answer, ids=IDS, status=status, steps=steps)
        assert stored(turn).standing.reason == reason, (steps, answer)


def test_files_are_named_with_the_question():
    (asked, _) = messages(tree(SpokenTurn("Q", "A", files=("a b.txt", "光.png"))))
    assert [one["name"] for one in asked["metadata"]["attachments"]] == ["a b.txt", "光.png"]


def test_projects_and_temporary_chats_say_so():
    kept = tree(SpokenTurn("Q", "A"), folder="g-p-1", listed=False)
    assert (kept["gizmo_id"], kept["is_temporary_chat"]) == ("g-p-1", True)


def test_the_list_comes_in_pages():
    chats = [(str(n), f"Chat {n}", float(n)) for n in range(5)]
    page = json.loads(speak_list(chats, offset=2, limit=2))
    assert [item["id"] for item in page["items"]] == ["2", "3"]
    assert (page["total"], page["limit"], page["offset"]) == (5, 2, 2)
