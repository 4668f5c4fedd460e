"""The store in the words of an ask: a use lasts while it is needed, gone tabs are forgotten, and
what another process took over is left to it."""

import asyncio

import pytest
import pytest_asyncio
from sqlalchemy import select

from store.asked import OTHER, answer, ask
from tabwire.asking.context import NotOurs
from tabwire.hub.jobs import books as bookkeeping
from tabwire.hub.jobs.books import Books
from tabwire.model.ask import Step
from tabwire.model.ask_errors import AnswerTimedOut, TextNotTaken
from tabwire.store.opening import opened
from tabwire.store.tables import USES

pytestmark = pytest.mark.asyncio

WAIT_SECONDS = 60.0


@pytest_asyncio.fixture
async def books(tmp_path):
    async with opened(tmp_path / "tabwire.db") as store:
        yield Books(store)


async def held_until(books):
    return await books.store._read(lambda line: line.scalar(select(USES.c.until)))


async def test_a_chat_is_ours_for_as_long_as_the_ask_takes(books, monkeypatch):
    monkeypatch.setattr(bookkeeping, "RENEW_SECONDS", 0.001)
    row, _ = await books.begin(ask(), again=False)
    async with books.use(row, lambda _event: None)("chat:grok:1", False) as ours:
        assert ours
        first = await held_until(books)
        async with asyncio.timeout(WAIT_SECONDS):
            while await held_until(books) == first:
                await asyncio.sleep(0)
        assert await held_until(books) > first
    assert await held_until(books) is None


async def test_tabs_that_are_gone_are_forgotten(books):
    row, _ = await books.begin(ask(), again=False)
    tabs = books.tabs(row)
    for target in ("here", "closed", "elsewhere"):
        await tabs.own(target)
    await tabs.saw({"here", "of a person"}, ["closed"])
    assert sorted(await tabs.ours()) == ["elsewhere", "here"]


# --- taken over meanwhile: by the hub of another machine, while we slept -------------------------


@pytest.mark.parametrize("step", [Step.NEW, Step.SENDING, Step.SENT])
async def test_what_another_process_took_over_is_not_sent_here(books, step):
    row, _ = await books.begin(ask(), again=False)
    await books.store.take_over(row.id, OTHER, books.owner, 2.0)
    await books.store.note(row.id, step, 3.0)
    theirs = await books.store.attempt(row.id)
    with pytest.raises(NotOurs):
        await books.checkpoint(row)(Step.SENDING)
    assert await books.store.attempt(row.id) == theirs


@pytest.mark.parametrize("how", ["cancelled", "answered"])
async def test_what_is_over_is_not_sent(books, how):
    row, _ = await books.begin(ask(), again=False)
    if how == "cancelled":
        await books.store.cancel(row.id, 2.0)
    else:
        await books.keep(row, answer(row.id))
    with pytest.raises(NotOurs):
        await books.checkpoint(row)(Step.SENDING)


async def test_what_may_have_been_sent_by_us_is_tried_again_by_us(books):
    row, _ = await books.begin(ask(), again=False)
    for _ in range(2):
        await books.checkpoint(row)(Step.SENDING)
    assert (await books.store.attempt(row.id)).step is Step.SENDING


async def test_what_left_is_written_down_whoever_has_it(books):
    row, _ = await books.begin(ask(), again=False)
    await books.checkpoint(row)(Step.SENDING)
    await books.store.take_over(row.id, OTHER, books.owner, 2.0)
    await books.checkpoint(row)(Step.SENT, conversation_id="c1")
    now = await books.store.attempt(row.id)
    assert (now.step, now.conversation_id) == (Step.SENT, "c1")


HALF = AnswerTimedOut("chatgpt", 5, "no end")
HALF.answer = answer("a1", "beca")


@pytest.mark.parametrize(
    "error", [TextNotTaken("chatgpt", "it is empty"), HALF], ids=["nothing", "half an answer"]
)
async def test_a_failure_of_ours_is_none_of_an_ask_that_another_took_over(books, error):
    """Told as never sent, it would be asked again."""
    row, _ = await books.begin(ask(), again=False)
    await books.store.take_over(row.id, OTHER, books.owner, 2.0)
    await books.store.note(row.id, Step.SENT, 3.0)
    theirs = await books.store.attempt(row.id)
    assert not await books.rest(row, error)
    assert await books.store.attempt(row.id) == theirs


async def test_a_failure_is_written_down_where_it_was_ours_or_nobody_took_it_since(books):
    row, _ = await books.begin(ask(), again=False)
    await books.store.take_over(row.id, OTHER, books.owner, 2.0)
    seen = await books.store.attempt(row.id)
    assert await books.rest(seen, TextNotTaken("chatgpt", "it is empty"))
    assert (await books.store.attempt(row.id)).step is Step.FAILED
