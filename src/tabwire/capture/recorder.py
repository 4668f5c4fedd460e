"""One tab's conversations: recorded as they are heard, and how ready each is.

Theory of operation. A `Traffic` (monitor/) turns what the tab receives into attempts; we sit
beside it. Every stored body the page loads is gathered with what is known of its conversation,
and told to be kept at once, ready or not. Whether it is ready is fusion's to say, by its gate of
equal samples; we only pass on what it decides.

A conversation that was merely opened has no attempt. Where we `adopt`, the reading of the one
on show gets an attempt of its own, so that the gate and the plan of re-reads can begin. One
that is kept as ready already, and reads the same, has had its first sample then. One that was
ready and reads differently now has grown: it gets a new attempt, and is not ready.

What a stream told is kept too, marked as degraded, until the site's own record has it. A chat
that the person made temporary is not recorded.
"""

import itertools
from collections.abc import Callable
from dataclasses import replace

from tabwire.capture.gathered import Gathered, asked, from_verdict, judged
from tabwire.capture.shelf import Key, Known, Shelf
from tabwire.capture.standing import Badge, Stop, badge_of, readiness_of
from tabwire.capture.titles import better, page_title, site_title
from tabwire.fusion.agreement import Match, compare
from tabwire.fusion.attempts import Seen
from tabwire.fusion.machine import Machine
from tabwire.fusion.profile import STABILITY_SECONDS
from tabwire.fusion.table import DEAD, State
from tabwire.fusion.verdict import Judgement, Mode, Readiness, Verdict
from tabwire.model.captured import Captured, Origin, Title
from tabwire.model.conversation import Conversation
from tabwire.model.signals import HintSeen, Source, TurnStopped
from tabwire.monitor import sightings as told
from tabwire.monitor.sightings import Sighting
from tabwire.monitor.stored import StoredBody
from tabwire.monitor.traffic import Traffic
from tabwire.sites.site import RequestKind, Site
from tabwire.sites.witness import as_witness


