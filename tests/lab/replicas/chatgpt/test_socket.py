"""The rest of a handed-off answer over the WebSocket: each event once, whatever the story does."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest
from starlette.routing import Router

from lab.replicas.chatgpt.asking import (
    TEXTS,
    ask,
    asking,
    events,
    frame,
    of,
    planned,
    read,
    serving,
)
from tabwire.lab.ledger import Deed
from tabwire.lab.plan import Plan
from tabwire.lab.replicas.chatgpt.server import routes
from tabwire.lab.room import Room
from tabwire.model.signals import TextGrew, TurnEnded
from tabwire.wire.socket import SocketDecoder, SocketItem

pytestmark = pytest.mark.asyncio
SOON = 10.0


@pytest.fixture
def room():
    return Room(planned=planned)


class Listener:
    """A page at the other end of a WebSocket, without a socket."""

    def __init__(self, topic):
        self._scope = {
            "type": "websocket",
            "path": f"/p/{topic}/ws",
            "raw_path": b"",
            "query_string": b"",
            "headers": [],
            "app": None,
            "subprotocols": [],
        }
        self.inbox = asyncio.Queue()
        self._outbox = asyncio.Queue()

    @asynccontextmanager
    async def listening(self, router):
        self._outbox.put_nowait({"type": "websocket.connect"})
        async with asyncio.timeout(SOON), asyncio.TaskGroup() as group:
            group.create_task(router(self._scope, self._outbox.get, self.inbox.put))
            yield
            self._outbox.put_nowait({"type": "websocket.disconnect", "code": 1005})

    async def all(self):
        """What is said until the notice that the turn is complete."""
        said = []
        while True:
            message = await self.inbox.get()
            if message["type"] == "websocket.send":
                said.append(message["text"].encode())
                if b"conversation-turn-complete" in said[-1]:
                    return said[:-1]
            elif message["type"] == "websocket.close":
                return said


async def handed(room, story):
    """The first response of an answer that is handed off, and what the socket says then."""
    router = Router(routes(room))
    served = serving(room, router=router)
    _, body = await ask(served, f"story {story}")
    topic = frame(body, "stream_handoff")["options"][0]["topic_id"]
    listener = Listener(topic)
    async with listener.listening(router):
        said = await listener.all()
    return body, said


def items(said):
    decoder = SocketDecoder()
    records = [record for one in said for record in decoder.feed(one)] + decoder.close()
    assert all(isinstance(record, SocketItem) for record in records)
    return [record.block for record in records]


@pytest.mark.parametrize("story", ["handoff-socket", "socket-duplicate", "socket-reorder"])
async def test_response_and_socket_together_are_the_whole_answer(room, story):
    body, said = await handed(room, story)
    assert body.endswith(b"data: [DONE]\n\n")
    conversation, signals = read(body, *items(said))
    text = "".join(one.text for one in of(signals, TextGrew))
    assert text == "".join(TEXTS) + f"story {story}"
    assert len(of(signals, TurnEnded)) == 1
    assert conversation.standing.complete
    assert [entry.kind for entry in room.ledger.entries] == [Deed.PROMPT, Deed.RESUME]


async def test_items_count_by_one_and_name_themselves(room):
    _, said = await handed(room, "handoff-socket")
    told = [json.loads(one) for one in said]
    assert [one["offset"] for one in told] == list(range(len(told)))
    names = [one["payload"]["payload"]["stream_item_id"] for one in told]
    assert len(set(names)) == len(names)


async def test_a_duplicate_is_the_same_item(room):
    _, said = await handed(room, "socket-duplicate")
    repeated = [one for place, one in enumerate(said) if one in said[:place]]
    assert len(repeated) == 1


async def test_swapped_items_keep_their_true_offsets(room):
    _, said = await handed(room, "socket-reorder")
    offsets = [json.loads(one)["offset"] for one in said]
    assert offsets != sorted(offsets)
    assert sorted(offsets) == list(range(len(offsets)))


async def test_marks_act_on_the_first_listener_only(room):
    router = Router(routes(room))
    served = serving(room, router=router)
    _, body = await ask(served, "story socket-reorder")
    topic = frame(body, "stream_handoff")["options"][0]["topic_id"]
    heard = []
    for _ in range(2):
        listener = Listener(topic)
        async with listener.listening(router):
            heard.append([json.loads(one)["offset"] for one in await listener.all()])
    assert heard[0] != heard[1] == sorted(heard[0])


async def test_a_topic_nobody_knows_is_refused(room):
    listener = Listener("conversation-turn-none")
    async with listener.listening(Router(routes(room))):
        assert (await listener.inbox.get())["type"] == "websocket.close"
    assert room.ledger.entries == ()


async def test_a_listener_that_goes_leaves_nothing_behind():
    """The answer would go on for an hour."""
    room = Room(planned=lambda prompt: Plan(("a", "b"), (), 3600.0, 0.0, story="socket-reorder"))
    router = Router(routes(room))
    served = serving(room, router=router)
    pieces = served.pieces("POST", "/backend-api/f/conversation", asking("slow"))
    body = b"".join([piece async for piece in pieces if isinstance(piece, bytes)])
    topic = frame(body, "stream_handoff")["options"][0]["topic_id"]
    before = asyncio.all_tasks()
    listener = Listener(topic)
    async with listener.listening(router):
        assert (await listener.inbox.get())["type"] == "websocket.accept"
    assert asyncio.all_tasks() == before
    assert len(events(body)) > 3
    room.close()
