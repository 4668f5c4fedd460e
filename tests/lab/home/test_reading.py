"""The ledger of a lab in another process: known by its key, told to its end."""

import asyncio
import socket

import pytest

from tabwire.hub.browsers.lab_file import posted
from tabwire.lab.home.reading import entries, live
from tabwire.lab.ledger import Deed
from tabwire.lab.serve import serving
from tabwire.model.errors import TabwireError

pytestmark = pytest.mark.asyncio

SOON = 10.0


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path))


async def test_it_is_read_as_it_was_written():
    async with serving() as lab:
        lab.ledger.record("grok", "c1", "one 😀")
        lab.ledger.record("grok", "c1", kind=Deed.UPLOAD, files=("a.txt",), size=3)
        with posted(lab.port, lab.spki):
            assert await asyncio.to_thread(entries) == list(lab.ledger.entries)
            assert await asyncio.to_thread(entries, 1) == list(lab.ledger.entries[1:])


async def test_it_is_followed_until_the_lab_ends():
    heard = []
    loop, news = asyncio.get_running_loop(), asyncio.Event()

    def follow():
        for entry in live():
            heard.append(entry.prompt)
            loop.call_soon_threadsafe(news.set)

    async with asyncio.timeout(SOON), asyncio.TaskGroup() as group, serving() as lab:
        with posted(lab.port, lab.spki):
            lab.ledger.record("grok", "c1", "before")
            group.create_task(asyncio.to_thread(follow))
            await news.wait()
            news.clear()
            lab.ledger.record("grok", "c1", "after")
            await news.wait()
    assert heard == ["before", "after"]


async def test_without_a_lab_it_says_so():
    with pytest.raises(TabwireError, match="no lab is running") as raised:
        await asyncio.to_thread(entries)
    assert "tabwire lab open" in raised.value.what_to_do


async def test_whoever_took_over_the_port_is_told_and_asked_nothing():
    """Another key answers: not a byte of a request leaves."""
    async with serving() as lab:
        expected = pytest.raises(TabwireError, match="is not the lab recorded")
        with posted(lab.port, "another key"), expected:
            await asyncio.to_thread(entries)
        assert lab.ledger.entries == ()


async def test_a_port_that_says_nothing_is_an_error_in_words():
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and never listens
        expected = pytest.raises(TabwireError, match="did not answer")
        with posted(nobody.getsockname()[1], "key"), expected as raised:
            await asyncio.to_thread(entries)
    assert "restart the lab" in raised.value.what_to_do
