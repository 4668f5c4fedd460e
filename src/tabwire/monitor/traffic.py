"""What the tap hears of a tab -> attempts, their signals, and what becomes of them.

Theory of operation. Every request is sorted by the site's own rules. One that asks for an
answer begins an attempt; its bytes go through the site's reader into signals, and each
signal into `fusion`. The rest of a handed-off turn comes over a socket by topic, or by a
request that resumes, and is given to the attempt it belongs to. A stored conversation that
the page loads is a witness, but only if it was asked for after the prompt left: a reading
from before would tell of the turn before.

Everything here happens inside the receive loop, in the order of the line: nothing waits.
"""

from collections.abc import Callable, Iterable

from tabwire.browser.tap import events as t
from tabwire.fusion import outcomes as o
from tabwire.fusion.attempts import Fusion, Seen
from tabwire.fusion.outcomes import Happened
from tabwire.fusion.profile import CAPS, DEFAULT, Profile
from tabwire.fusion.roster import Roster
from tabwire.fusion.verdict import Judgement
from tabwire.model import signals as s
from tabwire.monitor import sightings as told
from tabwire.monitor.relay import as_sighting, request_sighting
from tabwire.monitor.replay import Replay
from tabwire.monitor.requests import RequestBook, beside, is_of_this_tab, raw, when
from tabwire.monitor.sightings import Sighting
from tabwire.monitor.sockets import Block, Sockets
from tabwire.monitor.stored import STORED, Arriving, Keeps, StoredBody, Turns, stored_sighting
from tabwire.monitor.streams import AnswerStream, refusal_of
from tabwire.sites.memory import Memory
from tabwire.sites.site import RequestKind as K
from tabwire.sites.site import Site
from tabwire.sites.titles import better_title
from tabwire.sites.witness import as_witness

STREAMED = frozenset({K.ANSWER, K.RESUME})


