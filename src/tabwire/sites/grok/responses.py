"""One response of a Grok chat, question or answer, growing by token or read whole.

Text is kept in pieces and joined when somebody reads it, so an answer of a hundred
thousand tokens costs what its characters cost.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tabwire.model.citations import Reference
from tabwire.model.conversation import Attachment, Role, Turn, TurnState
from tabwire.sites.grok.cites import read_references
from tabwire.sites.grok.fields import (
    dict_at,
    iso_seconds,
    list_at,
    model_in,
    ms_seconds,
    speaker,
    steering_in,
    text_at,
    thinking_in,
)
from tabwire.wire.text import NotJson, join_surrogates, read_json


class Pieces:
    """A text that grows at its end."""

    __slots__ = ("_parts", "filled")

    def __init__(self, text: str = "") -> None:
        self._parts = [text]
        self.filled = bool(text.strip())

    def add(self, text: str) -> None:
        """These characters follow."""
        if text:
            self._parts.append(text)
        self.filled = self.filled or bool(text.strip())

    def set(self, text: str) -> None:
        """The text is now exactly this."""
        self._parts = [text]
        self.filled = bool(text.strip())

    @property
    def ends_line(self) -> bool:
        """Whether what follows begins a line."""
        return not self._parts[-1] or self._parts[-1].endswith("\n")

    def __str__(self) -> str:
        if len(self._parts) > 1:
            self._parts = ["".join(self._parts)]
        return join_surrogates(self._parts[0])


@dataclass(slots=True)
class Response:
    """What is known of one response so far."""

    id: str
    role: Role = Role.ASSISTANT
    text: Pieces = field(default_factory=Pieces)
    thoughts: Pieces = field(default_factory=Pieces)
    attachments: dict[str, Attachment] = field(default_factory=dict)
    model: str | None = None
    steering: str | None = None
    created_at: float | None = None
    parent: str | None = None
    state: TurnState = TurnState.RUNNING
    proofs: list[str] = field(default_factory=list)
    references: tuple[Reference, ...] = ()
    cards: list[dict[str, Any]] = field(default_factory=list)  # told while it was written
    is_named: bool = True  # False: no record gave it an id, this one is ours

    @property
    def has_content(self) -> bool:
        """Whether there is anything to read or see: words, or something Grok made."""
        return self.text.filled or any(a.kind in MADE for a in self.attachments.values())

    @property
    def told_id(self) -> str | None:
        """The site's id, for signals; None where it gave none yet."""
        return self.id if self.is_named else None

    def attach(self, found: Attachment) -> bool:
        """Keep a file or picture; False where it was known already."""
        is_new = found.ref not in self.attachments
        self.attachments.setdefault(found.ref, found)
        return is_new

    def inherit(self, older: "Response") -> None:
        """Keep what an earlier record stated and this one left out."""
        self.parent = self.parent or older.parent
        self.model = self.model or older.model
        self.steering = self.steering or older.steering
        self.created_at = self.created_at if self.created_at is not None else older.created_at
        if not self.references:
            self.references = read_references(str(self.text), {}, older.cards) or older.references
        if not self.thoughts.filled and older.thoughts.filled:
            self.thoughts = older.thoughts
        for attachment in older.attachments.values():
            self.attach(attachment)

    def as_turn(self, parent: str | None) -> Turn:
        """The turn a reader sees."""
        return Turn(
            id=self.id,
            role=self.role,
            text=str(self.text),
            thinking=str(self.thoughts) if self.thoughts.filled else None,
            attachments=tuple(self.attachments.values()),
            model=(self.model or self.steering) if self.role is not Role.USER else None,
            created_at=self.created_at,
            parent=parent,
            state=self.state,
            ends_turn=self.role is Role.ASSISTANT and bool(self.proofs),
            references=self.references or read_references(str(self.text), {}, self.cards),
            is_message=self.has_content or not self.thoughts.filled,
        )


MADE = frozenset({"image", "video"})
"""Attachments that are an answer in themselves; a file is only ever sent along."""


