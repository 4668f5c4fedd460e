"""chatgpt.com: the references of an answer that is being written."""

from tabwire.model.citations import Reference
from tabwire.model.signals import Cited, Signal
from tabwire.sites.chatgpt.cites import read_references
from tabwire.sites.chatgpt.parts import Part, StreamMessage
from tabwire.wire.document import plain

PLACE = "/message/metadata/content_references"
WHOLE = ("/message", "/message/metadata")  # places that hold it


class Cites:
    """The references of a stream's messages: read where they changed, told where they differ."""

    def __init__(self) -> None:
        self._changed: dict[str, StreamMessage] = {}
        self._told: dict[str, tuple[Reference, ...]] = {}

    def look(self, known: StreamMessage, pointer: str = "/message") -> None:
        """Something changed there: perhaps the references."""
        if pointer in WHOLE or pointer.startswith(PLACE):
            self._changed[known.id] = known

    def news(self) -> list[Signal]:
        """What is known now that was not told."""
        if not self._changed:
            return []
        changed, self._changed = self._changed, {}
        signals: list[Signal] = []
        for known in changed.values():
            metadata = known.message.get("metadata")
            if known.part is not Part.ANSWER or not isinstance(metadata, dict):
                continue
            entries = {"content_references": plain(metadata.get("content_references"))}
            references = read_references(entries)
            if references and references != self._told.get(known.id):
                self._told[known.id] = references
                signals.append(Cited(references, known.id))
        return signals