class Recorder:
    """Records one tab. `captured` is told of every change worth keeping; `heard_body` of every
    stored body, for tabs that show the same conversation. `stops`: answers that were stopped,
    shared by all who record."""

    def __init__(
        self,
        site: Site,
        *,
        origin: Origin,
        wall: Callable[[], float],
        captured: Callable[[Captured], None],
        adopts: bool = False,
        heard_body: Callable[[StoredBody], None] = lambda _body: None,
        clock: Callable[[], float] = lambda: 0.0,
        page_url: Callable[[], str] = lambda: "",
        stops: dict[Key, Stop] | None = None,
    ) -> None:
        self.site = site
        self.readings = 0  # of the site's own record, of any conversation
        self._origin = origin
        self._wall = wall
        self._captured = captured
        self._adopts = adopts
        self._heard_body = heard_body
        self._clock = clock
        self._page_url = page_url
        self._stops = stops if stops is not None else {}
        self._hung_up: set[str] = set()  # attempts whose response the page itself ended
        self._traffic: Traffic | None = None
        self._shelf = Shelf(site)
        self._adopted: set[str] = set()  # attempts nobody asked for
        self._here: str | None = None  # the attempt begun on this very page
        self.asked_here = False  # a prompt left this page since it shows what it shows
        self._names = itertools.count(1)
        self._overhears = False

    # --- the seam of monitor/ ----------------------------------------------------------------

    def attend(self, traffic: Traffic) -> None:
        """This is the traffic we sit beside."""
        self._traffic = traffic

    def heard(self, body: StoredBody) -> None:
        """A stored body of any kind."""
        for named, title in body.reading.titles:
            if (gathered := self._shelf.get(named)) is not None:
                self._name(gathered, site_title(title))
        named_in_url = self.site.conversation_in_url(body.request.url)
        useful = body.kind in (RequestKind.CANONICAL, RequestKind.TITLE)
        if self.site.in_parts and useful and named_in_url is not None:
            self._shelf.take(named_in_url).part(body)
        if not self._overhears:
            self._heard_body(body)

    def stored(
        self, body: StoredBody, conversation: Conversation, attempt: str | None
    ) -> str | None:
        """The site's record of a conversation; which attempt shall hear of it."""
        if conversation.id is None:
            return attempt
        gathered = self._shelf.take(conversation.id)
        if self.site.in_parts and self.site.conversation_in_url(body.request.url) is None:
            gathered.part(body)
        sample = gathered.take(body, conversation)
        self.readings += sample
        gathered.title = better(gathered.title, site_title(conversation.title))
        self._shelf.shrink(gathered)
        self._emit(gathered, self._readiness(attempt))
        if not self._adopts:
            return attempt
        if not sample and conversation.standing.terminal:
            return None
        speaker = self._speaker(gathered, attempt)
        self._stop_if_known(gathered, speaker)
        return speaker

    def told(self, sighting: Sighting) -> None:
        """Something happened to an attempt."""
        match sighting:
            case told.StateMoved(attempt=attempt, after=State.PROMPT_SENT):
                self._here, self.asked_here = attempt, True
            case told.Judged(attempt=attempt, verdict=verdict):
                self._judged(attempt, verdict)
            case told.Named(attempt=attempt):
                machine = self._machine(attempt)
                if machine is not None and machine.judgement is not Judgement.OPEN:
                    self._judged(attempt, machine.verdict())
            case told.Ready(attempt=attempt, readiness=readiness):
                self._ready(attempt, readiness)

    # --- for whoever runs a page -------------------------------------------------------------

    @property
    def shown(self) -> str | None:
        """The conversation on show, as far as its id is known."""
        if (named := self.site.conversation_in_url(self._page_url())) is not None:
            return named
        machine = self._machine(self._here)
        return machine.conversation_id if machine is not None else None

    @property
    def current(self) -> str | None:
        """The attempt that speaks for what is on show. It may not know its id yet."""
        named = self.site.conversation_in_url(self._page_url())
        if named is None:
            return self._here
        if self._traffic is None:
            return None
        if (name := self._traffic.fusion.peek(named)) is not None:
            return name
        here = self._machine(self._here)
        waits = here is not None and here.conversation_id is None and here.state not in DEAD
        return self._here if waits else None

    @property
    def life(self) -> Badge:
        """What the badge shows. What was merely opened was not asked here."""
        name = self.current
        machine = self._machine(name)
        if machine is None or (name in self._adopted and not self.asked_here):
            return Badge.IDLE
        return badge_of(machine)

    @property
    def readiness(self) -> Readiness | None:
        """How ready what is on show is; None where nothing is known of it."""
        machine = self._machine(self.current)
        return readiness_of(machine) if machine is not None else None

    def hung_up(self, attempt: str) -> None:
        """The page itself ended the response: the person stopped it, or went elsewhere."""
        if not self.site.tells_stops and self._machine(attempt) is not None:
            self._hung_up.add(attempt)

    @property
    def question(self) -> Machine | None:
        """The newest that left this page since it shows what it shows."""
        return self._machine(self._here)

    def gathered(self, conversation_id: str | None) -> Gathered | None:
        """What is known of a conversation."""
        return self._shelf.get(conversation_id) if conversation_id is not None else None

    def moved(self, before: str, after: str) -> None:
        """The page is at another address."""
        origin, there = map(self.site.conversation_in_url, (before, after))
        if self._traffic is not None:
            self._traffic.moved(before, after)
        if origin == there:
            return
        here = self._machine(self._here)
        getting_its_address = origin is None and there is not None
        if here is not None and getting_its_address and here.conversation_id in (None, there):
            return  # also where it was disposed: its answer may still be found
        self._here, self.asked_here = None, False

    def named(self, title: str) -> None:
        """The document has another title."""
        if (gathered := self.gathered(self.shown)) is not None:
            self._name(gathered, page_title(title))

    def know(self, conversation_id: str, known: Known) -> None:
        """What is kept of it already."""
        self._shelf.know(conversation_id, known)
        gathered = self._shelf.get(conversation_id)
        if gathered is None:
            return
        gathered.title = better(known.title, gathered.title)
        found, current = gathered.conversation, self.current
        late = current in self._adopted and conversation_id == self.shown
        machine = self._machine(current)
        ready = machine is None or machine.state is State.CAPTURED_READY
        if late and found is not None and not ready and self._shelf.was_ready(gathered):
            self._adopt_read(gathered)

    def recall(self, row: Captured) -> bool:
        """The page was there before us: what is kept of the conversation on show, ready as it
        is, stands for what it loaded then. Whether that is so."""
        if not row.ready or row.conversation_id != self.shown or self.current is not None:
            return False
        gathered = Gathered(self.site, row.conversation_id)
        if not gathered.recall(row):
            return False
        self._shelf.put(gathered)
        self._adopt_read(gathered)
        return True

    def miss(self, conversation_id: str) -> None:
        """The page was there before us, and nothing is kept that would stand for what it loaded
        then: it has to be read again."""
        if conversation_id == self.shown and self.current is None:
            self._have_read(conversation_id)

    def look_again(self) -> None:
        """The person is back: what was given up while nobody looked is tried once more."""
        gathered, current = self.gathered(self.shown), self.current
        machine, readiness = self._machine(current), self.readiness
        if gathered is None and current in self._adopted and machine is not None and machine.over:
            self._have_read(machine.conversation_id)  # nothing came of what it missed
            return
        given_up = readiness is not None and readiness.mode is Mode.DEGRADED_MANUAL_ONLY
        if gathered is not None and gathered.canonical and given_up and current in self._adopted:
            self._adopt_read(gathered)

    def heed_stop(self) -> None:
        """Whoever keeps it knows that the newest answer of what is on show was stopped."""
        if (gathered := self.gathered(self.shown)) is not None:
            self._stop_if_known(gathered, self.current)

    def doubt(self, conversation_id: str) -> None:
        """Somebody asked in it elsewhere: what was ready may have grown, and is read again."""
        gathered = self._shelf.get(conversation_id)
        shown = conversation_id == self.shown and self.current in self._adopted
        if gathered is not None and self._shelf.doubt(conversation_id) and shown:
            self._adopt_read(gathered)

    def overhear(self, body: StoredBody) -> None:
        """Another tab loaded this; what it says of a conversation of ours holds here too."""
        if self._traffic is None:
            return
        ours = [one for one in body.reading.conversations if one.id and self._concerns(one.id)]
        named = self.site.conversation_in_url(body.request.url)
        titled = any(named in self._shelf for named, _title in body.reading.titles)
        if ours or titled or (named is not None and self._concerns(named)):
            self._overhears = True
            try:
                reading = replace(body.reading, conversations=tuple(ours))
                self._traffic.witness(replace(body, reading=reading))
            finally:
                self._overhears = False

    # --- inside ------------------------------------------------------------------------------

    def _concerns(self, conversation_id: str) -> bool:
        assert self._traffic is not None
        spoken_for = self._traffic.fusion.peek(conversation_id) is not None
        return spoken_for or conversation_id in self._shelf or conversation_id == self.shown

    def _machine(self, attempt: str | None) -> Machine | None:
        if attempt is None or self._traffic is None:
            return None
        return self._traffic.fusion.machine(attempt)

    def _readiness(self, attempt: str | None) -> Readiness:
        machine = self._machine(attempt)
        return readiness_of(machine) if machine else Readiness(Mode.AWAITING_STABILIZATION)

    def _speaker(self, gathered: Gathered, attempt: str | None) -> str | None:
        machine = self._machine(attempt)
        if machine is not None:
            if machine.state is not State.CAPTURED_READY:
                return attempt
            if self._shelf.was_ready(gathered):
                return attempt
        if gathered.conversation_id != self.shown:
            return attempt  # the page looked ahead: kept, and nobody waits for it
        return self._adopt(gathered)

    def _adopt(self, gathered: Gathered) -> str:
        """An attempt for a conversation on show that nobody asks in."""
        assert self._traffic is not None
        fusion, now = self._traffic.fusion, self._clock()
        attempt = f"{self.site.name}:stored-{next(self._names)}"
        found = gathered.conversation
        at = now - 2 * STABILITY_SECONDS if self._shelf.was_ready(gathered) else now
        self._adopted = {one for one in self._adopted if fusion.machine(one)} | {attempt}
        self._hung_up = {one for one in self._hung_up if fusion.machine(one)}
        self._traffic.relay(fusion.open(attempt, at, conversation_id=gathered.conversation_id))
        self._stop_if_known(gathered, attempt)
        if at < now and found is not None:  # its first sample was the one that is kept
            first = Seen(attempt, as_witness(found), Source.CANONICAL, gathered.conversation_id)
            self._traffic.relay(fusion.feed(first, at))
        return attempt

    def _stop_if_known(self, gathered: Gathered, attempt: str | None) -> None:
        """A site may store what was stopped as if it were whole: whoever reads it is told."""
        machine, found = self._machine(attempt), gathered.conversation
        if machine is None or attempt is None or found is None or self._traffic is None:
            return
        stop, told = self._stops.get((self.site.name, gathered.conversation_id)), machine.findings
        same = compare(told.ours(), as_witness(found).text) is Match.SAME
        if attempt in self._hung_up and told.has_text() and same:
            stop = Stop(told.prompt, told.ours())  # no more than we heard when it hung up
        if stop is not None and told.stopped is None and stop.is_newest_of(found):
            self._traffic.feed(attempt, TurnStopped("before its end"), Source.COMPLETION)

    def _have_read(self, conversation_id: str | None) -> None:
        if self._traffic is not None and conversation_id is not None:
            attempt = self._adopt(Gathered(self.site, conversation_id))
            hint = HintSeen("the page was already open")
            self._traffic.feed(attempt, hint, Source.COMPLETION, conversation_id)

    def _adopt_read(self, gathered: Gathered) -> None:
        """The same, and it hears at once what was read already."""
        attempt, found = self._adopt(gathered), gathered.conversation
        if found is not None and self._traffic is not None:
            named = gathered.conversation_id
            self._traffic.feed(attempt, as_witness(found), Source.CANONICAL, named)

    def _judged(self, attempt: str, verdict: Verdict) -> None:
        machine = self._machine(attempt)
        named = machine.conversation_id if machine is not None else None
        if machine is None or verdict.judgement is Judgement.OPEN or named is None:
            return
        assert self._traffic is not None
        stream = self._traffic.heard(attempt)
        if stream is not None and stream.temporary:
            return
        if machine.findings.stopped is not None:
            self._stops[self.site.name, named] = Stop(machine.findings.prompt, verdict.text)
        # of a question that failed in a new chat the question itself is all there is
        alone = badge_of(machine) is Badge.FAILED and named not in self._shelf
        prompt = stream.prompt if stream is not None else None
        if not verdict.text.strip() and not (alone and prompt):
            return
        found = stream.reader.conversation() if stream is not None else None
        if found is None or found.id not in (None, named):
            found = from_verdict(self.site.name, attempt, verdict)
        found = asked(judged(found, attempt, verdict), prompt)
        gathered = self._shelf.take(named)
        gathered.title = better(gathered.title, site_title(verdict.title))
        if gathered.hear(replace(found, id=named), self._page_url()):
            self._emit(gathered, self._readiness(attempt))

    def _ready(self, attempt: str, readiness: Readiness) -> None:
        machine = self._machine(attempt)
        named = machine.conversation_id if machine is not None else None
        gathered = self._shelf.get(named) if named is not None else None
        if machine is None or gathered is None or named is None:
            return
        readiness = readiness_of(machine)
        if readiness.mode is Mode.AWAITING_STABILIZATION:
            return
        if readiness.ready:
            gathered.steady()
            self._shelf.know(named, Known(gathered.digest, True, gathered.title))
        self._emit(gathered, readiness)

    def _name(self, gathered: Gathered, title: Title) -> None:
        kept = better(gathered.title, title)
        if kept != gathered.title:
            gathered.title = kept
            attempt = self._traffic.fusion.peek(gathered.conversation_id) if self._traffic else None
            self._emit(gathered, self._readiness(attempt))

    def _emit(self, gathered: Gathered, readiness: Readiness) -> None:
        ready = self._shelf.was_ready(gathered)  # what grew since is not
        facts = (gathered.digest, ready, gathered.canonical, readiness.reasons, gathered.title)
        if not gathered.digest or facts == gathered.told:
            return
        gathered.told = facts
        reasons = tuple(map(str, readiness.reasons))
        captured = gathered.captured(
            ready=ready, reasons=reasons, origin=self._origin, now=self._wall()
        )
        if captured is not None:
            self._captured(captured)
