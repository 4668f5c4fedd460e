"""Speak as chatgpt.com does: an answer as the SSE events of `delta_encoding v1`.

`Speaker` writes one answer event by event, for a server that does not know its end yet;
`speak_stream` and `speak_stored` write whole ones. The counterpart of `sites/chatgpt`;
`decode(speak(x)) == x` is a test.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

MODEL = "gpt-5-6-thinking"
ROOT = "client-created-root"
PARTS = "/message/content/parts/0"
THOUGHTS = "/message/content/thoughts"

RUNNING = "in_progress"
WHOLE = "finished_successfully"
STOPPED = "finished_partial_completion"


@dataclass(frozen=True, slots=True)
class Ids:
    """What the messages of one exchange are called. Fresh ones for each, within a conversation."""

    user: str = "m-user"
    thoughts: str = "m-thoughts"
    answer: str = "m-answer"


FIRST = Ids()


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """One exchange as it is stored. `status` is the answer's; without text there is none yet."""

    prompt: str
    answer: str
    thoughts: tuple[str, ...] = ()
    ids: Ids = FIRST
    status: str = WHOLE
    at: float = 1.0
    model: str = MODEL


class Speaker:
    """One answer, event by event: `opening`, then thoughts, then text, then an end."""

    def __init__(
        self, conversation_id: str, *, prompt: str = "Hello", ids: Ids = FIRST, model: str = MODEL
    ) -> None:
        self._named = conversation_id
        self._prompt = prompt
        self._ids = ids
        self._model = model
        self._channel = 0
        self._thoughts = 0
        self._answering = False
        self._placed = False

    def opening(self) -> list[bytes]:
        """The encoding, the conversation's id, the prompt again."""
        asked = _message("user", self._ids.user, [self._prompt])
        token = {"type": "resume_conversation_token", "conversation_id": self._named}
        return [
            b'event: delta_encoding\ndata: "v1"\n\n',
            _frame(token),
            _opened(0, self._named, asked, at=""),
        ]

    def thought(self, text: str) -> list[bytes]:
        """One more thought, before any text."""
        events = [] if self._thoughts else [self._open(_thinking(self._ids, self._model))]
        item = {"summary": f"Step {self._thoughts + 1}", "content": "", "chunks": []}
        events.append(_delta({"p": THOUGHTS, "o": "append", "v": [item | {"finished": False}]}))
        place = f"{THOUGHTS}/{self._thoughts}/content"
        events.append(_delta({"p": place, "o": "append", "v": text}))
        self._thoughts += 1
        return events

    def answer(self) -> list[bytes]:
        """The answer's message, still empty; the thoughts are over. Again does nothing."""
        if self._answering:
            return []
        self._answering = True
        events = []
        if self._thoughts:
            over = [{"p": "/message/status", "o": "replace", "v": WHOLE}]
            events.append(_delta({"p": "", "o": "patch", "v": over}))
        message = _message("assistant", self._ids.answer, [""], status=RUNNING, model=self._model)
        return [*events, self._open(message)]

    def text(self, piece: str) -> list[bytes]:
        """More of the answer. The first piece says where it belongs, the others follow it."""
        events = self.answer()
        delta = {"v": piece} if self._placed else {"p": PARTS, "o": "append", "v": piece}
        self._placed = True
        return [*events, _delta(delta)]

    def ending(self, title: str | None = None) -> list[bytes]:
        """The turn is whole."""
        last = [
            {"p": "/message/status", "o": "replace", "v": WHOLE},
            {"p": "/message/end_turn", "o": "replace", "v": True},
            {"p": "/message/metadata", "o": "append", "v": {"is_complete": True}},
        ]
        marker = {"type": "message_marker", "marker": "last_token", "event": "last"}
        events = [
            *self.answer(),
            _delta({"p": "", "o": "patch", "v": last}),
            _frame({**marker, "conversation_id": self._named}),
        ]
        if title is not None:
            told = {"type": "title_generation", "title": title, "conversation_id": self._named}
            events.append(_frame(told))
        complete = {"type": "message_stream_complete", "conversation_id": self._named}
        return [*events, _frame(complete), b"data: [DONE]\n\n"]

    def stopped(self) -> list[bytes]:
        """The person pressed Stop: what stands there is partial, and no completion follows."""
        if not self._channel:  # nothing was said: there is no message to mark
            return [*self.answer(), *self.stopped()]
        interrupted = {"finish_details": {"type": "interrupted"}}
        last = [
            {"p": "/message/status", "o": "replace", "v": STOPPED},
            {"p": "/message/metadata", "o": "append", "v": interrupted},
        ]
        return [_delta({"p": "", "o": "patch", "v": last}), b"data: [DONE]\n\n"]

    def _open(self, message: dict[str, Any]) -> bytes:
        self._channel += 1
        return _opened(self._channel, self._named, message)


