"""chatgpt.com's WebSocket: where the rest of a handed-off answer is told.

A topic lives on for a while after its answer ended, so that a page which comes late still
hears everything. Each event comes in an envelope of its own.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable

from starlette.websockets import WebSocket

from tabwire.lab.carry import Course, Event
from tabwire.lab.ledger import Deed
from tabwire.lab.replicas.chatgpt.turns import topic_of
from tabwire.lab.room import Room, Telling
from tabwire.lab.stories.steps import Mark, Wire

SITE = "chatgpt"
MAX_TOPICS = 1000  # remembered; each answer that is handed off has one

Heard = Callable[[Telling], AsyncIterator[list[Event]]]


def stream_item(topic: str, offset: int, event: bytes) -> bytes:
    """One server-sent event. Its id and its offset are the same whenever it is sent."""
    item = {
        "type": "stream-item",
        "stream_item_id": f"{topic}-{offset}",
        "parent_stream_item_id": f"{topic}-{offset - 1}" if offset else None,
        "encoded_item": event.decode(),
    }
    payload = {"type": "conversation-turn-stream", "payload": item}
    said = {"type": "message", "topic_id": topic, "offset": offset, "payload": payload}
    return json.dumps(said, ensure_ascii=False).encode()


def turn_complete(conversation_id: str) -> bytes:
    """The notice to all pages of the account that a turn is over."""
    payload = {
        "type": "conversation-turn-complete",
        "payload": {"conversation_id": conversation_id},
    }
    said = {"type": "message", "topic_id": "conversations", "payload": payload}
    return json.dumps(said, ensure_ascii=False).encode()


class Topics:
    """Answers that were handed off, by topic, and who may hear them."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._topics: OrderedDict[str, _Topic] = OrderedDict()

    def open(self, conversation_id: str, telling: Telling, heard: Heard) -> None:
        """An answer may be handed off from now on; `heard` tells all of it again."""
        self._topics[topic_of(telling.exchange)] = _Topic(conversation_id, telling, heard)
        while len(self._topics) > MAX_TOPICS:
            self._topics.popitem(last=False)

    def telling(self, topic: str) -> Telling | None:
        """The answer of a topic."""
        found = self._topics.get(topic)
        return found.telling if found else None

    async def serve(self, socket: WebSocket) -> None:
        """One page listens to one topic until it goes."""
        topic = self._topics.get(socket.path_params["topic"])
        if topic is None:
            await socket.close()
            return
        await socket.accept()
        self._room.ledger.record(SITE, topic.conversation_id, kind=Deed.RESUME)
        async with asyncio.TaskGroup() as group:
            telling = group.create_task(topic.tell(socket), name="lab socket")
            await _until_gone(socket)
            telling.cancel()


class _Topic:
    """One answer that was handed off."""

    def __init__(self, conversation_id: str, telling: Telling, heard: Heard) -> None:
        self.conversation_id = conversation_id
        self.telling = telling
        self._heard = heard
        self._listeners = 0

    async def tell(self, socket: WebSocket) -> None:
        """What follows the hand-off, each event in its envelope.

        The story's marks act on the first listener only, as they do on the first response.
        """
        self._listeners += 1
        course = Course(active=self._listeners == 1)
        topic = topic_of(self.telling.exchange)
        offset, away = 0, False
        async for batch in self._heard(self.telling):
            leaving: list[Event] = []
            for event in batch:
                if isinstance(event, Mark):
                    if away:
                        leaving.append(event)
                    continue
                if event == b"":  # the hand-off itself
                    away = True
                elif away:
                    leaving.append(stream_item(topic, offset, event))
                    offset += 1
            ready, over = course.take(leaving)
            for said in ready:
                await socket.send_text(said.decode())
            if over in (Wire.CUT, Wire.END):
                await socket.close(1011 if over is Wire.CUT else 1000)
                return
        for said in course.rest():
            await socket.send_text(said.decode())
        await socket.send_text(turn_complete(self.conversation_id).decode())
        await socket.close()  # nothing else is told here, and nobody shall hold up the lab's end


async def _until_gone(socket: WebSocket) -> None:
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass  # the page has nothing to say that matters here
