"""content-push.googleapis.com: where the page's files go, in two steps, from another host.

`start` names the file and gets an address; `upload, finalize` brings the bytes there and gets
the file's id. As public clients of the site do it.
"""

import secrets

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tabwire.lab.ledger import Deed
from tabwire.lab.room import Room

SITE = "gemini"
HOST = "content-push.googleapis.com"
PAGE = "https://gemini.google.com"
COMMAND = "x-goog-upload-command"
ADDRESS = "x-goog-upload-url"
NAMED = "File name: "
MAX_WAITING = 1000  # uploads that were begun; who never brings the bytes is forgotten

_LEAVE = {
    "access-control-allow-origin": PAGE,
    "access-control-allow-methods": "POST, OPTIONS",
    "access-control-allow-headers": "*, content-type, push-id, x-tenant-id, x-goog-upload-command,"
    " x-goog-upload-protocol, x-goog-upload-offset, x-goog-upload-header-content-length",
    "access-control-expose-headers": f"{ADDRESS}, x-goog-upload-status",
}


class Uploads:
    """Files on their way in."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._begun: dict[str, str] = {}  # names of files, by the id of the upload

    async def answer(self, request: Request) -> Response:
        """One step, or the question whether a page of another host may take it."""
        if request.method == "OPTIONS":
            return Response(headers=_LEAVE)
        body = await request.body()
        match request.headers.get(COMMAND, ""):
            case "start":
                return self._start(body)
            case "upload, finalize":
                return self._take(request.query_params.get("upload_id", ""), body)
        return Response("no command", 400, _LEAVE)

    def _start(self, body: bytes) -> Response:
        name = body.decode("utf-8", "replace").removeprefix(NAMED).strip()
        if not name:
            return Response("no name", 400, _LEAVE)
        upload = secrets.token_hex(16)
        self._begun[upload] = name
        while len(self._begun) > MAX_WAITING:
            del self._begun[next(iter(self._begun))]
        where = f"https://{HOST}/upload/?upload_id={upload}&upload_protocol=resumable"
        return Response(headers={**_LEAVE, ADDRESS: where, "x-goog-upload-status": "active"})

    def _take(self, upload: str, body: bytes) -> Response:
        name = self._begun.pop(upload, None)
        if name is None:
            return Response("no such upload", 404, _LEAVE)
        self._room.ledger.record(SITE, "", kind=Deed.UPLOAD, files=(name,), size=len(body))
        return PlainTextResponse(
            f"/contrib_service/ttl_1d/{upload}", headers={**_LEAVE, "x-goog-upload-status": "final"}
        )