def read_response(
    stored: dict[str, Any], fallback_id: str = "", role: Role | None = None
) -> Response | None:
    """A response object as the site stores it; None where it has no id. `role` is whose it is
    where the place it stands in says so, else its sender says it."""
    response_id = text_at(stored, "responseId") or fallback_id
    if not response_id:
        return None
    response = Response(
        id=response_id,
        role=speaker(stored) if role is None else role,
        text=Pieces(text_at(stored, "message")),
        model=model_in(stored),
        steering=steering_in(stored),
        created_at=iso_seconds(stored.get("createTime")),
        parent=text_at(stored, "parentResponseId") or None,
        state=TurnState.RUNNING if stored.get("partial") is True else TurnState.FINISHED,
    )
    return _with_details(response, stored)


def read_chat_item(item: dict[str, Any], item_id: str) -> Response:
    """An item of an x.com conversation."""
    response = Response(
        id=item_id,
        role=speaker(item),
        text=Pieces(text_at(item, "message")),
        model=model_in(item),
        steering=steering_in(item),
        created_at=ms_seconds(item.get("created_at_ms")),
        state=TurnState.RUNNING if item.get("is_partial") is True else TurnState.FINISHED,
    )
    return _with_details(response, item)


def _with_details(response: Response, stored: dict[str, Any]) -> Response:
    for attachment in stored_attachments(stored):
        response.attach(attachment)
    if response.role is Role.USER:
        return response
    response.thoughts.set(thinking_in(stored) or "")
    response.references = read_references(str(response.text), stored)
    is_answer = response.role is Role.ASSISTANT
    if is_answer and response.state is TurnState.FINISHED and response.has_content:
        response.proofs.append("stored_response")
    return response


def stored_attachments(stored: dict[str, Any]) -> Iterator[Attachment]:
    """The files and pictures of a stored response."""
    for url in list_at(stored, "generatedImageUrls", "generated_image_urls"):
        if isinstance(url, str) and url:
            yield Attachment("image", url)
    for card in list_at(stored, "cardAttachmentsJson", "card_attachments"):
        if found := card_picture(card):
            yield found
    names = {
        text_at(known, "fileMetadataId"): text_at(known, "fileName")
        for known in list_at(stored, "fileAttachmentsMetadata")
    }
    for key in ("fileAttachments", "file_attachments", "imageAttachments"):
        for sent in list_at(stored, key):
            if isinstance(sent, str) and sent:
                yield Attachment("file", sent, names.get(sent) or None)
            elif ref := text_at(
                sent, "fileMetadataId", "mediaIdStr", "media_id", "url", "imageUrl"
            ):
                yield Attachment("file", ref, text_at(sent, "fileName", "file_name") or None)


def streamed_media(frame: dict[str, Any]) -> Iterator[Attachment]:
    """The pictures and videos a stream frame finishes; previews are passed over."""
    for key, kind, url in (
        ("streamingImageGenerationResponse", "image", "imageUrl"),
        ("streamingVideoGenerationResponse", "video", "videoUrl"),
    ):
        if (made := dict_at(frame, key)) and _is_final(made) and (ref := text_at(made, url, "url")):
            yield Attachment(kind, ref)
    if found := card_picture(dict_at(frame, "cardAttachment").get("jsonData")):
        yield found
    # x.com
    if ref := text_at(dict_at(frame, "imageAttachment"), "imageUrl"):
        yield Attachment(
            "image", ref, text_at(dict_at(frame, "imageAttachment"), "fileName") or None
        )


def card_picture(card: Any) -> Attachment | None:
    """The finished picture in a card (`generated_image_card`); citations are not ours."""
    if not isinstance(card, str):
        return None
    try:
        made = dict_at(read_json(card), "image_chunk")
    except NotJson:
        return None
    ref = text_at(made, "imageUrl", "url")
    return Attachment("image", ref) if ref and _is_final(made) else None


def _is_final(made: dict[str, Any]) -> bool:
    done = made.get("isFinal") is True or made.get("progress", 100) == 100
    return done and made.get("moderated") is not True
