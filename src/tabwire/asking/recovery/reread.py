"""Read a conversation again by letting the page do it: a tab in the background, its own request.

We copy no headers and ask nothing ourselves. Where the answer is still being written, the page
resumes it, and it is followed to its end. The tab is closed again: nobody asked for it.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial

from tabwire.asking.background import beside
from tabwire.asking.recovery.proof import SiteClock, Sought
from tabwire.asking.refusal import led_to
from tabwire.asking.tab import BLANK
from tabwire.browser.errors import TabLost, TabNotResponding
from tabwire.browser.line import BrowserLine
from tabwire.browser.observed import PageState
from tabwire.browser.tab import Tab
from tabwire.browser.tab_events import Cancelled
from tabwire.browser.tabs import Tabs
from tabwire.fusion.verdict import Judgement, Verdict
from tabwire.model.ask_errors import (
    AskError,
    ChallengeShown,
    ConversationGone,
    LoginRequired,
    SiteFailed,
)
from tabwire.model.conversation import Conversation
from tabwire.model.errors import TabwireError
from tabwire.monitor import sightings as told
from tabwire.monitor.follow import Wish, follow
from tabwire.monitor.sightings import Sighting
from tabwire.sites.page import NoticeKind
from tabwire.sites.site import Site
from tabwire.sites.witness import as_witness

LISTEN_SECONDS = 15.0  # to be told what a new tab asks for: it takes milliseconds
FIRST_SECONDS = 15.0  # for the page to load what is stored
SURE_SECONDS = 3.0  # for a page to take back that there is no such chat, or that it wants a login
AGAIN_SECONDS = 5.0  # between two readings of an answer that is not finished
AGAIN_MOST_SECONDS = 60.0
STILL_SECONDS = 180.0  # a site that hands off its answer was seen to store it after 90


CANCELLED = Cancelled.__name__.lower()  # as a sighting names it


@dataclass(slots=True)
class Reread:
    """What a tab that was opened for it told of a conversation."""

    conversation_id: str
    named_in: Callable[[str], str | None]  # the conversation that an address is of
    stored: Conversation | None = None
    verdict: Verdict | None = None  # of an answer that was still being written
    state: PageState | None = None
    over: bool = False
    befell: told.Befell | None = None
    not_stored: str = ""  # why, where the site says that it does not have it
    growth: Callable[[Sighting], None] = lambda _one: None
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def hear(self, sighting: Sighting) -> None:
        """Take one sighting of that tab."""
        match sighting:
            case told.Stored(conversation=found) if found is not None:
                if found.id == self.conversation_id:
                    self.stored = found
            case told.NotStored(conversation_id=named, why=why) if named == self.conversation_id:
                self.not_stored = why
            case told.Judged(verdict=verdict) if verdict.judgement is not Judgement.OPEN:
                if verdict.conversation_id in (None, self.conversation_id):
                    self.verdict = verdict
            case told.Grew() | told.Rewritten():
                self.growth(sighting)
            case told.Befell(over=True):
                self.over, self.befell = True, sighting
        self._changed.set()

    def see(self, state: PageState) -> None:
        """The page shows something else."""
        self.state = state
        if state.composer and self.named_in(state.url) != self.conversation_id:
            self.not_stored = self.not_stored or led_to(self.conversation_id, state.url)
        self._changed.set()

    def broke(self, _fault: BaseException) -> None:
        """Nothing more will be heard."""
        self.over = True
        self._changed.set()

    async def until(self, fits: Callable[[], bool], seconds: float | None) -> bool:
        """Wait for it; whether it came."""
        try:
            async with asyncio.timeout(seconds):
                while not fits():
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            return fits()
        return True

    async def until_read(self, seconds: float) -> None:
        """Wait for what is stored, or for an answer under way. Raises as `check` does."""
        read: Callable[[], bool] = lambda: bool(self.stored or self.verdict or self.over)  # noqa: E731
        until = time.monotonic() + seconds
        while not read() and (left := until - time.monotonic()) > 0:
            await self.until(lambda: read() or self.objects, left)
            await self.until(read, min(left, SURE_SECONDS) if self.objects else 0.0)
            if self.objects:
                break
        self.check()

    @property
    def objects(self) -> bool:
        """Whether the page, or its site, says that it will not show the conversation."""
        return bool(self.not_stored) or (self.state is not None and _is_refused(self.state))

    async def until_stored(self, seconds: float) -> None:
        """Wait for what is stored, and for nothing else. Raises as `check` does."""
        await self.until(lambda: bool(self.stored or self.over), seconds)
        self.check()

    def check(self) -> None:
        """Raise `TabLost` where the person pressed Cancel: nothing more is done in their browser,
        in no other tab either."""
        if self.befell is not None and self.befell.what == CANCELLED:
            raise TabLost(Cancelled(self.befell.at))

    @property
    def whole(self) -> bool:
        """Whether nothing more can come: the site has it finished, or it was followed so."""
        if self.verdict is not None:
            return True
        return self.stored is not None and self.stored.standing.terminal


@asynccontextmanager
async def reading(
    tabs: Tabs,
    site: Site,
    conversation_id: str,
    *,
    in_front: bool = False,
    clock: SiteClock | None = None,
) -> AsyncIterator[Reread]:
    """Open the conversation in a background tab and follow it for the length of a block.

    `in_front`: the tab comes to the front, for whoever allowed that. `clock` learns what time it
    is at the site.
    """
    found = Reread(conversation_id, site.conversation_in_url)
    tab = await tabs.open(BLANK)
    where = site.page.chat_url(conversation_id)
    try:
        wish = Wish(sees=found.see, dates=clock.hear if clock is not None else None)
        async with heard(tab, site, found.hear, wish, found.broke):
            await tab.navigate(where, seconds=site.page.timings.load_seconds)
            if in_front:
                await tab.session.call("Page.bringToFront")
            yield found
    finally:
        await put_away(tabs, tab.target)


@asynccontextmanager
async def heard(
    tab: Tab,
    site: Site,
    hear: Callable[[Sighting], None],
    wish: Wish,
    broke: Callable[[BaseException], None],
) -> AsyncIterator[None]:
    """Follow a tab beside the block, which begins when nothing goes by unheard any more: a page
    that is led somewhere sooner may have asked for its conversation by then, and asks only once.
    Raises what kept us from listening; what breaks it later, `broke` is told."""
    listening: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def take(sighting: Sighting) -> None:
        if isinstance(sighting, told.Watching) and not listening.done():
            listening.set_result(None)
        hear(sighting)

    def fail(fault: BaseException) -> None:
        if listening.done():
            broke(fault)
        else:
            listening.set_exception(fault)

    async with beside(follow(tab, site, take, wish), fail):
        try:
            async with asyncio.timeout(LISTEN_SECONDS):
                await listening
        except TimeoutError:
            why = f"no traffic could be recorded within {LISTEN_SECONDS:g} s"
            raise TabNotResponding(tab.target, why) from None
        yield


async def put_away(tabs: Tabs, target: str) -> None:
    """Close a tab that we only read in. What was read stays read where the browser is too busy
    to say that it is closed; it closes all the same."""
    if tabs.connection.gone is None:
        with suppress(TabwireError):
            await tabs.close(target)


async def read_again(
    line: BrowserLine,
    site: Site,
    conversation_id: str,
    sought: Sought | None,
    *,
    growth: Callable[[], Callable[[Sighting], None]],
    waiting: Callable[[str], None],
    tries: int | None = None,
    in_front: bool = False,
    clock: SiteClock | None = None,
    enough: Callable[[Conversation], bool] = lambda _stored: False,
) -> Conversation | None:
    """Read until the newest answer is over, or nothing new is stored for `STILL_SECONDS`.

    None where the conversation is there and the question that is sought is not proven to be its
    newest; without one, whatever is newest is meant. `tries` bounds how often it is read;
    `enough` says that what is stored will not grow. `growth` is called for each reading, and
    what it gives hears the answer from its beginning. Raises what stands in the way; cancel to
    stop sooner.
    """
    patience = _Patience(tries)
    clock = clock or SiteClock()
    opened = partial(reading, line.tabs, site, conversation_id, in_front=in_front, clock=clock)
    while True:
        async with opened() as found:
            found.growth = growth()
            await found.until_read(FIRST_SECONDS)
            if found.stored is None and found.verdict is None:
                raise _in_the_way(site, conversation_id, found)
            if not found.whole:  # the page goes on with it, or only the store ever will
                await found.until(lambda: bool(found.verdict or found.over), patience.pause)
                await found.until(lambda: bool(found.verdict or found.over), _rest(found))
                found.check()
            stored, followed = found.stored, found.verdict
        if stored is not None and sought is not None and not sought.is_in(stored, clock):
            return None
        if followed is not None and followed.complete and not patience.over(stored):
            continue  # followed to its end: now it is stored
        if stored is not None and (stored.standing.terminal or enough(stored)):
            return stored
        if stored is not None and patience.over(stored):
            return stored
        waiting(f"the site has not finished the answer; reading again in {patience.pause:.0f} s")
        await asyncio.sleep(patience.pause)  # nobody tells of a store: the named fallback
        patience.longer()


class _Patience:
    """How long an answer that does not grow is waited for."""

    def __init__(self, tries: int | None) -> None:
        self.pause = AGAIN_SECONDS
        self._tries = tries
        self._size = -1
        self._still_since = time.monotonic()

    def over(self, stored: Conversation | None) -> bool:
        """Whether it has been still for too long, or was read often enough."""
        size = len(as_witness(stored).text) if stored is not None else 0
        if size != self._size:
            self._size, self._still_since = size, time.monotonic()
        if self._tries is not None:
            self._tries -= 1
            return self._tries <= 0
        return time.monotonic() - self._still_since >= STILL_SECONDS

    def longer(self) -> None:
        """The next pause: no site is asked often."""
        self.pause = min(2 * self.pause, AGAIN_MOST_SECONDS)


def _rest(found: Reread) -> float | None:
    """How long to stay: without end while the page writes, else not at all."""
    return None if found.state is not None and found.state.generating else 0.0


def has_answer(conversation: Conversation) -> bool:
    """Whether there is any answer to its newest question."""
    stored = as_witness(conversation)
    return bool(stored.text.strip()) or stored.media


def _is_refused(state: PageState) -> bool:
    """Whether the page shows a challenge or a login wall in the place of a chat."""
    if state.notice(NoticeKind.CHALLENGE) is not None and state.layout is None:
        return True
    return not state.composer and _offers_login(state)


def _offers_login(state: PageState) -> bool:
    return state.notice(NoticeKind.LOGIN) is not None and state.logged_in is not True


def _in_the_way(site: Site, conversation_id: str, found: Reread) -> AskError:
    state = found.state
    if state is not None and state.notice(NoticeKind.CHALLENGE) and state.layout is None:
        return ChallengeShown(site.name)
    if state is not None and _offers_login(state):
        return LoginRequired(site.name)
    if found.befell is not None:
        return SiteFailed(site.name, f"{found.befell.words}, before it had loaded the conversation")
    if found.not_stored:
        return ConversationGone(site.name, conversation_id, found.not_stored)
    if state is not None and site.conversation_in_url(state.url) != conversation_id:
        return ConversationGone(site.name, conversation_id, led_to(conversation_id, state.url))
    return SiteFailed(site.name, "the page did not load the conversation")
