"""chatgpt.com: the frames between the deltas, and what their fields mean."""

from collections.abc import Mapping
from typing import Any

from tabwire.model.signals import HandedOff, Refusal, Refused
from tabwire.sites.chatgpt.requests import conversation_id
from tabwire.sites.resets import with_reset

# Known to arrive and of no meaning for an answer (seen 2026-03 to 2026-10).
IGNORED_TYPES = frozenset(
    {
        "resume_conversation_token",  # carries a secret: only its conversation id is read
        "message_marker",  # `last_token` is not completion
        "conversation_detail_metadata",
        "conversation_async_status",
        "add-item",
        "replace-item",
        "delete-item",
        "stream-item-start",
        "stream-item-patch",
        "stream-item-done",
        "num_variants_in_stream",
        "system_hint_suggestion",
        "gizmo_inline_review",
        "toast",
        "perf_stats",
        "ads",
        "survey_campaign_effect",
        "display_crisis_helpline_banner",
        "display_crisis_helpline_card",
    }
)

_LIMIT_WORDS = (
    "rate_limit",
    "rate limit",
    "too many requests",
    "usage_limit",
    "usage limit",
    "model_cap",
    "usage cap",
    "quota",
)
_LOGIN_WORDS = ("token_expired", "token_invalidated", "authentication token", "sign in again")
_BLOCK_WORDS = ("moderation", "blocked", "flagged", "policy", "unusual activity")


def find_conversation_id(frame: Mapping[str, Any]) -> str | None:
    """A conversation id in any of the five places old and new frames keep it."""
    inner = frame.get("conversation")
    message = frame.get("message")
    for holder, key in (
        (frame, "conversation_id"),
        (frame, "conversationId"),
        (inner, "id"),
        (message, "conversation_id"),
        (message, "conversationId"),
    ):
        if isinstance(holder, dict) and (named := conversation_id(holder.get(key))):
            return named
    return None


def read_error(frame: Mapping[str, Any]) -> Refused:
    """`{error, error_code}`: the turn failed."""
    said, holders = frame.get("error"), [frame]
    if isinstance(said, dict):
        holders.append(said)
        said = said.get("message") or said.get("detail") or str(said)
    code = frame.get("error_code")
    return _timed(_refused(str(said), code if isinstance(code, str) else None), *holders)


def read_error_body(body: Any) -> Refused | None:
    """A JSON body where a stream was expected: `{"detail": …}` or `{"error": …}`."""
    if not isinstance(body, dict):
        return None
    detail = body.get("detail")
    if isinstance(detail, dict):
        code = detail.get("code") or detail.get("type")
        refused = _refused(str(detail.get("message") or detail), str(code) if code else None)
        return _timed(refused, detail, body)
    if isinstance(detail, str):
        return _timed(_refused(detail, None), body)
    return read_error(body) if body.get("error") and not body.get("message") else None


def _refused(message: str, code: str | None) -> Refused:
    words = f"{code or ''} {message}".lower()
    kind = Refusal.ERROR
    if any(word in words for word in _LIMIT_WORDS):
        kind = Refusal.RATE_LIMIT
    elif any(word in words for word in _LOGIN_WORDS):
        kind = Refusal.LOGIN
    elif any(word in words for word in _BLOCK_WORDS):
        kind = Refusal.BLOCKED
    return Refused(kind, message, code)


def _timed(refused: Refused, *holders: Mapping[str, Any]) -> Refused:
    """`clears_in` is a wait; `resets_after` was met as a wait and as a moment."""
    said = [holder.get(key) for holder in holders for key in ("clears_in", "resets_after")]
    return with_reset(refused, *said)


def read_moderation(frame: Mapping[str, Any]) -> Refused | None:
    """Only a block ends the answer; a flag alone does not."""
    found = frame.get("moderation_response")
    if not isinstance(found, dict) or found.get("blocked") is not True:
        return None
    return Refused(Refusal.BLOCKED, "the site's moderation blocked this answer")


def read_handoff(frame: Mapping[str, Any]) -> list[HandedOff]:
    """Where the rest of the turn arrives, one signal for each way offered."""
    options = frame.get("options")
    ways = (
        [option for option in options if isinstance(option, dict)]
        if isinstance(options, list)
        else []
    )
    if not ways:
        return [HandedOff("unknown")]
    return [
        HandedOff(
            str(way.get("type") or "unknown"),
            way["topic_id"] if isinstance(way.get("topic_id"), str) else None,
        )
        for way in ways
    ]
