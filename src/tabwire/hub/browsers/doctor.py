"""Is everything as it should be? One check after the other, each with a sentence and a remedy.

A site is looked at in a background tab of our own, which is closed again: nothing is typed
or sent. The tab starts empty and is tapped before it goes to the site, so that the check of
the wire sees the page's very first request.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tabwire import __version__
from tabwire.browser.find import find_browser
from tabwire.browser.line import BrowserLine
from tabwire.browser.observe import Observer
from tabwire.browser.observed import Health, PageState, nth
from tabwire.browser.page.page import Page
from tabwire.browser.tab import Tab
from tabwire.browser.tap import events as tapped
from tabwire.browser.tap.tap import Tap
from tabwire.config.home import home
from tabwire.config.settings import settings
from tabwire.hub.browsers.access import HubLines, Say, chosen, machine_with, reached_browser
from tabwire.hub.relay.extension_files import extension_version
from tabwire.model.errors import TabwireError
from tabwire.model.extensions import ExtensionStatus
from tabwire.sites.known import SITES, site_of_url
from tabwire.sites.memory import Memory
from tabwire.sites.page import NoticeKind
from tabwire.sites.site import RequestKind, Site

LOOK_SECONDS = 30.0  # for a page to come alive: seed 001 gives it as long
SETTLE_SECONDS = 5.0  # for what a page loads after it came alive
QUIET_SECONDS = 0.5  # a page that asked for nothing this long has what it wants
NEEDED = ("composer",)  # what must be there on a page nobody has asked in yet
BLOCKED = (NoticeKind.LOGIN, NoticeKind.CHALLENGE)

ReadExtensionStatus = Callable[[], Awaitable[ExtensionStatus]]
"""What the hub says of its extensions. Raises where no hub runs; never starts one."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at. `result`: good, warn or bad."""

    name: str
    result: str
    says: str
    remedy: str = ""
    site: str | None = None
    needs_you: bool = False


async def examine(
    sites: Sequence[str],
    extension_status: ReadExtensionStatus,
    *,
    browser: str | None = None,
    on_wait: Say | None = None,
    hub_lines: HubLines | None = None,
) -> AsyncIterator[Check]:
    """Check the machine, the browser, and each site."""
    try:
        now = settings()
        choice = chosen(browser, now)
    except TabwireError as exc:
        yield Check("settings", "bad", str(exc), exc.what_to_do)
        return
    yield Check("settings", "good", f"Tabwire's home is {home()}; browser: {choice_words(choice)}.")
    try:
        found = find_browser(machine_with(now))
        yield Check("browser", "good", f"Found {found.name} at {found.path}.")
    except TabwireError as exc:
        yield Check("browser", "warn", f"{exc}.", exc.what_to_do)
    yield await extension_check(extension_status)
    try:
        async with reached_browser(browser, hub_lines=hub_lines, on_wait=on_wait) as line:
            yield Check("line", "good", f"Connected to {line.whose}.")
            yield await _profile(line)
            for name in sites:
                async for check in _site(line, SITES[name]):
                    yield check
    except TabwireError as exc:
        yield Check("line", "bad", f"{exc}.", exc.what_to_do)


async def extension_check(read_status: ReadExtensionStatus) -> Check:
    """Both versions, and whether it is connected."""
    ours = extension_version()
    try:
        status = await read_status()
    except TabwireError:
        said = (
            f"No hub is running, so no extension is connected. Version {ours} is included in "
            f"Tabwire {__version__}."
        )
        return Check("extension", "good", said)
    if not status.installs:
        remedy = "To use your everyday Chrome: `tabwire extension path`, then `… pair`."
        said = f"No extension is paired. Version {ours} is included in Tabwire {status.version}."
        return Check("extension", "good", said, remedy)
    used = status.used
    if not status.connected or used is None:
        refused = status.last_refused
        why = (
            refused.message
            if refused
            else "Chrome is not running, or the extension is disabled there"
        )
        remedy = refused.what_to_do if refused else "Look at chrome://extensions."
        return Check("extension", "warn", f"Paired, but not connected: {why}.", remedy)
    said = (
        f"Connected: {used.name}, version {used.version} in Chrome {used.chrome}; "
        f"Tabwire {status.version}."
    )
    if lost := sum(status.dropped.values()):
        said += f" {lost} page messages were not accepted: see `tabwire extension status`."
    if ours is not None and used.version != ours:
        remedy = "Press the reload button of the extension in chrome://extensions."
        return Check("extension", "warn", f"{said} Version {ours} is available.", remedy)
    return Check("extension", "good", said)


