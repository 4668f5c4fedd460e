"""chatgpt.com's side of the wire: the requests its page makes, answered by `speak_chatgpt`.

The same paths exist twice: `/backend-api` wants the page's own headers, `/backend-anon` is for
guests. What the account tells is in `account`, what requests say in `asked`, uploads in `files`,
what is said no to in `refusals`, the WebSocket in `socket`, and the room's exchanges in the
site's words in `turns`.
"""

import uuid
from collections.abc import AsyncIterator
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from tabwire.lab.carry import Event, answered
from tabwire.lab.ledger import Deed
from tabwire.lab.replicas.chatgpt.account import (
    GUEST,
    PRO,
    account_routes,
    is_guest,
    is_known,
    model_for,
    only_known,
)
from tabwire.lab.replicas.chatgpt.asked import folder_in, name_in, object_in, prompt_in
from tabwire.lab.replicas.chatgpt.files import file_routes, files_in
from tabwire.lab.replicas.chatgpt.refusals import (
    challenge,
    not_found,
    refusal,
    refused,
    session_over,
    unreadable,
)
from tabwire.lab.replicas.chatgpt.socket import Topics
from tabwire.lab.replicas.chatgpt.turns import (
    WELCOME,
    events,
    ids_of,
    past,
    stored_turn,
    topic_of,
    welcome,
)
from tabwire.lab.replicas.pages import asset, bad_stage, page, stage_of
from tabwire.lab.room import Chat, Room, Telling
from tabwire.lab.speak.chatgpt import MODEL, Speaker, Style, speak_conversation, speak_list
from tabwire.lab.stories.stage import BadStage, Stage
from tabwire.lab.stories.story import Refuse

SITE = "chatgpt"
HOSTS = ("chatgpt.com", "ws.chatgpt.com")
BACKEND = "/backend-api"
BACKENDS = (BACKEND, GUEST)
NEWEST, OCTANE = "turn_key", "octane"
LAYOUTS = (NEWEST, OCTANE, "classic")
PAGES = ("/", "/c/{id}", "/uc/{id}", "/g/{gizmo}/project", "/g/{gizmo}/c/{id}")
JSON = "application/json"
STREAM = "text/event-stream; charset=utf-8"
CHALLENGE_SCRIPT = (
    b'<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js" defer></script>\n'
)
PER_PAGE = 28  # chats in one reading of the list, where nobody says how many


def routes(room: Room) -> list[BaseRoute]:
    """Everything this site answers."""
    site = _ChatGpt(room)
    found: list[BaseRoute] = [
        *(Route(path, site.page) for path in PAGES),
        Route("/assets/{name:path}", _asset),
        Route("/cdn-cgi/challenge-platform/{rest:path}", _nothing),
        Route("/ces/v1/t", _noted, methods=["POST"]),
        WebSocketRoute("/p/{topic}/ws", site.topics.serve),
        *account_routes(room, BACKENDS),
        *file_routes(room, BACKENDS),
    ]
    for backend in BACKENDS:
        one = f"{backend}/conversation"
        found += [
            Route(f"{backend}/f/conversation", site.answer, methods=["POST"]),
            Route(f"{backend}/g/conversation", site.answer, methods=["POST"]),  # renamed
            Route(f"{backend}/f/conversation/prepare", only_known(_prepare), methods=["POST"]),
            Route(f"{backend}/f/conversation/resume", site.resume, methods=["POST"]),
            Route(f"{backend}/conversations", site.list),
            Route(f"{one}/gen_title/{{id}}", site.title, methods=["POST"]),
            Route(f"{one}/{{id}}/stream_status", only_known(site.stream_status)),
            Route(f"{one}/{{id}}/async-status", only_known(_noted), methods=["POST"]),
            Route(f"{one}/{{id}}", site.stored),
            Route(f"{one}s/{{id}}", site.stored),
            Route(f"{backend}/stop_conversation", only_known(site.stop), methods=["POST"]),
        ]
    return found


