"""One reader per conversation at a time."""

import asyncio

import pytest

from tabwire.hub.conversations import rereads
from tabwire.hub.conversations.rereads import MAX_AT_ONCE, Rereads
from tabwire.model.errors import TabwireError

pytestmark = pytest.mark.asyncio


@pytest.fixture(autouse=True)
def nobody_dawdles(monkeypatch):
    monkeypatch.setattr(rereads, "AGAIN_SECONDS", 0.01)


KEY = ("chatgpt", "c1")


class Tabs:
    """Tabs that are opened and closed on paper."""

    def __init__(self, fails=False):
        self.opened, self.closed, self.tasks = [], [], []
        self.fails = fails
        self.wanted = {("grok", str(number)) for number in range(9)}
        self.rereads = Rereads(
            self.read,
            self.close,
            start=self.start,
            clock=lambda: 1.0,
            wanted=self.wanted.__contains__,
        )

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


async def test_few_are_read_at_once_and_all_in_their_turn():
    tabs = Tabs()
    keys = [("grok", str(number)) for number in range(9)]
    for key in keys:
        assert tabs.rereads.want(key, "page")
        assert not tabs.rereads.want(key, "page"), "it waits already"
    assert len(tabs.tasks) == MAX_AT_ONCE
    for number, key in enumerate(keys):
        assert len(tabs.tasks) - number <= MAX_AT_ONCE
        while len(tabs.opened) <= number:
            await asyncio.sleep(0)
        tabs.rereads.heard(key)
        await tabs.tasks[number]
    assert tabs.opened == [f"https://grok.com/c/{name}" for _site, name in keys]
    assert sorted(tabs.closed) == list(range(1, 10))


async def test_one_that_is_wanted_once_more_keeps_its_place(monkeypatch):
    """Else its first reading is too old when the second comes, and it never is ready."""
    monkeypatch.setattr(rereads, "AGAIN_SECONDS", 30.0)
    tabs = Tabs()
    keys = [("grok", str(number)) for number in range(MAX_AT_ONCE + 1)]
    for key in keys:
        tabs.rereads.want(key, "page")
    await asyncio.sleep(0)
    tabs.rereads.want(keys[0], "page")  # before it was heard: that is the same reading
    tabs.rereads.heard(keys[0])
    while tabs.closed != [1]:
        await asyncio.sleep(0)
    assert not tabs.rereads.is_ours(keys[0], 1)
    assert len(tabs.opened) == MAX_AT_ONCE
    tabs.rereads.want(keys[0], "page")
    while len(tabs.opened) == MAX_AT_ONCE:
        await asyncio.sleep(0)
    assert tabs.opened[-1] == tabs.opened[0]
    tabs.rereads.heard(keys[0])
    tabs.rereads.settled(keys[0])
    await tabs.tasks[0]
    await asyncio.sleep(0)
    assert tabs.opened[-1].endswith(keys[-1][1])
    for task in tabs.tasks:
        task.cancel()
    await asyncio.gather(*tabs.tasks, return_exceptions=True)


async def test_what_nobody_shows_any_more_loses_its_turn():
    tabs = Tabs()
    tabs.wanted.clear()
    for number in range(MAX_AT_ONCE + 2):
        tabs.rereads.want(("grok", str(number)), "page")
    tabs.wanted.add(("grok", str(MAX_AT_ONCE + 1)))
    await asyncio.sleep(0)
    for number in range(MAX_AT_ONCE):
        tabs.rereads.heard(("grok", str(number)))
    await asyncio.gather(*tabs.tasks[:MAX_AT_ONCE])
    assert len(tabs.tasks) == MAX_AT_ONCE + 1
    tabs.rereads.heard(("grok", str(MAX_AT_ONCE + 1)))
    await tabs.over()