def choice_words(choice: Any) -> str:
    """A choice as a person would say it."""
    return type(choice).__name__.lower().replace("launchown", "launch")


async def _profile(line: BrowserLine) -> Check:
    version = await line.connection.call("Browser.getVersion")
    product = version.get("product", "an unknown browser")
    if line.own is None:
        return Check("profile", "good", f"{product}, with the profile it was started with.")
    return Check("profile", "good", f"{product}, with Tabwire's own profile {line.own.profile}.")


async def _site(line: BrowserLine, site: Site) -> AsyncIterator[Check]:
    """Reached, logged in, selectors, wire."""
    try:
        tab = await line.tabs.open("about:blank")
    except TabwireError as exc:
        yield Check("reached", "bad", f"{exc}.", exc.what_to_do, site.name)
        return
    try:
        visit = _Visit(tab, site)
        async with Page(tab.session).focused():  # a hidden page may not come alive by itself
            try:
                await visit.go()
            except (TabwireError, TimeoutError) as exc:
                says = str(exc) or f"nothing recognisable appeared within {LOOK_SECONDS:.0f} s"
                remedy = getattr(exc, "what_to_do", "Open the site yourself and look at it.")
                for check in visit.stranded(says, remedy):
                    yield check
                return
            for check in visit.checks(await visit.health()):
                yield check
        visit.close()
    finally:
        await line.tabs.close(tab.target)


