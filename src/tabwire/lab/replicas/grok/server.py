"""grok.com's side of the wire: the requests its page makes, answered by `speak_grok`."""

import uuid
from collections.abc import AsyncIterator, Iterator
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from tabwire.lab.replicas import static_file
from tabwire.lab.room import Chat, Exchange, Part, Room, Standing, Telling
from tabwire.lab.speak_grok import (
    ASSISTANT,
    HUMAN,
    Speaker,
    SpokenChat,
    SpokenResponse,
    speak_about,
    speak_list,
    speak_nodes,
    speak_responses,
)

SITE = "grok"
HOSTS = ("grok.com", "www.grok.com")
MODEL = "grok-4"
NEW = "New conversation"

API = "/rest/app-chat"
JSON = "application/json"


def routes(room: Room) -> list[BaseRoute]:
    """Everything this site answers."""
    site = _Grok(room)
    one = f"{API}/conversations/{{id}}"
    return [
        Route("/", _page),
        Route("/c/{id}", _page),
        Route("/assets/{name}", _asset),
        Route(f"{API}/conversations", site.list),
        Route(f"{API}/conversations/new", site.begin, methods=["POST"]),
        Route(f"{API}/conversations/reconnect-response-v2/{{id}}", site.reconnect),
        Route(f"{API}/conversations_v2/{{id}}", site.about),
        Route(f"{one}/responses", site.go_on, methods=["POST"]),
        Route(f"{one}/response-node", site.nodes),
        Route(f"{one}/load-responses", site.responses, methods=["POST"]),
        Route(f"{one}/stop-inflight-responses", site.stop, methods=["POST"]),
    ]


async def _page(_request: Request) -> Response:
    return static_file(SITE, "index.html")


async def _asset(request: Request) -> Response:
    return static_file(SITE, request.path_params["name"])


class _Grok:
    """The answers that depend on what the room remembers."""

    def __init__(self, room: Room) -> None:
        self._room = room

    async def begin(self, request: Request) -> Response:
        """The first prompt of a new conversation."""
        return await self._ask(request, str(uuid.uuid4()))

    async def go_on(self, request: Request) -> Response:
        """A further prompt in a conversation."""
        named = request.path_params["id"]
        if self._room.chat(SITE, named) is None:
            return _refused(404, 5, "Conversation not found")
        return await self._ask(request, named)

    async def _ask(self, request: Request, named: str) -> Response:
        """A prompt. It is in the ledger before the first byte of its answer leaves."""
        match await _json(request):
            case {"message": str(prompt)}:
                telling = self._room.ask(SITE, named, prompt)
                return _streamed(self._speak(named, telling))
        return _refused(400, 3, "no message in it")

    async def reconnect(self, request: Request) -> Response:
        """The whole of an answer that is being written, from its beginning."""
        for chat in self._room.conversations[SITE].values():
            telling = self._room.telling(SITE, chat.id)
            if telling is not None and ids_of(telling.exchange)[1] == request.path_params["id"]:
                return _streamed(self._speak(chat.id, telling, resumed=True))
        return _refused(404, 5, "Response not found")

    async def _speak(
        self, named: str, telling: Telling, *, resumed: bool = False
    ) -> AsyncIterator[bytes]:
        chat, exchange = self._room.conversations[SITE][named], telling.exchange
        place = chat.exchanges.index(exchange)
        question_id, answer_id = ids_of(exchange)
        speaker = Speaker(
            named,
            question_id=question_id,
            answer_id=answer_id,
            follows=ids_of(chat.exchanges[place - 1])[1] if place else None,
            model=exchange.plan.model or MODEL,
            asked_at=exchange.asked_at,
            answered_at=_answered_at(exchange),
        )
        thinks = bool(exchange.plan.thoughts)
        for line in speaker.resume() if resumed else speaker.opening(exchange.prompt, thinks):
            yield line
        async for said in telling.follow():
            thought = said.part is Part.THOUGHT
            yield speaker.thought(said.text) if thought else speaker.text(said.text)
        if exchange.standing is Standing.WHOLE:
            for line in speaker.ending(exchange.plan.title or None if place == 0 else None):
                yield line

    async def list(self, _request: Request) -> Response:
        """All conversations, the one that was asked in last first."""
        chats = sorted(self._room.conversations[SITE].values(), key=_asked_at, reverse=True)
        return Response(speak_list(map(_about, chats)), media_type=JSON)

    async def about(self, request: Request) -> Response:
        """One conversation's title and times."""
        chat = self._chat(request)
        if chat is None:
            return _refused(404, 5, "Conversation not found")
        return Response(speak_about(_about(chat)), media_type=JSON)

    async def nodes(self, request: Request) -> Response:
        """Who follows whom, without the texts."""
        chat = self._chat(request)
        if chat is None:
            return _refused(404, 5, "Conversation not found")
        return Response(speak_nodes(_stored(chat)), media_type=JSON)

    async def responses(self, request: Request) -> Response:
        """The texts of the responses asked for."""
        chat = self._chat(request)
        match await _json(request):
            case {"responseIds": [*wanted]} if chat is not None:
                found = [one for one in _stored(chat) if one.id in wanted]
                return Response(speak_responses(found), media_type=JSON)
        return _refused(404, 5, "Conversation not found")

    async def stop(self, request: Request) -> Response:
        """The person pressed Stop."""
        self._room.stop(SITE, request.path_params["id"])
        return JSONResponse({})

    def _chat(self, request: Request) -> Chat | None:
        return self._room.chat(SITE, request.path_params["id"])


def ids_of(exchange: Exchange) -> tuple[str, str]:
    """Names of a question and of its answer that stay the same."""
    base = uuid.UUID(exchange.id)
    return str(uuid.uuid5(base, HUMAN)), str(uuid.uuid5(base, ASSISTANT))


def _stored(chat: Chat) -> Iterator[SpokenResponse]:
    """Every response of a conversation, in order, each following the one before."""
    before: str | None = None
    for exchange in chat.exchanges:
        question_id, answer_id = ids_of(exchange)
        at = exchange.asked_at
        yield SpokenResponse(question_id, exchange.prompt, HUMAN, parent=before, at=at)
        yield SpokenResponse(
            answer_id,
            exchange.text,
            ASSISTANT,
            parent=question_id,
            at=_answered_at(exchange),
            model=exchange.plan.model or MODEL,
            thinking="".join(exchange.thoughts),
            running=exchange.standing is Standing.RUNNING,
            partial=exchange.standing is not Standing.WHOLE,
        )
        before = answer_id


def _answered_at(exchange: Exchange) -> float:
    """The times the site states tell question and answer apart."""
    return exchange.asked_at + 0.001


def _about(chat: Chat) -> SpokenChat:
    return SpokenChat(chat.id, chat.title or NEW, _asked_at(chat))


def _asked_at(chat: Chat) -> float:
    return max((exchange.asked_at for exchange in chat.exchanges), default=0.0)


async def _json(request: Request) -> Any:
    try:
        return await request.json()
    except ValueError:
        return None


def _streamed(lines: AsyncIterator[bytes]) -> Response:
    return StreamingResponse(lines, media_type=JSON)


def _refused(status: int, code: int, message: str) -> Response:
    return JSONResponse({"error": {"code": code, "message": message, "details": []}}, status)
