"""Looking into JSON whose shape we do not trust: the wanted kind, or nothing.

Grok writes the same field in several spellings (camelCase on grok.com, snake_case on
x.com) and leaves out what it does not know, so every look names all spellings.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from math import isfinite
from typing import Any

from tabwire.model.conversation import Role
from tabwire.sites.grok.cards import without_cards

_PEOPLE = frozenset({"human", "user", "1"})  # x.com numbers its senders in requests


def dict_at(value: Any, *keys: str) -> dict[str, Any]:
    """The first of these keys that holds an object, else an empty one."""
    if isinstance(value, dict):
        for key in keys:
            if isinstance(found := value.get(key), dict):
                return found
    return {}


def list_at(value: Any, *keys: str) -> list[Any]:
    """The first of these keys that holds a list, else an empty one."""
    if isinstance(value, dict):
        for key in keys:
            if isinstance(found := value.get(key), list):
                return found
    return []


def dicts_at(value: Any, *keys: str) -> Iterator[dict[str, Any]]:
    """The objects in a list; whatever else stands there is passed over."""
    return (item for item in list_at(value, *keys) if isinstance(item, dict))


def text_at(value: Any, *keys: str) -> str:
    """The first of these keys that holds a string with something in it, else ""."""
    if isinstance(value, dict):
        for key in keys:
            if isinstance(found := value.get(key), str) and found:
                return found
    return ""


def is_person(record: dict[str, Any]) -> bool:
    """Whether the record says that the person wrote it."""
    return speaker(record) is Role.USER


def speaker(record: dict[str, Any]) -> Role:
    """Who wrote it: whatever names a sender that is not the person is Grok's."""
    sender = record.get("sender", record.get("sender_type"))
    if sender == 1 or (isinstance(sender, str) and sender.lower() in _PEOPLE):
        return Role.USER
    return Role.ASSISTANT if sender else Role.UNKNOWN


def iso_seconds(value: Any) -> float | None:
    """`2026-02-16T18:38:10.071800817Z` as seconds; what is no time is None."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return moment.timestamp()
    except (ValueError, OverflowError):
        return None


def ms_seconds(value: Any) -> float | None:
    """Milliseconds, as a number or its digits, as seconds."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        seconds = float(value) / 1000
    except (ValueError, OverflowError):
        return None
    return seconds if isfinite(seconds) else None


def model_in(value: dict[str, Any]) -> str | None:
    """The model that answered, as this record names it."""
    found = text_at(value, "model", "modelSlug", "model_slug")
    return found or text_at(dict_at(value, "messageMetadata"), "model") or None


def steering_in(value: dict[str, Any]) -> str | None:
    """The model the answer was steered to: known earlier, and sometimes wrong."""
    layout = dict_at(value, "uiLayout", "ui_layout")
    layout = layout or dict_at(dict_at(value, "metadata"), "ui_layout")
    return text_at(layout, "steerModelId", "steer_model_id", "modelId") or None


def thinking_in(value: dict[str, Any]) -> str | None:
    """The reasoning a stored response or chat item carries, as one string."""
    trace = without_cards(text_at(value, "thinkingTrace", "thinking_trace"))
    if trace.strip():
        return trace
    blocks = [*_step_texts(value), *_research_texts(value)]
    return "\n".join(blocks) or None


def _step_texts(value: dict[str, Any]) -> Iterator[str]:
    for step in dicts_at(value, "steps"):
        if "final" in list_at(step, "tags"):
            continue  # the answer itself, repeated among the steps
        texts = list_at(step, "text") or [step.get("text")]
        for text in texts:
            if isinstance(text, str) and (block := without_cards(text)).strip():
                yield block.rstrip("\n")


def _research_texts(value: dict[str, Any]) -> Iterator[str]:
    for header in dicts_at(value, "deepsearch_headers", "deepsearchHeaders"):
        for step in dicts_at(header, "steps"):
            block = without_cards(
                text_at(step, "final_message", "finalMessage", "summary", "assistant")
            )
            if block.strip():
                yield block.rstrip("\n")
