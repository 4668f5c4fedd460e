"""Fetch an answer that was asked for before: by attempt, by conversation, or the last one.

Nothing is sent. The conversation is opened in a tab in the background, and what the page
itself loads there is read.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace

from tabwire.asking.answer import from_stored, link
from tabwire.asking.answer_watch import Watch
from tabwire.asking.context import Given
from tabwire.asking.ear import Ear
from tabwire.asking.recovery.recovery import recover
from tabwire.asking.recovery.reread import read_again
from tabwire.asking.timings import Stopwatch
from tabwire.browser.line import BrowserLine
from tabwire.hub.browsers.access import HubLines, Say, is_lab, reached_browser
from tabwire.hub.jobs.books import Books, opened_books
from tabwire.model.ask import (
    Answer,
    Answered,
    AskEvent,
    Completeness,
    Phase,
    PhaseBegan,
    Step,
    StillWaiting,
)
from tabwire.model.ask_errors import (
    AnswerTimedOut,
    AskError,
    BadAsk,
    SendNotConfirmed,
    TabClosed,
)
from tabwire.model.conversation import Role
from tabwire.model.products import product
from tabwire.sites.known import SITES, site_of_url
from tabwire.sites.site import Site
from tabwire.store.rows import Attempt

FETCH_SECONDS = 600.0
FINAL = (Completeness.COMPLETE, Completeness.STOPPED)
"""What no later reading changes: a site may store what a person cut short as if it were whole."""

LAST = "last"

Follow = Callable[[Attempt, str | None], Awaitable[Answer | None]]
"""The answer of a question, by whoever else can have it in that browser; None where nobody can."""


async def resume(
    row: Attempt, line: BrowserLine, site: Site, given: Given, *, seconds: float | None = None
) -> Answer:
    """Go on with an attempt that was sent, or may have been: look for it, send nothing.

    `seconds` stands in the place of the time it was first given, which may be long over.
    """
    request = row.request if seconds is None else replace(row.request, timeout_seconds=seconds)
    clock = Stopwatch(site.name, given.tell, given.clock)
    watch = Watch(Ear(request.prompt), clock, site, request, given)
    watch.conversation_id = row.conversation_id or request.conversation_id
    watch.ear.press = row.press
    watch.known = row.answer
    unfound = _unfound(row, site)
    return await recover(
        watch, line, site, request, given, otherwise=unfound, asked_at=row.created_at
    )


def _unfound(row: Attempt, site: Site) -> AskError | None:
    """What is true where the question is not found; None where it surely is there."""
    if row.step is Step.SENT:
        return None
    if row.step is Step.SENDING:
        why = "the run ended just before or after Send was pressed"
        return SendNotConfirmed(site.name, why, unknown=True)
    what = "the answer could not be found in its conversation"
    return TabClosed(site.name, what, sent=True, attempt_id=row.id)


async def fetch(
    said: str,
    *,
    site: str | None = None,
    browser: str | None = None,
    tell: Callable[[AskEvent], None],
    on_wait: Say | None = None,
    seconds: float = FETCH_SECONDS,
    hub_lines: HubLines | None = None,
    follow: Follow | None = None,
) -> Answer:
    """The answer that is meant: kept already, had by `follow`, or read again from its
    conversation."""
    from tabwire.hub.jobs.ask_runner import given_for

    def lines() -> AbstractAsyncContextManager[BrowserLine]:
        return reached_browser(browser, hub_lines=hub_lines, on_wait=on_wait)

    async with opened_books() as books:
        row = await _row(books, said, site, lab=is_lab(browser))
        if row is not None:
            browser = _browser_of(row, browser)
        if row is not None and row.answer is not None and row.answer.completeness in FINAL:
            tell(Answered(row.answer.site, row.answer, time.monotonic()))
            await books.was_told(row)
            return row.answer
        if row is not None and follow is not None:
            answer = await follow(row, browser)
            if answer is not None:
                return answer
        if row is not None and books.is_worked_on(row):
            row, answer = await _waited_for(books, row, tell, seconds)
            if answer is not None:
                tell(Answered(answer.site, answer, time.monotonic()))
                return answer
        if row is not None:
            async with lines() as line:
                given = given_for(books, row, tell, lines)
                return await resume(row, line, SITES[row.request.site], given, seconds=seconds)
        where, conversation_id = _conversation(said, site)
        async with lines() as line:
            tell(PhaseBegan(where.name, Phase.RECOVERING, time.monotonic(), "reading it again"))

            def waiting(why: str) -> None:
                tell(StillWaiting(where.name, why, time.monotonic()))

            answer = await _read(line, where, conversation_id, seconds, waiting)
            answer = replace(answer, lab=is_lab(browser))
    tell(Answered(where.name, answer, time.monotonic()))
    return answer


async def _waited_for(
    books: Books, row: Attempt, tell: Callable[[AskEvent], None], seconds: float
) -> tuple[Attempt, Answer | None]:
    """Another process carries it out, the hub say: its answer, or the row once nobody does."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            return await books.join(row, tell)
    return row, None


