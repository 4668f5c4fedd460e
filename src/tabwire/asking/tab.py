"""A tab to ask in: found or opened, leased, followed, at the right page.

A tab that shows the wanted conversation is used where it stands; for a new chat one of ours
that is idle, or the person's own empty start page while they are not in it; else a new tab in
the background. Two asks never share a tab, nor a conversation: the second waits.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from tabwire.asking.background import beside
from tabwire.asking.context import TAB, Given
from tabwire.asking.ear import Ear
from tabwire.asking.prompt_match import same_prompt
from tabwire.asking.timeouts import Wait
from tabwire.browser.errors import (
    DidNotLoad,
    TabDidNotOpen,
    TabLeased,
    TabLost,
    TabNotResponding,
)
from tabwire.browser.line import BrowserLine
from tabwire.browser.page.page import Page
from tabwire.browser.tab import Tab
from tabwire.browser.tabs import TabInfo
from tabwire.model.ask import AskRequest, Press, StillWaiting
from tabwire.model.ask_errors import WaitRanOut
from tabwire.monitor.follow import Wish, follow
from tabwire.sites.known import site_of_url
from tabwire.sites.site import Site

BLANK = "about:blank"
MAX_TRIED = 3  # tabs that are there and tried before a new one is opened
LEASE_MARGIN_SECONDS = 60.0


@dataclass(slots=True)
class Place:
    """Where we ask. `fresh`: its document was loaded for this ask. `ours`: we opened the tab."""

    tab: Tab
    page: Page
    ear: Ear
    fresh: bool
    ours: bool = True

    async def renew(self, seconds: float) -> None:
        """Load the page anew: what it shows may be long over."""
        await self.tab.reload(seconds=seconds)
        self.fresh = True


def address(site: Site, request: AskRequest) -> str:
    """Where the question belongs."""
    if request.url is not None:
        return request.url
    if request.conversation_id is not None:
        return site.page.chat_url(request.conversation_id)
    if request.temporary and site.page.temporary is not None:
        return site.page.temporary
    return site.page.home


async def lead(tab: Tab, url: str, seconds: float) -> None:
    """To an address, in a document that is loaded for it: a page that only hears another `#`
    goes on as it was."""
    if not await tab.navigate(url, seconds=seconds):
        await tab.reload(seconds=seconds)


@asynccontextmanager
async def placed(
    line: BrowserLine,
    site: Site,
    request: AskRequest,
    given: Given,
    ear: Ear,
    *,
    ours_only: bool = False,
) -> AsyncIterator[Place]:
    """A followed tab at the right address, ours for the length of a block.

    `ours_only`: not one of the person's, which may not be loaded anew.
    """
    ear.begin()
    async with AsyncExitStack() as stack:
        if request.conversation_id is not None:
            chat = f"chat:{site.name}:{request.conversation_id}"
            await stack.enter_async_context(given.use(chat, True))
        seconds = request.timeout_seconds + LEASE_MARGIN_SECONDS
        hold = _Hold(line, given, stack, seconds)
        ours = set(await given.tabs.ours())
        tab, stands = await _tab(site, request, line, given, hold, ours, ours_only=ours_only)
        given.tabs.asked_in(tab.target)
        await stack.enter_async_context(_followed(tab, site, ear, given))
        await ear.until(lambda: ear.watching or ear.befell, site.page.timings.reuse_seconds)
        url = address(site, request)
        if not stands:
            seconds = Wait.LOAD.seconds(site.page.timings)
            try:
                await lead(tab, url, seconds)
            except DidNotLoad as exc:
                raise WaitRanOut(site.name, Wait.LOAD, seconds, f"{url} did not load") from exc
        may_reload = not stands or tab.target in ours
        yield Place(tab, Page(tab.session), ear, fresh=not stands, ours=may_reload)


@asynccontextmanager
async def _followed(tab: Tab, site: Site, ear: Ear, given: Given) -> AsyncIterator[None]:
    """Follow a tab beside what happens in the block. Where that fails, whoever waits is told."""
    wish = Wish(sees=ear.see, hears=ear.request, attends=ear.attend, records=given.records)
    stop = tab.on_life(ear.befall)
    try:
        async with beside(follow(tab, site, ear.hear, wish), ear.broke):
            yield
    finally:
        stop()


class _Hold:
    """Takes a tab for one ask: in this process and for all others; given back at the end."""

    def __init__(
        self, line: BrowserLine, given: Given, stack: AsyncExitStack, seconds: float
    ) -> None:
        self._line = line
        self._given = given
        self._stack = stack
        self._seconds = seconds

    async def take(self, target: str) -> bool:
        """Whether it is ours now."""
        try:
            lease = self._line.tabs.lease(target, self._given.attempt_id, self._seconds)
        except TabLeased:
            return False
        self._stack.enter_context(lease)
        return await self._stack.enter_async_context(self._given.use(f"{TAB}{target}", False))


async def _tab(
    site: Site,
    request: AskRequest,
    line: BrowserLine,
    given: Given,
    hold: _Hold,
    ours: set[str],
    *,
    ours_only: bool,
) -> tuple[Tab, bool]:
    """A tab, and whether it already stands where it should."""
    url = address(site, request)
    infos = await line.tabs.list()
    present = {info.target for info in infos}
    closed = [one for one in ours if one not in present and line.tabs.has_ended(one)]
    await given.tabs.saw(present, closed)
    there = [info for info in infos if _at(site, request, url)(info)]
    if ours_only:
        there = [info for info in there if info.target in ours]
    preferred = await given.tabs.preferred()
    there.sort(key=lambda info: (info.target != preferred, info.target not in ours))
    for info in there[:MAX_TRIED]:
        if (tab := await _taken(line, hold, info, site, given)) is None:
            continue
        look = await _looked(tab, site, request.prompt)
        may_be_in_it = info.target in ours or request.conversation_id is not None
        if not look.written and (may_be_in_it or not look.person_in_it):
            return tab, True
        tab.let_go()
    others = [one for one in infos if one.target in ours and one not in there]
    others.sort(key=lambda info: info.target != preferred)
    for info in others[:MAX_TRIED]:
        if (tab := await _taken(line, hold, info, site, given)) is None:
            continue
        look = await _looked(tab, site, request.prompt)
        if not look.written and not look.person_in_it:  # we lead it elsewhere: none may miss it
            return tab, False
        tab.let_go()
    seconds = Wait.OPEN.seconds(site.page.timings)
    try:
        tab = await line.tabs.open(BLANK, seconds=seconds)
    except TabDidNotOpen as exc:
        raise WaitRanOut(site.name, Wait.OPEN, seconds, f"no new tab opened ({exc})") from exc
    await hold.take(tab.target)
    await given.tabs.own(tab.target)
    return tab, False


async def _taken(
    line: BrowserLine, hold: _Hold, info: TabInfo, site: Site, given: Given
) -> Tab | None:
    """Attached, leased and well; else None, and left alone."""
    if line.tabs.leases.holder(info.target) is not None or not await hold.take(info.target):
        return None
    timings = site.page.timings

    def passed_over(wait: Wait, why: str) -> None:
        words = f"a {site.name} tab {why} {wait.seconds(timings):g} s (wait `{wait}`)"
        given.tell(StillWaiting(site.name, f"{words}: trying another", given.clock()))

    try:
        tab = await line.tabs.attach(info.target, seconds=Wait.REUSE.seconds(timings))
    except TabNotResponding:
        passed_over(Wait.REUSE, "did not allow access within")
        return None
    except TabLost:
        return None
    if await tab.healthy(Wait.HEALTH.seconds(timings)):
        return tab
    passed_over(Wait.HEALTH, "did not answer within")
    tab.let_go()
    return None


@dataclass(frozen=True, slots=True)
class _Look:
    """Whether somebody would miss a page as it stands."""

    written: bool  # something stands in its composer that is not our prompt
    person_in_it: bool


async def _looked(tab: Tab, site: Site, prompt: str) -> _Look:
    told = await Page(tab.session).evaluate("idle.look", _idle_parts(site))
    # our own prompt was left there by a process that died before it pressed Send
    written = bool(told["draft"]) and not same_prompt(told["draft"], prompt)
    return _Look(written, told["focused"])


async def holds_prompt(
    line: BrowserLine, site: Site, given: Given, prompt: str, press: Press | None
) -> bool:
    """Whether the tab that Send was to be pressed in still has this prompt in its composer:
    from there it never left. Where that is not known, any tab of ours, or one of the person that
    this ask was put in: there we would have sent it from."""
    ours = {*await given.tabs.ours(), *await given.tabs.left_in()}
    if press is not None and press.tab:
        ours = {press.tab}
    for info in await line.tabs.list():
        if info.target not in ours or site_of_url(info.url) is not site:
            continue
        try:
            tab = await line.tabs.attach(info.target)
        except (TabLost, TabNotResponding):
            continue
        try:
            told = await Page(tab.session).evaluate("idle.look", _idle_parts(site))
        finally:
            tab.let_go()
        if same_prompt(told["draft"], prompt):
            return True
    return False


def _idle_parts(site: Site) -> dict[str, list[str]]:
    """What to look at on a page that may be idle."""
    layouts = site.page.layouts
    return {
        "composer": [one.css for layout in layouts for one in layout.composer],
        "decoys": [one.css for layout in layouts for one in layout.decoys],
    }


def _at(site: Site, request: AskRequest, url: str) -> Callable[[TabInfo], bool]:
    """Whether a tab stands where the question belongs."""
    wanted = urlsplit(url)
    # a chat that is not kept, or begun in a project, must begin anew each time
    begins_anew = request.conversation_id is None and (request.temporary or request.url)

    def fits(info: TabInfo) -> bool:
        here = urlsplit(info.url)
        if begins_anew or here.netloc != wanted.netloc:
            return False
        if request.conversation_id is not None:
            return site.conversation_in_url(info.url) == request.conversation_id
        same = here.path.rstrip("/") == wanted.path.rstrip("/") and here.query == wanted.query
        return same and site.conversation_in_url(info.url) is None

    return fits
