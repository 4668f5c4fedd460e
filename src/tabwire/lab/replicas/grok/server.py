"""grok.com's side of the wire: the requests its page makes, answered by `speak_grok`."""

import base64
import uuid
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Host, Route, Router

from tabwire.lab.carry import Event, answered
from tabwire.lab.ledger import Deed
from tabwire.lab.replicas.grok.refusals import (
    GAVE_UP_WORDS,
    JSON,
    TOO_MANY_WORDS,
    allowance,
    no_to,
    refused,
)
from tabwire.lab.replicas.grok.stored import (
    LONG,
    MODEL,
    SITE,
    about,
    answered_at,
    furnish,
    ids_of,
    is_x,
    listed,
    long_chat,
    paged,
    responses_of,
)
from tabwire.lab.replicas.grok.x import X_HOSTS, x_routes
from tabwire.lab.replicas.pages import asset, bad_stage, page, stage_of
from tabwire.lab.room import Chat, Part, Room, Said, Standing, Telling
from tabwire.lab.speak.grok import (
    AGENTS,
    INTERNAL,
    TOO_MANY,
    Speaker,
    file_id,
    speak_about,
    speak_list,
    speak_nodes,
    speak_responses,
)
from tabwire.lab.stories.stage import DEFAULT, BadStage, Stage
from tabwire.lab.stories.steps import Mark, Tool, Wire
from tabwire.lab.stories.story import Refuse

__all__ = ["HOSTS", "ids_of", "routes"]

HOSTS = ("grok.com", "www.grok.com", *X_HOSTS)
API = "/rest/app-chat"
BY_AGENTS = ("think",)  # stories in which several agents work on the question
PROJECT = "1ab0ffee-0000-4000-8000-00000000001a"  # the lab's one project


def routes(room: Room) -> list[BaseRoute]:
    """Everything this site answers, under all its names."""
    furnish(room)
    on_x = Router(x_routes(room))
    site = _Grok(room)
    one = f"{API}/conversations/{{id}}"
    pages = ("/", "/c", "/c/{id}", "/project/{project}", "/sign-in", "/sign-up")
    return [
        *(Host(host, app=on_x) for host in X_HOSTS),
        *(Route(path, site.page) for path in pages),
        Route("/assets/{name:path}", _asset),
        Route("/rest/rate-limits", site.allowance, methods=["POST"]),
        Route("/rest/workspaces", site.projects),
        Route(f"{API}/upload-file", site.upload, methods=["POST"]),
        Route(f"{API}/conversations", site.list),
        Route(f"{API}/conversations/new", site.begin, methods=["POST"]),
        # as after a rebuild: the same under another address (`stage.endpoint`)
        Route(f"{API}/turns/new", site.begin, methods=["POST"]),
        Route(f"{API}/turns/{{id}}", site.go_on, methods=["POST"]),
        Route(f"{API}/conversations/reconnect-response-v2/{{response}}", site.reconnect),
        Route(
            f"{API}/conversations/inflight-response/{{response}}", site.stop_one, methods=["DELETE"]
        ),
        Route(f"{API}/conversations_v2/{{id}}", site.about),
        Route(f"{one}/responses", site.go_on, methods=["POST"]),
        Route(f"{one}/response-node", site.nodes),
        Route(f"{one}/load-responses", site.responses, methods=["POST"]),
        Route(f"{one}/stop-inflight-responses", site.stop, methods=["POST"]),
        Route(f"{one}/inflight-response/{{response}}", site.stop_one, methods=["DELETE"]),
    ]


async def _asset(request: Request) -> Response:
    return asset(SITE, request.path_params["name"])


