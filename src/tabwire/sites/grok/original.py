"""The bodies of one stored conversation as one JSON object, which reads like them all.

grok.com: the conversation's own object, who follows whom, and the texts stand side by side,
as they do in its streams. x.com: pages of items become one page.
"""

from collections.abc import Sequence
from typing import Any

from tabwire.sites.grok.fields import dict_at
from tabwire.sites.grok.graphql import ITEMS
from tabwire.wire.text import NotJson, read_json

_LISTS = ("responses", "responseNodes")


def unwrap(bodies: Sequence[bytes]) -> dict[str, Any]:
    """All of them, oldest first; what is said twice is told as it was said last."""
    whole: dict[str, Any] = {}
    for raw in bodies:
        try:
            body = read_json(raw)
        except NotJson:
            continue
        if not isinstance(body, dict):
            continue
        body = dict_at(body, "result") or body
        if "data" in body and "data" in whole:
            _add_items(whole, body)
            continue
        for name, value in body.items():
            known = whole.get(name)
            joins = name in _LISTS and isinstance(known, list) and isinstance(value, list)
            whole[name] = _joined(known, value, "responseId") if joins else value
    return whole


def _add_items(whole: dict[str, Any], body: dict[str, Any]) -> None:
    held, more = (dict_at(dict_at(one, "data"), *ITEMS) for one in (whole, body))
    if isinstance(held.get("items"), list) and isinstance(more.get("items"), list):
        held["items"] = _joined(more["items"], held["items"], "chat_item_id")


def _joined(older: Any, newer: list[Any], key: str) -> list[Any]:
    named = {_name(one, key): one for one in [*older, *newer]}
    return list(named.values())


def _name(one: Any, key: str) -> Any:
    return one.get(key) if isinstance(one, dict) and isinstance(one.get(key), str) else id(one)
