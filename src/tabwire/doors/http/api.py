"""The routes under /api/v1. docs/hub.md has them in a table, and a test holds it to this one."""

import asyncio
import os
import time
from collections.abc import Coroutine
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tabwire import __version__
from tabwire.doors.http.access import App
from tabwire.doors.http.antigravity import LOCAL, AgentRoutes
from tabwire.doors.http.codec import as_json, number, read_body, word, words_of
from tabwire.doors.http.endpoint import ApiRoute, routes
from tabwire.doors.http.job_events import NewsStream, last_seen
from tabwire.doors.http.visits import TICKET_SECONDS, Visits
from tabwire.hub import Ending, ServedHub
from tabwire.hub import home_folder as home
from tabwire.model.ask import AskRequest
from tabwire.model.errors import Retry, TabwireError
from tabwire.model.job import Asker, Door, Job, JobState, NoSuchJob
from tabwire.model.job_events import JobEvent

BASE = "/api/v1"
MAX_WAIT = 60.0  # seconds a request is held; whoever wants to wait longer asks again
MAX_LIST = 500

T = TypeVar("T")


class HubEnds(TabwireError):
    """Ask the next one."""

    code = "hub_ends"

    def __init__(self) -> None:
        super().__init__(
            "the hub is stopping", what_to_do="Ask again in a moment.", retry=Retry.SAME
        )


class Submission(msgspec.Struct, forbid_unknown_fields=True):
    """What `POST /jobs` takes. `door`, `client` and `project` are believed on the socket only."""

    requests: list[AskRequest]
    agent: str = ""
    again: bool = False
    door: Door = Door.HTTP
    client: str = ""
    project: str = ""


class Stopping(msgspec.Struct, forbid_unknown_fields=True):
    """What `POST /shutdown` takes."""

    restart: bool = False


class Named(msgspec.Struct, forbid_unknown_fields=True):
    """What names an extension."""

    name: str


