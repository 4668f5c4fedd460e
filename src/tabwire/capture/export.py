"""A kept conversation as a file: the site's own JSON, or the shape all sites share.

Both say in `exportMeta` what they are worth. What is not ready is given out only where we asked
and the answer is proven whole, or by force; then it calls itself degraded and partial.

A title is a stranger's text. It may hold a path, a device of Windows, letters that run the
other way, or nothing. The file's name is made of what is harmless in it; the title itself stays
as it is inside the file.
"""

import json
import math
import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from tabwire import __version__
from tabwire.capture.common import common_form, turn_form
from tabwire.capture.rebuild import read_heard, rebuild
from tabwire.capture.titles import better, first_question
from tabwire.model.captured import BodyKind, Captured, Fidelity, Title, Wholeness, Worth
from tabwire.model.conversation import Conversation
from tabwire.model.errors import TabwireError
from tabwire.sites.known import SITES
from tabwire.sites.site import Site
from tabwire.wire.text import showable

META = "exportMeta"
HEARD = "heard"
JSON = "application/json"

MAX_CHARACTERS = 80
MAX_BYTES = 180  # of 255 that file systems take; the rest is for date, ending and temporary names
UNTITLED = "untitled"

_FORBIDDEN = re.compile(r'[/\\:*?"<>|]')
_GAPS = re.compile(r"[\s_]+")
_DEVICE = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])(\..*)?", re.IGNORECASE
)


class Format(StrEnum):
    """What a file may look like."""

    ORIGINAL = "original"
    COMMON = "common"


class NotReady(TabwireError):
    """It is not known to be whole, and nobody insisted."""

    def __init__(self, captured: Captured) -> None:
        why = ", ".join(captured.reasons) or "it has not been read a second time yet"
        super().__init__(
            f"the conversation is not ready: {why}",
            what_to_do="Open it once more in the browser and wait a moment, or export it as it is "
            "with --force: it is then marked as degraded.",
            site=captured.site,
        )


class NothingKept(TabwireError):
    """What is kept cannot be read as a conversation."""

    def __init__(self, captured: Captured) -> None:
        super().__init__(
            f"nothing in {captured.name} is readable",
            what_to_do="Open the conversation once more in the browser.",
            site=captured.site,
        )


@dataclass(frozen=True, slots=True)
class Exported:
    """A file to be. `text` is JSON, two spaces deep; `worth` is what it says of itself."""

    name: str
    mime: str
    text: str
    worth: Worth


@dataclass(frozen=True, slots=True)
class Proof:
    """That the newest answer is whole, by another witness than two readings of the site's record:
    the answer of the ask itself. `whole`: so is all that was said before it."""

    whole: bool


def export(
    captured: Captured, form: Format, *, force: bool = False, proof: Proof | None = None
) -> Exported:
    """A file of a conversation. Raises `NotReady`, unless proven or forced, and `NothingKept`."""
    if not (captured.ready or force or proof):
        raise NotReady(captured)
    site = SITES[captured.site]
    found = rebuild(site, captured.conversation_id, captured.bodies)
    if found is None:
        raise NothingKept(captured)
    title = better(first_question(found), captured.title)
    found = replace(found, title=title.text or None)
    make = original if form is Format.ORIGINAL else common
    worth = worth_of(captured, proof)
    made = make(captured, site, found, title) | {META: export_meta(captured, worth)}
    text = json.dumps(made, indent=2, ensure_ascii=False)
    name = file_name(title.text, captured.updated_at or captured.captured_at)
    return Exported(name, JSON, text + "\n", worth)


def worth_of(captured: Captured, proof: Proof | None = None) -> Worth:
    """What a file of it may call itself."""
    if captured.ready:
        return Worth(captured.fidelity, captured.completeness)
    if proof is None:
        return Worth(Fidelity.DEGRADED, Wholeness.PARTIAL)
    return Worth(captured.fidelity, Wholeness.COMPLETE if proof.whole else Wholeness.PARTIAL)


def common(
    captured: Captured, site: Site, conversation: Conversation, title: Title
) -> dict[str, Any]:
    """The shape of docs/common.schema.json."""
    url = _link(site, captured.conversation_id)
    return common_form(conversation, url=url, title_from=title.source, marks=site.marks)


def original(
    captured: Captured, site: Site, conversation: Conversation, _title: Title
) -> dict[str, Any]:
    """The site's own JSON. What only a stream told stands beside it, in the common shape."""
    stored = [body.raw for body in captured.bodies if body.kind is BodyKind.STORED]
    whole: dict[str, Any] = _plain(site.unwrap(stored))
    told = [
        turn
        for body in captured.bodies
        if body.kind is BodyKind.HEARD and (heard := read_heard(body.raw)) is not None
        for turn in heard.turns
    ]
    if told:
        names = {turn.id for turn in told}
        whole[HEARD] = [
            turn_form(turn, site.marks) for turn in conversation.turns if turn.id in names
        ]
    return whole


def export_meta(captured: Captured, worth: Worth) -> dict[str, Any]:
    """What the file is worth, and where it came from. The first three are seed 003's."""
    return {
        "captureSource": str(captured.source),
        "fidelity": str(worth.fidelity),
        "completeness": str(worth.completeness),
        "capturedFrom": str(captured.origin),
        "capturedAt": captured.captured_at,
        "site": captured.site,
        "conversationId": showable(captured.conversation_id),
        "title": showable(captured.title.text) or None,
        "digest": captured.digest,
        "exportedBy": f"tabwire {__version__}",
    }


def _link(site: Site, conversation_id: str) -> str | None:
    """Where a person finds it, where an address can name it."""
    url = site.page.chat_url(conversation_id)
    return url if site.conversation_in_url(url) == conversation_id else None


def _plain(value: Any) -> Any:
    """The same value, of what a JSON file in UTF-8 can hold."""
    match value:
        case dict():
            return {showable(str(key)): _plain(inner) for key, inner in value.items()}
        case list():
            return [_plain(inner) for inner in value]
        case str():
            return showable(value)
        case float() if not math.isfinite(value):
            return None
        case _:
            return value


def safe_stem(title: str) -> str:
    """The harmless part of a title, never empty."""
    plain = unicodedata.normalize("NFC", title)
    # control, format (they turn the direction), half characters, private and unassigned ones
    plain = "".join(
        " " if char.isspace() else char
        for char in plain
        if char.isspace() or unicodedata.category(char)[0] != "C"
    )
    plain = _GAPS.sub("_", _FORBIDDEN.sub("", plain))
    plain = plain.strip("_. -~")[:MAX_CHARACTERS]
    while len(plain.encode()) > MAX_BYTES:
        plain = plain[:-1]
    plain = plain.rstrip("_. -")
    if _DEVICE.fullmatch(plain):
        plain = f"_{plain}"
    return plain or UNTITLED


def file_name(title: str, when: float | None, ending: str = ".json") -> str:
    """What the file is called: the title, and when the conversation was last changed, in UTC."""
    stem = safe_stem(title)
    try:
        moment = datetime.fromtimestamp(when or 0.0, UTC) if when is not None else None
    except (ValueError, OverflowError, OSError):
        moment = None
    return f"{stem}_{moment:%Y-%m-%d_%H-%M-%S}{ending}" if moment else f"{stem}{ending}"
