"""Several responses tell one answer: each character of it counts once.

After a reload, or a line that broke, the page asks for the answer again, and its pieces come
anew under the same message ids. The response before may be dead, or may still be talking: a
page that lost interest in it need not have closed it. So each response is held against the
draft at its own place in the text. While they agree nothing is said; where the answer goes
on, growth is; where it differs, the newest response is believed and the others fall silent.
What was known is never shortened by a response that breaks off.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tabwire.fusion.draft import Draft
from tabwire.model import signals as s

_Key = tuple[str | None, bool]


@dataclass(slots=True)
class _Told:
    """What this response told of one message."""

    pieces: list[str] = field(default_factory=list)
    at: int = 0  # characters

    def begin(self, text: str) -> None:
        """It is this now."""
        self.pieces, self.at = [text], len(text)


class Replay:
    """Stands between a reader and an attempt that other responses tell of as well."""

    def __init__(self, draft: Draft, thinking: Draft, *, midway: bool = False) -> None:
        """`midway`: what is known was told by this response, which goes on from there."""
        self.superseded = False  # a newer response tells the answer
        self._drafts = {False: draft, True: thinking}
        self._told: dict[_Key, _Told] = {}
        self._silent = False  # it told something else than the newer one
        if midway:
            for is_thought, known in self._drafts.items():
                for name, text in known.texts():
                    self._told[name, is_thought] = _Told([text], len(text))

    def pass_on(self, signals: list[s.Signal]) -> Iterator[s.Signal]:
        """The signals that are news. Each is to reach the drafts before the next is taken."""
        for signal in signals:
            if (news := self._judge(signal)) is not None:
                yield news

    def _judge(self, signal: s.Signal) -> s.Signal | None:
        if self._silent:
            return None
        match signal:
            case s.TextGrew(text=text, message_id=message):
                return self._grew(text, message, thinking=False)
            case s.ThoughtGrew(text=text, message_id=message):
                return self._grew(text, message, thinking=True)
            case s.TextReplaced(text=text, message_id=message):
                self._of(message, thinking=False).begin(text)
            case s.ThoughtReplaced(text=text, message_id=message):
                self._of(message, thinking=True).begin(text)
        return signal

    def _of(self, message: str | None, *, thinking: bool) -> _Told:
        key = self._drafts[thinking].find(message), thinking
        if key not in self._told:  # the first pieces may have come before their id
            self._told[key] = self._told.pop((None, thinking), _Told())
        return self._told[key]

    def _grew(self, text: str, message: str | None, *, thinking: bool) -> s.Signal | None:
        draft = self._drafts[thinking]
        told = self._of(message, thinking=thinking)
        known, at = draft.length(message), told.at
        told.pieces.append(text)
        told.at += len(text)
        if at <= known and (at == known or draft.text(message).startswith(text[: known - at], at)):
            if told.at <= known:
                return None
            grew = s.ThoughtGrew if thinking else s.TextGrew
            return grew(text[known - at :], message)
        if self.superseded:
            self._silent = True
            return None
        replaced = s.ThoughtReplaced if thinking else s.TextReplaced
        return replaced("".join(told.pieces), message)
