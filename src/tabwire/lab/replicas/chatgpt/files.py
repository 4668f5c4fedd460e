"""chatgpt.com's uploads: a file is announced, put, and reported as there.

What is needed later stands in the addresses handed out, so nothing is kept: the bytes are
counted and forgotten.
"""

import uuid
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tabwire.lab.ledger import Deed
from tabwire.lab.replicas.chatgpt.account import is_known
from tabwire.lab.replicas.chatgpt.asked import object_in
from tabwire.lab.replicas.chatgpt.refusals import not_found, unreadable
from tabwire.lab.replicas.pages import stage_of
from tabwire.lab.room import Room

SITE = "chatgpt"
PUT = "/lab-files"


def file_routes(room: Room, backends: tuple[str, ...]) -> list[BaseRoute]:
    """The three requests of an upload."""

    async def announce(request: Request) -> Response:
        if not is_known(request):
            return not_found("Not Found")
        told = await object_in(request)
        if told is None:
            return unreadable()
        name = f"file-{uuid.uuid4().hex[:24]}"
        query = urlencode({"name": told.get("file_name") or "unnamed"})
        where = f"{request.url.scheme}://{request.url.netloc}{PUT}/{name}?{query}"
        return JSONResponse({"status": "success", "upload_url": where, "file_id": name})

    async def put(request: Request) -> Response:
        name = request.query_params.get("name", "unnamed")
        size = len(await request.body())
        fails = stage_of(request, room).upload_fails
        why = "upload" if fails else ""
        room.ledger.record(SITE, "", kind=Deed.UPLOAD, files=(name,), size=size, refused=why)
        return Response(status_code=500 if fails else 201)

    async def uploaded(request: Request) -> Response:
        where = f"https://chatgpt.com{PUT}/{request.path_params['id']}"
        return JSONResponse({"status": "success", "download_url": where, "metadata": None})

    routes: list[Any] = [Route(f"{PUT}/{{id}}", put, methods=["PUT"])]
    for backend in backends:
        routes += [
            Route(f"{backend}/files", announce, methods=["POST"]),
            Route(f"{backend}/files/{{id}}/uploaded", uploaded, methods=["POST"]),
        ]
    return routes


def files_in(body: dict[str, Any]) -> tuple[str, ...]:
    """The names of the files that a prompt comes with."""
    match body:
        case {"messages": [*_, {"metadata": {"attachments": list(attached)}}]}:
            return tuple(str(one["name"]) for one in attached if "name" in one)
    return ()
