"""Speak as gemini.google.com does: Python values in, the bytes of a body out.

The lab's Gemini sends these, the demo plays them, and tests hold `decode(speak(x)) == x`.
Layout as recorded in March 2026: prefix, length lines in UTF-16 units, the whole answer
in every chunk and once more as paragraphs, the closing frame with the body's bytes.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

PREFIX = b")]}'\n\n"

_RUNNING, _WHOLE = 1, 2
_ESCAPED = {ord(char): f"\\u{ord(char):04x}" for char in "=<>&'"}  # as Google's writer does
_ERROR_INFO = "type.googleapis.com/assistant.boq.bard.application.BardErrorInfo"


@dataclass(frozen=True, slots=True)
class SpokenAnswer:
    """One candidate of a stored exchange."""

    id: str
    text: str
    thoughts: str | None = None
    whole: bool = True


@dataclass(frozen=True, slots=True)
class SpokenExchange:
    """A question and its candidate answers; `chosen` is the one shown."""

    id: str
    question: str
    answers: tuple[SpokenAnswer, ...]
    chosen: int = 0
    model: str | None = None
    seconds: int | None = None


def speak_stream(
    texts: Sequence[str],
    *,
    conversation_id: str,
    thoughts: Sequence[str] = (),
    title: str | None = None,
    complete: bool = True,
    model: str | None = None,
    response_id: str = "r_1",
    candidate_id: str = "rc_1",
    repeated: bool = True,
) -> list[bytes]:
    """A StreamGenerate body: `texts` and `thoughts` are what is known each time, in full.

    One piece per chunk, the prefix first and the closing frame last. `repeated`: with the
    answer's second copy as paragraphs, as the site sends it.
    """
    ids = [f"c_{conversation_id}", response_id]
    payloads: list[Any] = [[None, [None, response_id], {"18": response_id, "44": False}]]
    payloads += [_payload(ids, candidate_id, "", thought) for thought in thoughts]
    last_thought = thoughts[-1] if thoughts else None
    payloads += [
        _payload(ids, candidate_id, text, last_thought, repeated=repeated) for text in texts
    ]
    if complete:
        text = texts[-1] if texts else ""
        payloads.append(
            _payload(
                ids, candidate_id, text, last_thought, repeated=repeated, whole=True, model=model
            )
        )
    if title is not None:
        payloads.append([None, ids, {"11": [title], "44": False}])
    if complete:
        payloads.append([None, ids, {"26": "AwAAAAAAAAAQ", "44": False}])
    return speak_chunks([[["wrb.fr", None, _compact(payload)]] for payload in payloads])


def speak_history(conversation_id: str, exchanges: Sequence[SpokenExchange]) -> bytes:
    """A batchexecute body with a stored conversation; `exchanges` oldest first."""
    turns = [_exchange(conversation_id, exchange) for exchange in reversed(exchanges)]
    return speak_call("hNvQHb", [turns, None])


def speak_list(chats: Iterable[tuple[str, str]]) -> bytes:
    """A batchexecute body with the list of chats: ids and titles."""
    rows = [
        [f"c_{chat}", title, None, None, None, [1772576631, 0], None, None, None, 1]
        for chat, title in chats
    ]
    return speak_call("MaZiqc", [None, "cursor==", rows])


def speak_call(call: str, payload: Any) -> bytes:
    """A batchexecute body with the answer to one call."""
    record = ["wrb.fr", call, _compact(payload), None, None, None, "generic"]
    return b"".join(speak_chunks([[record]]))


def speak_error(code: int) -> bytes:
    """A StreamGenerate body that is only an error frame."""
    error = [13, None, [[_ERROR_INFO, [code]]]]
    return b"".join(speak_chunks([[["wrb.fr", None, None, None, None, error]]]))


def speak_chunks(chunks: Iterable[list[Any]]) -> list[bytes]:
    """Frame chunks of records: prefix, each chunk with its length, books, closing frame."""
    chunks = [*chunks, [["di", 192], ["af.httprm", 191, "8196459853603899163", 2]]]
    pieces = [PREFIX, *(_frame(_outer(chunk)) for chunk in chunks)]
    records = sum(map(len, chunks)) + 1
    before = sum(map(len, pieces))
    closing, size = b"", 0
    while before + len(closing) != size:  # the closing frame counts its own digits
        size = before + len(closing)
        closing = _frame(_outer([["e", records, None, None, size]]))
    return [*pieces, closing]


def _frame(chunk: str) -> bytes:
    units = len(chunk.encode("utf-16-le", "surrogatepass")) // 2
    return f"{units + 2}\n{chunk}\n".encode()


def _outer(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _compact(value: Any) -> str:
    """A payload's JSON. Half a character cannot be written as UTF-8: it is escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPED)
    return "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in text)


def _candidate(
    candidate_id: str, text: str, thoughts: str | None, *, whole: bool, language: str = "en"
) -> list[Any]:
    state = _WHOLE if whole else _RUNNING
    node: list[Any] = [candidate_id, [text], None, None, None, None, True, None, [state], language]
    if thoughts is not None:
        node += [None] * 27 + [[[thoughts]]]
    return node


def _payload(
    ids: list[str],
    candidate_id: str,
    text: str,
    thoughts: str | None,
    *,
    repeated: bool = False,
    whole: bool = False,
    model: str | None = None,
) -> list[Any]:
    payload: list[Any] = [None] * 45
    payload[1] = ids
    payload[4] = [_candidate(candidate_id, text, thoughts, whole=whole)]
    payload[8] = "US"
    if repeated:
        paragraphs = [[None, [None, 0, part]] for part in text.split("\n\n")]
        payload[26] = [[paragraphs]]
    if model is not None:
        payload[39], payload[42] = "0123456789abcdef", model
    payload[43] = False
    return payload


def _exchange(conversation_id: str, exchange: SpokenExchange) -> list[Any]:
    answer: list[Any] = [None] * 22
    answer[0] = [
        _candidate(one.id, one.text, one.thoughts, whole=one.whole) for one in exchange.answers
    ]
    if exchange.answers:
        answer[3] = exchange.answers[exchange.chosen].id
    answer[21] = exchange.model
    time = None if exchange.seconds is None else [exchange.seconds, 500_000_000]
    ids = [f"c_{conversation_id}", exchange.id]
    return [ids, None, [[exchange.question], 1, None, 0], answer, time]
