"""Stored bodies of grok.com and x.com: what each says, together with those before it.

grok.com spreads a conversation over several bodies, so one alone may hold no conversation:
a title without responses, or links without texts. That is no problem; it is remembered.
"""

import re
from dataclasses import replace
from typing import Any

from tabwire.model.conversation import Conversation, Standing
from tabwire.model.problems import Problem
from tabwire.model.signals import Noted, Refused, Signal, TitleNamed
from tabwire.sites.grok.chat import NAME
from tabwire.sites.grok.fields import dict_at, dicts_at, text_at
from tabwire.sites.grok.graphql import is_grok_data, read_graphql
from tabwire.sites.grok.intake import Intake
from tabwire.sites.grok.refusals import read_allowance, refusal_in
from tabwire.sites.grok.stream import GrokStream
from tabwire.sites.memory import Memory
from tabwire.sites.site import Reading
from tabwire.sites.titles import is_generic
from tabwire.sites.webpages import LOOKED_AT, looks_like_html, read_web_page
from tabwire.sites.witness import doubts
from tabwire.wire.records import MAX_DEPTH
from tabwire.wire.text import NotJson, read_json

_MARKS = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)
_CLOSING = {"{": "}", "[": "]"}


def read_body(raw: bytes, url: str | None, memory: Memory) -> Reading:
    """What one stored body says, read together with the earlier bodies of this memory."""
    if looks_like_html(raw[:LOOKED_AT]):
        return Reading(refusal=read_web_page(raw[:LOOKED_AT]))
    try:
        body = read_json(raw)
    except NotJson as exc:
        return _read_damaged(raw, str(exc), url, memory)
    return _read_value(body, url, memory)


def owns_body(body: Any) -> bool:
    """Whether a JSON value is one of Grok's stored bodies."""
    if not isinstance(body, dict):
        return False
    if isinstance(data := body.get("data"), dict):
        return is_grok_data(data)
    holder = dict_at(body, "result") or body
    listed = [*dicts_at(holder, "responses"), *dicts_at(holder, "conversations")]
    return bool(
        {"responseNodes", "inflightResponses"} & holder.keys()
        or text_at(dict_at(holder, "conversation"), "conversationId")
        or (text_at(holder, "responseId") and "sender" in holder)
        or {"modelResponse", "userResponse"} & dict_at(holder, "response").keys()
        or (listed and all(text_at(one, "responseId", "conversationId") for one in listed))
    )


def _read_value(body: Any, url: str | None, memory: Memory) -> Reading:
    if not isinstance(body, dict):
        return Reading(problems=(Problem("the body is not a JSON object", lossy=True),))
    if refused := refusal_in(body) or read_allowance(body):
        return Reading(refusal=refused)
    if "data" in body:
        found = read_graphql(dict_at(body, "data"), url, memory)
        return found or Reading(problems=(Problem("this body contains nothing from Grok"),))
    if isinstance(body.get("conversations"), list):
        return _read_list(body, memory)
    intake = Intake(url, memory)
    signals = intake.take(body)
    signals += intake.flush()
    signals += intake.settle()
    return _reading(signals, intake.conversation())


def _read_list(body: dict[str, Any], memory: Memory) -> Reading:
    titles: list[tuple[str, str]] = []
    for listed in dicts_at(body, "conversations"):
        about = dict_at(listed, "conversation") or listed
        conversation_id, title = text_at(about, "conversationId"), text_at(about, "title")
        if conversation_id and not is_generic(title):
            memory.learn_title(NAME, conversation_id, title)
            titles.append((conversation_id, title))
    return Reading(titles=tuple(titles))


def _read_damaged(raw: bytes, why: str, url: str | None, memory: Memory) -> Reading:
    """Not one JSON value: several lines of them, or a body that was cut."""
    if raw.strip().count(b"\n"):
        stream = GrokStream(url, memory)
        signals = [*stream.feed(raw), *stream.close()]
        lines = _reading(signals, stream.conversation())
        if lines.conversations or lines.titles or lines.refusal:
            return lines
    problem = Problem(f"the body could not be read whole ({why})", lossy=True)
    saved = salvage_json(raw)
    if not isinstance(saved, dict):
        return Reading(problems=(problem,))
    reading = _read_value(saved, url, memory)
    # The newest answer may be in the part that is missing.
    unsure = Standing(complete=False, terminal=False, reason="body-cut")
    cut = tuple(replace(one, standing=unsure) for one in reading.conversations)
    return replace(reading, conversations=cut, problems=(problem, *reading.problems))


def _reading(signals: list[Signal], conversation: Conversation | None) -> Reading:
    titles: list[tuple[str, str]] = []
    problems: list[Problem] = []
    refusal: Refused | None = None
    for signal in signals:
        match signal:
            case TitleNamed(title, str(conversation_id)) if not is_generic(title):
                titles.append((conversation_id, title))
            case Noted(problem):
                problems.append(problem)
            case Refused():
                refusal = refusal or signal
    found = (conversation,) if conversation is not None else ()
    problems.extend(doubts(conversation.turns) if conversation is not None else ())
    return Reading(found, tuple(titles), tuple(dict.fromkeys(problems)), refusal)


def salvage_json(raw: bytes) -> Any:
    """The value of a body that was cut, as far as it is whole, or None where nothing of it is.

    The structure is followed mark by mark; the text is cut after the last value that was
    whole inside its object or list, and the open brackets are closed.
    """
    text = raw.decode("utf-8", "replace").strip()
    if text[:1] not in ("{", "["):
        return None
    open_marks: list[str] = []
    end, still_open = 0, ""
    for match in _MARKS.finditer(text):
        mark = match[0]
        if mark in _CLOSING:
            open_marks.append(mark)
            if len(open_marks) > MAX_DEPTH:
                return None
        elif mark in ("}", "]"):
            if not open_marks or _CLOSING[open_marks.pop()] != mark:
                break
            end, still_open = match.end(), "".join(open_marks)
            if not open_marks:
                break
    if not end:
        return None
    closing = "".join(_CLOSING[mark] for mark in reversed(still_open))
    try:
        return read_json(text[:end] + closing)
    except NotJson:
        return None
