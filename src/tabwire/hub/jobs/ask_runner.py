"""Ask one or several sites at once: kept before anything moves, and never twice.

Each question is a row in the store first. One that is already on its way is not asked again:
where its process lives we wait for it, where that died we look for its answer. One failed
column never spoils the others.
"""

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack
from dataclasses import dataclass, field, replace
from typing import Protocol

from tabwire.asking.context import Given, NotOurs
from tabwire.asking.flow import Flow
from tabwire.asking.tab import holds_prompt
from tabwire.browser.choose import Lab
from tabwire.browser.line import BrowserLine
from tabwire.config.settings import settings
from tabwire.hub.browsers.access import HubLines, Say, chosen, reached_browser
from tabwire.hub.jobs.books import Books, OurTabs, opened_books
from tabwire.hub.jobs.retrieval import resume
from tabwire.model.ask import (
    LAB,
    Answer,
    Answered,
    AskEvent,
    AskRequest,
    Failed,
    Phase,
    PhaseBegan,
    Step,
)
from tabwire.model.ask_errors import AskError, BadAsk
from tabwire.model.errors import Retry, TabwireError
from tabwire.model.products import product
from tabwire.sites.known import SITES
from tabwire.sites.site import Site
from tabwire.store.rows import Attempt

Tell = Callable[[AskEvent], None]
Lines = Callable[[], AbstractAsyncContextManager[BrowserLine]]
UNSENDABLE = re.compile("[\x00\ud800-\udfff]")
"""Characters that a page or the wire makes into others without a word."""

MAX_PROMPT = 200_000  # characters; more is refused by every site we know


class Stoppable(Protocol):
    """Something that writes, and can be told to stop."""

    def stop_site(self) -> None:
        """Have the site's Stop pressed."""


@dataclass(slots=True)
class AskControl:
    """For whoever waits: a hand on asks that are under way."""

    _flows: list[Stoppable] = field(default_factory=list)

    def stop_site(self) -> None:
        """Have the site's Stop pressed in every column that is still writing."""
        for flow in self._flows:
            flow.stop_site()

    def add(self, flow: Stoppable) -> None:
        """One more column."""
        self._flows.append(flow)


@dataclass(frozen=True, slots=True)
class PlannedAsk:
    """What would be done, in words."""

    site: str
    lines: tuple[str, ...]


async def ask_all(
    requests: Sequence[AskRequest],
    tell: Tell,
    *,
    browser: str | None = None,
    on_wait: Say | None = None,
    control: AskControl | None = None,
    again: bool = False,
    hub_lines: HubLines | None = None,
) -> tuple[Answer | AskError, ...]:
    """One result per request, in their order. Raises only where nothing could be begun."""
    began = time.monotonic()
    for request in requests:
        check(request)
    now = settings()
    where = LAB if isinstance(chosen(browser, now), Lab) else browser or now.browser
    requests = [replace(request, browser=where) for request in requests]

    def lines() -> AbstractAsyncContextManager[BrowserLine]:
        return reached_browser(browser, hub_lines=hub_lines, on_wait=on_wait)

    async with opened_books() as books:
        rows = []
        with ExitStack() as stack:
            for request in requests:
                row, fresh = await books.begin(request, again=again)
                if fresh:
                    stack.enter_context(books.working_on(row))
                rows.append((row, fresh))
            return await _columns(books, rows, tell, lines, control or AskControl(), began)


async def _columns(
    books: Books,
    rows: Sequence[tuple[Attempt, bool]],
    tell: Tell,
    lines: Lines,
    control: AskControl,
    began: float,
) -> tuple[Answer | AskError, ...]:
    """All at once over one line."""
    for row, _fresh in rows:
        tell(PhaseBegan(row.request.site, Phase.CONNECT, time.monotonic()))
    try:
        async with lines() as line:
            one = Asking(books, tell, line, lines, control, began)
            return tuple(await asyncio.gather(*(one.run(*row) for row in rows)))
    except TabwireError as exc:
        exc.lab = any(row.request.in_lab for row, _fresh in rows)
        for row, fresh in rows:
            if fresh:
                await books.rest(row, exc)
        raise