class _Visit:
    """One look at one site."""

    def __init__(self, tab: Tab, site: Site) -> None:
        self._tab = tab
        self._site = site
        self._alive = asyncio.Event()
        self._settled = asyncio.Event()
        self._under_way: set[str] = set()
        self._quiet: asyncio.TimerHandle | None = None
        self._state: PageState | None = None
        self._requests = 0
        self._bytes = 0
        self._status: int | None = None
        self._kinds: dict[str, RequestKind] = {}
        self._stored = 0
        self._bodies: dict[str, list[bytes]] = {}
        self._tap = Tap(tab.session, wanted=self._wanted, hear=self._heard)
        self._observer = Observer(tab.session, site.page, self._saw)

    async def go(self) -> None:
        """To the site, and wait until its composer or a notice is there."""
        await self._tap.arm()
        await self._observer.arm()
        async with asyncio.timeout(LOOK_SECONDS):
            await self._tab.navigate(self._site.page.home)
            await self._alive.wait()
        with suppress(TimeoutError):  # a page may keep a request open for ever
            async with asyncio.timeout(SETTLE_SECONDS):
                await self._settled.wait()

    async def health(self) -> Health:
        """How every selector does."""
        return await self._observer.health()

    def close(self) -> None:
        """Stop listening."""
        if self._quiet is not None:
            self._quiet.cancel()
        self._tap.close()
        self._observer.close()

    def stranded(self, says: str, remedy: str) -> list[Check]:
        """The site did not come up."""
        return [Check("reached", "bad", f"{self._site.name}: {says}.", remedy, self._site.name)]

    def checks(self, health: Health) -> list[Check]:
        """What the look told."""
        return [self._reached(), self._login(), self._selectors(health), self._wire()]

    def _reached(self) -> Check:
        name, url = self._site.name, self._tab.url
        if self._status is not None and self._status >= 400:
            says = f"{self._site.page.home} answered {self._status}."
            return Check("reached", "bad", says, "Open it yourself and look.", name)
        if site_of_url(url) is not self._site:
            says = f"{self._site.page.home} redirected to {url}."
            return Check("reached", "bad", says, "Open it yourself and log in.", name, True)
        return Check("reached", "good", f"{url} loaded.", site=name)

    def _login(self) -> Check:
        name, state = self._site.name, self._state
        assert state is not None, "the page became interactive"
        for notice in state.notices:
            if notice.kind == NoticeKind.CHALLENGE:
                says = "The site asks whether you are human."
                return Check(
                    "login", "bad", says, "Open the tab and do what it asks.", name, needs_you=True
                )
        if state.logged_in is True:
            return Check("login", "good", "You are logged in.", site=name)
        if state.logged_in is False:
            remedy = f"Open {self._site.page.home} in this browser and log in."
            return Check("login", "bad", "You are not logged in.", remedy, name, needs_you=True)
        return Check(
            "login",
            "warn",
            "Cannot tell whether you are logged in.",
            "Open the site in this browser and look.",
            name,
        )

    def _selectors(self, health: Health) -> Check:
        name, state = self._site.name, self._state
        assert state is not None, "the page became interactive"
        remedy = (
            f"Run `tabwire snapshot {name}` and compare with sites/{name}/page.py: "
            "the site may have changed."
        )
        if state.layout is None:
            says = "No known layout was recognised."
            return Check("selectors", "bad", says, remedy, name)
        matched = {part.part for part in health.parts if part.found}
        missing = [part for part in NEEDED if part not in matched]
        if missing:
            says = f"Layout {state.layout}: no {', '.join(missing)} on the page."
            return Check("selectors", "bad", says, remedy, name)
        says = f"Layout {state.layout}: {len(matched)} parts found, the composer among them."
        if health.weak:
            weak = ", ".join(f"{part.part} by its {nth(part.rung)}" for part in health.weak)
            says = f"{says} Not found by their best selector: {weak}."
        return Check("selectors", "good", says, site=name)

    def _wire(self) -> Check:
        name = self._site.name
        if not self._bytes:
            remedy = "Close other debuggers of this browser, then try again."
            return Check("wire", "bad", "No traffic of the page could be observed.", remedy, name)
        known = [kind for kind in self._kinds.values() if kind is not RequestKind.FOREIGN]
        read = f", {self._stored} stored bodies read" if self._stored else ""
        says = (
            f"{self._requests} requests observed, {len(known)} of them recognised, {self._bytes} "
            f"bytes followed{read}."
        )
        return Check("wire", "good", says, site=name)

    def _wanted(self, request: tapped.Request) -> bool:
        kind = self._site.sort_request(request.method, request.url)
        stored = kind in (RequestKind.LIST, RequestKind.CANONICAL, RequestKind.TITLE)
        return request.kind == "Document" or stored

    def _heard(self, event: tapped.TapEvent) -> None:
        match event:
            case tapped.RequestLeft(request=request):
                self._requests += 1
                self._under_way.add(request.id)
                kind = self._site.sort_request(request.method, request.url)
                self._kinds[request.id] = kind
                if kind in (RequestKind.LIST, RequestKind.CANONICAL):
                    self._bodies[request.id] = []
            case tapped.ResponseBegan(id=name, status=status) if self._status is None:
                self._status = status
            case tapped.BytesCame(id=name, chunk=chunk):
                self._bytes += len(chunk)
                if name in self._bodies:
                    self._bodies[name].append(chunk)
            case tapped.ResponseEnded(id=name):
                self._under_way.discard(name)
                if (chunks := self._bodies.pop(name, None)) is not None:
                    reading = self._site.read_body(b"".join(chunks), None, Memory())
                    self._stored += bool(reading.titles or reading.conversations)
                self._check_settled()

    def _saw(self, state: PageState) -> None:
        self._state = state
        if state.composer or any(notice.kind in BLOCKED for notice in state.notices):
            self._alive.set()
            self._check_settled()

    def _check_settled(self) -> None:
        """Alive, and nothing is being loaded: its lists are there, and with them the login."""
        if self._quiet is not None:
            self._quiet.cancel()
        if self._alive.is_set() and not self._under_way:
            loop = asyncio.get_running_loop()
            self._quiet = loop.call_later(QUIET_SECONDS, self._settled.set)
