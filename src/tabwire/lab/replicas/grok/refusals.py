"""How the lab's Grok says no, in the words and with the status of the real one."""

from starlette.responses import HTMLResponse, JSONResponse, Response

from tabwire.lab.speak.grok import INTERNAL, NOT_ALLOWED, TOO_MANY, UNAUTHENTICATED, speak_error
from tabwire.lab.stories.story import Refuse

JSON = "application/json"
WINDOW_SECONDS, WAIT_SECONDS = 7200, 1800

TOO_MANY_WORDS = "Too many requests"
GAVE_UP_WORDS = "Internal error while generating the response"

CHALLENGE = """<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title>\
<meta name="robots" content="noindex,nofollow"></head><body>\
<p>Tabwire lab: a stand-in, not a real check</p>\
<noscript><span id="challenge-error-text">Enable JavaScript and cookies to continue</span>\
</noscript><script>(function(){window._cf_chl_opt = {cZone: 'grok.com', cType: 'managed'};}());\
</script></body></html>"""


def refused(status: int, code: int, message: str, **headers: str) -> Response:
    """An error as grok.com writes it."""
    return Response(speak_error(code, message), status, headers, JSON)


def no_to(why: Refuse) -> Response:
    """The answer to a prompt that gets none."""
    match why:
        case Refuse.LIMIT | Refuse.LIMIT_ASKED:
            return refused(429, TOO_MANY, TOO_MANY_WORDS)
        case Refuse.LIMIT_UNTIL:
            wait = {"retry-after": str(WAIT_SECONDS)}
            return refused(429, TOO_MANY, TOO_MANY_WORDS, **wait)
        case Refuse.LOGIN:
            return refused(401, UNAUTHENTICATED, "Unauthenticated: the session has expired")
        case Refuse.CHALLENGE:
            return HTMLResponse(CHALLENGE, 403)
        case Refuse.BLOCKED:
            return refused(403, NOT_ALLOWED, "Request rejected by anti-bot rules.")
        case Refuse.FAULT:
            return refused(500, INTERNAL, "Something went wrong")


def allowance(why: str) -> Response:
    """A `rate-limits` body: how much is left, and for how long one waits where that is known."""
    over = why in (Refuse.LIMIT, Refuse.LIMIT_UNTIL, Refuse.LIMIT_ASKED)
    left = {"windowSizeSeconds": WINDOW_SECONDS, "totalQueries": 30}
    left["remainingQueries"] = 0 if over else 29
    if over and why != Refuse.LIMIT:
        left["waitTimeSeconds"] = WAIT_SECONDS
    return JSONResponse(left)
