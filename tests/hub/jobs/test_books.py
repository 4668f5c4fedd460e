"""The store in the words of an ask: a use lasts while it is needed, gone tabs are forgotten."""

import asyncio

import pytest
import pytest_asyncio
from sqlalchemy import select

from store.asked import ask
from tabwire.hub.jobs import books as bookkeeping
from tabwire.hub.jobs.books import Books
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
