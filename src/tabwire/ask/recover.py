"""The tab is lost, or its witnesses fell silent: find the answer that was asked for.

Nothing is sent here. The conversation is read again by letting the page do it in a background
tab; where its name is not known yet, the newest conversations are looked through for our
question. What cannot be found now is `partial`, with what was seen and how to fetch the rest.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from tabwire.ask.beside import beside
from tabwire.ask.collect import from_stored
from tabwire.ask.given import Given
from tabwire.ask.reread import FIRST_SECONDS, asked_in, has_answer, read_again, reading
from tabwire.ask.retold import Retold
from tabwire.ask.watch import GEMINI, Watch
from tabwire.browser.line import BrowserLine
from tabwire.browser.tabs import Tabs
from tabwire.model.ask import Answer, AskRequest, Phase, Step, StillWaiting, TextCame
from tabwire.model.ask_errors import AskError, GeminiStuckNoResponse, TabClosed
from tabwire.model.conversation import Conversation
from tabwire.model.errors import TabwireError
from tabwire.monitor import told
from tabwire.monitor.follow import Wish, follow
from tabwire.monitor.told import Sighting
from tabwire.sites.site import Site

NEWEST = 3  # conversations that are looked through for our question
STUCK_READS = 2  # seed 001, 9.3: a silent Gemini is looked at twice, and never asked twice


async def recover(
    watch: Watch,
    line: BrowserLine,
    site: Site,
    request: AskRequest,
    given: Given,
    *,
    otherwise: AskError | None = None,
) -> Answer:
    """The answer, found elsewhere than in its tab; `partial` where it cannot be.

    `otherwise` is what to raise where nothing was seen and nothing is found.
    """
    ear = watch.ear
    why = ear.befell.words if ear.befell is not None else "its witnesses fell silent"
    watch.clock.phase(Phase.RECOVERING, why)
    base = watch.so_far(why)
    problem = ""
    try:
        async with _some_line(line, given) as now, asyncio.timeout(watch.seconds_left):
            found = await _stored(watch, now, site, request, given)
            if found is not None and not (base.text == "" and not has_answer(found)):
                answer = from_stored(base, found, site)
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


async def _stored(
    watch: Watch, line: BrowserLine, site: Site, request: AskRequest, given: Given
) -> Conversation | None:
    named = watch.conversation_id
    if named is None:
        named = await find_chat(line.tabs, site, request.prompt)
        if named is None:
            return None
        watch.conversation_id = named
        await given.checkpoint(Step.SENT, conversation_id=named)

    def grew(text: str, thinking: bool, anew: bool) -> None:
        given.tell(TextCame(site.name, text, thinking, anew, given.clock()))

    retold = Retold(watch.heard(thinking=False), watch.heard(thinking=True), grew)

    def waiting(why: str) -> None:
        given.tell(StillWaiting(site.name, why, given.clock()))

    stuck = site.name == GEMINI and watch.ear.befell is None and not watch.ear.answer_began
    return await read_again(
        line,
        site,
        named,
        request.prompt,
        growth=retold.begin,
        waiting=waiting,
        tries=STUCK_READS if stuck else None,
    )


async def find_chat(tabs: Tabs, site: Site, prompt: str) -> str | None:
    """The conversation whose newest question is ours, among the newest ones."""
    ids = await _newest(tabs, site)
    for named in ids[:NEWEST]:
        async with reading(tabs, site, named) as found:
            await found.until(lambda: bool(found.stored), FIRST_SECONDS)
            if found.stored is not None and asked_in(found.stored, prompt):
                return named
    return None


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
