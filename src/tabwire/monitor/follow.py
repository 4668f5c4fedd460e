"""Follow one tab until it ends: arm, hear, let time pass.

The tap and the observer call us inside the receive loop, and everything that can be said at
once is said there. What has to wait for the page (its text as a witness) is a chore that
the one task of `follow` does in turn. Time comes in by a timer set to fusion's next
deadline; nothing polls.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from tabwire.browser import tab_events as life
from tabwire.browser.observe import Observer
from tabwire.browser.observed import PageState
from tabwire.browser.page.page import Page
from tabwire.browser.tab import Tab
from tabwire.browser.tap.events import Request, RequestLeft, ResponseBegan, TapEvent
from tabwire.browser.tap.tap import Tap
from tabwire.fusion.profile import DEFAULT, Profile
from tabwire.fusion.verdict import Judgement
from tabwire.model.errors import TabwireError
from tabwire.monitor import sightings as told
from tabwire.monitor.glances import Glances
from tabwire.monitor.requests import RequestBook
from tabwire.monitor.sightings import Befell, Sighting
from tabwire.monitor.stored import Keeps
from tabwire.monitor.traffic import Traffic
from tabwire.sites.known import site_of_url
from tabwire.sites.site import RequestKind, Site


class Records(Keeps, Protocol):
    """Whoever records a tab that is followed."""

    def attend(self, traffic: Traffic) -> None:
        """This is the traffic that will be heard of."""
        ...

    def told(self, sighting: Sighting) -> None:
        """Something is told of the tab."""
        ...


UNHEARD_SECONDS = 2.0  # a page shows its stop control at most this long before it asks


class _Chore(Enum):
    """What `follow` does in turn, because it has to wait for the page."""

    READ_PAGE = auto()
    LEAVE = auto()


@dataclass(frozen=True, slots=True)
class Wish:
    """How a tab is to be followed.

    `sees` and `hears` are for whoever acts in the tab as well: each state of the page, and
    each request as it leaves. Both are called in the receive loop, before anything is told.
    `attends` is handed the traffic before any is heard, to tell it what only they know.
    `records` makes whoever records the conversations of the tab; it hears all that is told.
    `dates` gets what time it was at the site, by HTTP's header, and when that came here.
    """

    profile: Profile = DEFAULT
    requests: bool = False  # tell of every request at its end
    discover: bool = False  # and of which look like answers and match no rule
    sees: Callable[[PageState], None] | None = None
    hears: Callable[[Request, RequestKind], None] | None = None
    attends: Callable[[Traffic], None] | None = None
    records: Callable[[Site], Records] | None = None
    dates: Callable[[str, float], None] | None = None


async def follow(
    tab: Tab,
    site: Site,
    tell: Callable[[Sighting], None],
    wish: Wish | None = None,
) -> Befell:
    """Follow a tab until it ends; what befell it then. Cancel to stop sooner."""
    watch = _Watch(tab, site, tell, wish or Wish())
    async with watch.armed():
        return await watch.until_the_end()


def _both(
    first: Callable[[Sighting], None], then: Callable[[Sighting], None]
) -> Callable[[Sighting], None]:
    def tell(sighting: Sighting) -> None:
        first(sighting)
        then(sighting)

    return tell


class _Watch:
    """One tab being followed."""

    def __init__(self, tab: Tab, site: Site, tell: Callable[[Sighting], None], wish: Wish) -> None:
        self._tab = tab
        self._site = site
        records = wish.records(site) if wish.records is not None else None
        self._tell = tell = tell if records is None else _both(records.told, tell)
        self._wish = wish
        self._loop = asyncio.get_running_loop()
        self._clock = time.monotonic  # the browser's own clock where it runs on this machine
        book = RequestBook(discover=wish.discover) if wish.requests or wish.discover else None
        self._traffic = Traffic(
            site,
            tell=tell,
            clock=self._clock,
            page_url=lambda: tab.url,
            profile=wish.profile,
            book=book,
            keeps=records,
        )
        if records is not None:
            records.attend(self._traffic)
        if wish.attends is not None:
            wish.attends(self._traffic)
        self._glances = Glances(
            self._traffic,
            tell=tell,
            clock=self._clock,
            wants_text=self._want_text,
            wants_patience=self._be_patient,
        )
        self._tap = Tap(tab.session, wanted=self._traffic.wanted, hear=self._heard)
        self._observer = Observer(tab.session, site.page, self._saw)
        self._chores: asyncio.Queue[_Chore] = asyncio.Queue()
        self._reading_wanted = False
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = float("inf")
        self._quiet: asyncio.TimerHandle | None = None
        self._patience: asyncio.TimerHandle | None = None
        self._loading: asyncio.TimerHandle | None = None
        self._end: Befell | None = None
        self._url = tab.url

    @asynccontextmanager
    async def armed(self) -> AsyncIterator[None]:
        """Listen, from before the first thing is told until the end."""
        stop = self._tab.on_life(self._befell)
        try:
            await self._tap.arm()
            state = await self._observer.arm()
            tab = self._tab
            self._tell(
                told.Watching(
                    self._clock(),
                    self._site.name,
                    tab.url,
                    tab.title,
                    state.layout,
                    state.logged_in,
                )
            )
            if tab.unreachable:
                self._befell(life.NotLoaded(self._clock(), tab.url))
            elif state.layout is None:
                self._await_page()
            yield
        finally:
            stop()
            for timer in (self._timer, self._quiet, self._patience, self._loading):
                if timer is not None:
                    timer.cancel()
            self._tap.close()
            self._observer.close()

    async def until_the_end(self) -> Befell:
        """Do chores until the tab ends."""
        while self._end is None:
            if await self._chores.get() is _Chore.READ_PAGE:
                await self._read_page()
        return self._end

    # --- inside the receive loop ---------------------------------------------------------

    def _heard(self, event: TapEvent) -> None:
        if isinstance(event, RequestLeft) and self._wish.hears is not None:
            self._wish.hears(event.request, self._traffic.sort(event.request))
        if isinstance(event, ResponseBegan) and event.date and not event.from_cache:
            self._dated(event)
        self._traffic.hear(event)
        self._set_timer()

    def _dated(self, event: ResponseBegan) -> None:
        if self._wish.dates is not None and site_of_url(event.url) is self._site:
            self._wish.dates(event.date, event.wall)

    def _saw(self, state: PageState) -> None:
        if self._wish.sees is not None:
            self._wish.sees(state)
        if state.url != self._url:
            before, self._url = self._url, state.url
            self._traffic.moved(before, state.url)
        if state.layout is not None and self._loading is not None:
            self._loading.cancel()
            self._loading = None
        self._glances.hear(state)
        self._set_timer()

    def _await_page(self) -> None:
        """It is not there yet. Where it does not come, that is said once."""
        if self._loading is None:
            seconds = self._site.page.timings.load_seconds
            self._loading = self._loop.call_later(seconds, self._did_not_come, seconds)

    def _did_not_come(self, seconds: float) -> None:
        self._loading = None
        words = f"the page shows nothing recognisable of {self._site.name} after {seconds:g} s"
        remedy = f"Look at it: `tabwire snapshot {self._site.name}`; reload the tab if it is empty."
        self._tell(Befell(self._clock(), "not_shown", f"{words}: {self._tab.url}", remedy, False))

    def _befell(self, event: life.LifeEvent) -> None:
        over = isinstance(event, life.ENDS)
        now = self._clock()
        if isinstance(event, life.Navigated) and event.url != self._url:
            before, self._url = self._url, event.url
            self._traffic.moved(before, event.url)
        befell = Befell(now, type(event).__name__.lower(), event.words, event.remedy, over)
        if not isinstance(event, life.Navigated):  # told as a move already
            self._tell(befell)
        if isinstance(event, life.Reloaded | life.Navigated) and not over:
            new_page = isinstance(event, life.Reloaded) or not event.same_document
            if new_page:
                self._await_page()
        elif isinstance(event, life.NotLoaded) and self._loading is not None:
            self._loading.cancel()  # that is the reason
            self._loading = None
        if over and self._end is None:
            self._end = befell
            self._give_up(event.words)
            self._chores.put_nowait(_Chore.LEAVE)
        self._set_timer()

    def _give_up(self, why: str) -> None:
        """The tab is gone: no witness of an answer under way can speak any more."""
        newest = self._traffic.newest
        machine = self._traffic.fusion.machine(newest) if newest is not None else None
        if newest is None or machine is None or machine.judgement is not Judgement.OPEN:
            return
        self._traffic.relay(self._traffic.fusion.dispose(newest, self._clock(), why))

    def _want_text(self) -> None:
        if not self._reading_wanted:
            self._reading_wanted = True
            self._chores.put_nowait(_Chore.READ_PAGE)
        self._watch_quiet()

    def _watch_quiet(self) -> None:
        """From now on the page has to stand still for a while to hint at an end."""
        if self._quiet is not None:
            self._quiet.cancel()
        quiet = self._wish.profile.page_quiet_seconds
        self._quiet = self._loop.call_later(quiet, self._stood_still)

    def _be_patient(self) -> None:
        """The page writes, and no request was heard: it may be about to leave."""
        if self._patience is None:
            self._patience = self._loop.call_later(UNHEARD_SECONDS, self._lose_patience)

    def _lose_patience(self) -> None:
        self._patience = None
        self._glances.unheard()
        self._set_timer()

    def _stood_still(self) -> None:
        self._quiet = None
        newest = self._traffic.newest
        machine = self._traffic.fusion.machine(newest) if newest is not None else None
        if machine is not None and machine.judgement is Judgement.OPEN and self._glances.finished:
            self._glances.look_again()
            self._set_timer()

    # --- time ----------------------------------------------------------------------------

    def _set_timer(self) -> None:
        """Wake at fusion's next deadline. Deadlines are of the same clock as the loop's."""
        deadline = self._traffic.fusion.next_deadline()
        if deadline is None or deadline == self._timer_at:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at = deadline
        delay = max(0.0, deadline - self._clock())
        self._timer = self._loop.call_later(delay, self._tick)

    def _tick(self) -> None:
        self._timer, self._timer_at = None, float("inf")
        self._traffic.relay(self._traffic.fusion.tick(self._clock()))
        self._set_timer()

    # --- chores --------------------------------------------------------------------------

    async def _read_page(self) -> None:
        """Ask the page for the text of the newest answer: one more witness."""
        self._reading_wanted = False
        with suppress(TabwireError):  # a page that cannot be read is no witness
            async with Page(self._tab.session).focused():
                shown = await self._observer.read()
            self._glances.hear_text(shown)
            self._watch_quiet()
            self._set_timer()
