"""How Grok says no in a record: an error, or a limiter line in the place of an answer."""

from typing import Any

from tabwire.model.signals import Refusal, Refused
from tabwire.sites.grok.fields import dict_at, dicts_at, text_at
from tabwire.sites.resets import with_reset

# gRPC's numbers as grok.com sends them, and HTTP's as a proxy or x.com does.
_BY_CODE = {
    "8": Refusal.RATE_LIMIT,
    "429": Refusal.RATE_LIMIT,
    "88": Refusal.RATE_LIMIT,  # x.com
    "7": Refusal.BLOCKED,
    "403": Refusal.BLOCKED,
    "16": Refusal.LOGIN,
    "401": Refusal.LOGIN,
    "32": Refusal.LOGIN,  # x.com
}
# Words decide only where no code does: an error without a number is otherwise all alike.
_BY_WORDS = (
    ("too many requests", Refusal.RATE_LIMIT),
    ("rate limit", Refusal.RATE_LIMIT),
    ("usage limit", Refusal.RATE_LIMIT),
    ("message limit", Refusal.RATE_LIMIT),
    ("heavy usage", Refusal.RATE_LIMIT),
    ("anti-bot", Refusal.BLOCKED),
    ("forbidden", Refusal.BLOCKED),
    ("content-moderated", Refusal.BLOCKED),
    ("unauthenticated", Refusal.LOGIN),
    ("unauthorized", Refusal.LOGIN),
)


def refusal_in(record: dict[str, Any]) -> Refused | None:
    """The refusal a record carries, if it is one."""
    found = _refusal_in(record)
    return None if found is None else with_reset(found, *_waits(record))


def read_allowance(body: dict[str, Any]) -> Refused | None:
    """`rate-limits`: what is left. A refusal where nothing is, whatever was asked."""
    if body.get("remainingQueries") != 0:
        return None
    refused = Refused(Refusal.RATE_LIMIT, "the usage limit is reached")
    return with_reset(refused, *_waits(body))


def _waits(record: dict[str, Any]) -> list[Any]:
    """How long to wait: Grok's own field, or the one gRPC has for it among the details."""
    result = dict_at(record, "result")
    error = dict_at(record, "error") or dict_at(result, "error")
    waits = [holder.get("waitTimeSeconds") for holder in (error, result, record)]
    return [*waits, *(one.get("retryDelay") for one in dicts_at(error or record, "details"))]


def _refusal_in(record: dict[str, Any]) -> Refused | None:
    if "result" not in record and "data" not in record:
        return _whole_record(record)
    result = dict_at(record, "result")
    for holder in (record, result, dict_at(result, "response")):
        if found := _error_of(holder.get("error")):
            return found
    if text_at(result, "responseType", "response_type").lower() == "limiter":
        return Refused(Refusal.RATE_LIMIT, text_at(result, "message"), "limiter")
    if not dict_at(record, "data"):
        return next(filter(None, map(_error_of, dicts_at(record, "errors"))), None)
    return None


def _whole_record(record: dict[str, Any]) -> Refused | None:
    if found := _error_of(record.get("error")):
        return found
    if found := next(filter(None, map(_error_of, dicts_at(record, "errors"))), None):
        return found
    # A proxy's bare status: `{"code": 16, "message": "…", "details": []}`.
    if "code" in record and isinstance(record.get("message"), str) and "responseId" not in record:
        return _error_of(record)
    return None


def _error_of(error: Any) -> Refused | None:
    if isinstance(error, str) and error:
        return Refused(_kind("", error), error)
    if not isinstance(error, dict) or not error:
        return None
    code = error.get("code")
    name = str(code) if isinstance(code, int | str) and not isinstance(code, bool) else ""
    message = text_at(error, "message", "error", "detail")
    return Refused(_kind(name, message), message, name or None)


def _kind(code: str, message: str) -> Refusal:
    if code in _BY_CODE:
        return _BY_CODE[code]
    said = f"{code} {message}".lower()
    return next((kind for words, kind in _BY_WORDS if words in said), Refusal.ERROR)
