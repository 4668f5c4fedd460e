"""The lab's own page and its JSON: sites, stories, what plays now, and the ledger as it grows."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import asdict
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from tabwire.lab.home.places import HOST, LANGUAGES, SITES
from tabwire.lab.ledger import Entry
from tabwire.lab.plan import READERS
from tabwire.lab.room import Room
from tabwire.lab.stories.known import STORIES
from tabwire.lab.stories.stage import BadStage, Stage, stage_from
from tabwire.lab.stories.story import Story

STATIC = Path(__file__).parent / "static"
MIME = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
JSON = "application/json"
EVENTS = "text/event-stream; charset=utf-8"
BREATH_SECONDS = 15.0  # between two signs of life of a stream: a client that left is noticed

GUARDS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
"""Other pages of the same browser are strangers: they neither read nor frame nor steer this."""


async def _page(_request: Request) -> Response:
    return _file("index.html")


async def _asset(request: Request) -> Response:
    return _file(request.path_params["name"])


def _file(name: str) -> Response:
    path = STATIC / name
    if path.parent != STATIC or path.suffix not in MIME or not path.is_file():
        return Response("not here", 404, GUARDS)
    return Response(path.read_bytes(), headers=GUARDS, media_type=MIME[path.suffix])


async def _places(_request: Request) -> Response:
    sites = [asdict(site) for site in SITES]
    said = {"host": HOST, "sites": sites, "languages": LANGUAGES, "directions": sorted(READERS)}
    return _json(said)


async def _stories(_request: Request) -> Response:
    return _json([story_data(story) for story in STORIES.values()])


def story_data(story: Story) -> dict[str, Any]:
    """One story for JSON."""
    return {
        "name": story.name,
        "about": story.about,
        "faults": list(story.faults),
        "sites": list(story.sites),
        "outcome": str(story.outcome),
        "asks": story.asks,
        "fate": str(story.fate) if story.fate else None,
        "stage": dict(story.stage),
    }


class Home:
    """The lab's own address: its routes, and what depends on the room."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._over = False
        self._listening: set[asyncio.Event] = set()

    def routes(self) -> list[BaseRoute]:
        """Everything that is answered there."""
        return [
            Route("/", _page),
            Route("/assets/{name}", _asset),
            Route("/places", _places),
            Route("/stories", _stories),
            Route("/stage", self.stage, methods=["GET", "POST"]),
            Route("/ledger", self.ledger),
            Route("/ledger/live", self.live),
        ]

    def close(self) -> None:
        """The lab ends: every live ledger ends with it, so that none holds it up."""
        self._over = True
        for news in self._listening:
            news.set()

    async def stage(self, request: Request) -> Response:
        """In which shape pages are served from now on; a POST changes the fields it names."""
        if request.method == "POST":
            if (stranger := _stranger(request)) is not None:
                return _json({"error": stranger}, 403)
            try:
                self._room.stage = stage_with(await request.body(), self._room.stage)
            except BadStage as problem:
                return _json({"error": str(problem)}, 400)
        return _json(self._room.stage)

    async def ledger(self, request: Request) -> Response:
        """What was received; with `since=N` only what came after number N."""
        since = _since(request)
        if since is None:
            return _json({"error": "since must be a number"}, 400)
        return _json(self._room.ledger.entries[since:])

    async def live(self, request: Request) -> Response:
        """The same as server-sent events, each with its number as id, until the lab ends."""
        since = _since(request)
        if since is None:
            return _json({"error": "since must be a number"}, 400)
        return StreamingResponse(self._follow(since), headers=GUARDS, media_type=EVENTS)

    async def _follow(self, seen: int) -> AsyncIterator[bytes]:
        news = asyncio.Event()
        loop = asyncio.get_running_loop()

        def wake(_entry: Entry) -> None:
            loop.call_soon_threadsafe(news.set)  # an entry may be written from any thread

        stop = self._room.ledger.listen(wake)
        self._listening.add(news)
        try:
            yield b": this is the ledger\n\n"
            while not self._over:
                news.clear()
                entries = self._room.ledger.entries[seen:]
                seen += len(entries)
                yield b"".join(map(_event, entries)) or b": still here\n\n"
                with suppress(TimeoutError):
                    async with asyncio.timeout(BREATH_SECONDS):
                        await news.wait()
        finally:
            stop()
            self._listening.discard(news)


def stage_with(body: bytes, base: Stage) -> Stage:
    """A base with the fields that a JSON object names. Raises BadStage."""
    try:
        told = msgspec.json.decode(body)
    except msgspec.DecodeError as exc:
        raise BadStage("invalid JSON") from exc
    if not isinstance(told, dict):
        raise BadStage("expected a JSON object with stage settings")
    return checked(stage_from(",".join(_word(*one) for one in told.items()), base))


def checked(stage: Stage) -> Stage:
    """The stage, if there is a story of that name. Raises BadStage with what was meant."""
    if stage.story and stage.story not in STORIES:
        raise BadStage(no_such_story(stage.story))
    return stage


def no_such_story(name: str) -> str:
    """What to say to whoever misspells one."""
    near = get_close_matches(name, STORIES, n=3, cutoff=0.5) or [
        one for one in STORIES if name and name in one
    ]
    hint = f"did you mean {' or '.join(near[:3])}?" if near else "`tabwire lab stories` lists them"
    return f"there is no story {name!r}; {hint}"


def _word(name: str, value: object) -> str:
    match value:
        case bool():
            said = "on" if value else "off"
        case str() | int() | float():
            said = str(value)
        case _:
            raise BadStage(f"invalid value for {name}: {msgspec.json.encode(value).decode()}")
    if "," in said or "," in name or ":" in name:
        raise BadStage(f"invalid value for {name}: {said!r}")
    return f"{name}:{said}"


def _event(entry: Entry) -> bytes:
    return b"id: %d\ndata: %b\n\n" % (entry.number, msgspec.json.encode(entry))


def _since(request: Request) -> int | None:
    # a browser that connects again says which it heard last
    said = request.headers.get("last-event-id") or request.query_params.get("since") or "0"
    return int(said) if said.isascii() and said.isdigit() and len(said) < 16 else None


def _stranger(request: Request) -> str | None:
    """Why this request may change nothing, or None where our own page or a program asks.

    A browser names the page that asks in `Origin`; a program that names none must still say
    that it sends JSON, which no form of a foreign page can.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        return f"only {JSON} is accepted here"
    origin = request.headers.get("origin")
    if origin is not None and origin != f"https://{request.headers.get('host', '')}":
        return "only the lab's own page may change the story"
    return None


def _json(said: object, status: int = 200) -> Response:

    return Response(msgspec.json.encode(said), status, GUARDS, media_type=JSON)
