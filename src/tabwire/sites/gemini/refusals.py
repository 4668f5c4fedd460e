"""How Gemini says no: codes in an error frame, or a web page where data was expected."""

from tabwire.model.signals import Refusal, Refused
from tabwire.sites.webpages import LOOKED_AT, read_web_page

# Public notes of 2026; 1096 was recorded the same year in an answer with nothing else.
_CODES = {
    401: (Refusal.LOGIN, "the session is over"),  # of an `er` record, which has HTTP's codes
    1013: (Refusal.ERROR, "a temporary error; asking again may help"),
    1037: (Refusal.RATE_LIMIT, "the usage limit of this model is reached"),
    1050: (Refusal.ERROR, "the model does not fit the conversation's earlier turns"),
    1052: (Refusal.ERROR, "the model named in the request is not valid"),
    1060: (Refusal.BLOCKED, "Google blocks this network address for now"),
}

_CHALLENGE = (b"google.com/sorry/", b'action="/sorry/', b'id="captcha-form"', b"g-recaptcha")
_LOGIN = (b"accounts.google.com/servicelogin", b'action="https://accounts.google.com')


def read_code(code: int) -> Refused:
    """What the code of an error frame means; an unknown one is an error with its code."""
    kind, message = _CODES.get(code, (Refusal.ERROR, "Gemini answered with an error"))
    return Refused(kind, message, str(code))


def read_page(head: bytes) -> Refused:
    """What a web page means: Google's own pages first, then those every site may send."""
    page = head[:LOOKED_AT].lower()
    if any(mark in page for mark in _CHALLENGE):
        return Refused(Refusal.CHALLENGE, "a challenge page instead of data")
    if any(mark in page for mark in _LOGIN):
        return Refused(Refusal.LOGIN, "a login page instead of data")
    return read_web_page(head)
