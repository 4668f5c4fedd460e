"""The sockets of a tab over which handed-off turns arrive, and which topic is whose."""

from collections.abc import Iterable, Iterator

from tabwire.monitor.streams import AnswerStream
from tabwire.wire.socket import SocketDecoder, SocketItem

MAX_TOPICS = 64  # answers of one tab that came over its sockets; the oldest are forgotten

Block = tuple[AnswerStream, bytes]


class Sockets:
    """What is open, and the answers that were handed to it."""

    def __init__(self) -> None:
        self._open: dict[str, SocketDecoder] = {}
        self._topics: dict[str, AnswerStream] = {}

    def __bool__(self) -> bool:
        return bool(self._open)

    @property
    def streams(self) -> list[AnswerStream]:
        """The answers whose rest comes over a socket, each once."""
        return list({id(stream): stream for stream in self._topics.values()}.values())

    def hand(self, topic: str, stream: AnswerStream) -> None:
        """The rest of an answer comes under this topic."""
        self._topics[topic] = stream
        while len(self._topics) > MAX_TOPICS:
            self._topics.pop(next(iter(self._topics)))

    def open(self, name: str) -> None:
        """One more socket."""
        self._open[name] = SocketDecoder()

    def feed(self, name: str, frame: bytes) -> Iterator[Block]:
        """What a frame says, and of which answer."""
        if (decoder := self._open.get(name)) is not None:
            yield from self._blocks(decoder.feed(frame))

    def close(self, name: str) -> list[Block] | None:
        """A socket closed: the last it said; None where it was none of these."""
        if (decoder := self._open.pop(name, None)) is None:
            return None
        return list(self._blocks(decoder.close()))

    def _blocks(self, records: Iterable[object]) -> Iterator[Block]:
        for record in records:
            if isinstance(record, SocketItem) and record.topic_id in self._topics:
                yield self._topics[record.topic_id], record.block
