"""An answer that is told again from its beginning: whoever listens hears what is new. Pure."""

from collections.abc import Callable

from tabwire.monitor import sightings as told
from tabwire.monitor.sightings import Sighting

Tell = Callable[[str, bool, bool], None]
"""`tell(text, thinking, anew)`"""


class Retold:
    """What was told of an answer so far, and each reading of it that begins anew."""

    def __init__(self, text: str, thinking: str, tell: Tell) -> None:
        self._parts = {False: _Part(text), True: _Part(thinking)}
        self._tell = tell

    def begin(self) -> Callable[[Sighting], None]:
        """A reading begins: what is given hears the answer from its first word."""
        self._parts = {thinking: _Part(part.told) for thinking, part in self._parts.items()}
        return self._hear

    def _hear(self, sighting: Sighting) -> None:
        if not isinstance(sighting, told.Grew | told.Rewritten):
            return
        rewritten = isinstance(sighting, told.Rewritten)
        more, anew = self._parts[sighting.thinking].take(sighting.text, anew=rewritten)
        if more:
            self._tell(more, sighting.thinking, anew)


class _Part:
    """The answer, or its thinking."""

    def __init__(self, told_before: str) -> None:
        self._before = told_before
        self._at = 0  # how much of it came again
        self._since: list[str] = []  # what came after it

    @property
    def told(self) -> str:
        """The whole text as whoever listens has it."""
        return self._before + "".join(self._since)

    def take(self, piece: str, *, anew: bool) -> tuple[str, bool]:
        """What to tell of a piece, and whether it stands in the place of all before."""
        if anew:
            if self.told.startswith(piece):  # an earlier standing of what was told
                self._before, self._at, self._since = self.told, len(piece), []
                return "", False
            self._before, self._at, self._since = piece, len(piece), []
            return piece, True
        again = self._before[self._at : self._at + len(piece)]
        if not piece.startswith(again):  # not the text that was told
            self._before = self._before[: self._at] + piece
            self._at, self._since = len(self._before), []
            return self._before, True
        self._at += len(again)
        more = piece[len(again) :]
        self._since.append(more)
        return more, False
