"""One candidate answer, laid out alike in streams and in stored conversations.

[0] rc_…     [1][0] text     [8][0] 2 when it is whole     [12] media and sources
[22][0] the text where [1][0] is only a card's address     [37][0][0] thoughts
"""

import re
from dataclasses import dataclass
from typing import Any

from tabwire.model.conversation import Attachment
from tabwire.sites.gemini.cites import NONE, Sources, read_sources
from tabwire.sites.gemini.fields import at, list_at, text_at

WHOLE = 2
RUNNING = 1

CARD = "http://googleusercontent.com/card_content/"

_MEDIA, _WEB_IMAGES, _IMAGES, _VIDEO, _AUDIO = 12, 1, 7, 59, 86
_THOUGHTS = 37
_HEADING = re.compile(r"\s*\*\*[^*\n]+\*\*[ \t]*\n")
_MAX_SEARCH_DEPTH = 10  # an address inside a media record; deepest known is 7


@dataclass(frozen=True, slots=True)
class Candidate:
    """One answer. `text` is as stated: use `shown_text` for what a person reads."""

    id: str | None
    text: str
    card_text: str | None
    thoughts: str | None
    state: int | None
    attachments: tuple[Attachment, ...]
    sources: Sources = NONE

    @property
    def whole(self) -> bool:
        """The site says that this answer is whole."""
        return self.state == WHOLE

    @property
    def shown_text(self) -> str:
        """The text a person reads: a card's address stands for text elsewhere."""
        if self.card_text is not None and self.text.startswith(CARD):
            return self.card_text
        return self.text


def read_candidate(node: Any) -> Candidate:
    """What a candidate says; what is missing is empty or None."""
    state = at(node, 8, 0)
    return Candidate(
        id=text_at(node, 0),
        text=text_at(node, 1, 0) or "",
        card_text=text_at(node, 22, 0),
        thoughts=_read_thoughts(node),
        state=state if isinstance(state, int) else None,
        attachments=read_media(at(node, _MEDIA)),
        sources=read_sources(node),
    )


def _read_thoughts(node: Any) -> str | None:
    """Thoughts stand at [37][0][0], in a few bodies at [37][0].

    Bodies with thoughts elsewhere exist. They are recognised by their shape alone: a
    string as first of the first of a list, opening with a line that is only a heading.
    """
    held = at(node, _THOUGHTS)
    if held is not None:
        return text_at(held, 0, 0) or text_at(held, 0)
    for item in node if isinstance(node, list) else ():
        match item:
            case [[str(text), *_], *_] if _HEADING.match(text):
                return text
    return None


def read_media(node: Any) -> tuple[Attachment, ...]:
    """Pictures, videos and sounds of an answer, by their addresses."""
    if not node:
        return ()
    found = [
        Attachment("image", url)
        for image in list_at(node, _IMAGES, 0)
        if (url := text_at(image, 0, 3, 3))
    ]
    found += [
        Attachment("web_image", url)
        for image in list_at(node, _WEB_IMAGES)
        if (url := text_at(image, 0, 0, 0))
    ]
    for kind, place in (("video", _VIDEO), ("audio", _AUDIO)):
        if url := _first_address(at(node, place)):
            found.append(Attachment(kind, url))
    return tuple(found)


def _first_address(node: Any, depth: int = 0) -> str | None:
    if isinstance(node, str):
        return node if node.startswith(("https://", "http://")) else None
    if depth >= _MAX_SEARCH_DEPTH or not isinstance(node, list):
        return None
    return next((url for item in node if (url := _first_address(item, depth + 1))), None)


def model_name(label: Any) -> str | None:
    """ "3 Pro" as the label of a turn names the model gemini-3-pro. No label, no name."""
    if not isinstance(label, str) or not label.strip():
        return None
    plain = "-".join(label.lower().split())
    return plain if plain.startswith("gemini") else f"gemini-{plain}"
