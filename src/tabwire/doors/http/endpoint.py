"""An endpoint, with every error said in our way: a code, what happened, what to do."""

from collections.abc import Awaitable, Callable
from contextlib import nullcontext

from starlette.requests import Request
from starlette.responses import Response

from tabwire.config.logs import get_log, where
from tabwire.doors.http.access import App
from tabwire.doors.http.codec import as_error, as_json, no_such_job
from tabwire.hub.running import RunningHub
from tabwire.model.errors import TabwireError

Endpoint = Callable[[Request], Awaitable[Response | App]]

UNCOUNTED = frozenset({"status", "board"})
"""Endpoints that only look: whoever asks them does not use the hub."""

INTERNAL = {
    "code": "failed",
    "message": "the hub failed at this",
    "what_to_do": "`tabwire logs` says more.",
    "retry": "no",
    "exit_code": 1,
}


def answered(hub: RunningHub, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint, as a route takes it."""

    async def answer(request: Request) -> Response | App:
        looks = endpoint.__name__ in UNCOUNTED
        try:
            with nullcontext() if looks else hub.guests.one_more():
                return await endpoint(request)
        except TabwireError as error:
            return as_error(error)
        except KeyError:
            return no_such_job(request.path_params.get("id", ""))
        except Exception as exc:  # noqa: BLE001 - the top of this request's task
            get_log(door="http").error(
                "a request failed", route=request.url.path, error=exc, where=where(exc)
            )
            return as_json(INTERNAL, 500)

    return answer  # type: ignore[return-value]  # starlette sends whatever is an ASGI app


def not_found(path: str) -> Response:
    """No such route."""
    told = {
        "code": "not_found",
        "message": f"there is nothing at {path[:100]}",
        "what_to_do": "docs/hub.md has the routes.",
        "retry": "no",
        "exit_code": 2,
    }
    return as_json(told, 404)
