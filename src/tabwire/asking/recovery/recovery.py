"""The tab is lost, or its witnesses fell silent: find the answer that was asked for.

Nothing is sent here. The conversation is read again by letting the page do it in a background
tab; where its name is not known yet, the newest conversations are looked through for our
question. A busy browser opens no tab in time, or a page does not load: then it is looked for
again, for a while. What cannot be found by then is `partial`, with what was seen and how to
fetch the rest.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

from tabwire.asking.anomaly import explained
from tabwire.asking.answer import FETCH_LATER, from_stored
from tabwire.asking.answer_watch import Watch
from tabwire.asking.context import Given
from tabwire.asking.recovery.proof import SiteClock, Sought
from tabwire.asking.recovery.reread import (
    CANCELLED,
    FIRST_SECONDS,
    has_answer,
    heard,
    put_away,
    read_again,
    reading,
)
from tabwire.asking.recovery.retelling import Retold
from tabwire.browser.errors import TabLost
from tabwire.browser.line import BrowserLine
from tabwire.browser.tab_events import Cancelled
from tabwire.browser.tabs import Tabs
from tabwire.model.ask import (
    Answer,
    AskRequest,
    Completeness,
    Phase,
    Press,
    Step,
    StillWaiting,
)
from tabwire.model.ask_errors import (
    AskError,
    ConversationGone,
    GeminiStuckNoResponse,
    SendNotConfirmed,
    SiteFailed,
    TabClosed,
)
from tabwire.model.conversation import Conversation
from tabwire.model.errors import Retry, TabwireError
from tabwire.monitor import sightings as told
from tabwire.monitor.follow import Wish
from tabwire.monitor.sightings import Sighting
from tabwire.sites.site import Site
from tabwire.sites.witness import as_witness

OLD = 3  # conversations older than our question that are looked at before we stop looking
MOST = 20  # conversations that are looked through for our question
FRONT_READS = 2  # once, and once more where the page went on with the answer to its end
STUCK_READS = 2  # seed 001, 9.3: a silent Gemini is looked at twice, and never asked twice
JUST_SECONDS = 60.0  # a conversation begun so lately may not be stored yet
NOT_YET_SECONDS = 45 * 60.0
"""So long after its question an answer may not be stored yet: Gemini stores it when it is whole,
and a model may think for that long."""
NOT_YET_LOOKING_SECONDS = 600.0  # an answer that is not stored yet is looked for until then
LOOKING_SECONDS = 30.0  # a look that came to nothing is followed by another one until then
PAUSE_SECONDS = 2.0  # before the second look; then twice as long each time
PAUSE_MOST_SECONDS = 30.0


async def recover(
    watch: Watch,
    line: BrowserLine,
    site: Site,
    request: AskRequest,
    given: Given,
    *,
    otherwise: AskError | None = None,
    asked_at: float | None = None,
) -> Answer:
    """The answer, found elsewhere than in its tab; `partial` where it cannot be.

    `otherwise` is what to raise where nothing was seen and nothing is found: whether the prompt
    left is not known. Without it, it surely did, and a list without it does not have it yet.
    `asked_at`: in seconds since 1970, where that was not in this very process.
    """
    ear = watch.ear
    why = _why(watch, asked_at)
    watch.clock.phase(Phase.RECOVERING, why)
    watch.clock.look_on()
    base = watch.so_far(why)
    problem = ""
    if asked_at is None:
        asked_at = given.wall() - request.timeout_seconds + watch.seconds_left
    look = _Look(watch, site, request, given, asked_at)
    try:
        if ear.befell is not None and ear.befell.what == CANCELLED:
            # the person wants nothing more done in their browser: not in another tab either
            raise TabLost(Cancelled(ear.befell.at))
        async with asyncio.timeout(watch.seconds_left):
            found = await look.until_found(line, left=otherwise is None)
            if found is not None and not (base.text == "" and not has_answer(found)):
                answer = from_stored(base, found, site, heard=watch.raw() or None)
                answer = replace(answer, timings=watch.clock.timings())
                stored = len(as_witness(found).text)
                answer = await explained(
                    answer, given, debug=request.debug, heard=len(watch.raw()), stored=stored
                )
                await watch.deliver(answer)
                return answer
            problem = _not_found(watch)
    except TimeoutError:
        problem = "not found in time"
    except (TabwireError, OSError) as exc:
        problem = str(exc)
        plain = otherwise is None or _is_for_a_person(exc)
        if isinstance(exc, AskError) and not base.text and plain:
            raise _named(exc, watch, given) from exc
    if not base.text.strip():
        raise _unfound(otherwise, f"{why}: {problem}", problem, watch, given)
    fetch = f"tabwire fetch {base.conversation_id or 'last'} --site {site.name}"
    if base.completeness is not Completeness.PARTIAL:  # known already: nothing is to be fetched
        await watch.deliver(base)
        return base
    before = tuple(one for one in base.problems if FETCH_LATER not in one)
    answer = replace(base, problems=(*before, f"{problem}; {FETCH_LATER}{fetch}"))
    answer = await explained(
        answer, given, debug=request.debug, heard=len(watch.raw()), stored=None
    )
    await watch.deliver(answer)
    return answer


def _why(watch: Watch, asked_at: float | None) -> str:
    """Why its tab does not tell the answer."""
    if watch.ear.befell is not None:
        return watch.ear.befell.words
    if watch.ear.dialog is not None:
        return watch.ear.dialog.words
    return "nothing reported on it any more" if asked_at is None else "it was asked before"


@asynccontextmanager
async def _some_line(line: BrowserLine, given: Given) -> AsyncIterator[BrowserLine]:
    """Our line, or a new one where it is gone."""
    if line.connection.gone is None:
        yield line
        return
    async with given.lines() as another:
        yield another


class _Look:
    """Looks for one answer, as often as that helps. What it learns stays known between two."""

    def __init__(
        self, watch: Watch, site: Site, request: AskRequest, given: Given, asked_at: float
    ) -> None:
        self._watch = watch
        self._site = site
        self._request = request
        self._given = given
        self._press = watch.ear.press or Press(asked_at)
        self._left = False  # the prompt surely did
        self._not_yet = False  # the last look found nothing stored, and it may come
        self._clock = SiteClock()  # one for all looks: it learns with each
        # one for all looks: whoever listens hears each word once
        self._retold = Retold(watch.heard(thinking=False), watch.heard(thinking=True), watch.show)

    async def until_found(self, line: BrowserLine, *, left: bool) -> Conversation | None:
        """Look, and look again where something came in between, or where what surely left is
        not there yet. Raises what stood in the way of the last look."""
        began, self._left = self._given.clock(), left
        pause = PAUSE_SECONDS
        while True:
            # without a browser there is nothing to try again: whoever opens a line has waited
            async with _some_line(line, self._given) as now:
                self._not_yet = False
                try:
                    found = await self._once(now)
                    why = "the question is not in any of its conversations yet"
                    if found is not None or not left or self._watch.silent is not None:
                        return found
                    over: TabwireError | OSError | None = None
                    self._not_yet = self._may_come
                except (TabwireError, OSError) as exc:
                    if _is_for_a_person(exc):
                        raise
                    why, over = str(exc), exc
            patience = NOT_YET_LOOKING_SECONDS if self._not_yet else LOOKING_SECONDS
            if self._given.clock() + pause >= began + patience:
                if over is not None:
                    raise over
                return None
            self._waiting(f"{why}; looking again in {pause:.0f} s")
            await asyncio.sleep(pause)
            pause = min(2 * pause, PAUSE_MOST_SECONDS)

    @property
    def _may_come(self) -> bool:
        """Whether the answer may be under way, and nothing of it stored: the site has named its
        conversation and keeps it, and it was not asked for long ago."""
        asked, watch = self._request, self._watch
        kept = watch.conversation_id is not None and not asked.temporary and not asked.guest
        return self._left and kept and self._given.wall() - self._press.at < NOT_YET_SECONDS

    async def _once(self, line: BrowserLine) -> Conversation | None:
        """As the page reads it in the background. Where that does not do, and the person allowed
        it, as it reads it in front: the last rung before `partial`.

        A login or a challenge looks the same in front, and is told at once.
        """
        found: Conversation | None = None
        trouble: SiteFailed | None = None
        try:
            found = await self._stored(line)
        except SiteFailed as exc:  # the page did not load it
            trouble = exc
        unfinished = found is not None and not found.standing.terminal
        if self._request.allow_focus and self._watch.conversation_id and (trouble or unfinished):
            self._waiting("bringing its tab to the front, as you allowed")
            with suppress(SiteFailed):
                return await self._stored(line, in_front=True) or found
        if trouble is not None:
            raise trouble
        return found

    async def _stored(self, line: BrowserLine, *, in_front: bool = False) -> Conversation | None:
        watch, site, request = self._watch, self._site, self._request
        named = watch.conversation_id
        chat = request.conversation_id
        if chat is None and request.url is not None:
            chat = site.conversation_in_url(request.url)
        sought = Sought(request.prompt, self._press, chat, named)
        if named is None:
            named = await find_chat(line.tabs, site, sought, self._clock, self._given.claimed)
            if named is None:
                return None
            watch.conversation_id = named
            await self._given.checkpoint(Step.SENT, conversation_id=named)
            sought = replace(sought, named=named)
        # one that was silent before our ears; of an answer we come late for that is not known
        stuck = watch.silent is not None and not watch.ear.answer_began
        tries = STUCK_READS if stuck else None
        try:
            return await read_again(
                line,
                site,
                named,
                sought,
                growth=self._retold.begin,
                waiting=self._waiting,
                tries=FRONT_READS if in_front else tries,
                in_front=in_front,
                clock=self._clock,
                enough=watch.is_all,
            )
        except ConversationGone as exc:
            just_asked = self._given.wall() - self._press.at < JUST_SECONDS
            if not just_asked and not self._may_come:
                raise
            self._not_yet = self._may_come
            raise SiteFailed(site.name, f"it is not stored yet ({exc})") from exc

    def _waiting(self, why: str) -> None:
        self._given.tell(StillWaiting(self._site.name, why, self._given.clock()))


async def find_chat(
    tabs: Tabs,
    site: Site,
    sought: Sought,
    clock: SiteClock,
    claimed: Callable[[str], Awaitable[bool]],
) -> str | None:
    """The conversation that is proven to have begun with our question.

    They are looked at newest first, until several in a row were last asked in before the press
    or do not say when. What was there before the press is not even opened, nor what another ask
    of ours began. Raises `SiteFailed` where it may be in one that could not be read: that is not
    the same as none.
    """
    old, unread = 0, 0
    for named in (await _newest(tabs, site, clock))[:MOST]:
        if sought.cannot_be_in(named) or await claimed(named):
            continue
        async with reading(tabs, site, named, clock=clock) as found:
            await found.until_stored(FIRST_SECONDS)
        if found.stored is None:
            unread += 1
        elif sought.is_in(found.stored, clock):
            return named
        elif sought.is_older(found.stored, clock):
            old += 1
            if old == OLD:
                break
        else:
            old = 0
    if unread:
        raise SiteFailed(site.name, f"the page did not load {unread} of its conversations")
    return None


async def _newest(tabs: Tabs, site: Site, clock: SiteClock) -> tuple[str, ...]:
    """The conversations of the site as its own page lists them. Raises `SiteFailed`."""
    listed: asyncio.Future[tuple[str, ...]] = asyncio.get_running_loop().create_future()

    def hear(sighting: Sighting) -> None:
        if isinstance(sighting, told.Listed) and not listed.done():
            listed.set_result(sighting.conversation_ids)
        elif isinstance(sighting, told.Befell) and sighting.over and not listed.done():
            cancelled = sighting.what == CANCELLED
            lost = TabLost(Cancelled(sighting.at)) if cancelled else None
            listed.set_exception(lost or SiteFailed(site.name, sighting.words))
            listed.exception()  # looked at, also where nobody waits for it any more

    tab = await tabs.open("about:blank")
    try:
        async with heard(tab, site, hear, Wish(dates=clock.hear), lambda _fault: None):
            await tab.navigate(site.page.home, seconds=site.page.timings.load_seconds)
            async with asyncio.timeout(FIRST_SECONDS):
                return await listed
    except TimeoutError:
        raise SiteFailed(site.name, "the page did not list its conversations") from None
    finally:
        await put_away(tabs, tab.target)


def _is_for_a_person(exc: TabwireError | OSError) -> bool:
    """Whether somebody has to see to it first, or wants nothing more: looking again is no help."""
    if isinstance(exc, TabLost):
        return isinstance(exc.life, Cancelled)
    return isinstance(exc, AskError) and not isinstance(exc, SiteFailed)


def _not_found(watch: Watch) -> str:
    """What a look that came to nothing found out."""
    if watch.conversation_id is None:
        return "no conversation was found that certainly began with it"
    return "the conversation has no answer that is certainly to our question"


def _unfound(
    otherwise: AskError | None, what: str, problem: str, watch: Watch, given: Given
) -> AskError:
    """Nothing was seen and nothing was found."""
    if isinstance(otherwise, SendNotConfirmed):
        why = f"{otherwise.why}; {problem}"
        unknown = SendNotConfirmed(watch.site.name, why, unknown=True, attempt_id=given.attempt_id)
        unknown.debug = otherwise.debug
        return _named(unknown, watch, given)
    return _named(otherwise or _nothing(watch, watch.site, what, given), watch, given)


def _nothing(watch: Watch, site: Site, why: str, given: Given) -> AskError:
    if watch.silent is not None and watch.ear.befell is None:
        late = watch.silent.seconds(site.page.timings), str(watch.silent)
        return GeminiStuckNoResponse(site.name, *late)
    what = f"the answer could not be found: {why}"
    return TabClosed(site.name, what, sent=True, attempt_id=given.attempt_id)


def _named(error: AskError, watch: Watch, given: Given) -> AskError:
    """It was sent, or may have been, whatever keeps us from its answer: asking the same again
    looks for it. In a conversation that is gone it will never be."""
    if not isinstance(error, ConversationGone):
        error.retry, error.pending = Retry.RESUME, True
    error.attempt_id = given.attempt_id
    error.conversation_id = error.conversation_id or watch.conversation_id
    return error
