"""How Gemini says no: codes in an error frame, or a web page where data was expected."""

from typing import Any

from tabwire.model.signals import Refusal, Refused
from tabwire.sites.gemini.fields import at, list_at, time_at
from tabwire.sites.webpages import LOOKED_AT, read_web_page

# Public notes of 2026; 1096 was recorded the same year in an answer with nothing else.
_CODES = {
    401: (Refusal.LOGIN, "the session has expired"),  # of an `er` record, which has HTTP's codes
    1013: (Refusal.ERROR, "a temporary error; asking again may help"),
    1037: (Refusal.RATE_LIMIT, "the usage limit of this model is reached"),
    1050: (Refusal.ERROR, "the model does not fit the conversation's earlier turns"),
    1052: (Refusal.ERROR, "the model named in the request is not valid"),
    1060: (Refusal.BLOCKED, "Google blocks this network address for now"),
}

_QUOTAS, _MORE_AT, _LEFT = 27, 3, 5  # of the payload, of one quota (recorded 2026)

_CHALLENGE = (b"google.com/sorry/", b'action="/sorry/', b'id="captcha-form"', b"g-recaptcha")
_LOGIN = (b"accounts.google.com/servicelogin", b'action="https://accounts.google.com')


def read_code(code: int) -> Refused:
    """What the code of an error frame means; an unknown one is an error with its code."""
    kind, message = _CODES.get(code, (Refusal.ERROR, "Gemini answered with an error"))
    return Refused(kind, message, str(code))


def read_quota(payload: list[Any], base: int = 0) -> float | None:
    """When the quotas that are spent are there again, in seconds since 1970.

    `[…, …, …, [seconds, nanos], how many, how many are left]` for each; a zero may be left
    out, as in all of Google's messages. Of several that are spent the last one counts.
    """
    quotas = list_at(payload, base + _QUOTAS, 0)
    if not quotas and isinstance(held := at(payload, base + 2), dict):
        quotas = list_at(held, _QUOTAS, 0)
    spent = [time_at(one, _MORE_AT) for one in quotas if not at(one, _LEFT)]
    return max((when for when in spent if when is not None), default=None)


def read_page(head: bytes) -> Refused:
    """What a web page means: Google's own pages first, then those every site may send."""
    page = head[:LOOKED_AT].lower()
    if any(mark in page for mark in _CHALLENGE):
        return Refused(Refusal.CHALLENGE, "a challenge page instead of data")
    if any(mark in page for mark in _LOGIN):
        return Refused(Refusal.LOGIN, "a login page instead of data")
    return read_web_page(head)
