"""Grok on x.com: its page, its answering request at grok.x.com, and its GraphQL reads.

The page and its answering request are on two hosts, so the browser asks before it sends
(CORS), and cuts the referer unless the page forbids that, which ours does.
"""

import json
import time
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tabwire.lab.carry import STAGE_HEADER, Event, answered
from tabwire.lab.ledger import Deed
from tabwire.lab.replicas.grok.refusals import CHALLENGE, GAVE_UP_WORDS, TOO_MANY_WORDS
from tabwire.lab.replicas.grok.stored import (
    MODEL,
    PAST,
    SITE,
    answered_at,
    asked_at,
    is_x,
    listed,
    paged,
    past_exchange,
)
from tabwire.lab.replicas.pages import asset, bad_stage, page, stage_of
from tabwire.lab.room import Chat, Exchange, Part, Room, Said, Standing, Telling
from tabwire.lab.speak.x import (
    AGENT,
    COULD_NOT_AUTHENTICATE,
    FORBIDDEN,
    INTERNAL,
    USER,
    SpokenItem,
    XSpeaker,
    speak_history,
    speak_items,
    speak_limiter,
    speak_x_error,
)
from tabwire.lab.stories.stage import DEFAULT, BadStage, Stage
from tabwire.lab.stories.steps import Mark, Tool, Wire
from tabwire.lab.stories.story import Refuse

X_HOSTS = ("x.com", "grok.x.com")
JSON = "application/json"
EPOCH = 1_288_834_974.657  # from which x.com counts, in seconds since 1970
WELCOME_ID = "2090000000000000001"
WELCOME = "This is the lab's Grok on x.com, a **replica**. Ask anything: nothing leaves here."
PAGE_SIZE = 20
CORS = {
    "access-control-allow-origin": "https://x.com",
    "access-control-allow-credentials": "true",
    "access-control-allow-headers": "content-type",
    "access-control-allow-methods": "POST, OPTIONS",
    "access-control-expose-headers": STAGE_HEADER,
}


def x_routes(room: Room) -> list[BaseRoute]:
    """Everything x.com and grok.x.com answer."""
    site = _X(room)
    exchange = past_exchange("What is this?", WELCOME, "0" * 31 + "1", PAST)
    room.conversations[SITE][WELCOME_ID] = Chat(WELCOME_ID, "Welcome to the lab", [exchange])
    graphql = "/i/api/graphql/{query}"
    return [
        Route("/i/grok", site.page),
        Route("/assets/{name:path}", _asset),
        Route("/2/grok/add_response.json", site.ask, methods=["POST", "OPTIONS"]),
        Route("/2/grok/stop_response.json", site.stop, methods=["POST", "OPTIONS"]),
        Route(f"{graphql}/GrokConversationItemsByRestId", site.items),
        Route(f"{graphql}/GrokHistory", site.history),
    ]


async def _asset(request: Request) -> Response:
    return asset(SITE, request.path_params["name"])


