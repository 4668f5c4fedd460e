"""Pages that the extension hears: recorded, kept, shown, and given out as files.

Theory of operation. The relay calls us in its receive loop, so nothing here waits: a message is
checked, taken into the page's recorder (capture/), and what has to wait is put into a list that
one task works off in order. Captures are written first, then what the person wanted: a file is
always made of what is on the disk, and Save is offered only for what is.

What a page says was written by whoever runs in it. What is no message, or too much, is dropped
and counted; a fault of ours costs that message and nothing else.
"""

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from tabwire.capture import page_messages as m
from tabwire.capture.calibration import Step, Steps, step_named, strict
from tabwire.capture.giving import failed, given
from tabwire.capture.losses import Losses
from tabwire.capture.page import RecordedPage
from tabwire.capture.shelf import Known
from tabwire.capture.standing import asks_in, nothing_came
from tabwire.capture.under_way import UNDER_WAY, UnderWay
from tabwire.config.logs import get_log, where
from tabwire.hub.conversations.catalogue import as_asked
from tabwire.hub.conversations.rereads import Key, Rereads
from tabwire.hub.conversations.writer import Keeper
from tabwire.model.captured import Captured
from tabwire.model.extension import PageRef
from tabwire.model.extensions import DumpedFrame
from tabwire.monitor.stored import StoredBody
from tabwire.sites.known import SITES, site_of_url
from tabwire.store.store import Store

MAX_PAGES = 256  # heard at once; the one opened first is let go
MAX_TODO = 500  # things that wait for the disk
MAX_READY = 5000  # conversations of which we remember that they are kept
MAX_DUMPED = 2000  # frames of a diagnosis that are remembered

Tell = Callable[[str, dict[str, Any]], None]
After = Callable[[float, Callable[[], None]], asyncio.TimerHandle]


@dataclass(slots=True)
class _Page:
    ref: PageRef
    recorded: RecordedPage
    told: dict[str, Any] = field(default_factory=dict)
    timer: asyncio.TimerHandle | None = None
    timer_at: float | None = None
    helper: bool = False  # opened by us to read a conversation
    last: int = 0  # the highest number it said: it says things again when its port was cut
    waited: set[str] = field(default_factory=set)  # attempts whose first wish we let pass

    @property
    def key(self) -> Key | None:
        """What it shows."""
        name = self.recorded.recorder.shown
        return (self.ref.site, name) if name is not None else None


