"""Whatever the bytes: documented outcomes only, and the cut never matters."""

import json

from hypothesis import given
from hypothesis import strategies as st

from kit.cuts import random_cuts
from tabwire.lab.speak.grok import speak_stream
from tabwire.model.conversation import Conversation
from tabwire.model.signals import StreamClosed, TurnEnded
from tabwire.sites.grok import SITE
from tabwire.sites.memory import Memory
from tabwire.sites.site import Reading

CHAT = "99999999-2222-4333-8444-555555555555"
URLS = st.sampled_from(
    [
        None,
        "https://grok.com/rest/app-chat/conversations/new",
        f"https://grok.com/rest/app-chat/conversations/{CHAT}/responses",
        f"https://grok.com/rest/app-chat/conversations/{CHAT}/load-responses",
        f"https://grok.com/rest/app-chat/conversations/reconnect-response-v2/{CHAT}",
        "https://x.com/2/grok/add_response.json",
        "https://x.com/i/api/graphql/q/GrokConversationItemsByRestId",
    ]
)
# The keys Grok uses, with whatever values: nearer to its records than random JSON is.
KEYS = st.sampled_from(
    """agentChatItemId cardAttachment cardAttachmentsJson chat_item_id code conversation
    conversationId conversations createTime created_at_ms data deepsearch_headers error errors
    fileAttachments fileAttachmentsMetadata finalMetadata generatedImageUrls grokConversation
    grok_conversation_history grok_conversation_items_by_rest_id imageAttachment image_chunk
    inflightResponses isSoftStop isThinking is_partial items jsonData message messageStepId
    messageTag metadata model modelResponse newTitle parentResponseId partial progress
    responseChatItemId responseId responseNodes responseType responses response rest_id result
    rolloutId sender sender_type status steerModelId steps streamingImageGenerationResponse tags
    text thinkingTrace title token toolUsageCard toolUsageCardId uiLayout ui_layout userResponse
    """.split()
)
WORDS = st.sampled_from(
    ["", "u", "a", "human", "assistant", "ASSISTANT", "final", "header", "tool_usage_card",
     "<xai:tool_usage_card>", "</xai:tool_usage_card>", "<xai:tool_name>n</xai:tool_name>", "<",
     "RESPONSE_STATUS_ACTIVE", "limiter", "2026-01-01T00:00:00Z", "9999-99-99", "\ud83d", "猫",
     CHAT, '{"image_chunk":{"imageUrl":"i","progress":100}}']
)  # fmt: skip
SCALARS = st.none() | st.booleans() | st.integers(-2, 20) | st.just(1e308) | WORDS
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=12,
)
RECORDS = st.dictionaries(KEYS, VALUES, max_size=6)
# Frames, so that the fuzz gets past the first key.
FRAMES = st.dictionaries(KEYS, SCALARS | VALUES, max_size=8).map(
    lambda frame: {"result": {"response": frame}}
)


def check(conversation: Conversation | None) -> None:
    """What holds for every conversation, whatever was read."""
    if conversation is None:
        return
    standing = conversation.standing
    assert standing.terminal or not standing.complete
    ids = {turn.id for turn in conversation.turns}
    assert set(conversation.visible) <= ids
    assert len(set(conversation.visible)) == len(conversation.visible)
    assert all(message.text.strip() for message in conversation.messages())


def stream_all(url, memory, chunks):
    stream = SITE.open_stream(url, memory)
    signals = [signal for chunk in chunks for signal in stream.feed(chunk)] + stream.close()
    check(stream.conversation())
    return signals, stream.conversation()


@given(URLS, st.lists(RECORDS | FRAMES | VALUES, max_size=8), st.integers(0, 1000))
def test_any_records_give_signals_and_no_exception_however_cut(url, records, seed):
    wire = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    signals, conversation = stream_all(url, Memory(), [wire])
    assert isinstance(signals[-1], StreamClosed)
    if conversation is not None and conversation.standing.complete:
        ended = any(isinstance(signal, TurnEnded) for signal in signals)
        assert ended or '"responses"' in wire.decode()
    assert stream_all(url, Memory(), random_cuts(wire, seed)) == (signals, conversation)


@given(URLS, st.lists(RECORDS | FRAMES, min_size=1, max_size=4))
def test_any_bodies_in_any_order_give_readings_and_no_exception(url, bodies):
    memory = Memory()
    for body in bodies:
        reading = SITE.read_body(json.dumps(body).encode(), url, memory)
        assert isinstance(reading, Reading)
        for conversation in reading.conversations:
            check(conversation)
        assert isinstance(SITE.owns_body(body), bool)


@given(URLS, st.binary(max_size=200))
def test_any_bytes_give_an_outcome(url, raw):
    assert isinstance(SITE.read_body(raw, url, Memory()), Reading)
    assert stream_all(url, Memory(), [raw]) == stream_all(url, Memory(), [bytes([b]) for b in raw])


@given(st.data())
def test_a_damaged_answer_is_never_complete_without_proof(data):
    """One byte changed, or a slice dropped, anywhere in a good stream."""
    lines = speak_stream(["One ", "two ", "three."], conversation_id=CHAT, thoughts=["hm"])
    wire = b"".join(lines)
    at = data.draw(st.integers(0, len(wire) - 1))
    gone = data.draw(st.integers(0, 60))
    new = data.draw(st.binary(max_size=2))
    signals, conversation = stream_all(None, Memory(), [wire[:at] + new + wire[at + gone :]])
    if conversation is not None and conversation.standing.complete:
        assert any(isinstance(signal, TurnEnded) for signal in signals)


@given(st.text(max_size=60), st.text(max_size=8))
def test_any_address_is_sorted(url, method):
    SITE.sort_request(method, url)
    SITE.conversation_in_url(url)
