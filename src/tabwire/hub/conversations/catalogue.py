"""Kept conversations, for the doors: list them, find the one that is meant, make a file of it."""

import asyncio
import time
from dataclasses import replace
from pathlib import Path

from tabwire.asking.prompt_match import same_prompt
from tabwire.capture.export import Exported, Format, Proof, export
from tabwire.capture.files import write_in
from tabwire.capture.rebuild import rebuild
from tabwire.capture.under_way import UNDER_WAY
from tabwire.fusion.agreement import tidy
from tabwire.fusion.verdict import Reason
from tabwire.hub.browsers.access import is_lab
from tabwire.hub.jobs.books import opened_books
from tabwire.model.captured import Captured, CaptureSource, Wholeness
from tabwire.model.conversation import Role
from tabwire.model.errors import TabwireError
from tabwire.sites.known import SITES, site_of_url
from tabwire.sites.links import linked
from tabwire.sites.witness import as_witness
from tabwire.store.rows import Attempt
from tabwire.store.store import Store

LAST = "last"
FORMATS = tuple(str(form) for form in Format)
AGAINST = frozenset({UNDER_WAY, Reason.CANONICAL_NOT_TERMINAL, Reason.CONTENT_HASH_CHANGED})
"""Why a conversation is not ready: more of it is being written."""


class NoSuchConversation(TabwireError):
    """Nothing is kept under what was said, or several are."""

    def __init__(self, said: str, several: tuple[str, ...] = ()) -> None:
        what = f"several conversations have the id {said}: {', '.join(several)}"
        super().__init__(
            what if several else f"there is no saved conversation {said}",
            what_to_do="`tabwire conversations` lists the saved ones; use SITE/ID.",
        )


async def recent(
    limit: int, site: str | None, *, browser: str | None = None
) -> tuple[Captured, ...]:
    """Those captured last, newest first; only those of the lab where that is the browser."""
    async with opened_books() as books:
        lab = is_lab(browser)
        return tuple(await books.store.conversations.recent(limit, site=site, lab=lab))


async def exported(
    said: str,
    form: str,
    *,
    site: str | None = None,
    force: bool = False,
    browser: str | None = None,
) -> tuple[Captured, Exported]:
    """The conversation that is meant, and a file of it. Raises `NoSuchConversation`,
    `NotReady`, `NothingKept`."""
    async with opened_books() as books:
        row = await _meant(books.store, said, site, lab=is_lab(browser))
        found = await books.store.conversations.conversation(
            row.site, row.conversation_id, bodies=True
        )
        if found is not None:
            found = await as_asked(books.store, found)
        asked = await books.store.last(site=row.site, in_conversation=row.conversation_id)
    if found is None:
        raise NoSuchConversation(said)
    proof = await asyncio.to_thread(proven, found, asked) if asked and not found.ready else None
    made = await asyncio.to_thread(export, found, Format(form), force=force, proof=proof)
    return found, made


def proven(captured: Captured, asked: Attempt) -> Proof | None:
    """Whether the newest question of a kept conversation is the one we asked there last, and the
    answer that is kept is the one that the ask proved whole."""
    site, answer = SITES[captured.site], asked.answer
    kept = rebuild(site, captured.conversation_id, captured.bodies)
    if kept is None or answer is None or not answer.complete:
        return None
    if not AGAINST.isdisjoint(captured.reasons):
        return None
    witness = as_witness(kept)
    text, _ = linked(witness.text, witness.references, site.marks)
    questions = [turn for turn in kept.shown() if turn.role is Role.USER]
    if not questions or not same_prompt(questions[-1].text, asked.request.prompt):
        return None  # somebody asked on, or this is another branch
    if tidy(text) != tidy(answer.text):
        return None
    alone = asked.request.conversation_id is None and len(questions) == 1
    read = captured.source is CaptureSource.CANONICAL
    return Proof(alone or (read and captured.completeness is Wholeness.COMPLETE))


async def as_asked(store: Store, row: Captured) -> Captured:
    """What is kept of a conversation, and not ready while a program asks in it."""
    if not row.ready:
        return row
    asked = await store.asked_in(row.site, row.conversation_id, time.time())
    return replace(row, ready=False, reasons=(UNDER_WAY,)) if asked else row


def write(folder: Path, made: Exported, *, force: bool = False) -> Path:
    """Put a file into a folder. Raises `FileThere`, `CannotWrite`."""
    return write_in(folder, made.name, made.text.encode(), force=force)


async def _meant(store: Store, said: str, site: str | None, *, lab: bool) -> Captured:
    """`last`, an id, `site/id`, or the address of a chat."""
    rows = store.conversations
    if said == LAST:
        newest = await rows.recent(1, site=site, lab=lab)
        if not newest:
            raise NoSuchConversation(said)
        return newest[0]
    named = _named(said)
    if named is not None:
        one = await rows.conversation(*named)
        found = [one] if one is not None else []
    else:
        found = [one for one in await rows.named(said) if site in (None, one.site)]
    if len(found) != 1:
        raise NoSuchConversation(said, tuple(one.name for one in found))
    return found[0]


def _named(said: str) -> tuple[str, str] | None:
    if (at := site_of_url(said)) is not None:
        conversation = at.conversation_in_url(said)
        return (at.name, conversation) if conversation is not None else None
    site, slash, conversation = said.partition("/")
    return (site, conversation) if slash and site in SITES else None