class _X:
    """The answers that depend on what the room remembers."""

    def __init__(self, room: Room) -> None:
        self._room = room

    async def page(self, request: Request) -> Response:
        """The page, on the stage its address asks for."""
        try:
            stage = stage_of(request, self._room)
        except BadStage as problem:
            return bad_stage(problem)
        if stage.challenge:
            return HTMLResponse(CHALLENGE, 403)
        return page(SITE, "wall.html" if stage.login == "wall" else "x.html", stage)

    async def ask(self, request: Request) -> Response:
        """A prompt: the last of the turns that the page sends along."""
        if request.method == "OPTIONS":
            return Response(headers=CORS)
        try:
            asked: Any = await request.json()
        except ValueError:
            asked = None
        match asked:
            case {"responses": [*_, {"message": str(prompt), "sender": 1}]}:
                named = str(asked.get("conversationId") or "")
            case _:
                return _said(speak_x_error(INTERNAL, "no message in it"), 400)
        if named and (not is_x(named) or self._room.chat(SITE, named) is None):
            return _said(speak_x_error(34, "Conversation not found"), 404)
        named = named or new_id()
        stage = self._stage(request)
        story = self._room.story_for(SITE, prompt, stage)
        if stage.login == "expired":
            self._room.ledger.record(SITE, named, prompt, refused="login")
            return _no_to(Refuse.LOGIN)
        if story.refuse is not None:
            self._room.refuse(SITE, named, prompt, story)
            return _no_to(story.refuse)
        telling = self._room.ask(SITE, named, prompt, story=story)
        response = await answered(self._speak(named, telling), telling, JSON)
        response.headers.update(CORS)
        return response

    async def _speak(self, named: str, telling: Telling) -> AsyncIterator[list[Event]]:
        exchange = telling.exchange
        question_id, answer_id = item_ids(exchange)
        model = exchange.plan.model or MODEL
        speaker = XSpeaker(named, question_id=question_id, answer_id=answer_id, model=model)
        yield [*speaker.opening()]
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
                        events.append(speak_x_error(INTERNAL, GAVE_UP_WORDS))
                    case Mark(Wire.LIMIT):
                        events.append(speak_limiter(TOO_MANY_WORDS))
                    case Mark(Wire.TO_RESUME):
                        yield events
                        return  # the page reads the stored items for the rest
                    case Mark(Wire.CUT | Wire.END):
                        # nothing at the end of a stream of x.com would mend pieces that came
                        # twice or in the wrong order: those marks are left out
                        events.append(told)
            yield events
        if exchange.standing is Standing.WHOLE:
            yield [*speaker.ending()]

    async def stop(self, request: Request) -> Response:
        """The person pressed Stop. How x.com says that nobody has recorded; this is the lab's."""
        if request.method == "OPTIONS":
            return Response(headers=CORS)
        self._room.stop(SITE, request.query_params.get("conversationId", ""))
        return JSONResponse({}, headers=CORS)

    async def items(self, request: Request) -> Response:
        """A stored conversation."""
        named = _variables(request).get("restId")
        chat = self._room.chat(SITE, named) if isinstance(named, str) else None
        if chat is None or not is_x(chat.id):
            return _said(speak_x_error(34, "Conversation not found"), 404)
        self._room.ledger.record(SITE, chat.id, kind=Deed.READ)
        return _said(speak_items(item for one in chat.exchanges for item in _items(one)))

    async def history(self, request: Request) -> Response:
        """The list of conversations, so many at once."""
        self._room.ledger.record(SITE, "", kind=Deed.LIST)
        cursor = _variables(request).get("cursor")
        chats = listed(self._room, on_x=True)
        shown, after = paged(chats, PAGE_SIZE, cursor if isinstance(cursor, str) else None)
        told = [(chat.id, chat.title or "New conversation", asked_at(chat)) for chat in shown]
        return _said(speak_history(told, after))

    def _stage(self, request: Request) -> Stage:
        try:
            return stage_of(request, self._room)
        except BadStage:  # of a page elsewhere: no page of ours has such an address
            return DEFAULT


_given: list[int] = [0]


def new_id() -> str:
    """A name as x.com gives them: milliseconds and a counter, 19 digits, never the same twice."""
    _given[0] = max(_given[0] + 1, round((time.time() - EPOCH) * 1000) << 22)
    return str(_given[0])


def item_ids(exchange: Exchange) -> tuple[str, str]:
    """Names of a question and of its answer that stay the same."""
    base = int(exchange.id.replace("-", "")[:14], 16) + 10**18
    return str(base), str(base + 1)


def _items(exchange: Exchange) -> tuple[SpokenItem, SpokenItem]:
    question_id, answer_id = item_ids(exchange)
    answer = SpokenItem(
        answer_id,
        exchange.text,
        AGENT,
        at=answered_at(exchange),
        thinking="".join(exchange.thoughts),
        partial=exchange.standing is not Standing.WHOLE,
    )
    return SpokenItem(question_id, exchange.prompt, USER, at=exchange.asked_at), answer


def _variables(request: Request) -> dict[str, Any]:
    try:
        said = json.loads(request.query_params.get("variables", "{}"))
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _said(body: bytes, status: int = 200) -> Response:
    return Response(body, status, CORS, JSON)


def _no_to(why: Refuse) -> Response:
    match why:
        case Refuse.LIMIT | Refuse.LIMIT_ASKED:
            return _said(speak_limiter("You have reached your limit."))
        case Refuse.LIMIT_UNTIL:
            return _said(speak_limiter("You have reached your limit. Try again in 30 minutes."))
        case Refuse.LOGIN:
            return _said(speak_x_error(COULD_NOT_AUTHENTICATE, "Could not authenticate you"), 401)
        case Refuse.CHALLENGE:
            return HTMLResponse(CHALLENGE, 403, CORS)
        case Refuse.BLOCKED:
            return _said(speak_x_error(FORBIDDEN, "Forbidden"), 403)
        case Refuse.FAULT:
            return _said(speak_x_error(INTERNAL, "Internal error"), 500)
