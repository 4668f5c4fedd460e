"""Real bodies and a peer's test inputs, where they lie beside the checkout.

Binding: conversation id, role and text of visible messages, complete, terminal, and the
model where the body states it. `should_be` overrides the peer's answer.
"""

import json
from pathlib import Path

import pytest

from tabwire.model.signals import Refusal, Refused
from tabwire.sites.grok import SITE
from tabwire.sites.memory import Memory

# Vectors whose expected answer breaks the facts: id -> reason. None so far.
EXCEPTIONS: dict[str, str] = {}


def vectors(shared: Path):
    index = json.loads((shared / "corpus/vectors/index.json").read_text("utf-8"))
    for vector in index["vectors"]:
        # `readiness` inputs are in one shape for all sites, which the hub reads.
        if vector["platform"] == "grok" and vector["call"] == "parse":
            yield vector


def read(path: Path, url: str, kind: str | None, memory: Memory):
    raw = path.read_bytes()
    if kind == "ndjson":
        stream = SITE.open_stream(url, memory)
        stream.feed(raw)
        stream.close()
        return stream.conversation()
    return next(iter(SITE.read_body(raw, url, memory).conversations), None)


def outcome(conversation):
    if conversation is None:
        return None, [], False, False, None
    said = [(message.role.value, message.text) for message in conversation.messages()]
    standing = conversation.standing
    return conversation.id, said, standing.complete, standing.terminal, conversation.model


def expected(vector):
    answer = vector["expected"] | vector.get("should_be", {})
    said = [
        (m["role"], m["text"])
        for m in answer["messages"]
        if m["role"] in ("user", "assistant") and m["text"].strip()
    ]
    ends = answer["ready"], answer["terminal"]
    return answer["conversation_id"], said, *ends, answer["model"]


def test_every_vector_of_the_peer_is_answered_right(shared):
    folder = shared / "corpus/vectors"
    if not folder.is_dir():
        pytest.skip("no vectors beside the checkout")
    wrong: dict[str, object] = {}
    for vector in vectors(shared):
        memory = Memory()
        for earlier in vector.get("setup", ()):
            read(folder / earlier["input"], earlier["url"], None, memory)
        conversation = read(folder / vector["input"], vector["url"], vector["kind"], memory)
        got, right = outcome(conversation), expected(vector)
        if vector["expected"].get("model_is_default"):
            got, right = got[:-1], right[:-1]
        if got != right:
            wrong[vector["id"]] = (got, right)
    assert wrong.keys() == EXCEPTIONS.keys(), wrong


@pytest.fixture
def recordings(shared) -> Path:
    folder = shared / "recordings/grok"
    if not folder.is_dir():
        pytest.skip("no recordings of Grok beside the checkout")
    return folder


def test_a_recorded_first_turn_is_whole(recordings):
    raw = (recordings / "terminal_log_conversations_new_2026-03.ndjson").read_bytes()
    stream = SITE.open_stream(None, Memory())
    stream.feed(raw)
    stream.close()
    conversation = stream.conversation()
    assert [m.role.value for m in conversation.messages()] == ["user", "assistant"]
    assert conversation.standing.evidence == ("soft_stop", "model_response")
    assert (conversation.standing.complete, conversation.model) == (True, "grok-3")
    last = json.loads(raw.splitlines()[-2])["result"]["response"]["modelResponse"]
    assert conversation.messages()[-1].text == last["message"]


def test_a_recorded_turn_without_its_end_is_never_complete(recordings):
    """Every record of the recording left out from some point on."""
    raw = (recordings / "terminal_log_conversations_new_2026-03.ndjson").read_bytes()
    lines = raw.splitlines(keepends=True)
    ends = []
    for count in range(len(lines) + 1):
        stream = SITE.open_stream(None, Memory())
        stream.feed(b"".join(lines[:count]))
        stream.close()
        conversation = stream.conversation()
        ends.append(conversation is not None and conversation.standing.complete)
    first_end = ends.index(True)
    assert b'"isSoftStop":true' in lines[first_end - 1]
    assert ends == [count >= first_end for count in range(len(lines) + 1)]


def test_recorded_bodies_of_x_are_read(recordings):
    memory = Memory()
    titles = (recordings / "blackiya_sample_grok_history.json").read_bytes()
    assert len(SITE.read_body(titles, None, memory).titles) > 10
    body = (recordings / "blackiya_sample_grok_conversation.json").read_bytes()
    (conversation,) = SITE.read_body(body, None, memory).conversations
    assert conversation.standing.complete
    assert [m.role.value for m in conversation.messages()] == ["user", "assistant"]


def test_the_recorded_challenge_page_is_a_refusal(recordings):
    page = (recordings / "cloudflare_challenge_instead_of_ndjson_2026-03.html").read_bytes()
    stream = SITE.open_stream(None, Memory())
    refused = [s for s in stream.feed(page) + stream.close() if isinstance(s, Refused)]
    assert [one.kind for one in refused] == [Refusal.CHALLENGE]
    assert SITE.read_body(page, None, Memory()).refusal.kind is Refusal.CHALLENGE
