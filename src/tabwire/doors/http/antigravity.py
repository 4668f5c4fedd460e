"""The routes under /api/v1/antigravity: what happens, its windows, the autopilot, what it asks."""

import getpass
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tabwire import __version__
from tabwire.doors.http.access import App
from tabwire.doors.http.codec import as_json, number, read_body, word
from tabwire.doors.http.endpoint import ApiRoute
from tabwire.doors.http.job_events import NewsStream, last_seen
from tabwire.hub import Ending, ServedHub, What, settings
from tabwire.model.autopilot import Answerer

MAX_LOST_SECONDS = 86_400.0
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


class InWindow(msgspec.Struct, forbid_unknown_fields=True):
    """Which window; no name is the only one."""

    window: str = ""


class Prompt(InWindow, kw_only=True, forbid_unknown_fields=True):
    """What to send, once."""

    prompt: str
    conversation: str = ""
    files: list[str] = []
    anyway: bool = False


class NewChat(InWindow, forbid_unknown_fields=True):
    """Whether an agent that works may go on out of sight."""

    leave_running: bool = False


class Named(InWindow, kw_only=True, forbid_unknown_fields=True):
    """A conversation, model or mode by its exact name."""

    name: str


class AgentRoutes:
    """For one hub."""

    def __init__(self, hub: ServedHub, ending: Ending) -> None:
        self._hub = hub
        self._ending = ending

    def table(self) -> list[ApiRoute]:
        """All of them."""
        return [
            ApiRoute("GET", "/antigravity", self.about, counts_as_use=False),
            ApiRoute("GET", "/antigravity/events", self.events),
            ApiRoute("GET", "/antigravity/status", self.status),
            ApiRoute("GET", "/antigravity/conversations", self.conversations),
            ApiRoute("GET", "/antigravity/models", self.models),
            ApiRoute("GET", "/antigravity/modes", self.modes),
            ApiRoute("POST", "/antigravity/send", self.send),
            ApiRoute("POST", "/antigravity/stop", self.stop),
            ApiRoute("POST", "/antigravity/new", self.new),
            ApiRoute("POST", "/antigravity/select", self.select),
            ApiRoute("POST", "/antigravity/model", self.model),
            ApiRoute("POST", "/antigravity/mode", self.mode),
            ApiRoute("POST", "/antigravity/shot", self.shot),
            ApiRoute("GET", "/antigravity/autopilot", self.pilot),
            ApiRoute("POST", "/antigravity/autopilot/on", self.pilot_on),
            ApiRoute("POST", "/antigravity/autopilot/off", self.pilot_off),
            ApiRoute("POST", "/antigravity/autopilot/stop", self.pilot_stop),
            ApiRoute("GET", "/antigravity/autopilot/stats", self.pilot_stats),
            ApiRoute("GET", "/antigravity/approvals", self.approvals),
            ApiRoute("POST", "/antigravity/approvals/{approval}", self.answer),
        ]

    async def about(self, _request: Request) -> Response:
        """Whether windows are followed here, and by which settings: a command that goes by others
        reaches them by itself."""
        from tabwire.hub import ConsentNeeded, require_consent

        now = settings()
        try:
            require_consent()
            on = True
        except ConsentNeeded:
            on = False
        port, quota = now.antigravity_port, now.antigravity_quota
        return as_json({"version": __version__, "on": on, "port": port, "quota": quota})

    async def events(self, request: Request) -> App:
        """What happens, as it happens: in all windows, or in one from its beginning."""
        from tabwire.hub import require_consent

        require_consent()
        events, window = self._hub.agents.events, request.query_params.get("window")
        if window is None:
            told = events.news(last_seen(request))
        else:
            usual = settings().antigravity_lost_seconds
            told = await events.of_window(
                window, number(request, "lost_seconds", usual, 0, MAX_LOST_SECONDS)
            )
        return NewsStream(told, self._hub.guests, self._ending, lambda one: one.data)

    # --- windows --------------------------------------------------------------------------------

    async def status(self, _request: Request) -> Response:
        """Windows, panels, what is recognised, what is left of quotas."""
        return as_json(await self._hub.agents.windows.status())

    async def conversations(self, request: Request) -> Response:
        """Past conversations of a window."""
        spot, found = await self._hub.agents.windows.conversations(word(request, "window") or "")
        return as_json({"spot": spot, "conversations": found})

    async def models(self, request: Request) -> Response:
        """The model that is chosen, and all there are."""
        return await self._choices("model", request)

    async def modes(self, request: Request) -> Response:
        """The mode that is chosen, and all there are."""
        return await self._choices("mode", request)

    async def _choices(self, what: What, request: Request) -> Response:
        window = word(request, "window") or ""
        spot, chosen, names = await self._hub.agents.windows.choices(what, window)
        return as_json({"spot": spot, "chosen": chosen, "names": names})

    async def send(self, request: Request) -> Response:
        """Send a prompt once."""
        said = await read_body(request, Prompt)
        files = said.files
        if files and not request.scope.get(LOCAL):
            from tabwire.doors.mcp.roots import roots_of

            files = [*roots_of("", self._hub.settings.file_roots).files("antigravity", files)]
        spot, sent = await self._hub.agents.windows.send(
            said.prompt,
            said.window,
            conversation=said.conversation,
            files=[Path(one) for one in files],
            anyway=said.anyway,
        )
        return as_json({"spot": spot, "sent": sent})

    async def stop(self, request: Request) -> Response:
        """Stop the agent."""
        said = await read_body(request, InWindow)
        spot, stopped = await self._hub.agents.windows.stop(said.window)
        return as_json({"spot": spot, "stopped": stopped})

    async def new(self, request: Request) -> Response:
        """Begin an empty conversation."""
        said = await read_body(request, NewChat)
        spot, begun = await self._hub.agents.windows.new_chat(
            said.window, leave_running=said.leave_running
        )
        return as_json({"spot": spot, "begun": begun})

    async def select(self, request: Request) -> Response:
        """Open a conversation."""
        said = await read_body(request, Named)
        return as_json({"spot": await self._hub.agents.windows.select(said.name, said.window)})

    async def model(self, request: Request) -> Response:
        """Choose a model."""
        return await self._choose("model", request)

    async def mode(self, request: Request) -> Response:
        """Choose a mode."""
        return await self._choose("mode", request)

    async def _choose(self, what: What, request: Request) -> Response:
        said = await read_body(request, Named)
        spot, chosen = await self._hub.agents.windows.choose(what, said.name, said.window)
        return as_json({"spot": spot, "chosen": chosen})

    async def shot(self, request: Request) -> Response:
        """A window as PNG, in base64."""
        said = await read_body(request, InWindow)
        spot, png = await self._hub.agents.windows.screenshot(said.window)
        return as_json({"spot": spot, "png": png})

    # --- the autopilot --------------------------------------------------------------------------

    async def pilot(self, _request: Request) -> Response:
        """What is on."""
        return as_json((await self._hub.agents.autopilot.state()).as_data())

    async def pilot_on(self, request: Request) -> Response:
        """Turn it on."""
        said = await read_body(request, On)
        autopilot, by = self._hub.agents.autopilot, _who(request).name
        return as_json((await autopilot.turn_on(said.switches, said.window, by)).as_data())

    async def pilot_off(self, request: Request) -> Response:
        """Turn it off."""
        said = await read_body(request, Off)
        autopilot, by = self._hub.agents.autopilot, _who(request).name
        return as_json((await autopilot.turn_off(said.window, by)).as_data())

    async def pilot_stop(self, request: Request) -> Response:
        """Stop all of it."""
        said = await read_body(request, Stop)
        autopilot, by = self._hub.agents.autopilot, _who(request).name
        return as_json((await autopilot.stop(said.why, by)).as_data())

    async def pilot_stats(self, _request: Request) -> Response:
        """What it did."""
        return as_json((await self._hub.agents.autopilot.statistics()).as_data())

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
