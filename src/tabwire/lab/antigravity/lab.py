"""The replica with a browser that shows it: windows opened, plans played, faults on demand."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from tabwire.browser.find import Found, find_browser, this_machine
from tabwire.browser.launch import Launch, Launched, launch
from tabwire.cdp.connection import Connection
from tabwire.cdp.errors import CdpError
from tabwire.cdp.protocol import Event
from tabwire.cdp.websocket import connect
from tabwire.lab.antigravity.gate import Gate
from tabwire.lab.antigravity.ledger import Ledger
from tabwire.lab.antigravity.plan import Plan
from tabwire.lab.antigravity.serve import Served, serving
from tabwire.lab.antigravity.shown import Shown
from tabwire.lab.antigravity.window import PAGES, Window
from tabwire.lab.certificate import make_certificate
from tabwire.lab.serve import LOOPBACK

T = TypeVar("T")

OPEN_SECONDS = 30.0  # for a window to be drawn, on a busy machine
CLOSE_SECONDS = 10.0
UNTIL_SECONDS = 20.0
SIZE = "--window-size=1280,900"
AGENT = (
    "--user-agent=Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Antigravity/1.107.0 Chrome/142.0.7444.175 Electron/39.2.3 Safari/537.36"
)


class Run:
    """A turn that was begun by `play`."""

    def __init__(self, lab: "AntigravityLab", window: str, work: "asyncio.Task[None]") -> None:
        self.window = window
        self._lab = lab
        self._work = work

    @property
    def over(self) -> bool:
        """Whether it has ended, however."""
        return self._work.done()

    async def ended(self, seconds: float = UNTIL_SECONDS) -> None:
        """Wait for its end."""
        await self._lab.until(lambda: self._work.done(), seconds)


class AntigravityLab:
    """A running replica. Its methods may be awaited in any loop; it lives in its own."""

    def __init__(
        self, served: Served, gate: Gate, wish: Launch, ledger: Ledger, pace: float
    ) -> None:
        self.ledger = ledger
        self.gate = gate
        self._served = served
        self._wish = wish
        self._pace = pace
        self._loop = asyncio.get_running_loop()
        self._group = asyncio.TaskGroup()
        self._opening = asyncio.Lock()
        self._windows: dict[str, Shown] = {}
        self._waiting: tuple[str, Shown] | None = None  # the window a page may claim
        self._count = 0
        self._browser: Launched | None = None
        self._line: Connection | None = None

    @property
    def port(self) -> int:
        """The debugging port: `/json/list` and all that follows from it."""
        return self.gate.port

    @property
    def url(self) -> str:
        """The browser's DevTools address, through the debugging port."""
        assert self._browser is not None
        return f"ws://{LOOPBACK}:{self.port}{self._browser.endpoint.path}"

    @property
    def windows(self) -> tuple[str, ...]:
        """The ids of the windows that are open, in the order they were opened."""
        return tuple(self._windows)

    def target(self, window: str) -> str:
        """A window's target id, as `/json/list` has it."""
        return self._shown(window).target

    def address(self, generation: str) -> str:
        """Where windows of a kind are."""
        return self._served.address(generation)

    # -- windows --------------------------------------------------------------------------

    async def open(self, window: Window) -> str:
        """Open a window; its id. Returns when its page is drawn."""
        return await self._there(self._opened(window))

    async def close(self, window: str) -> None:
        """Close a window, as a person does."""
        await self._there(self._closed(window))

    async def hide(self, window: str) -> None:
        """Put a window out of sight: its page is hidden and draws no frames."""
        await self._there(self._bounds(window, "minimized"))

    async def show(self, window: str) -> None:
        """… and back."""
        await self._there(self._bounds(window, "normal"))

    async def reload(self, window: str) -> None:
        """The window's page is loaded anew; the agent works on meanwhile."""
        await self._there(self._reloaded(window))

    # -- the agent ------------------------------------------------------------------------

    async def play(self, window: str, plan: Plan, prompt: str | None = None) -> Run:
        """Begin a turn in a window with this plan, as if somebody had asked."""

        async def begun() -> Run:
            work = self._shown(window).play(plan, plan.prompt if prompt is None else prompt)
            return Run(self, window, work)

        return await self._there(begun())

    async def next(self, window: str, *plans: Plan) -> None:
        """What the next prompts in a window start."""

        async def queued() -> None:
            self._shown(window).plans.extend(plans)

        await self._there(queued())

    async def change(self, window: str, card: str, **change: Any) -> None:
        """A card is not what it was: `command=`, `shown=`, `buttons=`."""

        async def changed() -> None:
            self._shown(window).change(card, **change)

        await self._there(changed())

    def told(self, window: str) -> int:
        """How many patches a window's page was sent; it has drawn them when its own
        `labDrawn(told)` settles."""
        return self._shown(window).sent

    def running(self, window: str) -> bool:
        """Whether the agent of a window has not ended its turn."""
        return self._shown(window).running()

    def cards(self, window: str) -> list[dict[str, Any]]:
        """The cards of the visible conversation that wait for an answer."""
        chat = self._shown(window).current
        rows = [row for turn in chat.turns for row in turn.rows if row.get("state") == "asked"]
        return [dict(row) for row in (*rows, *(n for n in chat.notices if n["kind"] == "error"))]

    def conversation(self, window: str) -> str:
        """The title of the visible conversation."""
        return self._shown(window).current.title

    def chosen(self, window: str) -> tuple[str, str]:
        """The model and the mode."""
        shown = self._shown(window)
        return shown.model, shown.mode

    async def until(self, condition: Callable[[], T | None], seconds: float = UNTIL_SECONDS) -> T:
        """Wait until something is so, looked at whenever something happened; what it is."""
        loop, news = asyncio.get_running_loop(), asyncio.Event()

        def heard() -> None:
            with suppress(RuntimeError):  # the loop that waited has just ended, in its thread
                loop.call_soon_threadsafe(news.set)

        stop = self.ledger.listen(heard)
        try:
            async with asyncio.timeout(seconds):
                while not (found := condition()):
                    await news.wait()
                    news.clear()
        finally:
            stop()
        return found

    # -- faults ---------------------------------------------------------------------------

    async def cut(self) -> int:
        """Every connection to the debugging port breaks; how many."""

        async def broken() -> int:
            return self.gate.cut()

        return await self._there(broken())

    async def restart(self, down_seconds: float = 0.0) -> None:
        """The IDE is quit and started again, with the same windows and the same port."""
        await self._there(self._restarted(down_seconds))

    async def quit(self) -> None:
        """The IDE is quit; the port is there and nobody answers."""
        await self._there(self._stopped())

    async def ended(self) -> None:
        """Until the browser ends, whoever ends it."""

        async def waited() -> None:
            assert self._browser is not None
            await self._browser.ended()

        await self._there(waited())

    # -- in the lab's own loop ------------------------------------------------------------

    async def _there(self, work: Coroutine[Any, Any, T]) -> T:
        if asyncio.get_running_loop() is self._loop:
            return await work
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def _shown(self, window: str) -> Shown:
        return self._windows[window]

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> "asyncio.Task[None]":
        task = self._group.create_task(work, name=name)
        # whoever waits for the end of a turn looks again, whichever end it was
        task.add_done_callback(lambda _task: self.ledger.woke())
        return task

    def _claim(self, window: str, path: str) -> Shown | None:
        """A page opened: one that is known comes back, another takes the window that waits."""
        if window in self._windows:
            return self._windows[window]
        if self._waiting is None or self._waiting[0] != path:
            return None
        shown, self._waiting = self._waiting[1], None
        return shown

    async def _opened(self, window: Window) -> str:
        self._count += 1
        shown = Shown(f"w{self._count}", window, self.ledger, self._start, self._pace)
        self._windows[shown.id] = shown
        await self._drawn(shown)
        return shown.id

    async def _drawn(self, shown: Shown) -> None:
        assert self._line is not None
        generation = shown.window.generation
        async with self._opening, asyncio.timeout(OPEN_SECONDS):
            shown.ready.clear()
            self._waiting = (PAGES[generation], shown)
            where = {"url": self._served.address(generation), "newWindow": True}
            shown.target = (await self._line.call("Target.createTarget", where))["targetId"]
            await shown.ready.wait()

    async def _closed(self, window: str) -> None:
        shown = self._windows.pop(window)
        shown.end()
        assert self._line is not None
        line = self._line
        # closing is answered before it is done; whoever is attached is told when it is
        with suppress(CdpError), line.subscribe(["Target.targetDestroyed"]) as gone:
            await line.call("Target.setDiscoverTargets", {"discover": True})
            await line.call("Target.closeTarget", {"targetId": shown.target})
            async with asyncio.timeout(CLOSE_SECONDS):
                async for event in gone:
                    if isinstance(event, Event) and event.read()["targetId"] == shown.target:
                        break

    async def _bounds(self, window: str, state: str) -> None:
        assert self._line is not None
        target = {"targetId": self._shown(window).target}
        found = await self._line.call("Browser.getWindowForTarget", target)
        bounds = {"windowId": found["windowId"], "bounds": {"windowState": state}}
        await self._line.call("Browser.setWindowBounds", bounds)

    async def _reloaded(self, window: str) -> None:
        shown = self._shown(window)
        assert self._line is not None
        shown.ready.clear()
        attached = {"targetId": shown.target, "flatten": True}
        session = (await self._line.call("Target.attachToTarget", attached))["sessionId"]
        await self._line.session(session).call("Page.reload", {})
        async with asyncio.timeout(OPEN_SECONDS):
            await shown.ready.wait()
        await self._line.call("Target.detachFromTarget", {"sessionId": session})

    async def _launched(self) -> None:
        self._browser = await launch(self._wish)
        self._line = Connection(await connect(self._browser.endpoint.url))
        self.gate.to = self._browser.endpoint.port

    async def _stopped(self) -> None:
        self.gate.to = None
        self.gate.cut()
        if self._line is not None:
            await self._line.close()
            self._line = None
        if self._browser is not None:
            await self._browser.stop()

    async def _restarted(self, down_seconds: float) -> None:
        await self._stopped()
        await asyncio.sleep(down_seconds)
        await self._launched()
        for shown in self._windows.values():
            await self._drawn(shown)

    async def _live(self, windows: Sequence[Window]) -> AsyncIterator[None]:
        failed: BaseException | None = None
        async with self._group:
            try:
                await self._launched()
                for window in windows:
                    await self._opened(window)
                yield
            except BaseException as exc:  # noqa: BLE001  raised as itself: the group would wrap it
                failed = exc
            for shown in self._windows.values():
                shown.end()
        if failed is not None:
            raise failed


