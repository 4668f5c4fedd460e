"""The page shows other words than the site sent: read the conversation again, once.

The answer was given out long before this. What the site has stored decides between the stream
and the page; where the page still shows something else, its text is kept beside the answer and
a person is told to look twice. Nothing is ever taken over from a page that disagrees.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from tabwire.asking.context import Given
from tabwire.asking.recovery.objection import objects
from tabwire.asking.recovery.reread import FIRST_SECONDS, reading
from tabwire.asking.timeouts import Wait
from tabwire.browser.line import BrowserLine
from tabwire.browser.page.page import Page
from tabwire.fusion.agreement import Match, compare
from tabwire.model.ask import Amended, Answer, Completeness, OtherText, StillWaiting
from tabwire.model.conversation import Conversation
from tabwire.model.errors import TabwireError
from tabwire.model.signals import Source
from tabwire.sites.page import Layout, Selector
from tabwire.sites.site import Site
from tabwire.sites.witness import as_witness
from tabwire.text.plain import plain

LOOK_TWICE = "the page shows different text than the site sent"
PAGE_AGREES = f"{Source.PAGE}: same text"
MOST = 500_000  # characters: comparing more would cost more than it shows


async def second_look(
    answer: Answer,
    raw: str,
    line: BrowserLine,
    page: Page,
    site: Site,
    layout: Layout,
    given: Given,
) -> Answer:
    """The answer, amended where its page objects. `raw` is its text as the site sent it."""
    if not answer.complete or PAGE_AGREES in answer.evidence or len(answer.text) > MOST:
        return answer
    seconds = Wait.RENDER.seconds(site.page.timings)
    try:
        async with asyncio.timeout(seconds):
            return await _looked_twice(answer, raw, line, page, site, layout, given)
    except TimeoutError:
        problem = f"the page could not be compared within {seconds:g} s (wait `{Wait.RENDER}`)"
        return replace(answer, problems=(*answer.problems, problem))


async def _looked_twice(
    answer: Answer,
    raw: str,
    line: BrowserLine,
    page: Page,
    site: Site,
    layout: Layout,
    given: Given,
) -> Answer:
    shown = await _shown(page, layout.text_root)
    if not objects(plain(answer.text), shown):
        return answer
    why = f"{LOOK_TWICE}: reading the conversation again"
    given.tell(StillWaiting(site.name, why, given.clock()))
    stored = await _stored(line, site, answer.conversation_id)
    now = _weighed(answer, raw, stored)
    shown = await _shown(page, layout.text_root)
    if objects(plain(answer.text), shown):  # still: it was not only drawn late
        others = (*now.others, OtherText(str(Source.PAGE), shown))
        now = replace(now, others=others, suspicious=(*now.suspicious, LOOK_TWICE))
    if now != answer:
        await given.keep(now)
        given.tell(Amended(site.name, now, given.clock()))
    return now


def _weighed(answer: Answer, raw: str, stored: Conversation | None) -> Answer:
    """With what the site has stored as one more witness."""
    witness = as_witness(stored) if stored is not None else None
    if witness is None or not witness.text.strip():
        return replace(answer, problems=(*answer.problems, "it could not be read again"))
    if compare(raw, witness.text) is Match.SAME:
        told = f"{Source.CANONICAL}: same text"
        known = told in answer.evidence
        return answer if known else replace(answer, evidence=(*answer.evidence, told))
    return replace(
        answer,
        completeness=Completeness.PARTIAL,
        why="the site stored different text than it sent",
        others=(*answer.others, OtherText(str(Source.CANONICAL), witness.text)),
    )


async def _stored(
    line: BrowserLine, site: Site, conversation_id: str | None
) -> Conversation | None:
    if conversation_id is None:
        return None
    try:
        async with reading(line.tabs, site, conversation_id) as found:
            await found.until(lambda: found.stored is not None, FIRST_SECONDS)
            return found.stored
    except TabwireError:
        return None


async def _shown(page: Page, roots: Sequence[Selector]) -> str:
    """The newest answer as the page shows it."""
    try:
        texts = await page.read(roots)
    except TabwireError:
        return ""
    return texts[-1] if texts else ""
