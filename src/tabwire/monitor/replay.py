"""A resumed stream tells an answer from its beginning once more: only what is new counts.

After a reload, or a line that broke, the page asks for the answer again, and its pieces come
anew under the same message ids. Each piece is held against what is known of its message.
While they agree nothing is said; where the answer goes on, growth is; where it differs, the
whole text is. What was known is never shortened by a resumed stream that breaks off too.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from tabwire.model import signals as s

Known = Callable[[str | None, bool], str]
"""What is known of a message's text, or of its thinking."""


@dataclass(slots=True)
class _Again:
    known: str
    at: int = 0  # so much of what is known was told again
    pieces: list[str] | None = field(default_factory=list)  # None: all of it was, it goes on


class Replay:
    """Stands between a reader and an attempt that has heard part of it already."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._messages: dict[tuple[str | None, bool], _Again] = {}

    def pass_on(self, signals: list[s.Signal]) -> list[s.Signal]:
        """The signals that are news."""
        return [news for signal in signals if (news := self._judge(signal)) is not None]

    def _judge(self, signal: s.Signal) -> s.Signal | None:
        match signal:
            case s.TextGrew(text=text, message_id=message):
                return self._grew(text, message, thinking=False)
            case s.ThoughtGrew(text=text, message_id=message):
                return self._grew(text, message, thinking=True)
            case s.TextReplaced(message_id=message):
                self._messages[message, False] = _Again("", 0, None)
            case s.ThoughtReplaced(message_id=message):
                self._messages[message, True] = _Again("", 0, None)
        return signal

    def _grew(self, text: str, message: str | None, *, thinking: bool) -> s.Signal | None:
        again = self._messages.get((message, thinking))
        if again is None:
            again = self._messages[message, thinking] = _Again(self._known(message, thinking))
        grew = s.ThoughtGrew if thinking else s.TextGrew
        if again.pieces is None:
            return grew(text, message)
        again.pieces.append(text)
        rest = len(again.known) - again.at
        if again.known.startswith(text[:rest], again.at):
            again.at += min(rest, len(text))
            if len(text) <= rest:
                return None
            again.pieces = None
            return grew(text[rest:], message)
        whole, again.pieces = "".join(again.pieces), None
        replaced = s.ThoughtReplaced if thinking else s.TextReplaced
        return replaced(whole, message)