class Traffic:
    """The attempts of one tab, as its requests tell them.

    `wants_reading` is called where an attempt would like the stored conversation read;
    who watches may have no way to do that, and then the attempt ends without it. `keeps` is
    whoever records what is stored (stored.py). `name` names the attempt that a request
    begins, each differently; an empty name is none.
    """

    def __init__(
        self,
        site: Site,
        *,
        tell: Callable[[Sighting], None],
        clock: Callable[[], float],
        page_url: Callable[[], str],
        profile: Profile = DEFAULT,
        book: RequestBook | None = None,
        wants_reading: Callable[[str], None] | None = None,
        keeps: Keeps | None = None,
        name: Callable[[t.Request], str] = lambda _request: "",
    ) -> None:
        self.site = site
        self.fusion = Fusion(better_title=better_title, profile=profile)
        self.newest: str | None = None  # the attempt begun last
        self._tell = tell
        self._clock = clock
        self._page_url = page_url
        self._book = book
        self._wants_reading = wants_reading
        self._keeps = keeps
        self._name = name
        self._memory = Memory()
        self._streams: dict[str, AnswerStream] = {}
        self._stored: dict[str, Arriving] = {}
        self._stops: dict[str, str] = {}  # request that stops -> its attempt
        self._hints: dict[str, Arriving] = {}
        self._sockets = Sockets()
        self._turns = Turns()
        self._left_at: Roster[float] = Roster("prompts", CAPS.attempts)  # when, browser's clock
        self._last: AnswerStream | None = None
        self._births = 0
        self._unheard: set[str] = set()  # told already
        self._event_at = 0.0  # the browser's time of what is being heard

    def wanted(self, request: t.Request) -> bool:
        """Whether the bytes of a response are worth having."""
        kind = self.sort(request)
        if kind in STREAMED or kind in STORED or kind in (K.HANDOFF, K.HINT):
            return is_of_this_tab(request)
        return self._book is not None and self._book.wants(request, kind)

    def sort(self, request: t.Request) -> K:
        """What a request is to the site of this tab."""
        return self.site.sort_request(request.method, request.url)

    def hear(self, event: t.TapEvent) -> None:
        """Take one thing the tap heard."""
        self._event_at = when(event)
        match event:
            case t.BytesCame(id=name, chunk=chunk):  # nearly all of them
                self._bytes(name, chunk)
            case t.RequestLeft(request=request):
                self._request(request)
            case t.BodyKnown(id=name, body=body):
                self._prompt_known(name, body)
            case t.ResponseBegan(id=name, status=status, retry_after=retry_after):
                if (stream := self._streams.get(name)) is not None:
                    self._announce(stream)
                    stream.status, stream.retry_after = status, retry_after
            case t.ResponseEnded():
                self._ended(event)
            case t.SocketFrame(id=name, sent=False, data=data):
                self._blocks(self._sockets.feed(name, raw(data)))
            case t.SocketOpened(id=name, url=url):
                if self.site.sort_request("GET", url) is K.HANDOFF:
                    self._socket_opened(name)
            case t.SocketClosed(id=name):
                self._socket_closed(name)
            case t.Unheard(why=why) if why not in self._unheard:  # a page has dozens of a kind
                self._unheard.add(why)
                self._tell(told.Unheard(self._clock(), why))
        if self._book is not None and (entry := self._book.hear(event, self.site)) is not None:
            self._tell(request_sighting(self._clock(), entry))

    def feed(
        self, attempt: str, signal: s.Signal, source: s.Source, conversation: str | None = None
    ) -> None:
        """Give an attempt one signal, and tell what came of it."""
        machine = self.fusion.machine(attempt)
        judged = machine is not None and machine.judgement is not Judgement.OPEN
        known = len(machine.findings.evidence) if machine is not None else 0
        seen = Seen(attempt, signal, source, conversation)
        self.relay(self.fusion.feed(seen, self._clock()))
        if machine is not None and judged and len(machine.findings.evidence) > known:
            evidence = tuple(machine.findings.evidence)
            self._tell(told.Witnessed(self._clock(), attempt, source, evidence))

    def relay(self, happened: tuple[Happened, ...]) -> None:
        """Tell what happened, in the words of this room."""
        for one in happened:
            self._relay(one.attempt_id, one.outcome)

    def moved(self, before: str, after: str) -> None:
        """The tab went to another address."""
        now = self._clock()
        conversation = self.site.conversation_in_url(after)
        self._tell(told.Moved(now, after, conversation))
        origin = self.site.conversation_in_url(before)
        self.relay(self.fusion.route_changed(origin, conversation, now))

    def follow_page(self) -> str:
        """An attempt for an answer whose request we did not hear, so that the page can speak."""
        return self.open(None)

    # --- requests ------------------------------------------------------------------------

    def _request(self, request: t.Request) -> None:
        if not is_of_this_tab(request):
            return
        kind = self.sort(request)
        if kind in STREAMED:
            self._begin(request, kind)
        elif kind in STORED:
            self._stored[request.id] = Arriving(request)
        elif kind is K.HINT:
            self._hints[request.id] = Arriving(request)
        elif kind is K.STOP and (attempt := self._speaking(request.url)) is not None:
            self._stops[request.id] = attempt

    def _begin(self, request: t.Request, kind: K) -> None:
        attempt = self._speaking(request.url, unproven=True) if kind is K.RESUME else None
        asks = attempt is None
        if attempt is None:
            conversation = self._conversation(request.url)
            attempt = self.open(conversation, self._name(request))
            self._left_at.put(attempt, request.at)
            self._turns.asked(attempt, conversation)
        stream = self._streams[request.id] = self._stream(attempt, request, asks=asks)
        stream.resumes = kind is K.RESUME
        if not asks:
            self.feed(attempt, s.RestFollowed(certain=True), s.Source.STREAM)
            return
        body = request.body
        if body is not None:
            stream.learn(self.site, body)
        self.feed(attempt, s.PromptSent(stream.prompt), s.Source.STREAM)
        if body is not None or not request.has_body:
            self._announce(stream)

    def _stream(self, attempt: str, request: t.Request, *, asks: bool) -> AnswerStream:
        """A reader for a response: a new one, or the one whose rest this is."""
        last = self._last
        known = last is not None and last.attempt == attempt
        if known and last is not None and self.site.asks_for_rest(request.body):
            return last
        stream = AnswerStream(attempt, self.site.open_stream(request.url, self._memory), asks)
        machine = self.fusion.machine(attempt)
        if known and machine is not None:
            found = machine.findings
            stream.replay = Replay(found.draft, found.thinking)
            for rival in self._tellers(attempt):
                rival.replay = rival.replay or Replay(found.draft, found.thinking, midway=True)
                rival.replay.superseded = True
        self._last = stream
        return stream

    def _tellers(self, attempt: str) -> list[AnswerStream]:
        """The responses that are telling an answer now."""
        streams = [*self._streams.values(), *(self._sockets.streams if self._sockets else ())]
        return [stream for stream in streams if stream.attempt == attempt]

    def _prompt_known(self, name: str, body: bytes) -> None:
        stream = self._streams.get(name)
        if stream is None or not stream.asks or stream.prompt is not None:
            return
        stream.learn(self.site, body)
        self.feed(stream.attempt, s.PromptSent(stream.prompt), s.Source.STREAM)
        self._announce(stream)

    def _announce(self, stream: AnswerStream) -> None:
        """Tell of the prompt once: when it is known, or when the answer begins without it."""
        if stream.announced or not stream.asks:
            return
        stream.announced = True
        machine = self.fusion.machine(stream.attempt)
        conversation = machine.conversation_id if machine is not None else None
        asked = (stream.attempt, conversation, stream.prompt, stream.question_id)
        self._tell(told.Asked(self._clock(), *asked))

    def open(self, conversation: str | None, name: str = "") -> str:
        """Begin an attempt, under a name of ours where none is given."""
        self._births += 1
        attempt = name or f"a{self._births}"
        before = self.fusion.peek(conversation) if conversation is not None else None
        machine = self.fusion.machine(before) if before is not None else None
        previous = machine.verdict().text or None if machine is not None else None
        self.relay(
            self.fusion.open(
                attempt, self._clock(), conversation_id=conversation, previous_text=previous
            )
        )
        self.newest = attempt
        return attempt

    def _conversation(self, url: str) -> str | None:
        named = self.site.conversation_in_url(url)
        return named or self.site.conversation_in_url(self._page_url())

    def _speaking(self, url: str, *, unproven: bool = False) -> str | None:
        """The attempt that a request about a conversation concerns, if one lives; where
        `unproven` is enough, also one that is over without a whole answer.
        """
        conversation = self._conversation(url)
        name = self.newest  # an address without a conversation: a new chat, or none in it
        if conversation is not None:
            name = self.fusion.peek(conversation) or self.fusion.peek(None)
        machine = self.fusion.machine(name) if name is not None else None
        if machine is None:
            return None
        amendable = unproven and machine.judgement is Judgement.PARTIAL and machine.may_amend
        return name if amendable or not machine.over else None

    # --- bytes ---------------------------------------------------------------------------

    def _bytes(self, name: str, chunk: bytes) -> None:
        if (stream := self._streams.get(name)) is not None:
            self._read(name, stream, stream.feed(chunk))
        elif (body := self._stored.get(name) or self._hints.get(name)) is not None:
            body.take(chunk)

    def _read(self, name: str | None, stream: AnswerStream, signals: Iterable[s.Signal]) -> None:
        """Feed what a stream said; growth of one chunk is told at once, not letter by letter."""
        now = self._clock()
        for signal in signals:
            if not stream.grows(signal):
                self._tell_growth(stream, now)
                stream.replaces(signal)
                self._tell_growth(stream, now)
            seen = Seen(stream.attempt, signal, s.Source.STREAM)
            if happened := self.fusion.feed(seen, now):
                if any(isinstance(one.outcome, o.Judged) for one in happened):
                    self._tell_growth(stream, now)
                self.relay(happened)
            if isinstance(signal, s.HandedOff) and signal.topic_id is not None:
                self._sockets.hand(signal.topic_id, stream)
                if self._sockets:
                    self.feed(stream.attempt, s.RestFollowed(certain=False), s.Source.STREAM)
        self._tell_growth(stream, now)
        if self._book is not None and name is not None:
            self._book.read(name, stream.characters)

    def _tell_growth(self, stream: AnswerStream, now: float) -> None:
        for grown in stream.take(now, self._event_at):
            self._tell(grown)

    def _blocks(self, blocks: Iterable[Block]) -> None:
        for stream, block in blocks:
            self._read(None, stream, stream.feed(block))

    def _socket_opened(self, name: str) -> None:
        self._sockets.open(name)
        for stream in self._sockets.streams:
            self.feed(stream.attempt, s.RestFollowed(certain=False), s.Source.STREAM)

    def _socket_closed(self, name: str) -> None:
        """The rest of the turns that came over a socket will not come, unless one opens again."""
        if (last := self._sockets.close(name)) is None:
            return
        self._blocks(last)
        if self._sockets:
            return
        for stream in self._sockets.streams:
            if all(stream is not other for other in self._streams.values()):
                self.feed(stream.attempt, s.StreamClosed(whole=False), s.Source.STREAM)

    def _ended(self, event: t.ResponseEnded) -> None:
        if (stream := self._streams.pop(event.id, None)) is not None:
            self._announce(stream)
            others = self._tellers(stream.attempt)
            if stream.handed_off:  # its reader goes on over the socket
                self.feed(stream.attempt, s.StreamClosed(whole=False), s.Source.STREAM)
            elif stream not in others:  # else the same reader goes on with another response
                hung_up = event.how is t.End.CANCELED and not stream.resumes
                last = stream.close(told_elsewhere=bool(others), hung_up=hung_up)
                self._read(event.id, stream, last)
            if not stream.resumes and (refused := refusal_of(stream)) is not None:
                self.feed(stream.attempt, refused, s.Source.STREAM)
        elif (body := self._stored.pop(event.id, None)) is not None:
            if event.how is t.End.WHOLE and (raw := body.whole()) is not None:
                reading = self.site.read_body(raw, body.request.url, self._memory)
                kind, status = self.sort(body.request), event.status
                self.witness(StoredBody(body.request, kind, raw, reading, status))
        elif (hint := self._hints.pop(event.id, None)) is not None:
            self._hinted(hint)
        elif (attempt := self._stops.pop(event.id, None)) and event.how is t.End.WHOLE:
            self.feed(attempt, s.TurnStopped("stopped by the person"), s.Source.COMPLETION)

    def _hinted(self, hint: Arriving) -> None:
        """A request that hints at an end was answered: the site itself may say otherwise."""
        url = hint.request.url
        if (attempt := self._speaking(url)) is None:
            return
        writes = self.site.is_writing(hint.whole() or b"")
        signal = s.StillWriting(url) if writes else s.HintSeen(url)
        self.feed(attempt, signal, s.Source.COMPLETION)

    def witness(self, body: StoredBody) -> None:
        """What a stored body says of the answers we follow, whichever tab it was loaded in."""
        request, reading = body.request, body.reading
        for named, title in reading.titles:
            self._memory.learn_title(self.site.name, named, title)
            if (attempt := self.fusion.peek(named)) is not None:
                self.feed(attempt, s.TitleNamed(title, named), s.Source.COMPLETION)
        for sighting in beside(self.site, body, self._clock()):
            self._tell(sighting)
        if self._keeps is not None:
            self._keeps.heard(body)
        if body.kind is not K.CANONICAL:
            return
        for conversation in reading.conversations:
            attempt = self.fusion.peek(conversation.id) if conversation.id else None
            if attempt is None and conversation.id == self._conversation(request.url):
                attempt = self._nameless()
            question = self._turns.read(conversation)
            asked_at = self._left_at.get(attempt) if attempt is not None else None
            old = attempt is not None and self._turns.is_before(attempt, question)
            if not old and (asked_at is None or request.at >= asked_at):
                if self._keeps is not None:
                    attempt = self._keeps.stored(body, conversation, attempt)
                if attempt is not None:
                    read = as_witness(conversation)
                    self.feed(attempt, read, s.Source.CANONICAL, conversation.id)
                    continue
            self._tell(stored_sighting(self._clock(), conversation))

    def heard(self, attempt: str) -> AnswerStream | None:
        """The response that told an answer last, where it is still known."""
        last = self._last if self._last is not None and self._last.attempt == attempt else None
        return last or next(iter(self._tellers(attempt)), None)

    def _nameless(self) -> str | None:
        """An attempt that never learnt its conversation, and that this reading may speak of."""
        name = self.fusion.peek(None)
        machine = self.fusion.machine(name) if name is not None else None
        return name if machine is not None and not machine.over else None

    # --- telling -------------------------------------------------------------------------

    def _relay(self, attempt: str, outcome: o.Outcome | o.Bound) -> None:
        if isinstance(outcome, o.ReadWanted | o.RereadWanted):
            if self._wants_reading is not None:
                self._wants_reading(attempt)
            return
        now, machine = self._clock(), self.fusion.machine(attempt)
        if (sighting := as_sighting(outcome, attempt, machine, now, self._event_at)) is not None:
            self._tell(sighting)
