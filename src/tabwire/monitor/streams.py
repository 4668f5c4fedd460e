"""One answer that is being written: its reader, and its growth as it is told."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tabwire.model import signals as s
from tabwire.monitor.replay import Replay
from tabwire.monitor.sightings import Grew, Rewritten
from tabwire.sites.resets import with_reset
from tabwire.sites.site import Site, StreamReader

LIMITED, UNAUTHORISED, FORBIDDEN, FIRST_ERROR = 429, 401, 403, 400


@dataclass(slots=True)
class AnswerStream:
    """The bytes of one response and what they said so far.

    Growth is collected and told once per chunk: a chunk of a fast model holds many pieces,
    and whoever watches wants text, not pieces.
    """

    attempt: str
    reader: StreamReader
    asks: bool = True  # it begins an attempt; else it is the rest of one that is known
    resumes: bool = False  # it only asks for the rest of an answer: no prompt is in it
    prompt: str | None = None
    question_id: str | None = None  # the page's name for it, where the request has one
    temporary: bool = False  # the person wants it kept by nobody
    announced: bool = False
    status: int | None = None
    retry_after: str = ""
    characters: int = 0
    handed_off: bool = False
    refused: bool = False
    replay: Replay | None = None  # others tell the same answer
    _message: str | None = None
    _pieces: list[str] = field(default_factory=list)
    _thinking: bool = False
    _fresh: bool = False  # what is collected stands in the place of what was told

    def learn(self, site: Site, body: bytes) -> None:
        """What the request says that asks for this answer."""
        self.prompt = site.prompt_in_request(body)
        self.question_id = site.question_in_request(body)
        self.temporary = site.is_temporary(body) is True

    def feed(self, chunk: bytes) -> Iterable[s.Signal]:
        """What the next bytes say that is news; to be taken one by one."""
        return self._news(self.reader.feed(chunk))

    def close(self, *, told_elsewhere: bool = False, hung_up: bool = False) -> Iterable[s.Signal]:
        """What the end of the bytes says. It ends nothing where others still tell the answer.
        `hung_up`: it is the page that let go of it."""
        signals = self.reader.close()
        if hung_up:
            signals = [
                replace(one, hung_up=True) if isinstance(one, s.StreamClosed) else one
                for one in signals
            ]
        if told_elsewhere:
            signals = [one for one in signals if not isinstance(one, s.StreamClosed)]
        return self._news(signals)

    def _news(self, signals: list[s.Signal]) -> Iterable[s.Signal]:
        if self.resumes and (self.status or 0) >= FIRST_ERROR:
            # no answer is refused to whom only asked for the rest: there may be no more of it
            signals = [one for one in signals if not isinstance(one, s.Refused)]
        if self.retry_after:  # seldom: and then the body as a rule does not say it
            signals = [self._timed(one) for one in signals]
        return signals if self.replay is None else self.replay.pass_on(signals)

    def _timed(self, signal: s.Signal) -> s.Signal:
        return with_reset(signal, self.retry_after) if isinstance(signal, s.Refused) else signal

    def grows(self, signal: s.Signal) -> bool:
        """Collect a piece of text; False where it is none, or does not continue the last."""
        if isinstance(signal, s.TextGrew):
            thinking, message = False, signal.message_id
            new_message = message is not None and message != self._message
        elif isinstance(signal, s.ThoughtGrew):
            thinking, message, new_message = True, self._message, False
        else:
            return False
        if (self._pieces and thinking != self._thinking) or new_message:
            return False
        self._thinking, self._message = thinking, message
        self._add(signal.text)
        return True

    def replaces(self, signal: s.Signal) -> None:
        """Take a signal that is no plain growth: another message, another text, an end."""
        match signal:
            case s.TextGrew(text=text, message_id=message):
                self._fresh = message != self._message and self._message is not None
                self._message, self._thinking = message, False
                self._add(text)
            case s.ThoughtGrew(text=text):
                self._thinking = True
                self._add(text)
            case s.TextReplaced(text=text, message_id=message):
                self._fresh, self._message, self._thinking = True, message, False
                self._add(text)
            case s.ThoughtReplaced(text=text):
                self._fresh = self._thinking = True
                self._add(text)
            case s.HandedOff():
                self.handed_off = True
            case s.Refused():
                self.refused = True

    def take(self, now: float, event_at: float) -> list[Grew | Rewritten]:
        """What was collected, and no more of it."""
        if not self._pieces and not self._fresh:
            return []
        text, self._pieces = "".join(self._pieces), []
        shape = Rewritten if self._fresh else Grew
        self._fresh = False
        return [shape(now, self.attempt, text, self._thinking, event_at)]

    def _add(self, text: str) -> None:
        self._pieces.append(text)
        self.characters += len(text)


def refusal_of(stream: AnswerStream) -> s.Refused | None:
    """What an HTTP status says where the body said nothing we know."""
    status = stream.status
    if status is None or status < FIRST_ERROR or stream.refused or stream.characters:
        return None
    kind = s.Refusal.ERROR
    if status == LIMITED:
        kind = s.Refusal.RATE_LIMIT
    elif status == UNAUTHORISED:
        kind = s.Refusal.LOGIN
    elif status == FORBIDDEN:
        kind = s.Refusal.BLOCKED
    refused = s.Refused(kind, f"the site answered {status}", str(status))
    return with_reset(refused, stream.retry_after)
