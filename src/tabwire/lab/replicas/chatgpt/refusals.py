"""How chatgpt.com says no to a request: a limit, no session, a challenge, a block, a fault."""

from datetime import UTC, datetime, timedelta

from starlette.responses import JSONResponse, Response

from tabwire.lab.replicas.pages import page
from tabwire.lab.stories.stage import Stage
from tabwire.lab.stories.story import Refuse

SITE = "chatgpt"
CLEARS_IN = 3600  # seconds


def refusal(why: Refuse, stage: Stage) -> Response:
    """The response to a prompt that gets no answer."""
    match why:
        case Refuse.CHALLENGE:
            return challenge(stage)
        case Refuse.LOGIN:
            return session_over()
        case Refuse.LIMIT | Refuse.LIMIT_ASKED:
            words = "Too many requests in 1 hour. Try again later."
            return refused(429, words, "rate_limit_exceeded")
        case Refuse.LIMIT_UNTIL:
            until = datetime.now(UTC) + timedelta(seconds=CLEARS_IN)
            words = f"You've reached the current usage cap, please try again after {until:%H:%M}."
            when = {"clears_in": CLEARS_IN, "resets_after": until.isoformat()}
            return refused(429, words, "model_cap_exceeded", **when)
        case Refuse.BLOCKED:
            words = "Unusual activity has been detected from your device. Try again later."
            return JSONResponse({"detail": words}, 403)
        case Refuse.FAULT:
            return refused(500, "Something went wrong.", "internal_server_error")


def session_over() -> Response:
    """The page's token is good no longer."""
    words = "Your authentication token has expired. Please try signing in again."
    return refused(401, words, "token_expired")


def challenge(stage: Stage) -> Response:
    """A page that asks whether one is human."""
    asks = page(SITE, "challenge.html", stage)
    asks.status_code = 403
    asks.headers["cf-mitigated"] = "challenge"
    return asks


def refused(status: int, words: str, code: str, **more: object) -> Response:
    """No, in the site's own shape."""
    return JSONResponse({"detail": {"message": words, "code": code, **more}}, status)


def unreadable() -> Response:
    """What came is no JSON object."""
    return refused(400, "The request body could not be read.", "invalid_request")


def not_found(what: str) -> Response:
    """Not there, or not for whoever asks: nobody can tell."""
    return JSONResponse({"detail": what}, 404)
