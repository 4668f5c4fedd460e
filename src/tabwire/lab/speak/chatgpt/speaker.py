"""One answer as chatgpt.com streams it, event by event.

Theory of operation. Each message has a channel of its own, and deltas go to the channel named
last. Thoughts that follow each other are one message, a tool is two (the call, and what it
said), the answer is one however often it is interrupted: going on with it names its channel
again. The same words always make the same events, whoever hears them and in whatever batches,
so an event's number means the same in every response.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from tabwire.lab.speak.chatgpt import frames, messages
from tabwire.lab.speak.chatgpt.names import FIRST, MODEL, STOPPED, WHOLE, Ids
from tabwire.lab.stories.steps import Tool

PARTS = "/message/content/parts/0"
CODE = "/message/content/text"
CITES = "/message/metadata/content_references"
THOUGHTS = "/message/content/thoughts"


class Style(StrEnum):
    """How text grows."""

    BARE = "bare"  # `{"v": "more"}`: an account's page
    PATCH = "patch"  # lists of operations with a count of tokens: a guest's page


class Speaker:
    """One answer: `opening`, then thoughts, tools and text in any order, then an end."""

    def __init__(
        self,
        conversation_id: str,
        *,
        prompt: str = "Hello",
        ids: Ids = FIRST,
        model: str = MODEL,
        style: Style = Style.BARE,
        title: str | None = None,
        files: Sequence[str] = (),
        at: float = 1.0,
        first: bool = True,
        exhausted: str = "",
    ) -> None:
        self._named = conversation_id
        self._prompt = prompt
        self._ids = ids
        self._model = model
        self._patches = style is Style.PATCH
        self._title = title
        self._files = files
        self._at = at
        self._first = first
        self._exhausted = exhausted
        self._channel = -1  # of the message opened last
        self._parent = ids.user
        self._blocks = self._items = self._recaps = self._tools = 0
        self._thinking = False  # a message of thoughts is open
        self._thought = False  # something was thought that no recap has closed
        self._answer = -1  # the answer's channel
        self._placed = False  # a bare piece would go on in the answer
        self._pieces: list[str] = []

    def opening(self) -> list[bytes]:
        """The encoding, the conversation's id, the prompt again."""
        asked = messages.asked(self._ids, self._prompt, self._files, at=self._at)
        echoed = {"type": "input_message", "input_message": asked}
        self._channel += 1
        return [
            frames.ENCODING,
            frames.token(self._named),
            self._delta({"p": "", "o": "add", **self._holder(asked)}),
            frames.frame({**echoed, "conversation_id": self._named}),
        ]

    def thought(self, text: str) -> list[bytes]:
        """One more thought."""
        events = []
        if not self._thinking:
            self._blocks += 1
            self._items = 0
            name = self._ids.step("thoughts", self._blocks)
            if self._blocks == 1:
                events.append(frames.marker(self._named, name, "cot_token"))
            message = messages.thinking(self._ids, self._blocks, **self._by)
            events.append(self._open(message))
            self._thinking = self._thought = True
        item = {"summary": f"Step {self._items + 1}", "content": "", "chunks": []}
        events.append(
            self._delta({"p": THOUGHTS, "o": "append", "v": [item | {"finished": False}]})
        )
        place = f"{THOUGHTS}/{self._items}/content"
        events.append(self._delta({"p": place, "o": "append", "v": text}))
        self._items += 1
        return events

    def tool(self, tool: Tool) -> list[bytes]:
        """A tool is called, and says something."""
        events = self._settle()
        self._tools += 1
        call = messages.calling(self._ids, self._tools, tool, "", **self._by)
        events += self._streamed(call, CODE, tool.asks)
        said = messages.tool_said(self._ids, self._tools, tool, "", **self._by)
        place = CODE if "text" in said["content"] else PARTS
        return events + self._streamed(said, place, tool.answers)

    def answer(self) -> list[bytes]:
        """The answer's message, still empty; the thoughts are over. Again does nothing."""
        events = self._settle()
        if self._thought:
            self._thought = False
            self._recaps += 1
            events.append(self._open(messages.recap(self._ids, self._recaps, **self._by)))
        if self._answer >= 0:
            return events
        message = messages.answering(self._ids, "", **self._by)
        if self._patches:
            message["metadata"]["token_count"] = 0
        events.append(self._open(message))
        self._answer = self._channel
        marks = ("user_visible_token",) if self._patches else MARKS
        events += [frames.marker(self._named, self._ids.answer, mark) for mark in marks]
        return events

    def text(self, piece: str) -> list[bytes]:
        """More of the answer. The first piece says where it belongs, the others follow it."""
        events = [] if self._placed else self.answer()
        self._pieces.append(piece)
        cited = self._cited(piece)
        if self._placed and not cited:
            return [self._delta({"v": self._growth(piece) if self._patches else piece})]
        place: dict[str, Any] = {"p": PARTS, "o": "append", "v": piece}
        if self._patches or cited:
            place = {"p": "", "o": "patch", "v": [*self._growth(piece), *cited]}
        events.append(self._delta(place | self._back()))
        self._placed = True
        return events + self._name()

    def hint(self) -> list[bytes]:
        """A sign of the end that is none."""
        return [frames.marker(self._named, self._ids.answer, "last_token", "last")]

    def ending(self, title: str | None = None) -> list[bytes]:
        """The turn is whole."""
        self._title = self._title or title
        events = self.answer()
        last: list[dict[str, Any]] = [
            {"p": "/message/status", "o": "replace", "v": WHOLE},
            {"p": "/message/end_turn", "o": "replace", "v": True},
            {"p": "/message/metadata", "o": "append", "v": messages.LAST_WORDS},
        ]
        cited = messages.references("".join(self._pieces))
        known: list[dict[str, Any]] = [
            {"p": f"{CITES}/{number}", "o": "replace", "v": one}
            for number, one in enumerate(cited[:-1])
        ]
        if cited:
            known.append({"p": CITES, "o": "append", "v": cited[-1:]})
        events.append(self._patch(known + last))
        if not self._patches:
            events += self.hint()
            place = "/message/metadata/conversation_followup_suggestions_eligible"
            events.append(self._delta({"p": place, "o": "replace", "v": True}))
        notes = {"guest": self._patches, "first": self._first, "tool": self._tools > 0}
        return [
            *events,
            *self._name(),
            frames.turn_metadata(self._named, self._ids, self._model, **notes),
            frames.complete(self._named),
            frames.details(self._named, self._model, self._exhausted),
            frames.DONE,
        ]

    def stopped(self) -> list[bytes]:
        """The person pressed Stop: what stands there is partial, and no completion follows."""
        interrupted = {"finish_details": {"type": "interrupted"}}
        last: list[dict[str, Any]] = [
            {"p": "/message/status", "o": "replace", "v": STOPPED},
            {"p": "/message/metadata", "o": "append", "v": interrupted},
        ]
        if self._thinking and self._answer < 0:
            return [self._delta({"p": "", "o": "patch", "v": last}), frames.DONE]
        # nothing stands there that could be partial: then it is an answer without words
        events = self._settle() if self._answer >= 0 else self.answer()
        return [*events, self._patch(last), frames.DONE]

    def failed(self, words: str, code: str) -> list[bytes]:
        """The site gives up: no message says how it ended."""
        return [frames.failure(self._named, words, code), frames.DONE]

    def handoff(self, way: str | None, topic: str) -> bytes:
        """The rest of the turn arrives elsewhere."""
        return frames.handoff(self._named, self._ids, way, topic)

    @property
    def _by(self) -> dict[str, Any]:
        return {"model": self._model, "parent": self._parent, "at": self._at}

    def _name(self) -> list[bytes]:
        """The title, once."""
        title, self._title = self._title, None
        return [] if title is None else [frames.title(self._named, title)]

    def _growth(self, piece: str) -> list[dict[str, Any]]:
        grown: dict[str, Any] = {"p": PARTS, "o": "append", "v": piece}
        if not self._patches:
            return [grown]
        count = {"p": "/message/metadata/token_count", "o": "replace", "v": len(self._pieces)}
        return [grown, count]

    def _cited(self, piece: str) -> list[dict[str, Any]]:
        """Citations that end in this piece: told as such at once, explained at the end."""
        if messages.END not in piece:
            return []
        text = "".join(self._pieces)
        new = [
            messages.unresolved(found)
            for found in messages.CITATION.finditer(text)
            if found.end() > len(text) - len(piece)
        ]
        return [{"p": CITES, "o": "append", "v": new}] if new else []

    def _streamed(self, message: messages.Message, place: str, text: str) -> list[bytes]:
        message["status"] = "in_progress"
        over = [{"p": "/message/status", "o": "replace", "v": WHOLE}]
        return [
            self._open(message),
            self._delta({"p": place, "o": "append", "v": text}),
            self._delta({"p": "", "o": "patch", "v": over}),
        ]

    def _settle(self) -> list[bytes]:
        """The thoughts under way are over."""
        if not self._thinking:
            return []
        self._thinking = False
        last = f"{THOUGHTS}/{self._items - 1}/finished"
        over = [
            {"p": last, "o": "replace", "v": True},
            {"p": "/message/status", "o": "replace", "v": WHOLE},
        ]
        return [self._delta({"p": "", "o": "patch", "v": over})]

    def _patch(self, steps: list[dict[str, Any]]) -> bytes:
        return self._delta({"p": "", "o": "patch", "v": steps} | self._back())

    def _back(self) -> dict[str, Any]:
        """Back to the answer, where another message was opened since."""
        if self._channel == self._answer or self._placed:
            return {}
        return {"c": self._answer}

    def _open(self, message: messages.Message) -> bytes:
        self._channel += 1
        self._placed = False
        self._parent = message["id"]
        return self._delta(self._holder(message))

    def _holder(self, message: messages.Message) -> dict[str, Any]:
        holder = {"message": message, "conversation_id": self._named, "error": None}
        return {"v": {**holder, "error_code": None}, "c": self._channel}

    def _delta(self, value: dict[str, Any]) -> bytes:
        return frames.delta(value, plain=self._patches)


MARKS = ("user_visible_token", "final_channel_token")


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
    style: Style = Style.BARE,
) -> list[bytes]:
    """One answer, event by event. `texts` are its growth; the first comes explicitly placed."""
    speaker = Speaker(conversation_id, prompt=prompt, ids=ids, model=model, style=style)
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
