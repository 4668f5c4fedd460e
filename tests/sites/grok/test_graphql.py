"""Grok on x.com: GraphQL answers, facts/wire-formats.md section 3.3."""

import json

import pytest

from tabwire.sites.grok import SITE
from tabwire.sites.memory import Memory

GRAPHQL = "https://x.com/i/api/graphql/q/GrokConversationItemsByRestId"
X_CHAT = "2013295304527827227"
X_URL = f"{GRAPHQL}?variables=%7B%22restId%22%3A%22{X_CHAT}%22%7D"


def read(*bodies):
    """Read (url, body) pairs with one memory; what the last one says."""
    memory = Memory()
    for url, body in bodies:
        reading = SITE.read_body(json.dumps(body).encode(), url, memory)
    return reading


def outcome(reading):
    """(id, texts, complete, terminal) of the one conversation, or None."""
    if not reading.conversations:
        return None
    (conversation,) = reading.conversations
    texts = [message.text for message in conversation.messages()]
    standing = conversation.standing
    return conversation.id, texts, standing.complete, standing.terminal


def item(name, text, who="User", at=0, **more):
    return {"chat_item_id": name, "message": text, "sender_type": who, "created_at_ms": at, **more}


def items(*listed):
    return {"data": {"grok_conversation_items_by_rest_id": {"items": list(listed)}}}


X_BODIES = [
    ("question and answer", [(X_URL, items(item("1", "Hi?"), item("2", "Hello", "Agent")))],
     (X_CHAT, ["Hi?", "Hello"], True, True)),
    ("being written", [(X_URL, items(item("1", "Hi?"), item("2", "He", "Agent", is_partial=True)))],
     (X_CHAT, ["Hi?", "He"], False, False)),
    ("empty answer", [(X_URL, items(item("1", "Hi?"), item("2", "", "Agent")))],
     (X_CHAT, ["Hi?"], False, True)),
    ("the order given counts, not the times",
     [(X_URL, items(item("1", "a", at=9), item("2", "b", "Agent", at=3), item("3", "c", at=5)))],
     (X_CHAT, ["a", "b", "c"], False, False)),
    ("an older page goes before",
     [(X_URL, items(item("3", "c", at=3), item("4", "d", "Agent", at=4))),
      (X_URL, items(item("1", "a", at=1), item("2", "b", "Agent", at=2)))],
     (X_CHAT, ["a", "b", "c", "d"], True, True)),
    ("a newer page goes after",
     [(X_URL, items(item("1", "a", at=1))), (X_URL, items(item("2", "b", "Agent", at=2)))],
     (X_CHAT, ["a", "b"], True, True)),
    ("no items", [(X_URL, items())], None),
    ("nothing names it: the first item does",
     [(GRAPHQL, items(item("node", "Hello", "Agent")))], ("node", ["Hello"], True, True)),
]  # fmt: skip


@pytest.mark.parametrize(
    "bodies, expected", [b[1:] for b in X_BODIES], ids=[b[0] for b in X_BODIES]
)
def test_items_of_x_follow_each_other(bodies, expected):
    assert outcome(read(*bodies)) == expected


def test_an_id_that_stands_for_the_conversation_is_told_and_remembered_for_nothing():
    memory = Memory()
    body = json.dumps(items(item("node", "Hello", "Agent"))).encode()
    reading = SITE.read_body(body, GRAPHQL, memory)
    assert [problem.lossy for problem in reading.problems] == [False]
    assert memory.newest("grok") is None


def test_an_item_without_an_id_is_left_out_and_told():
    reading = read((X_URL, items(item("1", "Hi?"), {"message": "lost"}, 3)))
    assert outcome(reading)[1] == ["Hi?"]
    assert [problem.lossy for problem in reading.problems] == [True, True]


def test_reasoning_on_x_is_what_its_research_steps_concluded():
    research = [{"header": "Look", "steps": [{"final_message": "one"}, {"summary": "two"}, {}]}]
    thinking = {"thinking_trace": "", "deepsearch_headers": research}
    (conversation,) = read((X_URL, items(item("2", "Hello", "Agent", **thinking)))).conversations
    assert conversation.messages()[0].thinking == "one\ntwo"
    assert conversation.turns[0].created_at == 0.0


def test_an_answer_streamed_on_x_follows_the_items_known_before():
    memory = Memory()
    known = items(item("1", "Hi?", at=1), item("2", "Hello", "Agent", at=2), item("3", "So?", at=3))
    SITE.read_body(json.dumps(known).encode(), X_URL, memory)
    stream = SITE.open_stream("https://grok.x.com/2/grok/add_response.json", memory)
    seed = {"conversationId": X_CHAT, "userChatItemId": "3", "agentChatItemId": "4"}
    said = {"result": {"message": "So.", "isSoftStop": True, "responseChatItemId": "4"}}
    stream.feed(json.dumps(seed).encode() + b"\n" + json.dumps(said).encode())
    stream.close()
    conversation = stream.conversation()
    assert [m.text for m in conversation.messages()] == ["Hi?", "Hello", "So?", "So."]
    assert conversation.standing.complete


def test_the_history_of_x_teaches_titles():
    listed = [{"title": "One", "grokConversation": {"rest_id": X_CHAT}}, {"title": "Nameless"}]
    history = {"data": {"grok_conversation_history": {"items": listed}}}
    body = items(item("1", "Hi?"))
    reading = read(("https://x.com/i/api/graphql/q/GrokHistory", history))
    assert (reading.titles, reading.problems) == (((X_CHAT, "One"),), ())
    reading = read((None, history), (X_URL, body))
    assert reading.conversations[0].title == "One"
