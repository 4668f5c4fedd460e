"""chatgpt.com's account: who is logged in, what a request must carry, which models there are.

Nothing here is a secret and no cookie is used: whoever opens the page is logged in, unless the
stage says otherwise. But the API knows its own page by two headers, as the real one does.
"""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tabwire.lab.replicas.chatgpt.refusals import session_over
from tabwire.lab.replicas.pages import bad_stage, stage_of
from tabwire.lab.room import Room
from tabwire.lab.speak.chatgpt import MODEL
from tabwire.lab.speak.chatgpt.frames import MINI, limits
from tabwire.lab.stories.stage import BadStage, Stage

Handle = Callable[[Request], Awaitable[Response]]

BEARER = "Bearer lab-"
DEVICE = "oai-device-id"
GUEST = "/backend-anon"
GUEST_MODEL = "gpt-5-3"
NOBODY = ("out", "wall")
PRO = "gpt-5-6-pro"
MODELS = {
    MODEL: "GPT-5.6 Thinking",
    "gpt-5-6-instant": "GPT-5.6 Instant",
    PRO: "GPT-5.6 Pro",
    MINI: "GPT-5.6 mini",
    "gpt-5-5": "GPT-5.5",
    "o3": "o3",
}


def is_guest(request: Request) -> bool:
    """Whether a request came on the way of those who are not logged in."""
    return request.url.path.startswith(GUEST)


def is_known(request: Request) -> bool:
    """Whether a request shows what the page itself would show. A guest shows nothing."""
    headers = request.headers
    known = headers.get("authorization", "").startswith(BEARER) and DEVICE in headers
    return known or is_guest(request)


def only_known(handle: Handle) -> Handle:
    """The same, for requests that show what the page would show; 401 for all others."""

    async def guarded(request: Request) -> Response:
        return await handle(request) if is_known(request) else session_over()

    return guarded


def model_for(wanted: object, request: Request) -> str:
    """The model that answers: the one asked for, where it exists; `auto` is none."""
    if isinstance(wanted, str) and wanted in MODELS:
        return wanted
    return GUEST_MODEL if is_guest(request) else MODEL


def account_routes(room: Room, backends: tuple[str, ...]) -> list[BaseRoute]:
    """What the page asks for before anybody types."""

    async def session(request: Request) -> Response:
        try:
            stage = stage_of(request, room)
        except BadStage as problem:
            return bad_stage(problem)
        return JSONResponse(_session(stage))

    async def models(request: Request) -> Response:
        rows = [{"slug": slug, "title": title, "tags": []} for slug, title in MODELS.items()]
        return JSONResponse({"models": rows, "default_model_slug": model_for("auto", request)})

    async def begin(request: Request) -> Response:
        stage = stage_of(request, room)
        told = limits(model_for("auto", request), PRO if stage.tier_exhausted else "")
        return JSONResponse(told)

    paths = [Route("/api/auth/session", session)]
    for backend in backends:
        sentinel = f"{backend}/sentinel"
        paths += [
            Route(f"{backend}/models", only_known(models)),
            Route(f"{backend}/conversation/init", only_known(begin), methods=["POST"]),
            Route(f"{sentinel}/chat-requirements", _requirements, methods=["POST"]),
            Route(f"{sentinel}/chat-requirements/prepare", _requirements, methods=["POST"]),
            Route(f"{sentinel}/chat-requirements/finalize", _requirements, methods=["POST"]),
            Route(f"{sentinel}/ping", _well, methods=["POST"]),
        ]
    return [*paths]


def _session(stage: Stage) -> dict[str, object]:
    if stage.login in NOBODY:
        return {}
    user = {"id": "user-lab", "name": "Lab Person", "email": "person@lab.example"}
    return {"user": user, "accessToken": "lab-token", "authProvider": "lab"}


async def _requirements(_request: Request) -> Response:
    """The page proves that it is one; here everybody does."""
    return JSONResponse(
        {
            "persona": "chatgpt-lab",
            "token": "lab-requirements",
            "prepare_token": "lab-requirements",
            "turnstile": {"required": False},
            "proofofwork": {"required": False},
            "expire_after": 540,
        }
    )


async def _well(_request: Request) -> Response:
    return JSONResponse({"status": "ok"})
