"""A page one can type into: the right chat, logged in, nothing in the way, nothing under way.

What stands in the way is named at once where the page says it, else by the wait that ran out.
"""

import asyncio
from collections.abc import Callable

from tabwire.ask.menus import awaited
from tabwire.ask.place import Place
from tabwire.ask.waits import Wait
from tabwire.browser.observed import PageState
from tabwire.browser.page_errors import Covered, NotFound
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
    SiteBusy,
    TabClosed,
    WaitRanOut,
)
from tabwire.sites.page import Layout, NoticeKind
from tabwire.sites.site import Site

STUCK_RELOADS = 2  # seed 001, 9.3: an answer of before that hangs is reloaded away at most twice
GEMINI = "gemini"
SIDE_SECONDS = 2.0  # a side bar may be drawn after the composer, or slide in
MISSING_SECONDS = 2.0
"""A page whose site has no such conversation may ask once more, or lead to its start page."""

MARK_SECONDS = 3.0
"""An answer that looks unfinished and does not grow for so long is only not drawn to its end."""
LOGGED_IN_SECONDS = 3.0
"""A page that can be typed into may show a Log-in button before it shows whose it is: that
comes with the list of chats."""


async def ready(place: Place, site: Site, request: AskRequest) -> Layout:
    """Wait until the prompt can be typed; the layout the page has."""
    ear, timings = place.ear, site.page.timings

    def usable() -> PageState | AskError | None:  # what a page says against it counts at once
        if ear.befell is not None:
            return TabClosed(site.name, ear.befell.words, sent=False)
        state = ear.state
        if state is None:
            return None
        refused = _refused(site, request, state)
        if refused is not None:
            return refused
        return state if state.composer and state.layout is not None else None

    def logged_in() -> PageState | None:
        state = usable()
        return None if isinstance(state, AskError) else state

    found: PageState | AskError | None = await ear.until(usable, Wait.COMPOSER.seconds(timings))
    if isinstance(found, LoginRequired) and ear.state is not None and ear.state.composer:
        found = await ear.until(logged_in, LOGGED_IN_SECONDS) or found
    if isinstance(found, ChallengeShown):  # a healthy page may load its script before the rest
        found = await ear.until(logged_in, LOGGED_IN_SECONDS) or found
    if isinstance(found, AskError):
        raise found
    if found is None:
        raise _no_composer(site, ear.state, Wait.COMPOSER.seconds(timings))
    await _right_chat(place, site, request)
    await _not_kept(place, site, request)
    await _not_busy(place, site, request)
    return layout_named(site, ear.state.layout if ear.state is not None else found.layout)


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
    login = state.notice(NoticeKind.LOGIN)
    if login is not None and state.logged_in is not True and not request.guest:
        return LoginRequired(site.name, login.text)
    return None


def _no_composer(site: Site, state: PageState | None, seconds: float) -> AskError:
    if state is not None and state.layout is not None:
        layout = layout_named(site, state.layout)
        return LayoutChanged(site.name, "composer", [one.css for one in layout.composer])
    if state is not None and state.title:
        tried = [one.css for layout in site.page.layouts for one in layout.recognise]
        return LayoutChanged(site.name, "mark of a layout", tried)
    return WaitRanOut(site.name, Wait.COMPOSER, seconds, "the page did not come alive")


async def _right_chat(place: Place, site: Site, request: AskRequest) -> None:
    """The page shows what the question belongs to: nothing is sent anywhere else instead."""
    wanted = request.conversation_id
    ear, timings = place.ear, site.page.timings
    if wanted is None:
        if _shows_turns(ear.state) and request.url is None:
            await place.tab.navigate(site.page.home, seconds=timings.load_seconds)
            place.fresh = True
            empty = await ear.until(lambda: _empty(ear.state), Wait.LOAD.seconds(timings))
            if not empty:
                raise WaitRanOut(site.name, Wait.LOAD, timings.load_seconds, "no new chat came up")
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
        raise ConversationGone(site.name, wanted, missing or _led_to(place.tab.url))
    if found is None:
        why = missing or f"the page shows none of its turns within {timings.load_seconds:g} s"
        raise ConversationGone(site.name, wanted, why)


def _led_to(url: str) -> str:
    return f"the site led to {url} instead"


async def _not_kept(place: Place, site: Site, request: AskRequest) -> None:
    """A chat that is not kept, at a site where no address leads to one."""
    if not request.temporary or site.page.temporary is not None:
        return
    controls, behind = site.choices.temporary, site.choices.temporary_behind
    page = place.page
    try:
        if not await awaited(page, controls, SIDE_SECONDS) and await page.find(behind):
            await page.click(behind, part="button of the side bar")
            await awaited(page, controls, SIDE_SECONDS)
        await page.click(controls, part="control for a temporary chat")
    except NotFound as exc:
        raise LayoutChanged(site.name, "control for a temporary chat", exc.tried) from exc
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
