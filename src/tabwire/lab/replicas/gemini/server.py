"""gemini.google.com's side of the wire: its pages, and answers spoken by `speak_gemini`."""

import re
import secrets
import time
from collections.abc import AsyncIterator
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from tabwire.lab.carry import Event, answered
from tabwire.lab.replicas.gemini import uploads
from tabwire.lab.replicas.gemini.asked import Question, calls_in, form_in, question_in
from tabwire.lab.replicas.gemini.calls import SITE, STOP, Stored, ids_of, model_of
from tabwire.lab.replicas.pages import asset, bad_stage, page, stage_of
from tabwire.lab.room import Exchange, Part, Room, Said, Standing, Telling, Told
from tabwire.lab.speak.gemini import (
    BLOCKED,
    LIMITED,
    TEMPORARY,
    Quota,
    Speaker,
    speak_calls,
    speak_error,
    speak_refused,
)
from tabwire.lab.stories.stage import BadStage, Stage
from tabwire.lab.stories.steps import Mark, Tool, Wire
from tabwire.lab.stories.story import Refuse, Story

__all__ = ["DATA", "GENERATE", "HOSTS", "SITE", "STOP", "ids_of", "routes"]

HOSTS = ("gemini.google.com", uploads.HOST)
DATA = "/_/BardChatUi/data"
GENERATE = f"{DATA}/assistant.lamda.BardFrontendService/StreamGenerate"
RENAMED = f"{DATA}/assistant.lamda.BardFrontendService/StreamGenerateContent"  # by a rebuild
JSON = "application/json; charset=utf-8"
HTML = "text/html; charset=utf-8"

TOKEN_PLACE = b"LAB_AT_TOKEN"
NOT_ALIVE = re.compile(rb"<textarea.*?</textarea>", re.DOTALL)
MODE_HEADER = "x-goog-ext-525001261-jspb"
MODES = {  # what the page's mode picker sends, and the label of who answers then
    "fbb127bbb056c959": "Fast",
    "5bf011840784117a": "Thinking",
    "9d8ca3786ebdfbea": "3 Pro",
    "61530e79959ab139": "2.5 Flash",
    "4af6c7f5da75d65d": "2.5 Pro",
}
QUESTIONS = 100  # of the quota that the site counts down
LIMIT_SECONDS = 3 * 3600
LONG = 65_536  # characters, from which on not every piece is worth a chunk with all of them
SWAPPED = 2  # pieces that change places: each must be a chunk, or the end would be one of them
GROWS = 4  # then a chunk comes when a quarter of the text is new


def routes(room: Room) -> list[BaseRoute]:
    """Everything this site answers."""
    site = _Gemini(room)
    files = uploads.Uploads(room)
    found: list[BaseRoute] = [
        Route("/", _home),
        Route("/assets/{name:path}", _asset),
        Route("/upload/", files.answer, methods=["POST", "OPTIONS"]),
    ]
    for account in ("", "/u/{account:int}"):
        pages = ("/app", "/app/{id}", "/gem/{gem}", "/gem/{gem}/{id}")
        found += [Route(account + path, site.page) for path in pages]
        asked = [(GENERATE, site.answer), (RENAMED, site.answer)]
        asked.append((f"{DATA}/batchexecute", site.calls))
        found += [Route(account + path, answer, methods=["POST"]) for path, answer in asked]
    return found


async def _home(request: Request) -> Response:
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"/app{query}", 302)


async def _asset(request: Request) -> Response:
    return asset(SITE, request.path_params["name"])


