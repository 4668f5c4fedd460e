"""Grok: what the render tags in its texts stand for.

`<grok:render card_id="…" card_type="citation_card" type="render_inline_citation">` with an
`<argument name="citation_id">` inside stands where a source is cited; text that was copied has
`<grok-card data-id="…">` in its place. The card of that id (`cardAttachmentsJson`, or
`cardAttachment` while it streams) has the address, and a search result of that address, or of
that citation id, its title. Tags of other cards (pictures) stand for an attachment: they are
left out of the text. As public clients and shared chats of 2025-08 to 2026-08 have them.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from tabwire.model.citations import Citation, Reference
from tabwire.sites.grok.fields import dict_at, dicts_at, list_at, text_at
from tabwire.sites.marks import MAX_MARK, Marks, beginnings
from tabwire.wire.text import NotJson, read_json

_OPEN = r"<grok(?::render|-card)\b"
_INSIDE = rf"(?:(?!{_OPEN}|</grok(?::render|-card)>).){{0,{MAX_MARK}}}"
_BEGUN = f"(?:{beginnings('<grok:render')}|{beginnings('<grok-card')})"

MARKS = Marks(
    whole=re.compile(rf"{_OPEN}{_INSIDE}</grok(?::render|-card)>", re.DOTALL),
    begun=re.compile(rf"(?:{_OPEN}{_INSIDE}|{_BEGUN})\Z", re.DOTALL),
    cut=re.compile(rf"{_OPEN}[^>]{{0,500}}\Z"),
    strays=re.compile(rf"{_OPEN}[^<>]{{0,500}}>|</grok(?::render|-card)>"),
    hint=re.compile("<"),
)

_CARD_ID = re.compile(r"""(?:card_id|data-id)\s*=\s*["']([^"'<>]{1,200})["']""")
_CITATION_ID = re.compile(r"""name\s*=\s*["']citation_id["']\s*>\s*([^<>]{1,200}?)\s*<""")
_CARDS = ("cardAttachmentsJson", "card_attachments_json", "cardAttachments", "card_attachments")
_RESULTS = (
    "citedWebSearchResults",
    "cited_web_search_results",
    "webSearchResults",
    "web_search_results",
    "web_results",
)


def read_card(card: Any) -> dict[str, Any]:
    """A card, which mostly comes as JSON in a text."""
    if isinstance(card, str):
        try:
            card = read_json(card)
        except NotJson:
            return {}
    return card if isinstance(card, dict) else {}


def read_references(
    text: str, stored: dict[str, Any], cards: Iterable[dict[str, Any]] = ()
) -> tuple[Reference, ...]:
    """What the tags in a text stand for, by the response it stands in and by `cards` told apart."""
    if "<grok" not in text:
        return ()
    told = [*cards, *(read_card(one) for key in _CARDS for one in list_at(stored, key))]
    by_id = {text_at(card, "id", "card_id"): card for card in told}
    results = [one for key in _RESULTS for one in dicts_at(stored, key)]
    found: list[Reference] = []
    for mark in MARKS.whole.findall(text):
        cited = tuple(_citations(mark, by_id, results))
        if cited:
            found.append(Reference(mark, citations=cited))
    return tuple(found)


def _citations(
    mark: str, cards: dict[str, dict[str, Any]], results: list[dict[str, Any]]
) -> Iterator[Citation]:
    card_id, citation_id = _CARD_ID.search(mark), _CITATION_ID.search(mark)
    card = cards.get(card_id[1], {}) if card_id else {}
    url = text_at(card, "url") or text_at(dict_at(card, "citation"), "url")
    number = citation_id[1] if citation_id else ""
    for one in results:
        same = text_at(one, "url") == url if url else number and _number(one) == number
        if same and _is_address(text_at(one, "url")):
            yield Citation(
                text_at(one, "url"),
                text_at(one, "title", "metadataTitle"),
                text_at(one, "siteName", "site_name"),
            )
            return
    if _is_address(url):
        yield Citation(url, text_at(card, "title"))


def _number(result: dict[str, Any]) -> str:
    return str(result.get("citationId", result.get("citation_id", "")))


def _is_address(url: str) -> bool:
    return url.startswith(("http://", "https://"))