class _Grok:
    """The answers that depend on what the room remembers."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._files: dict[str, str] = {}  # names of what was uploaded, by id

    async def page(self, request: Request) -> Response:
        """The page, on the stage its address asks for."""
        try:
            stage = stage_of(request, self._room)
        except BadStage as problem:
            return bad_stage(problem)
        if stage.challenge:
            challenge = page(SITE, "challenge.html", stage)
            challenge.status_code = 403
            return challenge
        signing = request.url.path in ("/sign-in", "/sign-up")
        return page(SITE, "wall.html" if signing or stage.login == "wall" else "index.html", stage)

    # Asking

    async def begin(self, request: Request) -> Response:
        """The first prompt of a new conversation."""
        return await self._ask(request, str(uuid.uuid4()))

    async def go_on(self, request: Request) -> Response:
        """A further prompt in a conversation."""
        if self._chat(request) is None:
            return _unknown("Conversation")
        return await self._ask(request, request.path_params["id"])

    async def _ask(self, request: Request, named: str) -> Response:
        """A prompt. It is in the ledger before the first byte of its answer leaves."""
        match await _json(request):
            case {"message": str(prompt), **more}:
                pass
            case _:
                return refused(400, 3, "no message in it")
        stage = self._stage(request)
        if stage.login == "expired":
            self._room.ledger.record(SITE, named, prompt, refused="login")
            return no_to(Refuse.LOGIN)
        story = self._room.story_for(SITE, prompt, stage)
        if story.refuse is not None:
            self._room.refuse(SITE, named, prompt, story)
            return no_to(story.refuse)
        files = tuple(self._files.get(one, one) for one in _strings(more, "fileAttachments"))
        telling = self._room.ask(SITE, named, prompt, story=story, files=files)
        exchange, model = telling.exchange, more.get("modelName")
        if exchange.plan.model is None and isinstance(model, str):
            exchange.plan = replace(exchange.plan, model=model)
        chat = self._room.conversations[SITE][named]
        if len(chat.exchanges) == 1:
            chat.listed = more.get("temporary") is not True
            chat.folder = next(iter(_strings(more, "workspaceIds")), "")
        return await answered(self._speak(chat, telling), telling, JSON)

    async def reconnect(self, request: Request) -> Response:
        """The whole of an answer that is being written, from its beginning."""
        wanted = request.path_params["response"]
        for chat in tuple(self._room.conversations[SITE].values()):
            telling = self._room.telling(SITE, chat.id)
            if telling is not None and ids_of(telling.exchange)[1] == wanted:
                self._room.ledger.record(SITE, chat.id, kind=Deed.RESUME)
                return await answered(self._speak(chat, telling, resumed=True), telling, JSON)
        return _unknown("Response")

    async def _speak(
        self, chat: Chat, telling: Telling, *, resumed: bool = False
    ) -> AsyncIterator[list[Event]]:
        exchange = telling.exchange
        place = chat.exchanges.index(exchange)
        question_id, answer_id = ids_of(exchange)
        speaker = Speaker(
            chat.id,
            question_id=question_id,
            answer_id=answer_id,
            follows=ids_of(chat.exchanges[place - 1])[1] if place else None,
            model=exchange.plan.model or MODEL,
            asked_at=exchange.asked_at,
            answered_at=answered_at(exchange),
            agents=AGENTS if exchange.story.name in BY_AGENTS else (),
        )
        if resumed:
            yield [*speaker.resume()]
        else:
            about_chat = about(chat)
            yield [
                *speaker.opening(
                    exchange.prompt,
                    bool(exchange.plan.thoughts),
                    files=exchange.files,
                    temporary=about_chat.temporary,
                    project=about_chat.project,
                )
            ]
        async for batch in telling.follow():
            events: list[Event] = []
            for told in batch:
                match told:
                    case Said(Part.THOUGHT, said):
                        events.append(speaker.thought(said))
                    case Said(Part.TEXT, said):
                        events.append(speaker.text(said))
                    case Tool():
                        events += speaker.tool(told)
                    case Mark(Wire.HINT):
                        events.append(speaker.hint())
                    case Mark(Wire.ERROR):
                        events.append(speaker.error(INTERNAL, GAVE_UP_WORDS))
                    case Mark(Wire.LIMIT):
                        events.append(speaker.error(TOO_MANY, TOO_MANY_WORDS))
                    case Mark(Wire.TO_RESUME) if not resumed:
                        yield events
                        return  # the page asks for the rest
                    case Mark():
                        events.append(told)
            yield events
        if exchange.standing is Standing.WHOLE:
            yield [*speaker.ending(exchange.plan.title or None if place == 0 else None)]

    async def upload(self, request: Request) -> Response:
        """A file, in JSON: `{fileName, fileMimeType, content}`, the content in base64."""
        match await _json(request):
            case {"fileName": str(name), "content": str(content)}:
                pass
            case _:
                return refused(400, 3, "no file in it")
        try:
            size = len(base64.b64decode(content, validate=True))
        except ValueError:
            return refused(400, 3, "the content is not base64")
        self._room.ledger.record(SITE, "", kind=Deed.UPLOAD, files=(name,), size=size)
        named = file_id(name)
        self._files[named] = name
        return JSONResponse({"fileMetadataId": named, "fileName": name, "fileUri": f"lab/{named}"})

    async def stop(self, request: Request) -> Response:
        """The person pressed Stop."""
        self._room.stop(SITE, request.path_params["id"])
        return JSONResponse({})

    async def stop_one(self, request: Request) -> Response:
        """The same, by the name of the answer."""
        for chat in tuple(self._room.conversations[SITE].values()):
            if chat.exchanges and ids_of(chat.exchanges[-1])[1] == request.path_params["response"]:
                self._room.stop(SITE, chat.id)
                return JSONResponse({})
        return _unknown("Response")

    # What is stored

    async def list(self, request: Request) -> Response:
        """Conversations, the one that was asked in last first, so many at once."""
        self._room.ledger.record(SITE, "", kind=Deed.LIST)
        chats = listed(self._room)
        past = self._stage(request).past
        if past not in (0, LONG):  # this tab's long chat has a number of its own
            own = long_chat(self._room, past)
            chats = [own if chat.id == long_chat(self._room).id else chat for chat in chats]
        size = request.query_params.get("pageSize", "60")
        count = int(size) if size.isdecimal() and len(size) < 5 else 60
        shown, cursor = paged(chats, max(1, count), request.query_params.get("cursor"))
        return Response(speak_list(map(about, shown), cursor), media_type=JSON)

    async def about(self, request: Request) -> Response:
        """One conversation's title and times."""
        chat = self._read(request)
        if chat is None:
            return _unknown("Conversation")
        return Response(speak_about(about(chat)), media_type=JSON)

    async def nodes(self, request: Request) -> Response:
        """Who follows whom, without the texts."""
        chat = self._read(request)
        if chat is None:
            return _unknown("Conversation")
        return Response(speak_nodes(responses_of(chat)), media_type=JSON)

    async def responses(self, request: Request) -> Response:
        """The texts of the responses asked for."""
        match await _json(request):
            case {"responseIds": [*wanted]} if (chat := self._read(request)) is not None:
                found = [one for one in responses_of(chat) if one.id in wanted]
                return Response(speak_responses(found), media_type=JSON)
        return _unknown("Conversation")

    async def allowance(self, request: Request) -> Response:
        """How much may still be asked."""
        story = self._room.story_for(SITE, "", self._stage(request))
        newest = self._room.ledger.asked(SITE)[-1:]
        return allowance(str(story.refuse or (newest[0].refused if newest else "")))

    async def projects(self, _request: Request) -> Response:
        """The projects there are."""
        return JSONResponse({"workspaces": [{"workspaceId": PROJECT, "name": "Lab notes"}]})

    def _read(self, request: Request) -> Chat | None:
        chat = self._chat(request)
        if chat is not None:
            self._room.ledger.record(SITE, chat.id, kind=Deed.READ)
        return chat

    def _chat(self, request: Request) -> Chat | None:
        named = request.path_params["id"]
        past = self._stage(request).past
        if past and _is_uuid(named):  # whichever chat a tab with a past opens has that past
            return long_chat(self._room, past, named)
        return None if is_x(named) else self._room.chat(SITE, named)

    def _stage(self, request: Request) -> Stage:
        try:
            return stage_of(request, self._room)
        except BadStage:  # of a page elsewhere: no page of ours has such an address
            return DEFAULT


def _is_uuid(text: str) -> bool:
    try:
        return str(uuid.UUID(text)) == text
    except ValueError:
        return False


def _strings(given: dict[Any, Any], key: str) -> tuple[str, ...]:
    listed = given.get(key)
    return tuple(one for one in listed if isinstance(one, str)) if isinstance(listed, list) else ()


async def _json(request: Request) -> Any:
    try:
        return await request.json()
    except ValueError:
        return None


def _unknown(what: str) -> Response:
    return refused(404, 5, f"{what} not found")