@asynccontextmanager
async def antigravity_lab(
    windows: Sequence[Window] = (),
    plan: Plan | None = None,
    *,
    port: int = 0,
    headless: bool = True,
    browser: Found | None = None,
    ledger: Path | None = None,
    pace: float = 1.0,
) -> AsyncIterator[AntigravityLab]:
    """A replica for the length of a block, with these windows open.

    `plan` is begun in the first window once it is open. `port` is the debugging port, `pace`
    divides all seconds of all plans.
    """
    certificate = make_certificate((LOOPBACK,))
    flags = (
        SIZE,
        AGENT,
        f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {LOOPBACK}",
        f"--ignore-certificate-errors-spki-list={certificate.spki}",
    )
    found = browser or find_browser(this_machine())
    wish = Launch(found, headless=headless, more_flags=flags)
    written = Ledger(ledger)
    made: list[AntigravityLab] = []
    async with AsyncExitStack() as stack:
        stack.callback(written.close)
        served = await stack.enter_async_context(
            serving(certificate, lambda window, path: made[0]._claim(window, path))
        )
        gate = await stack.enter_async_context(Gate(port))
        lab = AntigravityLab(served, gate, wish, written, pace)
        made.append(lab)
        stack.push_async_callback(lab._stopped)
        await stack.enter_async_context(asynccontextmanager(lab._live)(windows))
        if plan is not None:
            await lab.play(lab.windows[0], plan)
        yield lab
