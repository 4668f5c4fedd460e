"""Whatever the bytes: only documented signals, never an exception, never a false proof."""

import random
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from kit.chatgpt import CONVERSATION, DONE, ENCODING, delta, frame, message, opened, thoughts
from tabwire.lab.speak.chatgpt import speak_stream
from tabwire.model.signals import Signal, StreamClosed, TurnEnded
from tabwire.sites.chatgpt.stream import ChatGptStream
from tabwire.sites.memory import Memory

SIGNALS = get_args(Signal)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)
POINTERS = [
    "",
    "/message",
    "/message/id",
    "/message/author",
    "/message/author/role",
    "/message/content",
    "/message/content/parts",
    "/message/content/parts/0",
    "/message/content/thoughts",
    "/message/content/thoughts/0/content",
    "/message/status",
    "/message/end_turn",
    "/message/metadata",
    "/message/metadata/finish_details",
    "/conversation_id",
    "/error",
]
deltas = st.builds(
    lambda p, o, v: delta(p=p, o=o, v=v),
    st.sampled_from(POINTERS),
    st.sampled_from(["add", "append", "replace", "remove", "truncate", "patch"]),
    json_values,
)
frames = json_values.map(frame) | st.dictionaries(
    st.sampled_from(["type", "message", "conversation_id", "error", "title", "input_message"]),
    json_values,
).map(frame)
begun = st.sampled_from(
    [
        opened(message("a", parts=[""], status="in_progress"), 0),
        opened(thoughts("t", ("S", "C")), 1),
        opened(message("u", "user", ["Q"]), 2),
        delta(p="/message/content/parts/0", o="append", v="text"),
        delta(v="more"),
        DONE,
    ]
)


def read(*chunks: bytes) -> list[Signal]:
    reader = ChatGptStream(None, Memory())
    signals = [signal for chunk in chunks for signal in reader.feed(chunk)]
    signals += reader.close()
    conversation = reader.conversation()
    if conversation is not None:
        conversation.messages()
        assert conversation.standing.terminal or not conversation.standing.complete
    assert all(isinstance(signal, SIGNALS) for signal in signals)
    assert [type(signal) for signal in signals].count(StreamClosed) == 1
    return signals


@given(st.lists(begun | deltas | frames, max_size=15))
def test_any_operations_and_frames_give_only_signals(events):
    read(ENCODING, *events)


@given(st.binary(max_size=300))
def test_any_bytes_give_only_signals(wire):
    read(wire)


@given(st.integers(0, 2**32), st.integers(1, 8))
def test_a_damaged_stream_gives_only_signals(seed, damages):
    rng = random.Random(seed)
    wire = bytearray(
        b"".join(speak_stream(["Hel", "lo"], conversation_id=CONVERSATION, thoughts=["t"]))
    )
    for _ in range(damages):
        at = rng.randrange(len(wire))
        match rng.randrange(3):
            case 0:
                wire[at] = rng.randrange(256)
            case 1:
                del wire[at : at + rng.randrange(20)]
            case _:
                wire[at:at] = wire[at : at + rng.randrange(40)]
    read(bytes(wire))


def test_no_beginning_of_a_stream_is_proof_before_its_end_of_turn():
    wire = b"".join(speak_stream(["Hel", "lo"], conversation_id=CONVERSATION))
    proof = wire.index(b"/message/end_turn")
    for size in range(proof):
        assert not any(isinstance(signal, TurnEnded) for signal in read(wire[:size])), size
    assert any(isinstance(signal, TurnEnded) for signal in read(wire))
