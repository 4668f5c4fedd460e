"""chatgpt.com: what the private marks in its texts stand for.

A mark is U+E200, a kind, its parts after U+E202 each, U+E201: `cite` with the names of search
results, `filecite` with a file and lines, `entity` with a JSON list that holds the word to show,
and more. `metadata.content_references` has an entry for each, found by `matched_text`: its
places count other units than ours. While an answer streams, an entry comes as `hidden` first and
is replaced when the sources are known. Entries for plain text (`followup_a`, `sources_footnote`,
`attribution`) explain no mark. Seen in stored conversations of 2025-05 to 2026-09.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tabwire.model.citations import Citation, Reference
from tabwire.sites.marks import character_marks
from tabwire.wire.text import NotJson, read_json

BEGIN, END, PART = "\ue200", "\ue201", "\ue202"
_LINK = re.compile(r"\[([^\[\]\n]{1,500})\]\((https?://[^\s()<>]{1,5000})\)")
_ONLY_LINKS = re.compile(rf"\s*\(?\s*{_LINK.pattern}(?:[\s,;]*{_LINK.pattern})*\s*\)?\s*")


def own_words(mark: str) -> str:
    """The words a mark holds itself: an entity is named in it, a source is not."""
    kind, _, rest = mark.strip(BEGIN + END).partition(PART)
    if kind != "entity":
        return ""
    try:
        said = read_json(rest.encode())
    except (NotJson, UnicodeEncodeError):
        return ""
    return said[1] if isinstance(said, list) and len(said) > 1 and isinstance(said[1], str) else ""


# U+E203 and U+E204 stand around text a source speaks for, U+E205 and U+E206 between such texts.
MARKS = character_marks(BEGIN, PART, END, "\ue203\ue204\ue205\ue206", own_words)


def read_references(metadata: Mapping[str, Any]) -> tuple[Reference, ...]:
    """What the metadata of a message say of its marks; those that say nothing are left out."""
    entries = metadata.get("content_references")
    found: list[Reference] = []
    for entry in entries if isinstance(entries, list) else []:
        mark = entry.get("matched_text") if isinstance(entry, dict) else None
        if not isinstance(mark, str) or not MARKS.whole.fullmatch(mark):
            continue
        if entry.get("type") == "hidden":  # its sources are not known yet, or not to be shown
            continue
        reference = Reference(mark, _words(entry), tuple(_citations(entry)))
        if reference.words or reference.citations:
            found.append(reference)
    return tuple(found)


def _words(entry: Mapping[str, Any]) -> str:
    """What the site itself would write in the mark's place, where that is more than links."""
    alt, name = entry.get("alt"), entry.get("name")
    if isinstance(alt, str) and alt.strip():
        return "" if _ONLY_LINKS.fullmatch(alt) else alt
    if entry.get("type") == "file" and isinstance(name, str) and name.strip():
        return f"({name.strip()})"
    return ""


def _citations(entry: Mapping[str, Any]) -> Iterator[Citation]:
    """The sources of one entry, each once: its own, those that support them, or its links."""
    seen: set[str] = set()
    for one in _sources(entry):
        if one.url not in seen and one.url.startswith(("http://", "https://")):
            seen.add(one.url)
            yield one


def _sources(entry: Mapping[str, Any]) -> Iterator[Citation]:
    items = entry.get("items") or entry.get("fallback_items")
    for item in items if isinstance(items, list) else [entry]:
        if not isinstance(item, dict):
            continue
        yield _citation(item)
        more = item.get("supporting_websites")
        for other in more if isinstance(more, list) else []:
            if isinstance(other, dict):
                yield _citation(other)
    if not items and not entry.get("url") and isinstance(alt := entry.get("alt"), str):
        for label, url in _LINK.findall(alt):
            yield Citation(url, publisher=label)


def _citation(source: Mapping[str, Any]) -> Citation:
    said = [source.get(key) for key in ("url", "title", "attribution")]
    return Citation(*(one.strip() if isinstance(one, str) else "" for one in said))
