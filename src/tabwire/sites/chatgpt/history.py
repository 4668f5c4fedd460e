"""chatgpt.com: stored bodies to conversations.

A stored conversation is a tree (`mapping`) and a pointer to the turn on show
(`current_node`). All branches are kept; the visible chain is the way from that turn to
the root. The same shape is used by the data export and by normalised conversations of
other sites, so the id's form is an argument.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tabwire.model.conversation import Conversation, Turn
from tabwire.model.problems import Problem
from tabwire.model.signals import Refusal, Refused
from tabwire.sites.chatgpt.messages import read_message
from tabwire.sites.chatgpt.requests import conversation_id, conversation_in_url
from tabwire.sites.chatgpt.standing import judge
from tabwire.sites.memory import Memory
from tabwire.sites.site import Reading
from tabwire.sites.titles import is_generic
from tabwire.sites.witness import doubts
from tabwire.wire.text import NotJson, read_json

NAME = "chatgpt"


def read_body(raw: bytes, url: str | None, memory: Memory) -> Reading:
    """Whatever a JSON body of this site says."""
    try:
        body = read_json(raw)
    except NotJson as exc:
        return Reading(problems=(Problem(str(exc), lossy=True),))
    return read_value(body, url, memory)


def read_value(body: Any, url: str | None, memory: Memory) -> Reading:
    """As `read_body`, for a body that has been decoded already."""
    stored = find_stored(body)
    if stored is not None:
        found = read_stored(stored, memory, url_id=conversation_in_url(url or ""))
        if isinstance(found, Reading):
            return found
        return Reading(conversations=(found,), problems=doubts(found.turns))
    if not isinstance(body, dict):
        return Reading(problems=(Problem("it contains no ChatGPT conversation", lossy=True),))
    if isinstance(body.get("items"), list):
        return _read_list(body["items"], memory)
    if "detail" in body or "error" in body:
        said = body.get("detail", body.get("error"))
        return Reading(refusal=Refused(Refusal.ERROR, said if isinstance(said, str) else str(said)))
    named = conversation_in_url(url or "")
    if named and isinstance(title := body.get("title"), str):
        memory.learn_title(NAME, named, title)
        return Reading(titles=() if is_generic(title) else ((named, title),))
    return Reading(problems=(Problem("it contains no ChatGPT conversation", lossy=True),))


def owns_body(body: Any) -> bool:
    """Whether a JSON value is one of this site's stored bodies."""
    if find_stored(body) is not None:
        return True
    items = body.get("items") if isinstance(body, dict) else None
    return isinstance(items, list) and any(
        isinstance(item, dict) and "title" in item for item in items[:1]
    )


def find_stored(body: Any) -> Mapping[str, Any] | None:
    """The object with a `mapping`, bare or in one of its two envelopes."""
    match body:
        case {"mapping": dict()}:
            return body  # type: ignore[no-any-return]
        case {"conversation": {"mapping": dict()} as inner}:
            return inner  # type: ignore[no-any-return]
        case {"data": {"conversation": {"mapping": dict()} as inner}}:
            return inner  # type: ignore[no-any-return]
    return None


def read_stored(
    stored: Mapping[str, Any],
    memory: Memory,
    *,
    site: str = NAME,
    check_id: Callable[[Any], str | None] = conversation_id,
    url_id: str | None = None,
) -> Conversation | Reading:
    """A stored conversation, or a `Reading` that says why it cannot be used."""
    stated = stored.get("conversation_id") or stored.get("id")
    named = check_id(stated) if stated else url_id
    if named is None:
        what = (
            f"conversation id {stated!r} does not belong to {site}"
            if stated
            else "no conversation id"
        )
        return Reading(problems=(Problem(what, lossy=True),))
    nodes = {key: node for key, node in stored["mapping"].items() if isinstance(node, dict)}
    turns = _read_turns(nodes)
    visible = _visible(nodes, _current(stored.get("current_node"), nodes, turns))
    title = stored.get("title")
    memory.saw(site, named)
    if isinstance(title, str):
        memory.learn_title(site, named, title)
    times = [t for turn in turns.values() for t in (turn.created_at, turn.updated_at) if t]
    return Conversation(
        site=site,
        id=named,
        standing=judge(turns[key] for key in visible if key in turns),
        title=memory.title(site, named, title if isinstance(title, str) else None),
        model=_model(stored, turns),
        turns=tuple(turns.values()),
        visible=tuple(turns[key].id for key in visible if key in turns),
        created_at=_time(stored.get("create_time"), min(times, default=None)),
        updated_at=_time(stored.get("update_time"), max(times, default=None)),
    )


def _read_turns(nodes: Mapping[str, Mapping[str, Any]]) -> dict[str, Turn]:
    """Turns by the key of their node; nodes without a message (the root) have none."""
    turns: dict[str, Turn] = {}
    for key, node in nodes.items():
        message = node.get("message")
        if not isinstance(message, dict):
            continue
        parent = node.get("parent")
        owner = message if message.get("id") else {**message, "id": key}
        turn = read_message(owner, parent if isinstance(parent, str) else None)
        if turn is not None:
            turns[key] = turn
    return turns


def _current(pointed: Any, nodes: Mapping[str, Any], turns: Mapping[str, Turn]) -> str | None:
    """The node on show, or the newest message where the pointer leads nowhere."""
    if isinstance(pointed, str) and pointed in nodes:
        return pointed
    newest = max(
        enumerate(turns.items()),
        key=lambda item: (item[1][1].updated_at or item[1][1].created_at or 0.0, item[0]),
        default=None,
    )
    return newest[1][0] if newest else None


def _visible(nodes: Mapping[str, Mapping[str, Any]], current: str | None) -> list[str]:
    """The keys from the root to the node on show."""
    chain: list[str] = []
    seen: set[str] = set()
    while isinstance(current, str) and current in nodes and current not in seen:
        seen.add(current)  # a damaged tree may lead in a circle
        chain.append(current)
        current = nodes[current].get("parent")
    return chain[::-1]


def _model(stored: Mapping[str, Any], turns: Mapping[str, Turn]) -> str | None:
    stated = stored.get("default_model_slug")
    if isinstance(stated, str) and stated and stated != "auto":
        return stated
    return next((turn.model for turn in turns.values() if turn.model), None)


def _time(stated: Any, otherwise: float | None) -> float | None:
    if isinstance(stated, int | float) and not isinstance(stated, bool):
        return float(stated)
    return otherwise


def _read_list(items: list[Any], memory: Memory) -> Reading:
    titles: list[tuple[str, str]] = []
    for item in items:
        match item:
            case {"id": str(named), "title": str(title)} if conversation_id(
                named
            ) and not is_generic(title):
                memory.learn_title(NAME, named, title)
                titles.append((named, title))
    return Reading(titles=tuple(titles))
