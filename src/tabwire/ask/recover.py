"""The tab is lost, or its witnesses fell silent: find the answer that was asked for.

Nothing is sent here. The conversation is read again by letting the page do it in a background
tab; where its name is not known yet, the newest conversations are looked through for our
question. What cannot be found now is `partial`, with what was seen and how to fetch the rest.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial

from tabwire.ask.beside import beside
from tabwire.ask.collect import from_stored
from tabwire.ask.given import Given
from tabwire.ask.reread import FIRST_SECONDS, Reread, asked_in, has_answer, read_again, reading
from tabwire.ask.retold import Retold
from tabwire.ask.watch import GEMINI, Watch
from tabwire.browser.life import Cancelled
from tabwire.browser.line import BrowserLine
from tabwire.browser.tabs import Tabs
from tabwire.model.ask import Answer, AskRequest, Phase, Step, StillWaiting
from tabwire.model.ask_errors import AskError, GeminiStuckNoResponse, SiteFailed, TabClosed
from tabwire.model.conversation import Conversation, Role
from tabwire.model.errors import TabwireError
from tabwire.monitor import told
from tabwire.monitor.follow import Wish, follow
from tabwire.monitor.told import Sighting
from tabwire.sites.site import Site

CANCELLED = Cancelled.__name__.lower()  # as a sighting names it
OLD = 3  # conversations older than our question that are looked at before we stop looking
MOST = 20  # conversations that are looked through for our question
CLOCKS_SECONDS = 300.0  # a site's clock and ours may differ by so much
FRONT_READS = 2  # once, and once more where the page went on with the answer to its end
STUCK_READS = 2  # seed 001, 9.3: a silent Gemini is looked at twice, and never asked twice


async def recover(
    watch: Watch,
    line: BrowserLine,
    site: Site,
    request: AskRequest,
    given: Given,
    *,
    otherwise: AskError | None = None,
    since: float | None = None,
) -> Answer:
    """The answer, found elsewhere than in its tab; `partial` where it cannot be.

    `otherwise` is what to raise where nothing was seen and nothing is found. `since`: when it
    was asked, in seconds since 1970, where that was not in this very process.
    """
    ear = watch.ear
    why = ear.befell.words if ear.befell is not None else "its witnesses fell silent"
    watch.clock.phase(Phase.RECOVERING, why)
    base = watch.so_far(why)
    problem = ""
    if since is None:
        since = given.wall() - request.timeout_seconds + watch.seconds_left
    try:
        if ear.befell is not None and ear.befell.what == CANCELLED:
            # the person wants nothing more done in their browser: not in another tab either
            raise TabwireError(ear.befell.words, what_to_do=ear.befell.remedy)
        async with _some_line(line, given) as now, asyncio.timeout(watch.seconds_left):
            found = await _looked_for(watch, now, site, request, given, since)
            if found is not None and not (base.text == "" and not has_answer(found)):
                answer = from_stored(base, found, site, heard=watch.raw())
                answer = replace(answer, timings=watch.clock.timings())
                await watch.deliver(answer)
                return answer
            problem = "the conversation holds no answer to our question"
    except TimeoutError:
        problem = "not found in time"
    except (TabwireError, OSError) as exc:
        problem = str(exc)
        if isinstance(exc, AskError) and not base.text and otherwise is None:
            raise _named(exc, watch, given) from exc
    if not base.text.strip():
        raise _named(otherwise or _nothing(watch, site, why), watch, given)
    fetch = f"tabwire fetch {base.conversation_id or 'last'} --to {site.name}"
    answer = replace(base, problems=(*base.problems, f"{problem}; fetch the rest later: {fetch}"))
    await watch.deliver(answer)
    return answer


@asynccontextmanager
async def _some_line(line: BrowserLine, given: Given) -> AsyncIterator[BrowserLine]:
    """Our line, or a new one where it is gone."""
    if line.connection.gone is None:
        yield line
        return
    async with given.lines() as another:
        yield another


async def _looked_for(
    watch: Watch, line: BrowserLine, site: Site, request: AskRequest, given: Given, since: float
) -> Conversation | None:
    """As the page reads it in the background. Where that does not do, and the person allowed
    it, as it reads it in front: the last rung before `partial`.

    A login or a challenge looks the same in front, and is told at once.
    """
    look = partial(_stored, watch, line, site, request, given, since)
    found: Conversation | None = None
    trouble: SiteFailed | None = None
    try:
        found = await look()
    except SiteFailed as exc:  # the page did not load it
        trouble = exc
    unfinished = found is not None and not found.standing.terminal
    if request.allow_focus and watch.conversation_id and (trouble or unfinished):
        why = "its tab comes to the front, as you allowed"
        given.tell(StillWaiting(site.name, why, given.clock()))
        with suppress(SiteFailed):
            return await look(in_front=True) or found
    if trouble is not None:
        raise trouble
    return found


async def _stored(
    watch: Watch,
    line: BrowserLine,
    site: Site,
    request: AskRequest,
    given: Given,
    since: float,
    *,
    in_front: bool = False,
) -> Conversation | None:
    named = watch.conversation_id
    if named is None:
        named = await find_chat(line.tabs, site, request.prompt, since)
        if named is None:
            return None
        watch.conversation_id = named
        await given.checkpoint(Step.SENT, conversation_id=named)

    retold = Retold(watch.heard(thinking=False), watch.heard(thinking=True), watch.show)

    def waiting(why: str) -> None:
        given.tell(StillWaiting(site.name, why, given.clock()))

    stuck = site.name == GEMINI and watch.ear.befell is None and not watch.ear.answer_began
    tries = STUCK_READS if stuck else None
    return await read_again(
        line,
        site,
        named,
        request.prompt,
        growth=retold.begin,
        waiting=waiting,
        tries=FRONT_READS if in_front else tries,
        in_front=in_front,
    )


async def find_chat(tabs: Tabs, site: Site, prompt: str, since: float) -> str | None:
    """The conversation whose newest question is ours, among those asked in since then.

    They are looked at newest first, until several in a row are older or do not say how old they
    are. The same question in an older one was another ask: its answer is not ours.
    """
    old = 0
    for named in (await _newest(tabs, site))[:MOST]:
        async with reading(tabs, site, named) as found:
            await found.until(partial(_has_stored, found), FIRST_SECONDS)
            asked_at = _asked_at(found.stored) if found.stored is not None else None
            before = asked_at is not None and asked_at < since - CLOCKS_SECONDS
            if found.stored is not None and not before and asked_in(found.stored, prompt):
                return named
        old = old + 1 if before or asked_at is None else 0
        if old == OLD:
            return None
    return None


def _has_stored(found: Reread) -> bool:
    return found.stored is not None


def _asked_at(conversation: Conversation) -> float | None:
    """When its newest question was asked, where the site says it."""
    turns = [one for one in conversation.chain() if one.role is Role.USER and not one.hidden]
    return turns[-1].created_at if turns else None


async def _newest(tabs: Tabs, site: Site) -> tuple[str, ...]:
    """The conversations of the site as its own page lists them."""
    listed: asyncio.Future[tuple[str, ...]] = asyncio.get_running_loop().create_future()

    def hear(sighting: Sighting) -> None:
        if isinstance(sighting, told.Listed) and not listed.done():
            listed.set_result(sighting.conversation_ids)

    tab = await tabs.open("about:blank")
    try:
        async with beside(follow(tab, site, hear, Wish()), lambda _fault: None):
            await tab.navigate(site.page.home, seconds=site.page.timings.load_seconds)
            async with asyncio.timeout(FIRST_SECONDS):
                return await listed
    except TimeoutError:
        return ()
    finally:
        if tabs.connection.gone is None:
            await tabs.close(tab.target)


def _nothing(watch: Watch, site: Site, why: str) -> AskError:
    if site.name == GEMINI and watch.ear.befell is None:
        return GeminiStuckNoResponse(site.name, site.page.timings.first_output_seconds)
    return TabClosed(site.name, f"{why}, and the answer could not be found", sent=True)


def _named(error: AskError, watch: Watch, given: Given) -> AskError:
    error.attempt_id = given.attempt_id
    error.conversation_id = error.conversation_id or watch.conversation_id
    return error
