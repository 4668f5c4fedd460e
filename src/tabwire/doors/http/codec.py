"""Our records as JSON, and errors as three facts: a code, what happened, what to do."""

from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tabwire.model.errors import TabwireError
from tabwire.model.exits import USAGE
from tabwire.model.failure import failure_of
from tabwire.model.job import NoSuchJob

T = TypeVar("T")

STATUSES = {"bad_request": 400, "file_refused": 403, "hub_ends": 503, NoSuchJob.code: 404}


class Wrong(TabwireError):
    """A request that is invalid."""

    exit_code = USAGE
    code = "bad_request"

    def __init__(self, what: str, what_to_do: str) -> None:
        super().__init__(what, what_to_do=what_to_do)


def _plain(value: object) -> object:
    return str(value)  # a path, an exception in a debug record


def as_json(value: Any, status: int = 200) -> Response:
    """A record, or several. What sites said is in some: no browser shall take it for a page."""
    body = msgspec.json.encode(value, enc_hook=_plain)
    headers = {"x-content-type-options": "nosniff"}
    return Response(body, status, headers, media_type="application/json")


def as_error(error: TabwireError) -> Response:
    """What stands in the way: a `Failure`, and which site or job it is about."""
    failure = failure_of(error)
    status = STATUSES.get(failure.code, 400 if error.exit_code == USAGE else 500)
    told = msgspec.to_builtins(failure, enc_hook=_plain) | {"site": error.site}
    if isinstance(error, NoSuchJob):
        told["job_id"] = error.job_id
    return as_json(told, status)


async def read_body(request: Request, kind: type[T]) -> T:
    """What was sent, as a record. Raises `Wrong`, which says where it is not one."""
    body = await request.body()
    try:
        return msgspec.json.decode(body or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as exc:
        raise Wrong(f"the body cannot be read: {exc}", "docs/hub.md has the routes.") from exc


def number(request: Request, name: str, default: float, least: float, most: float) -> float:
    """A number in the query. Raises `Wrong`."""
    said = request.query_params.get(name)
    if said is None:
        return default
    try:
        value = float(said)
        if not least <= value <= most:
            raise ValueError(said)
    except ValueError:
        raise Wrong(
            f"invalid value for {name}: {said[:50]!r}", f"Use {least:g} to {most:g}."
        ) from None
    return value


def word(request: Request, name: str) -> str | None:
    """A word in the query; None where there is none."""
    return request.query_params.get(name) or None


def words_of(request: Request, name: str, known: Sequence[str]) -> list[str]:
    """Every word of that name in the query. Raises `Wrong`."""
    said = [one for one in request.query_params.getlist(name) if one]
    for one in said:
        if one not in known:
            raise Wrong(
                f"invalid value for {name}: {one[:50]!r}", f"Use one of {', '.join(known)}."
            )
    return said