@dataclass(frozen=True, slots=True)
class Asking:
    """What all columns share."""

    books: Books
    tell: Tell
    line: BrowserLine
    lines: Lines
    control: AskControl
    began: float
    tabs: OurTabs | None = None  # those of whoever asks, where somebody keeps them

    async def run(self, row: Attempt, fresh: bool) -> Answer | AskError:
        """One column, from its row to its answer; no failure leaves it. Where another process
        took it over meanwhile, what that makes of it is ours as well."""
        while True:
            result = await self._tried(row, fresh)
            if result is not None:
                return result
            fresh = False

    async def _tried(self, row: Attempt, fresh: bool) -> Answer | AskError | None:
        """None: it is another process's by now. Nothing was sent or written down here."""
        site = row.request.site
        try:
            try:
                return await self._answer(row, fresh)
            finally:
                await self.books.conversations.flush_quietly()
        except NotOurs:
            return None
        except AskError as exc:
            error = exc
        except (TabwireError, ConnectionError) as exc:
            what_to_do = getattr(exc, "what_to_do", "Run `tabwire doctor`.")
            retry = getattr(exc, "retry", Retry.RESUME)
            error = AskError(site, str(exc), what_to_do=what_to_do, retry=retry)
            error.pending = retry is Retry.RESUME
        error.attempt_id = error.attempt_id or row.id
        error.lab = row.request.in_lab
        if not await self.books.rest(row, error, sent=error.pending) and fresh:
            return None
        self.tell(Failed(site, error, time.monotonic()))
        return error

    async def _answer(self, row: Attempt, fresh: bool) -> Answer:
        if not fresh:
            row, answer = await self.books.join(row, self.tell)
            if answer is not None:
                self.tell(Answered(row.request.site, answer, time.monotonic()))
                await self.books.was_told(row)
                return answer
        given = self.given(row)
        site = SITES[row.request.site]
        with self.books.working_on(row):
            if row.step is Step.SENT:
                return await resume(row, self.line, site, given)
            if row.step is Step.SENDING:
                try:
                    return await resume(row, self.line, site, given)
                except AskError:
                    # looked for, and not there. Only where it surely never left it is sent now
                    if not await self._still_here(row, site, given):
                        raise
            flow = Flow(row.request, site, given, began=self.began)
            self.control.add(flow)
            return await flow.run(self.line)

    async def _still_here(self, row: Attempt, site: Site, given: Given) -> bool:
        """A tab that cannot be looked at shows nothing: it is as unknown as it was before."""
        try:
            return await holds_prompt(self.line, site, given, row.request.prompt, row.press)
        except TabwireError:
            return False

    def given(self, row: Attempt) -> Given:
        """What the flow of this row is handed."""
        return given_for(self.books, row, self.tell, self.lines, self.tabs)


def given_for(
    books: Books,
    row: Attempt,
    tell: Tell,
    lines: Lines,
    tabs: OurTabs | None = None,
) -> Given:
    """Everything an ask needs from outside, kept under this row."""
    return Given(
        row.id,
        tell,
        books.checkpoint(row),
        books.keeper(row),
        books.anomaly,
        books.use(row, tell),
        tabs or books.tabs(row),
        lines,
        time.monotonic,
        time.time,
        books.claimed(row),
        books.records(row),
    )


def check(request: AskRequest) -> None:
    """What is invalid is said before a browser is started."""
    site = request.site
    if site not in SITES:
        raise BadAsk(site, f"unknown site {site!r}", f"Choose {', '.join(SITES)}.")
    if not request.prompt.strip():
        raise BadAsk(site, "the prompt is empty", "Write what you want to ask.")
    if (odd := UNSENDABLE.search(request.prompt)) is not None:
        character = "a NUL character" if odd[0] == "\0" else "half of a surrogate pair"
        raise BadAsk(
            site,
            f"the prompt contains {character} (U+{ord(odd[0]):04X}) as character "
            f"{odd.start() + 1:,}, which cannot be sent to any site",
            "Remove it, or send the text that contains it as a file: --file.",
        )
    if len(request.prompt) > MAX_PROMPT:
        raise BadAsk(
            site,
            f"the prompt has {len(request.prompt):,} characters, more than {MAX_PROMPT:,}",
            "Send long material as a file: --file.",
        )
    if request.timeout_seconds <= 0:
        raise BadAsk(site, "--timeout must be greater than 0", "Write 90s, 10m or 1h.")
    if request.conversation_id is not None and (request.temporary or request.url):
        raise BadAsk(
            site, "--continue cannot be combined with --temporary or --url", "Use one of them."
        )
    named = request.conversation_id
    if named is not None and not SITES[site].is_conversation_id(named):
        raise BadAsk(
            site,
            f"{named!r} is not a conversation ID of {product(site)}",
            "Use `last`, the ID or the URL of a conversation: `tabwire history` lists them.",
        )
    if request.url is not None and not _is_at(site, request.url):
        raise BadAsk(
            site,
            f"{request.url} is not a {product(site)} URL",
            f"Use a URL below {SITES[site].page.home}",
        )


def _is_at(site: str, url: str) -> bool:
    from tabwire.sites.known import site_of_url

    found = site_of_url(url)
    return found is not None and found.name == site


def plan(requests: Sequence[AskRequest], browser: str | None) -> tuple[PlannedAsk, ...]:
    """`--dry-run`: what would be done where. Touches nothing."""
    from tabwire.asking.tab import address
    from tabwire.asking.uploads import check_files

    said = browser or settings().browser
    planned = []
    for request in requests:
        check(request)
        site = SITES[request.site]
        files = check_files(site, request.files)
        lines = [
            f"browser: {said}",
            f"where: {address(site, request)}",
            f"prompt: {len(request.prompt):,} characters, "
            f"{request.prompt.count(chr(10)) + 1:,} lines",
            f"model: {request.model or 'as the page has it'}, "
            f"effort: {request.effort or 'as the page has it'}",
            *(f"file: {path}, {path.stat().st_size:,} bytes" for path in files),
            f"at most {request.timeout_seconds:g} s; nothing is sent now",
        ]
        planned.append(PlannedAsk(request.site, tuple(lines)))
    return tuple(planned)
