"""gemini.google.com's side of the wire: what its page asks, answered by `speak_gemini`."""

import json
import secrets
import uuid
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from tabwire.lab.replicas import static_file
from tabwire.lab.room import Chat, Exchange, Part, Room, Standing, Telling
from tabwire.lab.speak_gemini import (
    LIST_CHATS,
    READ_CHAT,
    Speaker,
    SpokenAnswer,
    SpokenExchange,
    history_payload,
    list_payload,
    speak_calls,
)

SITE = "gemini"
HOSTS = ("gemini.google.com",)
MODEL = "3 Pro"
STOP = "LabStp"  # our own: which call the real page makes when a person stops is not known

DATA = "/_/BardChatUi/data"
GENERATE = f"{DATA}/assistant.lamda.BardFrontendService/StreamGenerate"
JSON = "application/json; charset=utf-8"


def routes(room: Room) -> list[BaseRoute]:
    """Everything this site answers."""
    site = _Gemini(room)
    return [
        Route("/", _home),
        Route("/app", _page),
        Route("/app/{id}", _page),
        Route("/assets/{name}", _asset),
        Route(GENERATE, site.answer, methods=["POST"]),
        Route(f"{DATA}/batchexecute", site.calls, methods=["POST"]),
    ]


async def _home(_request: Request) -> Response:
    return RedirectResponse("/app", 302)


async def _page(_request: Request) -> Response:
    return static_file(SITE, "index.html")


async def _asset(request: Request) -> Response:
    return static_file(SITE, request.path_params["name"])


class _Gemini:
    """The answers that depend on what the room remembers."""

    def __init__(self, room: Room) -> None:
        self._room = room

    async def answer(self, request: Request) -> Response:
        """A prompt. It is in the ledger before the first byte of its answer leaves."""
        match _inner(await request.body()):
            case [[str(prompt), *_], _, [str(stated), *_], *_]:
                pass
            case _:
                return Response("no question in it", 400)
        named = stated.removeprefix("c_") or secrets.token_hex(8)
        if stated and self._room.chat(SITE, named) is None:
            return Response(f"no conversation {stated}", 400)
        telling = self._room.ask(SITE, named, prompt)
        return StreamingResponse(self._speak(named, telling), media_type=JSON)

    async def _speak(self, named: str, telling: Telling) -> AsyncIterator[bytes]:
        exchange = telling.exchange
        response_id, candidate_id = ids_of(exchange)
        speaker = Speaker(
            named, response_id=response_id, candidate_id=candidate_id, model=_model(exchange)
        )
        for piece in speaker.opening():
            yield piece
        thoughts = text = ""
        async for said in telling.follow():
            if said.part is Part.THOUGHT:
                thoughts += said.text
                yield speaker.thought(thoughts)
            else:
                text += said.text
                yield speaker.text(text)
        whole = exchange.standing is Standing.WHOLE
        title = self._new_title(named, exchange)
        for piece in speaker.ending(title) if whole else speaker.stopped(title):
            yield piece

    def _new_title(self, named: str, exchange: Exchange) -> str | None:
        """A conversation is named once, with its first answer."""
        chat = self._room.chat(SITE, named)
        return exchange.plan.title or None if chat and chat.exchanges[0] is exchange else None

    async def calls(self, request: Request) -> Response:
        """Several calls in one request, each with its own answer."""
        asked = _calls_in(await request.body())
        if asked is None:
            return Response("no calls in it", 400)
        answers = [(call, self._call(call, payload)) for call, payload in asked]
        return Response(speak_calls(answers), media_type=JSON)

    def _call(self, call: str, payload: Any) -> Any:
        named = _named(payload)
        if call == READ_CHAT and named:
            return self._history(named)
        if call == LIST_CHATS:
            chats = sorted(self._room.conversations[SITE].values(), key=_asked_at, reverse=True)
            return list_payload((chat.id, chat.title or "New chat") for chat in chats)
        if call == STOP and named:
            self._room.stop(SITE, named)
        return []

    def _history(self, named: str) -> list[Any]:
        chat = self._room.chat(SITE, named)
        if chat is None:
            return []
        return history_payload(named, [_spoken(exchange) for exchange in chat.exchanges])


def ids_of(exchange: Exchange) -> tuple[str, str]:
    """Names of an exchange and of its answer that stay the same."""
    digits = uuid.UUID(exchange.id).hex
    return f"r_{digits[:16]}", f"rc_{digits[16:]}"


def _spoken(exchange: Exchange) -> SpokenExchange:
    response_id, candidate_id = ids_of(exchange)
    whole = exchange.standing is Standing.WHOLE
    thoughts = "".join(exchange.thoughts) or None
    return SpokenExchange(
        response_id,
        exchange.prompt,
        (SpokenAnswer(candidate_id, exchange.text, thoughts, whole=whole),),
        model=_model(exchange),
        seconds=int(exchange.asked_at),
    )


def _named(payload: Any) -> str | None:
    match payload:
        case [str(stated), *_]:
            return stated.removeprefix("c_")
    return None


def _model(exchange: Exchange) -> str:
    return exchange.plan.model or MODEL


def _asked_at(chat: Chat) -> float:
    return max((exchange.asked_at for exchange in chat.exchanges), default=0.0)


def _inner(body: bytes) -> Any:
    """What `f.req` of a StreamGenerate request holds: JSON inside JSON."""
    try:
        match _form(body):
            case [_, str(inner), *_]:
                return json.loads(inner)
    except ValueError:
        pass
    return None


def _calls_in(body: bytes) -> list[tuple[str, Any]] | None:
    """The calls of a batchexecute request: `[[["name", "<JSON>", null, "generic"], …]]`."""
    try:
        match _form(body):
            case [[*calls], *_]:
                return [(str(call[0]), json.loads(call[1])) for call in calls]
    except (ValueError, TypeError, LookupError):
        pass
    return None


def _form(body: bytes) -> Any:
    return json.loads(parse_qs(body.decode("ascii", "replace")).get("f.req", [""])[0])