class _Gemini:
    """The answers that depend on what the room remembers."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._stored = Stored(room)
        # a page that did not come from here cannot know it, and gets 400
        self._token = f"A{secrets.token_urlsafe(24)}:{int(time.time() * 1000)}"

    # -- pages ------------------------------------------------------------------------

    async def page(self, request: Request) -> Response:
        """The page, on the stage its address asks for."""
        try:
            stage = stage_of(request, self._room)
        except BadStage as problem:
            return bad_stage(problem)
        if stage.challenge:
            return self._challenge(stage)
        if stage.login == "wall":
            return page(SITE, "login.html", stage)
        return self._with_token(page(SITE, "index.html", stage), stage)

    def _with_token(self, made: Response, stage: Stage) -> Response:
        if stage.down:
            return made
        body = bytes(made.body).replace(TOKEN_PLACE, self._token.encode(), 1)
        if stage.stuck:  # its Stop is there as soon as anything to write in is
            body = NOT_ALIVE.sub(b"", body)
        return Response(body, headers={"cache-control": "no-store"}, media_type=HTML)

    def _challenge(self, stage: Stage) -> Response:
        made = page(SITE, "challenge.html", stage)
        return Response(made.body, 429, {"cache-control": "no-store"}, HTML)

    # -- asking -----------------------------------------------------------------------

    async def answer(self, request: Request) -> Response:
        """A prompt. It is in the ledger before the first byte of its answer leaves."""
        form = form_in(await request.body())
        asked = question_in(form)
        if asked is None:
            return Response("no question in it", 400)
        if form.get("at") != self._token:
            return Response(speak_refused(400), 400, media_type=JSON)
        stage = self._stage(request)
        chat = self._stored.chat(asked.chat, stage)
        if asked.chat and chat is None:
            return Response(f"no conversation {asked.chat}", 400)
        named = asked.chat or secrets.token_hex(8)
        if stage.login == "expired":
            self._room.ledger.record(SITE, named, asked.prompt, refused="login", files=asked.files)
            return Response(speak_refused(401), 401, media_type=JSON)
        story = self._room.story_for(SITE, asked.prompt, stage)
        if story.refuse is not None:
            self._room.refuse(SITE, named, asked.prompt, story)
            return self._refused(story.refuse, stage)
        if chat is not None:
            self._stored.adopt(chat)
        telling = self._ask(named, asked, story, request.headers.get(MODE_HEADER, ""))
        return await answered(self._speak(named, telling), telling, JSON)

    def _ask(self, named: str, asked: Question, story: Story, mode: str) -> Telling:
        telling = self._room.ask(SITE, named, asked.prompt, story=story, files=asked.files)
        label = next((label for key, label in MODES.items() if key in mode), None)
        plan = telling.exchange.plan
        telling.exchange.plan = replace(plan, model=plan.model or label)
        chat = self._room.conversations[SITE][named]
        chat.folder = chat.folder or asked.gem
        chat.listed = chat.listed and not asked.temporary
        return telling

    def _refused(self, refuse: Refuse, stage: Stage) -> Response:
        match refuse:
            case Refuse.LIMIT | Refuse.LIMIT_ASKED:
                body = speak_error(LIMITED)
            case Refuse.LIMIT_UNTIL:
                body = speak_error(LIMITED, _exhausted())
            case Refuse.BLOCKED:
                body = speak_error(BLOCKED)
            case Refuse.FAULT:
                body = speak_error(TEMPORARY)
            case Refuse.LOGIN:
                return Response(speak_refused(401), 401, media_type=JSON)
            case Refuse.CHALLENGE:
                return self._challenge(stage)
        return Response(body, headers={"cache-control": "no-store"}, media_type=JSON)

    async def _speak(self, named: str, telling: Telling) -> AsyncIterator[list[Event]]:
        exchange = telling.exchange
        response_id, candidate_id = ids_of(exchange)
        speaker = Speaker(
            named, response_id=response_id, candidate_id=candidate_id, model=model_of(exchange)
        )
        yield [*speaker.opening(), speaker.begun()]
        course = _Course(speaker, self._new_title(named, exchange))
        async for batch in telling.follow():
            events: list[Event] = []
            for told in batch:
                events += course.take(told)
            yield events + course.rest()
        yield course.end(exchange.standing)

    def _new_title(self, named: str, exchange: Exchange) -> str | None:
        """A conversation is named once, with its first answer."""
        chat = self._room.chat(SITE, named)
        return exchange.plan.title or None if chat and chat.exchanges[0] is exchange else None

    # -- what is stored ---------------------------------------------------------------

    async def calls(self, request: Request) -> Response:
        """Several calls in one request, each with its own answer."""
        form = form_in(await request.body())
        asked = calls_in(form)
        if asked is None:
            return Response("no calls in it", 400)
        if form.get("at") != self._token:
            return Response(speak_refused(400), 400, media_type=JSON)
        stage = self._stage(request)
        if stage.login == "expired":
            return Response(speak_refused(401), 401, media_type=JSON)
        answers = [(call, self._stored.call(call, payload, stage)) for call, payload in asked]
        return Response(speak_calls(answers), media_type=JSON)

    def _stage(self, request: Request) -> Stage:
        try:
            return stage_of(request, self._room)
        except BadStage:  # the page's address was changed by hand: the server's own then
            return self._room.stage


class _Course:
    """One answer on its way to chunks.

    Each chunk has all of the text. Of pieces that come together only the last is worth one, and
    of a very long answer only every so many: else a million characters would travel as a
    million times a million.
    """

    def __init__(self, speaker: Speaker, title: str | None) -> None:
        self._speaker = speaker
        self._title = title
        self._text = self._thoughts = ""  # what was sent
        self._more_text: list[str] = []  # and what was not: joined once, for adding each piece
        self._more_thoughts: list[str] = []  # to megabytes would copy them each time
        self._grown = 0  # characters of `_more_text`
        self._apart = 0  # pieces that get a chunk of their own
        self._why: Wire | None = None

    def take(self, told: Told) -> list[Event]:
        """What is sent now."""
        match told:
            case Said(Part.THOUGHT, said):
                ready = self._rest_of_text()
                self._more_thoughts.append(said)
                return ready
            case Said(_, said):
                ready = self._rest_of_thoughts()
                self._more_text.append(said)
                self._grown += len(said)
                if self._apart:
                    self._apart -= 1
                    ready += self._rest_of_text(always=True)
                return ready
            case Tool(name=name):
                return [*self.rest(), self._speaker.tool(name)]
            case Mark(Wire.HINT):
                return [*self.rest(), *self._speaker.hint(self._title)]
            case Mark(what):
                self._why = what if what in (Wire.ERROR, Wire.LIMIT) else self._why
                self._apart = SWAPPED if what is Wire.SWAP else self._apart
                return [*self.rest(always=True), told]

    def rest(self, *, always: bool = False) -> list[Event]:
        """What was held back, where it is worth a chunk."""
        return [*self._rest_of_thoughts(), *self._rest_of_text(always=always)]

    def _rest_of_thoughts(self) -> list[Event]:
        if not self._more_thoughts:
            return []
        self._thoughts = "".join((self._thoughts, *self._more_thoughts))
        self._more_thoughts.clear()
        return [self._speaker.thought(self._thoughts)]

    def _rest_of_text(self, *, always: bool = False) -> list[Event]:
        size = len(self._text) + self._grown
        worth = size <= LONG or self._grown * GROWS >= size or always
        if not self._more_text or not worth:
            return []
        self._text = "".join((self._text, *self._more_text))
        self._more_text.clear()
        self._grown = 0
        self._speaker.repeated = size <= LONG
        return [self._speaker.text(self._text)]

    def end(self, standing: Standing) -> list[Event]:
        """The last chunks, however it ended."""
        held = self.rest(always=True)
        if standing is Standing.WHOLE:
            quota = Quota(QUESTIONS - 1, QUESTIONS, int(time.time()) + LIMIT_SECONDS)
            return [*held, *self._speaker.ending(self._title, quota)]
        if standing is Standing.FAILED:
            limited = self._why is Wire.LIMIT
            code, quota_left = (LIMITED, _exhausted()) if limited else (TEMPORARY, None)
            return [*held, *self._speaker.failed(code, quota_left)]
        return [*held, *self._speaker.stopped(self._title)]


def _exhausted() -> Quota:
    return Quota(0, QUESTIONS, int(time.time()) + LIMIT_SECONDS)
