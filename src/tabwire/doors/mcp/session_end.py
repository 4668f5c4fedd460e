"""What a client over HTTP is told whose session is gone, or that comes before the hub is ready.

The SDK says "Session not found", which helps nobody: a session ends with its hub, and the next hub
has everything that was asked. The status stays 404, on which a client shall introduce itself anew.
"""

from mcp_types import INTERNAL_ERROR, INVALID_REQUEST, ErrorData, JSONRPCError
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tabwire.doors.mcp.visitors import SESSION_HEADER

ENDED = (
    "This MCP session has ended: Tabwire's hub was restarted, or the session was not used for "
    "half an hour. Connect again (send `initialize` without Mcp-Session-Id). Your questions are "
    "saved: list_jobs shows them, get_answer returns their answers; do not ask again."
)
STARTING = "Tabwire's hub is starting: try again in a second."


def says_how_to_go_on(app: ASGIApp) -> ASGIApp:
    """The same app, whose "no such session" says what happened and what to do."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope.get("headers") or ())
        if SESSION_HEADER.encode() not in headers:
            await app(scope, receive, send)
            return
        gone = False

        async def heard(message: Message) -> None:
            nonlocal gone
            if message["type"] == "http.response.start" and message["status"] == 404:
                gone = True
            if not gone:
                await send(message)

        await app(scope, receive, heard)
        if gone:
            await _error(404, INVALID_REQUEST, ENDED)(scope, receive, send)

    return wrapped


def starting() -> Response:
    """For whoever comes before there is a hub to speak to."""
    response = _error(503, INTERNAL_ERROR, STARTING)
    response.headers["Retry-After"] = "1"
    return response


def _error(status: int, code: int, message: str) -> Response:
    error = JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=code, message=message))
    body = error.model_dump_json(by_alias=True, exclude_unset=True)
    return Response(body, status, media_type="application/json")
