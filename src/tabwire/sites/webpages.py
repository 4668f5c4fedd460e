"""A web page where data was expected: a challenge, a login wall, or an error page.

A site that does not want to answer sends HTML with an ordinary status. It is recognised
by what it is made of; we never try to get past it.
"""

from tabwire.model.signals import Refusal, Refused

LOOKED_AT = 64 * 1024  # a challenge page shows itself at once; the rest may be megabytes

_CHALLENGE = (b"_cf_chl_opt", b"/challenge-platform/", b"just a moment", b"cf-turnstile")
_LOGIN = (b"accounts.google.com/signin", b"accounts.google.com/v3/signin", b'href="/sign-in"')


def looks_like_html(head: bytes) -> bool:
    """Whether a body begins as a web page does."""
    begin = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:512].lower()
    return begin.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<!--", b"<script"))


def read_web_page(head: bytes) -> Refused:
    """What a web page in the place of data means."""
    page = head[:LOOKED_AT].lower()
    if any(mark in page for mark in _CHALLENGE):
        return Refused(Refusal.CHALLENGE, "a challenge page instead of data")
    if any(mark in page for mark in _LOGIN):
        return Refused(Refusal.LOGIN, "a login page instead of data")
    return Refused(Refusal.ERROR, "a web page instead of data")