def speak_stream(
    texts: Sequence[str],
    *,
    conversation_id: str,
    prompt: str = "Hello",
    thoughts: Sequence[str] = (),
    title: str | None = None,
    model: str = MODEL,
    complete: bool = True,
    ids: Ids = FIRST,
    stopped: bool = False,
) -> list[bytes]:
    """One answer, event by event. `texts` are its growth; the first comes explicitly placed."""
    speaker = Speaker(conversation_id, prompt=prompt, ids=ids, model=model)
    events = speaker.opening()
    for thought in thoughts:
        events += speaker.thought(thought)
    if texts or not stopped:
        events += speaker.answer()
    for text in texts:
        events += speaker.text(text)
    if stopped:
        return events + speaker.stopped()
    return events + speaker.ending(title) if complete else events


def speak_stored(
    answer: str,
    *,
    conversation_id: str,
    prompt: str = "Hello",
    title: str | None = None,
    model: str = MODEL,
) -> bytes:
    """The same turn as the stored conversation has it once it is over."""
    return speak_conversation(conversation_id, [SpokenTurn(prompt, answer, model=model)], title)


def speak_conversation(
    conversation_id: str, turns: Sequence[SpokenTurn], title: str | None = None
) -> bytes:
    """A stored conversation of several turns, oldest first; the last one is on show."""
    mapping: dict[str, dict[str, Any]] = {ROOT: _node(ROOT, None, None)}
    newest = ROOT
    for turn in turns:
        for message in _stored_messages(turn):
            name = message["id"]
            mapping[name] = _node(name, message, newest)
            mapping[newest]["children"].append(name)
            newest = name
    times = [turn.at for turn in turns]
    stored = {
        "title": title,
        "create_time": min(times, default=None),
        "update_time": max(times, default=None),
        "mapping": mapping,
        "current_node": newest,
        "conversation_id": conversation_id,
        "default_model_slug": turns[-1].model if turns else None,
    }
    return json.dumps(stored, ensure_ascii=False).encode()


def speak_list(chats: Sequence[tuple[str, str, float]]) -> bytes:
    """The list of chats: ids, titles and times."""
    items = [
        {"id": name, "title": title, "create_time": at, "update_time": at}
        for name, title, at in chats
    ]
    whole = {"items": items, "total": len(items), "limit": len(items), "offset": 0}
    return json.dumps(whole, ensure_ascii=False).encode()


def _stored_messages(turn: SpokenTurn) -> list[dict[str, Any]]:
    """Prompt, thoughts, answer, as far as the turn got."""
    messages = [_message("user", turn.ids.user, [turn.prompt], at=turn.at)]
    if turn.thoughts:
        over = WHOLE if turn.answer else turn.status
        messages.append(_thinking(turn.ids, turn.model, turn.thoughts, status=over, at=turn.at))
    if turn.answer or turn.status == WHOLE or not turn.thoughts:
        answer = _message(
            "assistant",
            turn.ids.answer,
            [turn.answer],
            status=turn.status,
            model=turn.model,
            at=turn.at,
        )
        messages.append(answer)
    if turn.status == WHOLE:
        messages[-1]["end_turn"] = True
        messages[-1]["metadata"]["is_complete"] = True
    elif turn.status == STOPPED:
        messages[-1]["metadata"]["finish_details"] = {"type": "interrupted"}
    return messages


def _node(name: str, message: dict[str, Any] | None, parent: str | None) -> dict[str, Any]:
    return {"id": name, "message": message, "parent": parent, "children": []}


def _thinking(
    ids: Ids, model: str, thoughts: Sequence[str] = (), *, status: str = RUNNING, at: float = 1.0
) -> dict[str, Any]:
    message = _message("assistant", ids.thoughts, [], status=status, model=model, at=at)
    told = [
        {"summary": f"Step {count}", "content": text, "chunks": [], "finished": True}
        for count, text in enumerate(thoughts, 1)
    ]
    message["content"] = {"content_type": "thoughts", "thoughts": told}
    message["channel"] = None
    return message


def _message(
    role: str,
    message_id: str,
    parts: list[str],
    *,
    status: str = WHOLE,
    model: str | None = None,
    at: float = 1.0,
) -> dict[str, Any]:
    return {
        "id": message_id,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "content": {"content_type": "text", "parts": parts},
        "status": status,
        "end_turn": None,
        "metadata": {"resolved_model_slug": model} if model else {},
        "recipient": "all",
        "channel": "final" if role == "assistant" else None,
    }


def _opened(channel: int, named: str, message: dict[str, Any], *, at: str | None = None) -> bytes:
    opened = {"v": {"message": message, "conversation_id": named, "error": None}, "c": channel}
    return _delta(opened if at is None else {"p": at, "o": "add", **opened})


def _delta(value: dict[str, Any]) -> bytes:
    return b"event: delta\n" + _frame(value)


def _frame(value: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n"