async def _asset(request: Request) -> Response:
    return asset(SITE, request.path_params["name"])


async def _nothing(_request: Request) -> Response:
    return Response("", media_type="text/javascript")


async def _noted(_request: Request) -> Response:
    return JSONResponse({"status": "OK"})


async def _prepare(_request: Request) -> Response:
    """The page announces a prompt before it sends it; nothing is asked yet."""
    return JSONResponse({"status": "ok", "conduit_token": f"lab-{uuid.uuid4()}"})


class _ChatGpt:
    """The answers that depend on what the room remembers."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self.topics = Topics(room)
        room.conversations[SITE].setdefault(WELCOME, welcome())

    async def page(self, request: Request) -> Response:
        """The page, on the stage its address asks for."""
        try:
            stage = stage_of(request, self._room)
            return challenge(stage) if stage.challenge else _page(stage)
        except BadStage as problem:
            return bad_stage(problem)

    async def answer(self, request: Request) -> Response:
        """A prompt. It is in the ledger before the first byte of its answer leaves."""
        body = await object_in(request)
        if body is None:
            return unreadable()
        prompt = prompt_in(body)
        if prompt is None:
            return refused(422, "no message of a user in it", "invalid_request")
        known = str(body.get("conversation_id") or "")
        if known and self._room.chat(SITE, known) is None:
            return not_found(f"Can't load conversation {known}")
        named = known or str(uuid.uuid4())
        stage = stage_of(request, self._room)
        story = self._room.story_for(SITE, prompt, stage)
        if stage.login == "expired" or not is_known(request):
            self._room.refuse(SITE, named, prompt, replace(story, refuse=Refuse.LOGIN))
            return session_over()
        if story.refuse:
            self._room.refuse(SITE, named, prompt, story)
            return refusal(story.refuse, stage)
        telling = self._room.ask(SITE, named, prompt, story=story, files=files_in(body))
        exchange = telling.exchange
        if exchange.plan.model is None:
            exchange.plan = replace(exchange.plan, model=model_for(body.get("model"), request))
        chat = self._room.conversations[SITE][named]
        exchange.asked_as = name_in(body, chat)
        if not known:
            chat.listed = not (is_guest(request) or body.get("history_and_training_disabled"))
            chat.folder = folder_in(body)
        return await self._follow(chat, telling, request, stage)

    async def resume(self, request: Request) -> Response:
        """The rest of an answer under way; `offset` counts the events the page has."""
        body = await object_in(request)
        if body is None:
            return unreadable()
        named = str(body.get("conversation_id") or "")
        chat = self._room.chat(SITE, named)
        telling = self._room.telling(SITE, named)
        if telling is None and chat is not None and chat.exchanges:
            telling = self.topics.telling(topic_of(chat.exchanges[-1]))  # over, and handed off
        if telling is None or chat is None or not is_known(request):
            return not_found(f"nothing to resume in {named}")
        self._room.ledger.record(SITE, named, kind=Deed.RESUME)
        offset = body.get("offset")
        skip = offset if isinstance(offset, int) else 0
        return await self._follow(chat, telling, request, stage_of(request, self._room), skip)

    async def _follow(
        self, chat: Chat, telling: Telling, request: Request, stage: Stage, skip: int = 0
    ) -> Response:
        plain = is_guest(request) or stage.layout == OCTANE
        style = Style.PATCH if plain else Style.BARE
        exhausted = PRO if stage.tier_exhausted else ""
        first = telling.exchange.responses == 0

        def heard(telling: Telling, *, first: bool = False) -> AsyncIterator[list[Event]]:
            return events(_speaker(chat, telling, style, exhausted), telling, first=first)

        if first:
            self.topics.open(chat.id, telling, heard)
        said = _skipping(heard(telling, first=first), skip)
        return await answered(said, telling, STREAM)

    async def stored(self, request: Request) -> Response:
        """A conversation as it is stored just now; without the page's headers there is none."""
        named = request.path_params["id"]
        chat = self._room.chat(SITE, named)
        why = "" if is_known(request) else "headers"
        if chat is not None:
            self._room.ledger.record(SITE, named, kind=Deed.READ, refused=why)
        if chat is None or why:
            return not_found("conversation_not_found")
        turns = [stored_turn(exchange) for exchange in chat.exchanges]
        if chat.id == WELCOME:
            turns = [*past(stage_of(request, self._room).past), *turns]
        folder, listed = chat.folder, chat.listed
        said = speak_conversation(chat.id, turns, chat.title, folder=folder, listed=listed)
        return Response(said, media_type=JSON)

    async def list(self, request: Request) -> Response:
        """The conversations, the one that was asked in last first; a guest has none."""
        why = "" if is_known(request) else "headers"
        self._room.ledger.record(SITE, "", kind=Deed.LIST, refused=why)
        if why:
            return not_found("Not Found")
        chats = [chat for chat in self._room.conversations[SITE].values() if chat.listed]
        if is_guest(request):
            chats = []
        chats.sort(key=_asked_at, reverse=True)
        rows = [(chat.id, chat.title or "New chat", _asked_at(chat)) for chat in chats]
        offset = _number(request, "offset", 0)
        limit = _number(request, "limit", PER_PAGE)
        return Response(speak_list(rows, offset=offset, limit=limit), media_type=JSON)

    async def title(self, request: Request) -> Response:
        """The title the site thought of."""
        chat = self._room.chat(SITE, request.path_params["id"])
        if chat is None or not is_known(request):
            return not_found("conversation_not_found")
        return JSONResponse({"title": chat.title or "New chat"})

    async def stream_status(self, request: Request) -> Response:
        """Whether an answer is under way."""
        telling = self._room.telling(SITE, request.path_params["id"])
        return JSONResponse({"status": "IS_STREAMING" if telling else "NOT_STREAMING"})

    async def stop(self, request: Request) -> Response:
        """The person pressed Stop; the stream ends by itself."""
        body = await object_in(request)
        if body is None:
            return unreadable()
        self._room.stop(SITE, str(body.get("conversation_id") or ""))
        return JSONResponse({"status": "ok"})


