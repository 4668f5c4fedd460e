"""Speak as gemini.google.com does: Python values in, the bytes of a body out.

The lab's Gemini sends these, the demo plays them, and tests hold `decode(speak(x)) == x`.
Layout as recorded in March 2026: prefix, length lines in UTF-16 units, the whole answer
in every chunk and once more as paragraphs, what is left of the quota, the closing frame
with the body's bytes.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tabwire.lab.citing import citation_groups

PREFIX = b")]}'\n\n"
READ_CHAT, LIST_CHATS, SETTINGS, STATUS = "hNvQHb", "MaZiqc", "ESY5D", "otAQ7b"
TEMPORARY, MODEL_UNFIT, LIMITED, BLOCKED = 1013, 1050, 1037, 1060  # codes of error frames

_RUNNING, _WHOLE = 1, 2
_CITATIONS = "44"  # field of the rich content at [12]: groups of sources, each with its mark
# Google's writer escapes the first five; half a character cannot be written as UTF-8
_ESCAPED = re.compile("[=<>&'\ud800-\udfff]")
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


@dataclass(frozen=True, slots=True)
class Quota:
    """How many questions are left, and when there will be more: a second since 1970."""

    left: int
    of: int
    until: int

    def record(self) -> dict[str, Any]:
        """As recorded: kind, period, the time, how many of how many are left."""
        counted = [[1, 20, 1], 1, 6, [self.until, 0], self.of, self.left]
        return {"28": [[counted], "fbb127bbb056c959"], "44": False}


class Speaker:
    """One StreamGenerate body, said chunk by chunk as it comes to mind.

    `opening`, then `thought` and `text` with all that is known each time, then `ending`, or
    `stopped` where the answer is not whole, or `failed`. `repeated`: with the answer's second
    copy as paragraphs, as the site sends it.
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
        self.repeated = repeated  # may be changed: a second copy of megabytes is only weight
        self._text = ""
        self._thoughts: str | None = None
        self._tool: str | None = None
        self._frames = Frames()

    def opening(self) -> list[bytes]:
        """The prefix, and the answer's id; the conversation's comes later."""
        response_id = self._ids[1]
        named = [None, [None, response_id], {"18": response_id, "44": False}]
        return [PREFIX, self._speak(named)]

    def begun(self) -> bytes:
        """The conversation's id, and an answer without a word yet."""
        return self._speak(self._payload(repeated=False))

    def thought(self, thoughts: str) -> bytes:
        """All thoughts so far."""
        self._thoughts = thoughts
        return self._speak(self._payload(repeated=False))

    def text(self, text: str) -> bytes:
        """The whole text so far."""
        self._text, self._tool = text, None
        return self._speak(self._payload(repeated=self.repeated))

    def tool(self, name: str) -> bytes:
        """A tool is at work, until words come; the answer so far stays what it is."""
        self._tool = name
        return self._speak(self._payload(repeated=False))

    def hint(self, title: str | None = None) -> list[bytes]:
        """What comes at the end as a rule, too early: a title, a model. It is not whole yet."""
        named = self._payload(repeated=self.repeated)
        named[39], named[42] = "0123456789abcdef", self._model
        return [self._speak(named), *self._titled(title)]

    def ending(self, title: str | None = None, quota: Quota | None = None) -> list[bytes]:
        """The answer is whole: once more all of it, its title, and the closing frame."""
        whole = self._payload(repeated=self.repeated, whole=True)
        return [
            self._speak(whole),
            *self._titled(title),
            *self._counted(quota),
            self._speak([None, self._ids, {"26": "AwAAAAAAAAAQ", "44": False}]),
            *self._frames.close(),
        ]

    def failed(self, code: int, quota: Quota | None = None) -> list[bytes]:
        """The site gives up in the middle: an error, with HTTP 200, and the closing frame."""
        return [
            *self._counted(quota),
            self._frames.add([_error_record(code)]),
            *self._frames.close(),
        ]

    def stopped(self, title: str | None = None) -> list[bytes]:
        """Nothing more comes, and the answer is not called whole."""
        return [*self._titled(title), *self._frames.close()]

    def _titled(self, title: str | None) -> list[bytes]:
        if title is None:
            return []
        return [self._speak([None, self._ids, {"11": [title], "44": False}])]

    def _counted(self, quota: Quota | None) -> list[bytes]:
        return [] if quota is None else [self._speak([None, self._ids, quota.record()])]

    def _speak(self, payload: Any) -> bytes:
        return self._frames.add([["wrb.fr", None, _compact(payload)]])

    def _payload(self, *, repeated: bool, whole: bool = False) -> list[Any]:
        payload: list[Any] = [None] * 48
        payload[1] = self._ids
        payload[4] = [_candidate(self._candidate_id, self._text, self._thoughts, whole=whole)]
        payload[6] = None if self._tool is None else [None, [self._tool]]
        payload[8], payload[14], payload[19], payload[23] = "US", False, "en", True
        if repeated:
            paragraphs = [[None, [None, 0, part]] for part in self._text.split("\n\n")]
            payload[26] = [[paragraphs]]
        if whole and self._model is not None:
            payload[39], payload[42] = "0123456789abcdef", self._model
        payload[43], payload[46], payload[47] = False, 1, 2
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


def history_payload(
    conversation_id: str, exchanges: Sequence[SpokenExchange], cursor: str | None = None
) -> list[Any]:
    """What `hNvQHb` answers; a cursor says that there are older turns."""
    return [[_exchange(conversation_id, exchange) for exchange in reversed(exchanges)], cursor]


def list_payload(
    chats: Iterable[tuple[str, str]], cursor: str | None = "cursor==", seconds: int = 1772576631
) -> list[Any]:
    """What `MaZiqc` answers; a cursor says that there are more chats."""
    rows = [
        [f"c_{chat}", title, None, None, None, [seconds, 0], None, None, None, 1]
        for chat, title in chats
    ]
    return [None, cursor, rows]


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


def speak_error(code: int, quota: Quota | None = None) -> bytes:
    """A StreamGenerate body that is only an error frame, after the quota where one is told."""
    counted = [] if quota is None else [None, [None, "r_0"], quota.record()]
    chunks = [[["wrb.fr", None, _compact(counted)]]] if counted else []
    return b"".join(speak_chunks([*chunks, [_error_record(code)]]))


def speak_refused(status: int) -> bytes:
    """A body to a request that was not let in: no token, no session."""
    return b"".join(speak_chunks([[["er", None, None, None, None, status, None, None, None, 9]]]))


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
    """A payload's JSON, escaped as the site escapes it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _error_record(code: int) -> list[Any]:
    error = [13, None, [[_ERROR_INFO, [code]]]]
    return ["wrb.fr", None, None, None, None, error]


def _candidate(
    candidate_id: str, text: str, thoughts: str | None, *, whole: bool, language: str = "en"
) -> list[Any]:
    state = _WHOLE if whole else _RUNNING
    node: list[Any] = [candidate_id, [text], None, None, None, None, True, None, [state], language]
    if thoughts is not None:
        node += [None] * 27 + [[[thoughts]]]
    if whole and (groups := citation_groups(text)):
        node += [None] * (13 - len(node))
        node[12] = [None, {_CITATIONS: groups}]
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
