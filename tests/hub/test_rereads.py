"""One reader per conversation at a time."""

import asyncio

import pytest

from tabwire.hub import rereads
from tabwire.hub.rereads import MAX_AT_ONCE, Rereads
from tabwire.model.errors import TabwireError

pytestmark = pytest.mark.asyncio

KEY = ("chatgpt", "c1")


class Tabs:
    """Tabs that are opened and closed on paper."""

    def __init__(self, fails=False):
        self.opened, self.closed, self.tasks = [], [], []
        self.fails = fails
        self.rereads = Rereads(self.read, self.close, start=self.start, clock=lambda: 1.0)

    def start(self, work):
        self.tasks.append(asyncio.get_running_loop().create_task(work))

    async def read(self, url):
        if self.fails:
            raise TabwireError("no extension", what_to_do="")
        self.opened.append(url)
        return len(self.opened)

    async def close(self, tab):
        self.closed.append(tab)

    async def over(self):
        await asyncio.gather(*self.tasks)


async def test_two_that_want_the_same_have_it_read_once_and_its_tab_is_closed():
    tabs = Tabs()
    assert tabs.rereads.want(KEY, "page 1")
    assert not tabs.rereads.want(KEY, "page 2")
    assert tabs.rereads.is_ours(KEY, 77), "while it is being opened, any tab may be it"
    await asyncio.sleep(0)
    assert tabs.rereads.is_ours(KEY, 1)
    assert not tabs.rereads.is_ours(KEY, 2)
    assert tabs.closed == []
    tabs.rereads.heard(("chatgpt", "c2"))
    tabs.rereads.heard(KEY)
    await tabs.over()
    assert (tabs.opened, tabs.closed) == (["https://chatgpt.com/c/c1"], [1])
    assert tabs.rereads.want(KEY, "page 2"), "it was given back"
    tabs.rereads.heard(KEY)
    await tabs.over()


async def test_a_page_that_never_loads_is_given_up(monkeypatch):
    monkeypatch.setattr(rereads, "READ_SECONDS", 0.01)
    tabs = Tabs()
    tabs.rereads.want(KEY, "page 1")
    await tabs.over()
    assert tabs.closed == [1]
    assert tabs.rereads.want(KEY, "page 2")
    await tabs.over()


async def test_without_an_extension_nothing_hangs():
    tabs = Tabs(fails=True)
    assert tabs.rereads.want(KEY, "page 1")
    await tabs.over()
    assert tabs.closed == []
    assert tabs.rereads.want(KEY, "page 1")
    await tabs.over()


async def test_few_at_once():
    tabs = Tabs()
    begun = [tabs.rereads.want(("grok", str(number)), "page") for number in range(9)]
    assert begun.count(True) == MAX_AT_ONCE
    for task in tabs.tasks:
        task.cancel()
    await asyncio.gather(*tabs.tasks, return_exceptions=True)
