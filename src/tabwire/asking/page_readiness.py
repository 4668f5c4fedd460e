"""A page one can type into: the right chat, logged in, nothing in the way, nothing under way.

What stands in the way is named at once where the page says it, else by the wait that ran out.
"""

import asyncio
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from tabwire.asking.menus import awaited
from tabwire.asking.refusal import led_to
from tabwire.asking.tab import Place, address, lead
from tabwire.asking.timeouts import Wait
from tabwire.browser.observed import PageState
from tabwire.browser.page.errors import Covered, NotFound
from tabwire.model.ask import AskRequest
from tabwire.model.ask_errors import (
    AskError,
    ChallengeShown,
    ConversationGone,
    DialogInTheWay,
    GeminiStuckStopButton,
    LayoutChanged,
    LimitReached,
    LoginRequired,
    NotPrivate,
    SiteBusy,
    TabClosed,
    WaitRanOut,
)
from tabwire.model.errors import Retry
from tabwire.sites.page import Layout, NoticeKind
from tabwire.sites.site import Site

STUCK_RELOADS = 2  # seed 001, 9.3: an answer of before that hangs is reloaded away at most twice
GEMINI = "gemini"
SIDE_SECONDS = 2.0  # a side bar may be drawn after the composer, or slide in
MISSING_SECONDS = 2.0
"""A page whose site has no such conversation may ask once more, or lead to its start page."""

MARK_SECONDS = 3.0
"""An answer that looks unfinished and does not grow for so long is only not drawn to its end."""

LOGIN_HOSTS = frozenset(("auth", "login", "accounts", "signin"))
LOGIN_PATHS = frozenset(("login", "log-in", "signin", "sign-in", "ServiceLogin"))

LOGGED_IN_SECONDS = 3.0
"""A page that can be typed into may show a Log-in button before it shows whose it is: that
comes with the list of chats."""


class StaleTab(Exception):
    """What a tab of the person shows against asking may be long over, and it is not ours to load
    anew: another one is to be tried."""


async def ready(place: Place, site: Site, request: AskRequest) -> Layout:
    """Wait until the prompt can be typed; the layout the page has.

    What speaks against it in a page that was not loaded for this ask (a login wall, a limit, an
    error in the place of the chat) is believed only of the page loaded anew. Raises `StaleTab`
    where that is not ours to do.
    """
    ear, timings = place.ear, site.page.timings
    seconds = Wait.COMPOSER.seconds(timings)
    found = await _usable(
        place, site, request, seconds if place.fresh else Wait.REUSE.seconds(timings)
    )
    if not place.fresh and not isinstance(found, PageState | TabClosed):
        if not place.ours:
            raise StaleTab
        await place.renew(Wait.LOAD.seconds(timings))
        found = await _usable(place, site, request, seconds)
    if isinstance(found, AskError):
        raise found
    if found is None:
        raise _no_composer(site, ear.state, seconds)
    await _right_chat(place, site, request)
    await _not_kept(place, site, request)
    await _logged_out(place, site, request)
    await _not_busy(place, site, request)
    return layout_named(site, ear.state.layout if ear.state is not None else found.layout)


async def _usable(
    place: Place, site: Site, request: AskRequest, seconds: float
) -> PageState | AskError | None:
    """The page once it can be typed into, or what it says against that; None where neither comes
    in time. What is drawn late may take it back, and is waited for."""
    ear = place.ear

    def usable() -> PageState | AskError | None:
        if ear.befell is not None:
            return TabClosed(site.name, ear.befell.words, sent=False)
        if place.tab.unreachable:
            return _not_loaded(site, place.tab.url)
        state = ear.state
        if state is None:
            return None
        refused = _refused(site, request, state)
        if refused is not None:
            return refused
        return state if state.composer and state.layout is not None else None

    def taken_back() -> PageState | None:
        now = usable()
        return now if isinstance(now, PageState) else None

    until = time.monotonic() + seconds
    while True:
        found: PageState | AskError | None = await ear.until(usable, until - time.monotonic())
        if not isinstance(found, LoginRequired | ChallengeShown):
            return found
        # a healthy page may show either before the rest
        if (late := await ear.until(taken_back, LOGGED_IN_SECONDS)) is not None:
            return late
        if (still := usable()) is not None or time.monotonic() >= until:
            return still or found