def _browser_of(row: Attempt, said: str | None) -> str | None:
    """Where its answer is looked for: where it was asked, unless the person says otherwise.
    What the lab was asked no site knows, and the other way round."""
    asked = row.request.browser
    if said is None:
        return asked
    if is_lab(said) != row.request.in_lab:
        where = "in the lab" if row.request.in_lab else "not in the lab"
        raise BadAsk(row.request.site, f"{row.id} was asked {where}", "Fetch it without --browser.")
    return said


async def _row(books: Books, said: str, site: str | None, *, lab: bool) -> Attempt | None:
    """The attempt that is meant, where one is. `last` is of the lab only where that is said."""
    if said == LAST:
        row = await books.store.last(site=site, lab=lab)
        if row is None:
            there = " in the lab" if lab else ""
            what = f"nothing has been asked on {product(site)}{there} yet" if site else ""
            what = what or f"nothing has been asked{there} yet"
            raise BadAsk(site or "", what, "Ask first: `tabwire ask`.")
        return row
    if (row := await books.store.attempt(said)) is not None:
        return row
    conversation_id = said
    if (known := site_of_url(said)) is not None:
        conversation_id = known.conversation_in_url(said) or said
    return await books.store.last(site=site, in_conversation=conversation_id)


def _conversation(said: str, site: str | None) -> tuple[Site, str]:
    """A conversation nobody asked in through us."""
    known = site_of_url(said)
    if known is not None and (named := known.conversation_in_url(said)) is not None:
        return known, named
    for one in [SITES[site]] if site in SITES else SITES.values():
        if _can_be(said, one) and (site or _only(said, one)):
            return one, said
    raise BadAsk(
        site or "",
        f"{said!r} is not a known attempt or conversation",
        "Use `last`, an ID from `tabwire history`, or the URL of a conversation; for an ID alone, "
        "add --site.",
    )


def _only(said: str, site: Site) -> bool:
    """Whether a bare id can be of this site alone."""
    return all(one is site or not _can_be(said, one) for one in SITES.values())


def _can_be(said: str, site: Site) -> bool:
    """Whether a conversation of this site can have this id, and an address that names it."""
    at_home = site.conversation_in_url(site.page.chat_url(said)) == said
    return site.is_conversation_id(said) and at_home


async def _read(
    line: BrowserLine,
    site: Site,
    conversation_id: str,
    seconds: float,
    waiting: Callable[[str], None],
) -> Answer:
    try:
        async with asyncio.timeout(seconds):
            stored = await read_again(
                line,
                site,
                conversation_id,
                None,
                growth=lambda: lambda _one: None,
                waiting=waiting,
            )
    except TimeoutError:
        raise AnswerTimedOut(site.name, seconds, "the answer is still being written") from None
    assert stored is not None, "only a question that is looked for can be missing"
    questions = [turn.text for turn in stored.chain() if turn.role is Role.USER]
    base = Answer(
        "",
        site.name,
        questions[-1] if questions else "",
        "",
        Completeness.PARTIAL,
        "",
        conversation_id=conversation_id,
        url=link(site, conversation_id),
    )
    return from_stored(base, stored, site)
