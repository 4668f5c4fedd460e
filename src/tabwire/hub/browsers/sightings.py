"""What a watcher is told, as plain data for JSON, one object per sighting.

`event` names the sighting, `seconds` counts from the first one. The names are the ones
docs/watch.md promises.
"""

from dataclasses import fields
from enum import Enum
from typing import Any

from tabwire.fusion.history import Record
from tabwire.fusion.verdict import Readiness, Verdict
from tabwire.monitor.sightings import (
    Asked,
    Befell,
    Grew,
    Judged,
    Listed,
    Moved,
    Named,
    NotStored,
    PageNotice,
    Ready,
    RequestTold,
    Rewritten,
    Sighting,
    Spent,
    StateMoved,
    Stored,
    Unheard,
    Waiting,
    Watching,
    Witnessed,
)

__all__ = [
    "Asked",
    "Befell",
    "Grew",
    "Judged",
    "Listed",
    "Moved",
    "Named",
    "NotStored",
    "PageNotice",
    "Ready",
    "RequestTold",
    "Rewritten",
    "Sighting",
    "Spent",
    "StateMoved",
    "Stored",
    "Unheard",
    "Waiting",
    "Watching",
    "Witnessed",
    "as_data",
]

EVENTS: dict[type, str] = {
    Watching: "watching",
    Asked: "asked",
    Named: "named",
    StateMoved: "state",
    Grew: "text",
    Rewritten: "rewritten",
    Judged: "verdict",
    Witnessed: "witness",
    Ready: "readiness",
    Stored: "stored",
    NotStored: "not_stored",
    Listed: "listed",
    Spent: "spent",
    Waiting: "waiting",
    PageNotice: "notice",
    Moved: "moved",
    RequestTold: "request",
    Unheard: "unheard",
    Befell: "tab",
}


def as_data(sighting: Sighting, began: float) -> dict[str, Any]:
    """One sighting as an object for JSON."""
    data: dict[str, Any] = {
        "event": EVENTS[type(sighting)],
        "seconds": round(sighting.at - began, 6),
    }
    for one in fields(sighting):
        value = getattr(sighting, one.name)
        if one.name == "event_at":
            data[one.name] = round(value - began, 6) if value else None
        elif one.name not in ("at", "conversation"):
            data[one.name] = _plain(value, began)
    return data


def _plain(value: Any, began: float) -> Any:
    match value:
        case Verdict():
            return {
                "judgement": str(value.judgement),
                "complete": value.complete,
                "why": value.why,
                "text": value.text,
                "text_from": str(value.text_from),
                "thinking": value.thinking,
                "model": value.model,
                "title": value.title,
                "conversation_id": value.conversation_id,
                "citations": _citations(value),
                "evidence": list(value.evidence),
                "refusal": _refusal(value),
                "accounts": [[str(one.source), one.text] for one in value.accounts],
                "problems": [str(problem) for problem in value.problems],
            }
        case Readiness():
            return {"mode": str(value.mode), "reasons": [str(one) for one in value.reasons]}
        case Record():
            return {
                "seconds": round(value.at - began, 6),
                "what": value.what,
                "before": str(value.before),
                "after": str(value.after),
                "cause": str(value.cause) if value.cause else None,
                "note": value.note,
                "count": value.count,
                "chars": value.chars,
            }
        case Enum():
            return str(value.value)
        case tuple():
            return [_plain(one, began) for one in value]
        case _:
            return value


def _citations(verdict: Verdict) -> list[dict[str, str]]:
    """The sources an answer names, each once."""
    cited = {one.url: one for reference in verdict.references for one in reference.citations}
    return [
        {"url": one.url, "title": one.title, "publisher": one.publisher} for one in cited.values()
    ]


def _refusal(verdict: Verdict) -> dict[str, Any] | None:
    refusal = verdict.refusal
    if refusal is None:
        return None
    said = {"kind": str(refusal.kind), "message": refusal.message, "code": refusal.code}
    when = {"resets_at": refusal.resets_at, "resets_in": refusal.resets_in}
    return said | {name: value for name, value in when.items() if value is not None}