def layout_named(site: Site, name: str | None) -> Layout:
    """The layout of this name; the first one where the page has none we know."""
    return next((one for one in site.page.layouts if one.name == name), site.page.layouts[0])


def _refused(site: Site, request: AskRequest, state: PageState) -> AskError | None:
    """What the page itself says against asking."""
    if state.notice(NoticeKind.CHALLENGE) is not None and state.layout is None:
        return ChallengeShown(site.name)
    limit = state.notice(NoticeKind.LIMIT)
    if limit is not None:
        return LimitReached(site.name, limit.text)
    login = [one.text for one in state.notices if one.kind is NoticeKind.LOGIN]
    if login and state.logged_in is not True and not (request.guest and state.composer):
        return LoginRequired(site.name, next(filter(None, login), ""))
    if not state.composer and _is_login_address(state.url):
        return LoginRequired(site.name)
    return None


def _not_loaded(site: Site, url: str) -> AskError:
    """The browser shows a page of its own in its place: there is nothing to wait for."""
    what_to_do = "Check the network, then ask again. Nothing was sent."
    why = f"{url} did not load: the browser shows an error page"
    return AskError(site.name, why, what_to_do=what_to_do, retry=Retry.SAME)


def _is_login_address(url: str) -> bool:
    """Whether the site led to where one logs in: another host of its own, or such a path."""
    address = urlsplit(url)
    if address.netloc.partition(".")[0] in LOGIN_HOSTS:
        return True
    return bool(LOGIN_PATHS & set(address.path.split("/")))


def _no_composer(site: Site, state: PageState | None, seconds: float) -> AskError:
    late = Wait.COMPOSER.over(site.page.timings)
    if state is not None and state.layout is not None:
        layout = layout_named(site, state.layout)
        tried = [one.css for one in layout.composer]
        return LayoutChanged(site.name, "composer", tried, late=late)
    if state is not None and state.title:
        tried = [one.css for layout in site.page.layouts for one in layout.recognise]
        return LayoutChanged(site.name, "known layout marker", tried, late=late)
    return WaitRanOut(site.name, Wait.COMPOSER, seconds, "the page did not become interactive")


async def _right_chat(place: Place, site: Site, request: AskRequest) -> None:
    """The page shows what the question belongs to: nothing is sent anywhere else instead."""
    wanted = request.conversation_id
    ear, timings = place.ear, site.page.timings
    if wanted is None:
        if _shows_turns(ear.state) and request.url is None:
            await lead(place.tab, address(site, request), timings.load_seconds)
            place.fresh = True
            empty = await ear.until(lambda: _empty(ear.state), Wait.LOAD.seconds(timings))
            if not empty:
                raise WaitRanOut(site.name, Wait.LOAD, timings.load_seconds, "no new chat appeared")
        return

    def shows() -> PageState | None:
        state = ear.state
        if state is None:
            return None
        led_elsewhere = state.composer and site.conversation_in_url(state.url) != wanted
        return state if led_elsewhere or state.exchanges > 0 or _loaded(place, wanted) else None

    await ear.until(lambda: shows() or wanted in ear.not_stored, Wait.LOAD.seconds(timings))
    if (missing := ear.not_stored.get(wanted)) is not None:  # pages ask twice at times
        await ear.until(shows, MISSING_SECONDS)
    found = shows()
    here = site.conversation_in_url(place.tab.url)
    if here != wanted:
        raise ConversationGone(site.name, wanted, missing or led_to(wanted, place.tab.url))
    if found is None:
        why = missing or f"the page showed none of its messages within {timings.load_seconds:g} s"
        raise ConversationGone(site.name, wanted, why)


def _leads_to(wanted: str, url: str) -> bool:
    """Whether an address still says what another one asks for: each part of its query, and what
    stands behind `#`."""
    here, there = urlsplit(url), urlsplit(wanted)
    asked = set(there.query.split("&")) - {""}
    return asked <= set(here.query.split("&")) and there.fragment in ("", here.fragment)


