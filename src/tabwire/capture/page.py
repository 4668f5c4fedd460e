"""One page of the extension: its messages in, captures and what to show out.

Joins the three: page_traffic.py makes events of messages, `Traffic` makes attempts of events,
recorder.py records. Nothing here waits, and time comes by `tick`.
"""

from collections import Counter
from collections.abc import Callable

from tabwire.browser.tap.events import Request
from tabwire.capture import page_messages as m
from tabwire.capture.calibration import CaptureProfile, strict
from tabwire.capture.page_traffic import PageTraffic
from tabwire.capture.recorder import Recorder
from tabwire.capture.shelf import Key
from tabwire.capture.shown import Shown, shown
from tabwire.capture.standing import Stop
from tabwire.fusion.profile import DEFAULT
from tabwire.model.captured import Captured, Origin
from tabwire.monitor.sightings import Grew, Sighting
from tabwire.monitor.stored import StoredBody
from tabwire.monitor.traffic import Traffic
from tabwire.sites.site import Site

DROPS = ("forged", "replayed", "tokenless", "oversized", "overflow")


class RecordedPage:
    """`wants_reading` is told which conversation should be read again, for which attempt.
    `midway`: the page was there before us, and others heard what it said."""

    def __init__(
        self,
        site: Site,
        url: str,
        *,
        clock: Callable[[], float],
        wall: Callable[[], float],
        captured: Callable[[Captured], None],
        wants_reading: Callable[[str, str], None] = lambda _conversation, _attempt: None,
        heard_body: Callable[[StoredBody], None] = lambda _body: None,
        profile: CaptureProfile | None = None,
        midway: bool = False,
        stops: dict[Key, Stop] | None = None,
    ) -> None:
        self.site = site
        self.url = url
        self.visible = True
        self.dropped: Counter[str] = Counter()  # by the page script itself
        self._clock = clock
        self._wants = wants_reading
        self._news = False
        self.recorder = Recorder(
            site,
            origin=Origin.EXTENSION,
            clock=clock,
            wall=wall,
            captured=captured,
            adopts=True,
            heard_body=heard_body,
            page_url=lambda: self.url,
            stops=stops,
        )
        self._traffic = Traffic(
            site,
            tell=self._told,
            clock=clock,
            page_url=lambda: self.url,
            profile=(profile or strict(site.name)).for_fusion,
            wants_reading=self._wants_reading,
            keeps=self.recorder,
            name=self._attempt_name,
        )
        self.recorder.attend(self._traffic)
        self._pieces = PageTraffic(
            site.name, hear=self._traffic.hear, clock=clock, wall=wall, midway=midway
        )

    @property
    def refused(self) -> Counter[str]:
        """Messages that were none, by why."""
        return self._pieces.refused

    @property
    def warnings(self) -> tuple[str, ...]:
        """Which of its caches are nearly full."""
        return self._traffic.fusion.warnings()

    def take(self, message: m.PageMessage) -> None:
        """Take a message about the page; what the person wants is not ours to do."""
        match message:
            case m.Bytes() | m.Sent() | m.Head() | m.Ended() | m.Frame():
                if isinstance(message, m.Ended) and message.how == "canceled":
                    self.recorder.hung_up(message.attempt)
                self._pieces.take(message)
            case m.Moved(url=url):
                before, self.url = self.url, url
                if before != url:
                    self.recorder.moved(before, url)
            case m.Named(title=title):
                self.recorder.named(title)
            case m.Visible(on=on):
                self.visible = on
                if on:
                    self.recorder.look_again()
            case m.Dropped(counts=counts):
                for name in DROPS:  # they count from the page's beginning
                    self.dropped[name] = max(self.dropped[name], counts.get(name, 0))

    def has_news(self) -> bool:
        """Whether something happened since this was last asked."""
        news, self._news = self._news, False
        return news

    def shown(self, saved: str | None, *, asked: bool = False) -> Shown:
        """What the person is told; `saved` and `asked` as in shown.py."""
        return shown(self.recorder, saved, asked=asked)

    def next_deadline(self) -> float | None:
        """When `tick` has something to do."""
        times = (self._pieces.next_deadline(), self._traffic.fusion.next_deadline())
        return min((at for at in times if at is not None), default=None)

    def tick(self) -> None:
        """Let time pass."""
        self._pieces.tick()
        self._traffic.relay(self._traffic.fusion.tick(self._clock()))

    def close(self) -> None:
        """The page is gone. What it still was told to send never comes, and nobody reads its
        conversation again: what was heard is judged as it stands, so that it is kept."""
        self._pieces.close("the page is gone")
        fusion = self._traffic.fusion
        over = self._clock() + 2 * DEFAULT.witness_seconds
        while (at := fusion.next_deadline()) is not None and at < over:
            self._traffic.relay(fusion.tick(at))

    def _told(self, sighting: Sighting) -> None:
        self._news = self._news or not isinstance(sighting, Grew)
        self.recorder.told(sighting)

    def _wants_reading(self, attempt: str) -> None:
        machine = self._traffic.fusion.machine(attempt)
        if machine is not None and machine.conversation_id is not None:
            self._wants(machine.conversation_id, attempt)

    def _attempt_name(self, request: Request) -> str:
        fusion = self._traffic.fusion
        known = fusion.machine(request.id) or fusion.resolution(request.id)
        return "" if known is not None else request.id
