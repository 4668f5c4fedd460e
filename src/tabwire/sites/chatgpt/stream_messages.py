"""chatgpt.com: the messages of one stream, by id and by channel.

A message without an id is told all the same, under a name of ours. It is the one told before
where it goes on with the same text (frames repeat a message as it grows); when its id comes
late, it takes that.
"""

from collections.abc import Iterator
from typing import Any

from tabwire.model.conversation import Turn
from tabwire.model.problems import Problem
from tabwire.sites.chatgpt.messages import read_message, read_role, read_text
from tabwire.sites.chatgpt.parts import StreamMessage
from tabwire.sites.witness import doubts
from tabwire.wire.document import plain

NO_ID = Problem("a message without an id: its text is reported, its place in the chat is a guess")


class StreamMessages:
    """What has been met so far, in order."""

    def __init__(self) -> None:
        self._by_id: dict[str, StreamMessage] = {}
        self.by_channel: dict[int, StreamMessage] = {}

    def begin(self, holder: dict[str, Any]) -> StreamMessage | None:
        """The message in a holder, new or met before; None where there is none."""
        message = holder.get("message")
        if not isinstance(message, dict):
            return None
        message_id = message.get("id")
        if isinstance(message_id, str) and message_id:
            known = self._by_id.get(message_id) or StreamMessage(message_id, holder)
        else:
            known = self._unnamed(message) or StreamMessage(
                f"message-{len(self._by_id) + 1}", holder, is_named=False
            )
        self._by_id[known.id] = known
        known.holder = holder
        return known

    def name(self, known: StreamMessage) -> None:
        """Take the id of a message that had none, where it has one now."""
        message_id = known.message.get("id")
        if known.is_named or not isinstance(message_id, str) or not message_id:
            return
        ours, known.id, known.is_named = known.id, message_id, True
        self._by_id = {
            (message_id if key == ours else key): one for key, one in self._by_id.items()
        }

    def turns(self, conversation_id: str | None) -> Iterator[Turn]:
        """All of them, each after the one before. A whole frame that names neither its message
        nor its conversation belongs to nothing."""
        parent: str | None = None
        for known in self._by_id.values():
            if conversation_id is None and known.is_framed and not known.is_named:
                continue
            turn = read_message({**plain(known.message), "id": known.id}, parent)
            if turn is not None:
                yield turn
                parent = turn.id

    def problems(self, conversation_id: str | None) -> Iterator[Problem]:
        """What was missing in messages with something to read."""
        told = self.turns(conversation_id)
        turns = [turn for turn in told if turn.text.strip() or turn.thinking]
        if conversation_id is None:
            for known in self._by_id.values():
                if known.is_framed and not known.is_named and (text := _text_of(known.message)):
                    what = f"a frame names neither its message nor its conversation: {text!r}"
                    yield Problem(what, lossy=True)
        if any(not self._by_id[turn.id].is_named for turn in turns):
            yield NO_ID
        yield from doubts(turns)

    def _unnamed(self, message: dict[str, Any]) -> StreamMessage | None:
        """The last message, where it had no id either and this one goes on with it."""
        last = next(reversed(self._by_id.values()), None)
        if last is None or last.is_named or read_role(last.message) is not read_role(message):
            return None
        return last if _text_of(message).startswith(_text_of(last.message)) else None


def _text_of(message: dict[str, Any]) -> str:
    content = plain(message.get("content"))
    return read_text(content) if isinstance(content, dict) else ""
