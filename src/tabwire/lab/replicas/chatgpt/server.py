"""chatgpt.com's side of the wire: the requests its page makes, answered by `speak_chatgpt`."""

import json
import uuid
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from tabwire.lab.plan import plan_for
from tabwire.lab.replicas import static_file
from tabwire.lab.room import Chat, Exchange, Part, Room, Said, Standing, Telling
from tabwire.lab.speak_chatgpt import (
    MODEL,
    RUNNING,
    STOPPED,
    WHOLE,
    Ids,
    Speaker,
    SpokenTurn,
    speak_conversation,
    speak_list,
)

SITE = "chatgpt"
HOSTS = ("chatgpt.com", "ws.chatgpt.com")
STATUS = {Standing.RUNNING: RUNNING, Standing.WHOLE: WHOLE, Standing.STOPPED: STOPPED}
JSON = "application/json"
STREAM = "text/event-stream; charset=utf-8"

WELCOME = "6890a1b2-0000-4000-8000-00000000c0de"
WELCOMED_AT = 1_790_000_000.0  # a day in September 2026


def routes(room: Room) -> list[BaseRoute]:
    """Everything this site answers."""
    site = _ChatGpt(room)
    backend = "/backend-api"
    return [
        Route("/", _page),
        Route("/c/{id}", _page),
        Route("/assets/{name}", _asset),
        Route(f"{backend}/f/conversation", site.answer, methods=["POST"]),
        Route(f"{backend}/f/conversation/prepare", _prepare, methods=["POST"]),
        Route(f"{backend}/f/conversation/resume", site.resume, methods=["POST"]),
        Route(f"{backend}/conversations", site.list),
        Route(f"{backend}/conversation/gen_title/{{id}}", site.title, methods=["POST"]),
        Route(f"{backend}/conversation/{{id}}/stream_status", site.stream_status),
        Route(f"{backend}/conversation/{{id}}", site.stored),
        Route(f"{backend}/stop_conversation", site.stop, methods=["POST"]),
    ]


async def _page(_request: Request) -> Response:
    return static_file(SITE, "index.html")


async def _asset(request: Request) -> Response:
    return static_file(SITE, request.path_params["name"])


async def _prepare(_request: Request) -> Response:
    """The page announces a prompt before it sends it; nothing is asked yet."""
    return JSONResponse({"status": "ok", "conduit_token": "no-token"})


class _ChatGpt:
    """The answers that depend on what the room remembers."""

    def __init__(self, room: Room) -> None:
        self._room = room
        # Somebody who is logged in has a history, and the page is recognised by it.
        room.conversations[SITE].setdefault(WELCOME, _welcome())

    async def answer(self, request: Request) -> Response:
        """A prompt. It is in the ledger before the first byte of its answer leaves."""
        body = await request.json()
        prompt = _prompt_in(body)
        if prompt is None:
            return _refused(422, "no message of a user in it")
        named = body.get("conversation_id") or str(uuid.uuid4())
        if "conversation_id" in body and self._room.chat(SITE, named) is None:
            return _refused(404, f"Can't load conversation {named}")
        telling = self._room.ask(SITE, named, prompt)
        return StreamingResponse(self._speak(named, telling), media_type=STREAM)

    async def resume(self, request: Request) -> Response:
        """The rest of an answer under way; `offset` counts the events the page has."""
        body = await request.json()
        named = body.get("conversation_id", "")
        telling = self._room.telling(SITE, named)
        if telling is None:
            return _refused(404, f"nothing to resume in {named}")
        skip = int(body.get("offset") or 0)
        return StreamingResponse(self._speak(named, telling, skip), media_type=STREAM)

    async def _speak(self, named: str, telling: Telling, skip: int = 0) -> AsyncIterator[bytes]:
        async for event in self._events(named, telling):
            if skip:
                skip -= 1
            else:
                yield event

    async def _events(self, named: str, telling: Telling) -> AsyncIterator[bytes]:
        exchange = telling.exchange
        ids, model = ids_of(exchange), exchange.plan.model or MODEL
        speaker = Speaker(named, prompt=exchange.prompt, ids=ids, model=model)
        for event in speaker.opening():
            yield event
        async for said in telling.follow():
            for event in _spoken(speaker, said):
                yield event
        chat = self._room.chat(SITE, named)
        first = chat is not None and chat.exchanges[0] is exchange
        title = exchange.plan.title if first else None
        whole = exchange.standing is Standing.WHOLE
        for event in speaker.ending(title) if whole else speaker.stopped():
            yield event

    async def stored(self, request: Request) -> Response:
        """A conversation as it is stored just now."""
        chat = self._room.chat(SITE, request.path_params["id"])
        if chat is None:
            return _refused(404, "conversation_not_found")
        turns = [_turn(exchange) for exchange in chat.exchanges]
        return Response(speak_conversation(chat.id, turns, chat.title), media_type=JSON)

    async def list(self, _request: Request) -> Response:
        """All conversations, the one that was asked in last first."""
        chats = sorted(self._room.conversations[SITE].values(), key=_asked_at, reverse=True)
        rows = [(chat.id, chat.title or "New chat", _asked_at(chat)) for chat in chats]
        return Response(speak_list(rows), media_type=JSON)

    async def title(self, request: Request) -> Response:
        """The title the site thought of."""
        chat = self._room.chat(SITE, request.path_params["id"])
        if chat is None:
            return _refused(404, "conversation_not_found")
        return JSONResponse({"title": chat.title or "New chat"})

    async def stream_status(self, request: Request) -> Response:
        """Whether an answer is under way."""
        telling = self._room.telling(SITE, request.path_params["id"])
        return JSONResponse({"status": "IS_STREAMING" if telling else "NOT_STREAMING"})

    async def stop(self, request: Request) -> Response:
        """The person pressed Stop; the stream ends by itself."""
        self._room.stop(SITE, (await request.json()).get("conversation_id", ""))
        return JSONResponse({"status": "ok"})


def ids_of(exchange: Exchange) -> Ids:
    """The messages of an exchange get names that stay the same."""
    base = uuid.UUID(exchange.id)
    return Ids(*(str(uuid.uuid5(base, part)) for part in ("user", "thoughts", "answer")))


def _spoken(speaker: Speaker, said: Said) -> list[bytes]:
    return speaker.thought(said.text) if said.part is Part.THOUGHT else speaker.text(said.text)


def _turn(exchange: Exchange) -> SpokenTurn:
    return SpokenTurn(
        exchange.prompt,
        exchange.text,
        exchange.thoughts,
        ids_of(exchange),
        STATUS[exchange.standing],
        exchange.asked_at,
        exchange.plan.model or MODEL,
    )


def _asked_at(chat: Chat) -> float:
    return max((exchange.asked_at for exchange in chat.exchanges), default=0.0)


def _prompt_in(body: Any) -> str | None:
    match body:
        case {"messages": [*_, {"author": {"role": "user"}, "content": {"parts": list(parts)}}]}:
            return "".join(part for part in parts if isinstance(part, str))
    return None


def _refused(status: int, detail: str) -> Response:
    return Response(json.dumps({"detail": detail}), status, media_type=JSON)


def _welcome() -> Chat:
    prompt = "What is this place?"
    plan = plan_for(prompt)
    exchange = Exchange(prompt, plan, str(uuid.UUID(int=1)), WELCOMED_AT)
    exchange.told += [Said(Part.THOUGHT, thought) for thought in plan.thoughts]
    exchange.told += [Said(Part.TEXT, piece) for piece in plan.pieces]
    exchange.standing = Standing.WHOLE
    return Chat(WELCOME, "Welcome to the lab", [exchange])
