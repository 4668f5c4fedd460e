"""What a site said instead of an answer -> an error a person can act on. Pure."""

from urllib.parse import urlsplit

from tabwire.fusion.verdict import Verdict
from tabwire.model.ask_errors import (
    AskError,
    Blocked,
    ChallengeShown,
    LimitReached,
    LoginRequired,
    SiteFailed,
)
from tabwire.model.errors import Retry
from tabwire.model.moments import moment
from tabwire.model.signals import Refusal


def error_of(verdict: Verdict, site: str, now: float) -> AskError:
    """The error for a refused answer. The prompt has left, so nothing is sent again by itself.

    `now`: seconds since 1970, for limits that say how long they last from now.
    """
    refusal = verdict.refusal
    if refusal is None:
        return SiteFailed(site, verdict.why)
    match refusal.kind:
        case Refusal.RATE_LIMIT:
            resets = refusal.resets_at
            if resets is None and refusal.resets_in is not None:
                resets = now + refusal.resets_in
            when = moment(resets, now) if resets is not None else ""
            # one that was reached while it answered: the question was taken
            began = bool(verdict.text or verdict.thinking)
            retry = Retry.RESUME if began else Retry.SAME
            return LimitReached(site, refusal.message, resets_at=resets, when=when, retry=retry)
        case Refusal.LOGIN:
            return LoginRequired(site, refusal.message)
        case Refusal.CHALLENGE:
            return ChallengeShown(site)
        case Refusal.BLOCKED:
            return Blocked(site, refusal.message)
        case _:
            return SiteFailed(site, refusal.message)


def led_to(conversation_id: str, url: str) -> str:
    """Why a conversation did not open at this address: the site went elsewhere, or stayed and
    does not know it."""
    path = urlsplit(url).path
    if conversation_id in path.split("/"):
        return f"the page at {url} does not open a conversation"
    return f"the site redirected to {url} instead"
