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
READ_CHAT, LIST_CHATS = "hNvQHb", "MaZiqc"

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


class Speaker:
    """One StreamGenerate body, said chunk by chunk as it comes to mind.

    `opening`, then `thought` and `text` with all that is known each time, then `ending`, or
    `stopped` where the answer is not whole. `repeated`: with the answer's second copy as
    paragraphs, as the site sends it.
    """

    def __init__(
        self,
        conversation_id: str,
        *,
        response_id: str = "r_1",
        candidate_id: str = "rc_1",
        model: str | None = None,
        repeated: bool = True,
    ) -> None:
        self._ids = [f"c_{conversation_id}", response_id]
        self._candidate_id = candidate_id
        self._model = model
        self._repeated = repeated
        self._text = ""
        self._thoughts: str | None = None
        self._frames = Frames()

    def opening(self) -> list[bytes]:
        """The prefix, and the answer's id; the conversation's comes later."""
        response_id = self._ids[1]
        named = [None, [None, response_id], {"18": response_id, "44": False}]
        return [PREFIX, self._speak(named)]

    def thought(self, thoughts: str) -> bytes:
        """All thoughts so far."""
        self._thoughts = thoughts
        return self._speak(self._payload(repeated=False))

    def text(self, text: str) -> bytes:
        """The whole text so far."""
        self._text = text
        return self._speak(self._payload(repeated=self._repeated))

    def ending(self, title: str | None = None) -> list[bytes]:
        """The answer is whole: once more all of it, its title, and the closing frame."""
        whole = self._payload(repeated=self._repeated, whole=True)
        return [
            self._speak(whole),
            *self._titled(title),
            self._speak([None, self._ids, {"26": "AwAAAAAAAAAQ", "44": False}]),
            *self._frames.close(),
        ]

    def stopped(self, title: str | None = None) -> list[bytes]:
        """Nothing more comes, and the answer is not called whole."""
        return [*self._titled(title), *self._frames.close()]

    def _titled(self, title: str | None) -> list[bytes]:
        if title is None:
            return []
        return [self._speak([None, self._ids, {"11": [title], "44": False}])]

    def _speak(self, payload: Any) -> bytes:
        return self._frames.add([["wrb.fr", None, _compact(payload)]])

    def _payload(self, *, repeated: bool, whole: bool = False) -> list[Any]:
        payload: list[Any] = [None] * 45
        payload[1] = self._ids
        payload[4] = [_candidate(self._candidate_id, self._text, self._thoughts, whole=whole)]
        payload[8] = "US"
        if repeated:
            paragraphs = [[None, [None, 0, part]] for part in self._text.split("\n\n")]
            payload[26] = [[paragraphs]]
        if whole and self._model is not None:
            payload[39], payload[42] = "0123456789abcdef", self._model
        payload[43] = False
        return payload


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
    """A whole StreamGenerate body: `texts` and `thoughts` are what is known each time, in full.

    One piece per chunk, the prefix first and the closing frame last.
    """
    speaker = Speaker(
        conversation_id,
        response_id=response_id,
        candidate_id=candidate_id,
        model=model,
        repeated=repeated,
    )
    return [
        *speaker.opening(),
        *(speaker.thought(thought) for thought in thoughts),
        *(speaker.text(text) for text in texts),
        *(speaker.ending(title) if complete else speaker.stopped(title)),
    ]


def speak_history(conversation_id: str, exchanges: Sequence[SpokenExchange]) -> bytes:
    """A batchexecute body with a stored conversation; `exchanges` oldest first."""
    return speak_call(READ_CHAT, history_payload(conversation_id, exchanges))


def speak_list(chats: Iterable[tuple[str, str]]) -> bytes:
    """A batchexecute body with the list of chats: ids and titles."""
    return speak_call(LIST_CHATS, list_payload(chats))


def history_payload(conversation_id: str, exchanges: Sequence[SpokenExchange]) -> list[Any]:
    """What `hNvQHb` answers."""
    return [[_exchange(conversation_id, exchange) for exchange in reversed(exchanges)], None]


def list_payload(chats: Iterable[tuple[str, str]]) -> list[Any]:
    """What `MaZiqc` answers."""
    rows = [
        [f"c_{chat}", title, None, None, None, [1772576631, 0], None, None, None, 1]
        for chat, title in chats
    ]
    return [None, "cursor==", rows]


def speak_call(call: str, payload: Any) -> bytes:
    """A batchexecute body with the answer to one call."""
    return speak_calls([(call, payload)])


def speak_calls(answers: Iterable[tuple[str, Any]]) -> bytes:
    """A batchexecute body with the answers to its calls, a chunk for each."""
    records = [
        ["wrb.fr", call, _compact(payload), None, None, None, "generic"]
        for call, payload in answers
    ]
    return b"".join(speak_chunks([record] for record in records))


def speak_error(code: int) -> bytes:
    """A StreamGenerate body that is only an error frame."""
    error = [13, None, [[_ERROR_INFO, [code]]]]
    return b"".join(speak_chunks([[["wrb.fr", None, None, None, None, error]]]))


def speak_chunks(chunks: Iterable[list[Any]]) -> list[bytes]:
    """Frame chunks of records: prefix, each chunk with its length, books, closing frame."""
    frames = Frames()
    return [PREFIX, *map(frames.add, chunks), *frames.close()]


class Frames:
    """Chunks with their lengths, and the count that the closing frame tells."""

    def __init__(self) -> None:
        self._records = 0
        self._bytes = len(PREFIX)

    def add(self, chunk: list[Any]) -> bytes:
        """One chunk of records."""
        framed = _frame(_outer(chunk))
        self._records += len(chunk)
        self._bytes += len(framed)
        return framed

    def close(self) -> list[bytes]:
        """The books, and the closing frame with the bytes of the whole body."""
        books = self.add([["di", 192], ["af.httprm", 191, "8196459853603899163", 2]])
        closing, size = b"", 0
        while self._bytes + len(closing) != size:  # it counts its own digits
            size = self._bytes + len(closing)
            closing = _frame(_outer([["e", self._records + 1, None, None, size]]))
        return [books, closing]


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