def _page(stage: Stage) -> Response:
    if stage.login == "wall":
        newest = stage.layout in ("", NEWEST)
        return page(SITE, "wall_turn_key.html" if newest else "wall.html", stage)
    layout = stage.layout or (OCTANE if stage.login == "out" else NEWEST)
    if layout not in LAYOUTS:
        raise BadStage(f"layout must be one of {', '.join(LAYOUTS)}, not {layout!r}")
    made = page(SITE, f"{layout}.html", stage)
    if not stage.challenge_script:
        return made
    body = bytes(made.body).replace(b"</head>", CHALLENGE_SCRIPT + b"</head>", 1)
    return Response(body, headers={"cache-control": "no-store"}, media_type="text/html")


def _speaker(chat: Chat, telling: Telling, style: Style, exhausted: str) -> Speaker:
    exchange = telling.exchange
    first = chat.exchanges[0] is exchange
    return Speaker(
        chat.id,
        prompt=exchange.prompt,
        ids=ids_of(exchange),
        model=exchange.plan.model or MODEL,
        style=style,
        title=exchange.plan.title if first else None,
        files=exchange.files,
        at=exchange.asked_at,
        first=first,
        exhausted=exhausted,
    )


async def _skipping(batches: AsyncIterator[list[Event]], skip: int) -> AsyncIterator[list[Event]]:
    """All but the first so many events; a story's marks are none."""
    async for batch in batches:
        if not skip:
            yield batch
            continue
        kept: list[Event] = []
        for event in batch:
            if skip and isinstance(event, bytes):
                skip -= 1
            else:
                kept.append(event)
        yield kept


def _asked_at(chat: Chat) -> float:
    return max((exchange.asked_at for exchange in chat.exchanges), default=0.0)


def _number(request: Request, name: str, otherwise: int) -> int:
    said = request.query_params.get(name, "")
    return int(said) if said.isdecimal() else otherwise
