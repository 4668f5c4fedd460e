"""Small memories of the machine: is the stream open, does the page stand still."""

from dataclasses import dataclass

from tabwire.model.signals import PageSaw


@dataclass(slots=True)
class StreamWatch:
    """Whether more can come over the wire.

    After a hand-off the first stream still closes, and that is no ending. The rest may
    begin before or after that close, so a close counts again only once the old stream has
    closed and somebody listened for the rest, or something of it was seen. Until then
    nothing is open: whoever handed off may have been the last to speak.
    """

    open: bool = False
    closed: bool = False
    certain: bool = True  # its end will be told; not that of a socket, which may fall silent
    produced: bool = False  # something came, be it only reasoning
    handed_to: str | None = None
    _old_closed: bool = False
    _rest_came: bool = False

    def begin(self) -> None:
        """It was sent for."""
        self.open, self.closed = True, False

    def grew(self) -> None:
        """Something came."""
        self.open, self.closed, self.produced = True, False, True
        self._rest_came = self.handed_to is not None

    def hand_off(self, to: str) -> None:
        """The rest arrives elsewhere."""
        self.open, self.closed, self.handed_to = True, False, to
        self._old_closed = self._rest_came = False

    def follow(self, *, certain: bool) -> None:
        """Somebody listens for the rest."""
        self.open, self.closed, self.certain = True, False, certain
        self._rest_came = self.handed_to is not None

    def close(self) -> bool:
        """A stream closed; whether that was the last of the turn."""
        if self.handed_to is not None and not (self._old_closed and self._rest_came):
            self._old_closed = True
            self.open = self._rest_came
            return False
        self.open, self.closed = False, True
        return True

    def end(self) -> None:
        """The turn is over, whatever bytes still trickle."""
        self.open = False


@dataclass(slots=True)
class PageWatch:
    """Whether the page shows it generating, and since when it stands still and finished."""

    generating: bool = False
    _text: str | None = None
    _still_since: float | None = None

    def see(self, page: PageSaw, now: float, quiet_seconds: float) -> bool:
        """Take one sight; whether it has stood finished and still for long enough."""
        self.generating = page.generating
        finished = page.actions and not page.generating
        if not finished or self._still_since is None or page.text != self._text:
            self._still_since = now if finished else None
            self._text = page.text
            return False
        return now >= self._still_since + quiet_seconds
