"""Which completion hint is new, and which only repeats another.

One ending makes several hints: the request for the status, a list refresh, a control that
vanishes. Within a window they count once. A hint of another attempt of the same
conversation is real sooner, because a person can ask again at once.
"""

from dataclasses import dataclass

from tabwire.fusion.profile import (
    CAPS,
    OTHER_ATTEMPT_HINT_SECONDS,
    PAGE_HINT_SECONDS,
    SAME_ATTEMPT_HINT_SECONDS,
)
from tabwire.fusion.roster import Roster
from tabwire.model.signals import Source


@dataclass(frozen=True, slots=True)
class _Hint:
    attempt_id: str
    at: float


class HintDebounce:
    """Remembers the last hint that was followed, per conversation."""

    def __init__(self, cap: int = CAPS.bindings) -> None:
        self._last: Roster[_Hint] = Roster("hints", cap)

    def repeats(self, conversation: str, attempt_id: str, source: Source, now: float) -> bool:
        """Whether this hint says only what another has just said."""
        last = self._last.get(conversation)
        if last is None:
            return False
        if source in (Source.PAGE, Source.SNAPSHOT):
            window = PAGE_HINT_SECONDS
        elif last.attempt_id == attempt_id:
            window = SAME_ATTEMPT_HINT_SECONDS
        else:
            window = OTHER_ATTEMPT_HINT_SECONDS
        return now < last.at + window

    def followed(self, conversation: str, attempt_id: str, now: float) -> None:
        """A hint counted: the next ones within the window repeat it."""
        self._last.put(conversation, _Hint(attempt_id, now))

    def warning(self) -> str | None:
        """A sentence when the book is nearly full."""
        return self._last.warning()
