"""An endpoint, with every error said in our way: a code, what happened, what to do."""

from collections.abc import Awaitable, Callable, Iterable
from contextlib import nullcontext
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tabwire.doors.http.access import App
from tabwire.doors.http.codec import as_error, as_json
from tabwire.hub import ServedHub, get_log
from tabwire.hub import error_place as where
from tabwire.model.errors import TabwireError
from tabwire.model.exits import USAGE
from tabwire.model.failure import FAILED_CODE, Failure

Endpoint = Callable[[Request], Awaitable[Response | App]]


class ApiRoute(NamedTuple):
    """A method and a path, and what answers there. What only looks does not count as use of the
    hub: a hub that is merely watched still exits when it is idle."""

    method: str
    path: str
    endpoint: Endpoint
    counts_as_use: bool = True


INTERNAL = Failure(
    FAILED_CODE, "the hub failed to answer this request", "`tabwire logs` says more."
)


def routes(hub: ServedHub, table: Iterable[ApiRoute], base: str = "") -> list[Route]:
    """The table as Starlette takes it."""
    return [
        Route(base + route.path, answered(hub, route), methods=[route.method]) for route in table
    ]


def answered(hub: ServedHub, route: ApiRoute) -> Callable[[Request], Awaitable[Response]]:
    """The route's endpoint with its errors as answers; it counts as use where the route does."""

    async def answer(request: Request) -> Response | App:
        try:
            with hub.guests.one_more() if route.counts_as_use else nullcontext():
                return await route.endpoint(request)
        except TabwireError as error:
            return as_error(error)
        except Exception as exc:  # noqa: BLE001 - the top of this request's task
            get_log(door="http").error(
                "a request failed", route=request.url.path, error=exc, where=where(exc)
            )
            return as_json(INTERNAL, 500)

    return answer  # type: ignore[return-value]  # starlette sends whatever is an ASGI app


def not_found(path: str) -> Response:
    """No such route."""
    what = f"there is nothing at {path[:100]}"
    told = Failure("not_found", what, "docs/hub.md has the routes.", exit_code=USAGE)
    return as_json(told, 404)
