"""Whatever bytes come, only documented outcomes; whatever is damaged, no crash."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.cuts import random_cuts
from tabwire.lab.speak.gemini import (
    SpokenAnswer,
    SpokenExchange,
    speak_chunks,
    speak_error,
    speak_history,
    speak_list,
    speak_stream,
)
from tabwire.model.conversation import Conversation
from tabwire.model.signals import Signal, StreamClosed
from tabwire.sites.gemini import SITE
from tabwire.sites.memory import Memory
from tabwire.sites.site import Reading

LONG = '你好 "a" \\ 😄\n\n' * 30
SEEDS = [
    b"".join(speak_stream([LONG[:200], LONG], conversation_id="abc", thoughts=["**A**\n\nb"])),
    b"".join(speak_stream(["a", "ab"], conversation_id="abc", title="T", model="Fast")),
    speak_history("abc", [SpokenExchange("r_1", "Q", (SpokenAnswer("rc_1", "A", "T"),))]),
    speak_list([("abc", "Sums"), ("def", "More")]),
    speak_error(1037),
    b"<!doctype html><html></html>",
]


def damaged(raw, seed):
    rng = random.Random(seed)
    data = bytearray(raw)
    for _ in range(rng.randint(1, 6)):
        at, size = rng.randint(0, len(data)), rng.randint(1, 40)
        match rng.randint(0, 4):
            case 0:
                del data[at : at + size]
            case 1:
                data[at:at] = data[at : at + size]
            case 2:
                data[at:at] = rng.choice([b"\n", b"[", b"]", b'"', b"\\", b"\xff", b"9", b"null"])
            case 3:
                data[at : at + 1] = bytes([rng.randint(0, 255)])
            case 4:
                del data[at:]
    return bytes(data)


def check(raw, seed):
    outcomes = []
    for pieces in ([raw], random_cuts(raw, seed)):
        stream = SITE.open_stream(None, Memory())
        signals = [signal for piece in pieces for signal in stream.feed(piece)]
        signals += stream.close()
        conversation = stream.conversation()
        assert all(isinstance(signal, Signal) for signal in signals)
        assert isinstance(signals[-1], StreamClosed)
        assert isinstance(conversation, Conversation | None)
        outcomes.append((signals, conversation))
    assert outcomes[0] == outcomes[1]
    reading = SITE.read_body(raw, "https://gemini.google.com/app/abc", Memory())
    assert isinstance(reading, Reading)
    for found in reading.conversations:
        found.messages()


@pytest.mark.parametrize("raw", SEEDS, ids=range(len(SEEDS)))
@given(seed=st.integers(0, 2**32))
def test_a_damaged_body_never_crashes_and_the_cut_never_matters(raw, seed):
    check(damaged(raw, seed), seed)


@given(st.binary(max_size=300), st.integers(0, 2**32))
def test_random_bytes_never_crash(raw, seed):
    check(raw, seed)


JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-3, 3),
        st.sampled_from(["", "c_a", "rc_1", "text", "http://googleusercontent.com/card_content/0"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=6),
        st.dictionaries(st.sampled_from(["1", "5", "9", "11", "26", "x"]), inner, max_size=3),
    ),
    max_leaves=30,
)


@given(JSON, st.sampled_from([None, "hNvQHb", "MaZiqc", "ESY5D"]), st.integers(0, 2**32))
def test_payloads_of_any_shape_never_crash(payload, call, seed):
    chunks = [[["wrb.fr", call, json.dumps(payload)]], payload]
    raw = b"".join(speak_chunks([chunks[0]])) + json.dumps(chunks[1]).encode() + b"\n"
    check(raw, seed)


def test_deep_nesting_is_unread_not_a_crash():
    deep = "[" * 100_000 + "]" * 100_000
    check(f'{deep}\n[["wrb.fr",null,"{deep}"]]\n'.encode(), 1)