class Captures:
    """All pages of one hub. Made in a running loop, lives inside `running`. `after` calls
    something so many seconds of `clock` later; `keeper` is whom others give captures as well."""

    def __init__(
        self,
        store: Store,
        *,
        tell: Tell,
        reread: Callable[[str], Awaitable[int]],
        close_tab: Callable[[int], Awaitable[None]],
        keeper: Keeper | None = None,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
        after: After | None = None,
    ) -> None:
        self.dumped: deque[DumpedFrame] = deque(maxlen=MAX_DUMPED)
        self._store = store
        self._rows = store.conversations
        self._under_way = UnderWay()
        self._tell = tell
        self._clock = clock
        self._wall = wall
        self._after = after or asyncio.get_running_loop().call_later
        self._keeper = keeper or Keeper(self._rows)
        self._keeper.kept = self._kept
        self._rereads = Rereads(
            reread, close_tab, start=self._start, clock=clock, wanted=self._is_shown
        )
        self._pages: OrderedDict[str, _Page] = OrderedDict()
        self.dropped = Losses(lambda: [one.recorded for one in self._pages.values()])
        self._ready: OrderedDict[Key, str] = OrderedDict()  # digests of what is kept as ready
        self._steps = Steps()
        self._todo: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue(MAX_TODO)
        self._runs = False
        self._readings: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Captures"]:
        """Work for the length of a block. What waits for the disk at its end is written."""
        loop = asyncio.get_running_loop()
        own = [loop.create_task(self._keeper.run()), loop.create_task(self._work())]
        self._runs = True
        try:
            yield self
        finally:
            self._runs = False
            for page in tuple(self._pages):
                self.page_closed(page)
            tasks = [*own, *self._readings]
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            await self._keeper.flush_quietly()

    # --- called in the receive loop ----------------------------------------------------------

    def page_opened(self, page: PageRef) -> None:
        """A page of a site we know is there, or is there again: the worker between us was ended,
        and what the page said to it is said once more. Such a page goes on."""
        site = SITES.get(page.site)
        if site is None or site_of_url(page.url) is not site:
            self.dropped.add("page of an unknown site")
            return
        known = self._pages.get(page.id)
        if known is not None and known.ref.site == page.site:
            known.ref = page
            self._refresh(known, again=True)
            return
        self.page_closed(page.id)
        while len(self._pages) >= MAX_PAGES:
            self.page_closed(next(iter(self._pages)))
        recorded = RecordedPage(
            site,
            page.url,
            clock=self._clock,
            wall=self._wall,
            captured=self._put,
            wants_reading=lambda conversation, attempt: self._wants(page.id, conversation, attempt),
            heard_body=lambda body: self._heard(page.id, body),
            profile=strict(site.name, self._steps.first(site.name)),
            midway=page.again,
            stops=self._keeper.stops,
        )
        recorded.visible = page.visible
        one = self._pages[page.id] = _Page(page, recorded)
        one.helper = self._rereads.is_ours(one.key, page.tab)
        if not self._steps.knows(site.name):
            self._later(lambda: self._learn_step(site.name))
        self._look_up(one)
        self._refresh(one, again=True)

    def page_said(self, page_id: str, message: dict[str, Any], number: int | None = None) -> None:
        """Something happened in it, or its person wants it. A `number` that was there is known."""
        page = self._pages.get(page_id)
        if page is None:
            self.dropped.add("unknown page")
            return
        if number is not None:
            if number <= page.last:
                return
            page.last = number
        try:
            self._take(page, m.read_message(message))
        except Exception as exc:  # noqa: BLE001 - whatever a page says, the line goes on
            self.dropped.add("internal error")
            get_log().error("a message from a page was not understood", error=exc, where=where(exc))

    def page_closed(self, page_id: str) -> None:
        """It is no more, or nothing more is heard of it."""
        if (page := self._pages.pop(page_id, None)) is None:
            return
        if page.timer is not None:
            page.timer.cancel()
        page.recorded.close()
        self._mind(page, None)
        self.dropped.closed(page.recorded)

    def __len__(self) -> int:
        return len(self._pages)

    def _take(self, page: _Page, message: m.PageMessage | None) -> None:
        match message:
            case None:
                self.dropped.add("not a message")
                return
            case m.Bytes():
                page.recorded.take(message)
                if page.recorded.has_news():
                    self._news(page)
            case m.Save() | m.Copy():
                self._later(lambda: self._give(page, message), page, message.request)
            case m.Dump(attempt=attempt, frame=frame, size=size, at=at):
                # what went by, without its content: the person switched that on in the options
                self.dumped.append(DumpedFrame(page.ref.site, attempt, frame, size, at))
                return
            case m.AskState():
                self._refresh(page, again=True)
            case m.Moved():
                page.recorded.take(message)
                self._look_up(page)
                self._news(page, again=True)
            case _:
                page.recorded.take(message)
                self._news(page)
        self._set_timer(page)

    # --- time --------------------------------------------------------------------------------

    def _set_timer(self, page: _Page) -> None:
        at = page.recorded.next_deadline()
        if at == page.timer_at:
            return
        if page.timer is not None:
            page.timer.cancel()
        page.timer_at = at
        page.timer = None
        if at is not None:
            delay = max(0.0, at - self._clock())
            page.timer = self._after(delay, partial(self._tick, page))

    def _tick(self, page: _Page) -> None:
        page.timer, page.timer_at = None, None
        page.recorded.tick()
        self._news(page)

    # --- questions under way -----------------------------------------------------------------

    def _news(self, page: _Page, *, again: bool = False) -> None:
        """Something happened in it."""
        asks = asks_in(page.recorded.recorder.question)
        self._mind(page, (page.ref.site, asks) if asks is not None else None)
        self._refresh(page, again=again)
        self.dropped.check(page.recorded, get_log().warn)

    def _mind(self, page: _Page, key: Key | None) -> None:
        """What is kept of a conversation in which somebody asks lacks the question."""
        began, over = self._under_way.put(page.ref.id, key)
        if began is not None:
            self._under_way.was_ready(began, self._ready.pop(began, None))
            self._later(lambda: self._hold(began))
        refused = nothing_came(page.recorded.recorder.question)
        gone = page.ref.id not in self._pages
        if over is not None and (refused or gone):
            self._under_way.forget(over)
        if over is not None and refused:
            self._later(lambda: self._let_go(over))
        for one in tuple(self._pages.values()) if began or over else ():
            if one is not page and one.key in (began, over) and one.key is not None:
                if one.key == over and gone:
                    one.recorded.recorder.doubt(one.key[1])
                self._refresh(one)

    async def _hold(self, key: Key) -> None:
        if self._under_way.is_to_hold(key):
            await self._rows.hold(*key, UNDER_WAY)

    async def _let_go(self, key: Key) -> None:
        """The question was refused: the conversation is what it was."""
        row = None if key in self._under_way else await self._rows.let_go(*key, UNDER_WAY)
        if row is not None:
            self._kept(row)

    def _put(self, captured: Captured) -> None:
        key = (captured.site, captured.conversation_id)
        if captured.ready and not self._under_way.takes(key, captured.digest):
            captured = replace(captured, ready=False, reasons=(UNDER_WAY,))
        self._keeper.put(captured)

    # --- what pages tell each other ----------------------------------------------------------

    def _heard(self, page_id: str, body: StoredBody) -> None:
        """A page loaded something: others that show the same hear of it, once."""
        site = self._pages[page_id].ref.site if page_id in self._pages else None
        for one in body.reading.conversations:
            if site is not None and one.id is not None:
                self._rereads.heard((site, one.id))
        for other in tuple(self._pages.values()):
            if other.ref.id != page_id and other.ref.site == site:
                other.recorded.recorder.overhear(body)
                if other.recorded.has_news():
                    self._refresh(other)

    def _wants(self, page_id: str, conversation: str, attempt: str) -> None:
        page = self._pages.get(page_id)
        if page is None or page.helper:
            return  # whoever had it opened asks
        if not page.recorded.visible and not page.recorded.recorder.asked_here:
            return  # a browser that starts has a hundred chats open: who looks at one asks
        key = (page.ref.site, conversation)
        if self._steps.first(page.ref.site) is Step.PASSIVE_WAIT and attempt not in page.waited:
            if len(page.waited) >= MAX_TODO:
                page.waited.clear()
            page.waited.add(attempt)  # here pages read by themselves: the first wish may wait
            return
        if self._rereads.want(key, page_id):
            self._steps.read_again(key)

    def _is_shown(self, key: Key) -> bool:
        return any(page.key == key for page in self._pages.values() if not page.helper)

    # --- what is kept ------------------------------------------------------------------------

    def _kept(self, row: Captured) -> None:
        key = (row.site, row.conversation_id)
        if row.ready:
            self._ready[key] = row.digest
            self._ready.move_to_end(key)
            while len(self._ready) > MAX_READY:
                self._ready.popitem(last=False)
            site, step = row.site, self._steps.became_ready(key)
            if self._steps.learn(site, step):  # which way led here is tried first from now on
                self._later(lambda: self._rows.keep_step(site, step, self._wall()))
            self._rereads.settled(key)
        else:
            self._ready.pop(key, None)
        for page in tuple(self._pages.values()):
            if page.key == key:
                page.recorded.recorder.heed_stop()
                self._refresh(page)

    async def _learn_step(self, site: str) -> None:
        if (step := step_named(await self._rows.step(site))) is not None:
            self._steps.learn(site, step)

    def _look_up(self, page: _Page) -> None:
        if (key := page.key) is not None:
            self._later(lambda: self._know(page, key))

    async def _know(self, page: _Page, key: Key) -> None:
        # what it loaded before this hub came it does not load again
        back = page.ref.again and not page.ref.asks and not page.helper
        row = await self._rows.conversation(*key, bodies=back)
        if row is not None and key in self._under_way:
            row = replace(row, ready=False)
        if self._pages.get(page.ref.id) is not page:
            return
        recorder = page.recorded.recorder
        if row is not None:
            if row.ready:
                self._ready[key] = row.digest
            recorder.know(key[1], Known(row.digest, row.ready, row.title))
        if back and not (row is not None and recorder.recall(row)):
            recorder.miss(key[1])
        self._refresh(page)

    # --- what the person sees and gets -------------------------------------------------------

    def _refresh(self, page: _Page, *, again: bool = False) -> None:
        """Tell the page how it stands, where that changed or is asked for."""
        self._set_timer(page)
        key = page.key
        kept = self._ready.get(key) if key is not None else None
        state = asdict(page.recorded.shown(kept, asked=key in self._under_way))
        if again or state != page.told:
            page.told = state
            self._tell(page.ref.id, {"kind": "state", **state})

    async def _give(self, page: _Page, wish: m.Save | m.Copy) -> None:
        key, state = page.key, page.told
        row = await self._rows.conversation(*key, bodies=True) if key is not None else None
        row = await as_asked(self._store, row) if row is not None else None
        self._tell(page.ref.id, await asyncio.to_thread(given, wish, row, state))

    # --- what has to wait --------------------------------------------------------------------

    def _later(
        self, work: Callable[[], Awaitable[None]], page: _Page | None = None, request: str = ""
    ) -> None:
        try:
            self._todo.put_nowait(work)
        except asyncio.QueueFull:
            self.dropped.add("too many requests at once")
            if page is not None:
                what = "Too many requests at once."
                told = failed(request, "busy", what, "Try again in a moment.")
                self._tell(page.ref.id, told)

    async def _work(self) -> None:
        while True:
            work = await self._todo.get()
            try:
                await self._keeper.flush()
                await work()
            except Exception as exc:  # noqa: BLE001 - the next one is not to blame
                get_log().error("a request of a page failed", error=exc, where=where(exc))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        if not self._runs:
            work.close()
        else:
            task = asyncio.get_running_loop().create_task(work, name="read a conversation again")
            self._readings.add(task)
            task.add_done_callback(self._readings.discard)