async def _logged_out(place: Place, site: Site, request: AskRequest) -> None:
    """For a guest: the page offers a login, and shows no account while there is time to."""
    if not request.guest:
        return
    ear = place.ear

    def account() -> bool:
        return ear.state is not None and ear.state.logged_in is True

    if await ear.until(account, LOGGED_IN_SECONDS):
        raise NotPrivate(site.name, "guest", "the page is logged in")
    if ear.state is None or ear.state.logged_in is not False:
        why = "the page offers no login, so it may be logged in"
        raise NotPrivate(site.name, "guest", why)


async def _not_kept(place: Place, site: Site, request: AskRequest) -> None:
    """A chat that is not kept. At a site where no address leads to one, a control does."""
    if not request.temporary:
        return
    if site.page.temporary is not None:
        if request.url is None and not _leads_to(site.page.temporary, place.tab.url):
            raise NotPrivate(
                site.name, "temporary", f"the site redirected to {place.tab.url} instead"
            )
        return
    controls, behind = site.choices.temporary, site.choices.temporary_behind
    page = place.page
    try:
        if not await awaited(page, controls, SIDE_SECONDS) and await page.find(behind):
            await page.click(behind, part="sidebar button")
            await awaited(page, controls, SIDE_SECONDS)
        await page.click(controls, part="control for a temporary chat")
    except NotFound as exc:
        tried = ", ".join(exc.tried)
        why = f"the page has no control for a temporary chat (tried {tried})"
        raise NotPrivate(site.name, "temporary", why) from exc
    except Covered as exc:
        raise DialogInTheWay(site.name, "control for a temporary chat", exc.by) from exc
    ear = place.ear
    await ear.until(lambda: _empty(ear.state), Wait.LOAD.seconds(site.page.timings))


def _loaded(place: Place, conversation_id: str) -> bool:
    return any(one.id == conversation_id for one in place.ear.stored)


def _shows_turns(state: PageState | None) -> bool:
    return state is not None and (state.exchanges > 0 or state.answers > 0)


def _empty(state: PageState | None) -> bool:
    return state is not None and state.composer and not _shows_turns(state)


async def _not_busy(place: Place, site: Site, request: AskRequest) -> None:
    """Another answer is written in this chat: wait for it, never stop it."""
    ear, timings = place.ear, site.page.timings

    def calm() -> bool:
        state = ear.state
        if state is None or ear.busy:
            return False
        return not state.generating or _is_over(place, request.conversation_id)

    if calm():
        return
    if site.name == GEMINI:
        await _unstick(place, site, calm)
        return
    try:
        async with asyncio.timeout(Wait.SEND.seconds(timings)):
            await ear.until(lambda: ear.state is not None and not ear.busy, None)
            while not calm() and not await _stands_still(place):
                await ear.until(lambda: ear.state is not None and not ear.busy, None)
    except TimeoutError:
        raise SiteBusy(site.name, timings.send_seconds) from None


def _is_over(place: Place, conversation_id: str | None) -> bool:
    """Whether the newest answer is, as the page itself has just loaded it."""
    read = [one for one in place.ear.stored if one.id == conversation_id]
    return bool(read) and read[-1].standing.terminal


async def _stands_still(place: Place) -> bool:
    """Whether an answer that looks unfinished only looks so: nothing writes it."""
    ear = place.ear
    was = ear.state

    def moved() -> bool:
        now = ear.state
        if ear.busy or now is None or was is None or not now.generating:
            return True
        return (now.newest, now.text_length) != (was.newest, was.text_length)

    return not await ear.until(moved, MARK_SECONDS)


async def _unstick(place: Place, site: Site, calm: Callable[[], bool]) -> None:
    """Gemini at times hangs with its Stop shown and nothing coming. A loaded page has none."""
    ear, timings = place.ear, site.page.timings
    for _ in range(STUCK_RELOADS):
        if await ear.until(calm, timings.stuck_seconds):
            return
        grown = ear.state.text_length if ear.state is not None else 0
        writes = lambda was=grown: ear.state is not None and ear.state.text_length > was  # noqa: E731
        if await ear.until(writes, timings.stuck_seconds):
            if await ear.until(calm, Wait.SEND.seconds(timings)):
                return
            raise SiteBusy(site.name, timings.send_seconds)
        await place.tab.reload(seconds=timings.load_seconds)
        await ear.until(lambda: ear.state is not None and ear.state.composer, timings.load_seconds)
    if not await ear.until(calm, timings.stuck_seconds):
        raise GeminiStuckStopButton(site.name, timings.stuck_seconds)
