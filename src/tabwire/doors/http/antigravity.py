"""The routes under /api/v1/antigravity: what happens, the autopilot, and what it asks."""

import getpass
from typing import TYPE_CHECKING

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tabwire.doors.http.access import App
from tabwire.doors.http.codec import as_json, read_body
from tabwire.doors.http.endpoint import ApiRoute
from tabwire.doors.http.job_events import NewsStream, last_seen
from tabwire.hub import Ending, LocalHub
from tabwire.model.autopilot import Answerer

if TYPE_CHECKING:  # it brings the store, and doors serve before that is there
    pass

LOCAL = "over the hub's own socket"  # a mark in the scope of such a request


class On(msgspec.Struct, forbid_unknown_fields=True):
    """What may go on by itself, and where; no window is all."""

    switches: list[str]
    window: str = ""


class Off(msgspec.Struct, forbid_unknown_fields=True):
    """Where nothing may."""

    window: str = ""


class Stop(msgspec.Struct, forbid_unknown_fields=True):
    """Why."""

    why: str = ""


class Answer(msgspec.Struct, forbid_unknown_fields=True):
    """Yes or no."""

    approve: bool


class AgentRoutes:
    """For one hub."""

    def __init__(self, hub: LocalHub, ending: Ending) -> None:
        self._hub = hub
        self._ending = ending

    def table(self) -> list[ApiRoute]:
        """All of them."""
        return [
            ApiRoute("GET", "/antigravity/events", self.events),
            ApiRoute("GET", "/antigravity/autopilot", self.pilot),
            ApiRoute("POST", "/antigravity/autopilot/on", self.pilot_on),
            ApiRoute("POST", "/antigravity/autopilot/off", self.pilot_off),
            ApiRoute("POST", "/antigravity/autopilot/stop", self.pilot_stop),
            ApiRoute("GET", "/antigravity/autopilot/stats", self.pilot_stats),
            ApiRoute("GET", "/antigravity/approvals", self.approvals),
            ApiRoute("POST", "/antigravity/approvals/{approval}", self.answer),
        ]

    async def events(self, request: Request) -> App:
        """What happens, as it happens."""
        from tabwire.hub import require_consent

        require_consent()
        told = self._hub.agents.events.news(last_seen(request))
        return NewsStream(told, self._hub.guests, self._ending, lambda one: one.data)

    async def pilot(self, _request: Request) -> Response:
        """What is on."""
        return as_json(await self._hub.agents.autopilot.state())

    async def pilot_on(self, request: Request) -> Response:
        """Turn it on."""
        said = await read_body(request, On)
        return as_json(
            await self._hub.agents.autopilot.turn_on(said.switches, said.window, _who(request).name)
        )

    async def pilot_off(self, request: Request) -> Response:
        """Turn it off."""
        said = await read_body(request, Off)
        return as_json(await self._hub.agents.autopilot.turn_off(said.window, _who(request).name))

    async def pilot_stop(self, request: Request) -> Response:
        """Stop all of it."""
        said = await read_body(request, Stop)
        return as_json(await self._hub.agents.autopilot.stop(said.why, _who(request).name))

    async def pilot_stats(self, _request: Request) -> Response:
        """What it did."""
        return as_json(await self._hub.agents.autopilot.statistics())

    async def approvals(self, _request: Request) -> Response:
        """What waits for a person."""
        return as_json({"approvals": await self._hub.agents.autopilot.approvals()})

    async def answer(self, request: Request) -> Response:
        """A person's answer."""
        said = await read_body(request, Answer)
        which = request.path_params["approval"]
        return as_json(
            await self._hub.agents.autopilot.answer(which, approve=said.approve, who=_who(request))
        )


def _who(request: Request) -> Answerer:
    """Whoever comes over the hub's own socket sits at this machine; over the port, who knows."""
    if request.scope.get(LOCAL):
        return Answerer(getpass.getuser(), "cli")
    return Answerer("token", "http", from_chat=True)