@dataclass(frozen=True, slots=True)
class Api:
    """The routes, for one hub."""

    hub: ServedHub
    ending: Ending
    port: int
    visits: Visits

    def routes(self) -> list[Route]:
        """All of them."""
        table = [
            ApiRoute("GET", "/status", self.status, counts_as_use=False),
            ApiRoute("POST", "/jobs", self.submit),
            ApiRoute("GET", "/jobs", self.list_jobs),
            ApiRoute("GET", "/wait", self.wait),
            ApiRoute("GET", "/jobs/{id}", self.job),
            ApiRoute("GET", "/jobs/{id}/news", self.news),
            ApiRoute("POST", "/jobs/{id}/stop", self.stop),
            ApiRoute("POST", "/jobs/{id}/cancel", self.cancel),
            ApiRoute("POST", "/jobs/{id}/resume", self.resume),
            ApiRoute("GET", "/sessions", self.sessions),
            ApiRoute("GET", "/extensions", self.extensions),
            ApiRoute("GET", "/extensions/dump", self.dump),
            ApiRoute("POST", "/extensions/pair", self.pair),
            ApiRoute("GET", "/extensions/paired", self.paired),
            ApiRoute("POST", "/extensions/use", self.use),
            ApiRoute("POST", "/extensions/forget", self.forget),
            ApiRoute("POST", "/dashboard", self.dashboard),
            *AgentRoutes(self.hub, self.ending).table(),
            ApiRoute("POST", "/shutdown", self.shutdown),
        ]
        return routes(self.hub, table, BASE)

    async def status(self, _request: Request) -> Response:
        """Who we are and what goes on."""
        working = await self.hub.jobs.recent(MAX_LIST, states=(JobState.WORKING,))
        told = {
            "version": __version__,
            "pid": os.getpid(),
            "port": self.port,
            "home": str(home()),
            "browser": self.hub.settings.browser,
            "started_at": self.hub.started_at,
            "uptime_seconds": round(time.time() - self.hub.started_at, 3),
            "guests": self.hub.guests.count,
            "working": [{"id": one.id, "site": one.request.site} for one in working],
        }
        return as_json(told)

    async def submit(self, request: Request) -> Response:
        """Hand in questions; one job for each, on disk when this answers."""
        said = await read_body(request, Submission)
        wanted, local = said.requests, bool(request.scope.get(LOCAL))
        if not local:
            wanted = [self._with_allowed_files(one) for one in wanted]
            said = Submission(wanted, said.agent, said.again)
        asker = Asker(said.agent or f"http-{said.door}", said.door, said.client, said.project)
        jobs = await self.hub.jobs.submit(wanted, asker, again=said.again)
        return as_json({"jobs": jobs}, 201)

    def _with_allowed_files(self, one: AskRequest) -> AskRequest:
        if not one.files:
            return one
        from tabwire.doors.mcp.roots import roots_of

        roots = roots_of("", self.hub.settings.file_roots)
        return replace(one, files=roots.files(one.site, one.files))

    async def list_jobs(self, request: Request) -> Response:
        """The newest, or those with some words in them."""
        limit = int(number(request, "limit", 20, 1, MAX_LIST))
        site = word(request, "site")
        if words := word(request, "words"):
            return as_json({"jobs": await self.hub.jobs.search(words, site=site, limit=limit)})
        states = words_of(request, "state", [str(one) for one in JobState])
        jobs = await self.hub.jobs.recent(
            limit,
            states=tuple(map(JobState, states)),
            site=site,
            agent=word(request, "agent"),
            before=word(request, "before"),
        )
        return as_json({"jobs": jobs})

    async def job(self, request: Request) -> Response:
        """One job, as it is, or as it is when it rests."""
        job_id = request.path_params["id"]
        seconds = number(request, "wait", 0, 0, MAX_WAIT)
        (found,) = await self._held(self.hub.jobs.wait([job_id], seconds))
        return as_json(found)

    async def wait(self, request: Request) -> Response:
        """Several jobs, when all of them rest or the time is over."""
        ids = request.query_params.getlist("id")[:MAX_LIST]
        seconds = number(request, "seconds", MAX_WAIT, 0, MAX_WAIT)
        return as_json({"jobs": await self._held(self.hub.jobs.wait(ids, seconds))})

    async def news(self, request: Request) -> App:
        """What happens to a job, as it happens."""
        job_id = request.path_params["id"]
        after = last_seen(request)
        await self._known(job_id)
        told = self.hub.jobs.news(job_id, after=after)
        return NewsStream(told, self.hub.guests, self.ending, JobEvent.as_data)

    async def stop(self, request: Request) -> Response:
        """Press Stop."""
        return as_json(await self.hub.jobs.stop(request.path_params["id"]))

    async def cancel(self, request: Request) -> Response:
        """Nobody wants it any more."""
        return as_json(await self.hub.jobs.cancel(request.path_params["id"]))

    async def resume(self, request: Request) -> Response:
        """Look again for the answer of a job that may have been sent."""
        return as_json(await self.hub.jobs.resume(request.path_params["id"]))

    async def sessions(self, _request: Request) -> Response:
        """Which agents are known, and where they go on."""
        return as_json({"sessions": await self.hub.sessions.all()})

    async def extensions(self, _request: Request) -> Response:
        """Which are paired, which is used, and why none is."""
        return as_json((await self.hub.extensions.status()).as_data())

    async def dump(self, _request: Request) -> Response:
        """What went by in pages, while a person has it dumped."""
        return as_json(await self.hub.extensions.dump())

    async def pair(self, _request: Request) -> Response:
        """A code for a person to type in the extension."""
        return as_json(await self.hub.extensions.pair(), 201)

    async def paired(self, request: Request) -> Response:
        """Who typed it, when somebody has or the time is over."""
        seconds = number(request, "seconds", MAX_WAIT, 0, MAX_WAIT)
        return as_json(await self._held(self.hub.extensions.paired(seconds)))

    async def use(self, request: Request) -> Response:
        """This extension from now on."""
        return as_json(await self.hub.extensions.use((await read_body(request, Named)).name))

    async def forget(self, request: Request) -> Response:
        """This one no more."""
        return as_json(await self.hub.extensions.forget((await read_body(request, Named)).name))

    async def dashboard(self, _request: Request) -> Response:
        """An address that opens the dashboard, once and soon."""
        url = self.visits.address(self.visits.ticket())
        return as_json({"url": url, "seconds": TICKET_SECONDS}, 201)

    async def shutdown(self, request: Request) -> Response:
        """Let the hub end; it does so after this answer."""
        said = await read_body(request, Stopping)
        self.ending.ask("it was asked to stop", restart=said.restart)
        return as_json({"pid": os.getpid()}, 202)

    async def _held(self, waiting: Coroutine[Any, Any, T]) -> T:
        """What is waited for; a hub that ends sends those who wait to the next one."""

        async def outcome() -> T | Exception:
            try:
                return await waiting
            except Exception as exc:  # noqa: BLE001 - raised below: a group would wrap it
                return exc

        async with asyncio.TaskGroup() as group:
            found, end = group.create_task(outcome()), group.create_task(self.ending.asked())
            await asyncio.wait((found, end), return_when=asyncio.FIRST_COMPLETED)
            for task in (found, end):
                task.cancel()
        if found.cancelled():
            raise HubEnds
        if isinstance(result := found.result(), Exception):
            raise result
        return result

    async def _known(self, job_id: str) -> Job:
        found = await self.hub.jobs.job(job_id)
        if found is None:
            raise NoSuchJob(job_id)
        return found
