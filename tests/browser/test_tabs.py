"""Which tabs there are, and a way into those we use: real Chromium, one slow tab at a time."""

import asyncio
import time

import pytest
import pytest_asyncio

from kit.chromium import connect_to
from tabwire.browser.errors import TabLeased, TabLost, TabNotResponding
from tabwire.browser.tab_events import Closed
from tabwire.browser.tabs import Tabs
from tabwire.cdp.errors import SessionLost

pytestmark = pytest.mark.asyncio

SAY = 20  # seconds: the promise `say` is five, on a machine that is not busy


def page(name):
    return f"data:text/html,<title>{name}</title>{name}"


@pytest_asyncio.fixture
async def tabs(line):
    """All tabs it opens are closed again."""
    tabs = Tabs(line)
    before = {info.target for info in await tabs.list()}
    yield tabs
    if line.gone is None:
        for info in await tabs.list():
            if info.target not in before:
                await tabs.close(info.target)


def named(name):
    return lambda info: info.url == page(name)


async def keep_busy(tab):
    """From here on the page answers nothing."""
    tab.session.send("Runtime.evaluate", {"expression": "for (;;);"}, on_reply=lambda _: None)
    assert not await tab.healthy(0.2)


async def attached_to(tabs, target):
    return {info.target: info.attached for info in await tabs.list()}[target]


async def test_the_list_has_tabs_only_and_touches_none(tabs, line):
    tab = await tabs.open(page("listed"))
    await tab.detach()
    devtools = {"url": "devtools://devtools/bundled/inspector.html", "background": True}
    await line.call("Target.createTarget", devtools)
    every = (await line.call("Target.getTargets"))["targetInfos"]
    assert any(one["url"].startswith("devtools:") for one in every)
    for _ in range(2):
        infos = await tabs.list()
        assert not await attached_to(tabs, tab.target)
        assert not any(info.url.startswith(("devtools:", "chrome:")) for info in infos)
    assert (tab.target, page("listed")) in [(info.target, info.url) for info in tabs.known]


async def test_a_new_tab_opens_at_its_address_and_in_the_background(tabs):
    tab = await tabs.open(page("new"))
    assert tab.url == page("new")
    assert await tab.healthy()
    said = await tab.session.call("Runtime.evaluate", {"expression": "document.visibilityState"})
    assert said["result"]["value"] == "hidden"
    assert await attached_to(tabs, tab.target)


async def test_a_tab_that_is_not_there_is_lost(tabs):
    with pytest.raises(TabLost, match="closed") as caught:
        await tabs.attach("0" * 32)
    assert isinstance(caught.value.life, Closed)


async def test_a_busy_tab_costs_only_its_own_user(tabs):
    busy, other = await tabs.open(page("busy")), await tabs.open(page("other"))
    await keep_busy(busy)
    order = []

    async def user_of_the_busy_one():
        with pytest.raises(TabNotResponding, match="3 s"):
            await tabs.attach(busy.target)
        order.append("busy")

    async with asyncio.timeout(2 * SAY), asyncio.TaskGroup() as group:
        group.create_task(user_of_the_busy_one())
        assert await other.healthy(SAY)
        order.append("other")
    assert order == ["other", "busy"]
    await busy.detach()
    assert not await attached_to(tabs, busy.target), "a session was left behind"


async def test_a_crashed_tab_is_known_at_once_not_after_its_bound(tabs):
    tab = await tabs.open(page("crashed"))
    with pytest.raises(SessionLost):
        await tab.session.call("Page.crash")
    await tab.detach()
    began = time.monotonic()
    with pytest.raises(TabNotResponding, match="crashed"):
        await tabs.attach(tab.target, seconds=30)
    assert time.monotonic() - began < SAY
    assert not await attached_to(tabs, tab.target)


async def test_whoever_gives_up_while_attaching_leaves_nothing(tabs):
    busy = await tabs.open(page("busy"))
    await keep_busy(busy)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await tabs.attach(busy.target, seconds=30)
    await busy.detach()
    assert not await attached_to(tabs, busy.target)
    assert tabs.used == ()


async def test_the_preferred_tab_comes_first(tabs):
    for _ in range(3):
        last = await tabs.open(page("same"))
    for opened in tabs.used:
        tab = await tabs.prefer(named("same"), page("same"), target=opened.target)
        assert tab.target == opened.target
        assert tab is not opened
    assert last.target in {info.target for info in await tabs.list()}


async def test_without_a_preferred_one_a_matching_tab_is_used(tabs):
    there = await tabs.open(page("there"))
    await tabs.open(page("else"))
    tab = await tabs.prefer(named("there"), page("new"), target="0" * 32)
    assert tab.target == there.target


async def test_a_preferred_tab_that_is_elsewhere_now_is_left_alone(tabs):
    """Promise truth: its user may have gone to their bank with it."""
    moved = await tabs.open(page("bank"))
    tab = await tabs.prefer(named("chat"), page("chat"), target=moved.target)
    assert tab.target != moved.target
    assert tab.url == page("chat")


async def test_a_tab_in_use_is_not_taken(tabs):
    used = await tabs.open(page("chat"))
    with tabs.lease(used.target, "an ask", 60):
        tab = await tabs.prefer(named("chat"), page("chat"), target=used.target)
        assert tab.target != used.target
        with pytest.raises(TabLeased, match="an ask"):
            tabs.lease(used.target, "another", 60)
        await tabs.close(tab.target)
    assert (await tabs.prefer(named("chat"), page("chat"))).target == used.target


async def test_the_lease_of_a_closed_tab_is_over(tabs):
    tab = await tabs.open(page("chat"))
    tabs.lease(tab.target, "an ask", 60)
    closed = asyncio.Event()
    tab.on_life(lambda event: closed.set() if isinstance(event, Closed) else None)
    await tabs.close(tab.target)
    async with asyncio.timeout(SAY):
        await closed.wait()
    await tabs.list()
    assert tabs.leases.all == ()


async def test_a_tab_that_does_not_answer_leads_to_the_next(tabs, monkeypatch):
    monkeypatch.setattr(Tabs.attach, "__kwdefaults__", {"seconds": 0.3})
    busy, well = await tabs.open(page("chat")), await tabs.open(page("chat"))
    await keep_busy(busy)
    tab = await tabs.prefer(named("chat"), page("chat"), target=busy.target)
    assert tab.target == well.target
    await keep_busy(well)
    async with asyncio.timeout(SAY):
        new = await tabs.prefer(named("chat"), page("chat"), target=busy.target)
    assert new.target not in (busy.target, well.target)


async def test_a_tab_that_leaves_while_it_is_chosen_is_not_used(tabs, monkeypatch):
    tab = await tabs.open(page("chat"))
    listed = await tabs.list()
    await tab.navigate(page("bank"))

    async def before():
        return listed

    monkeypatch.setattr(tabs, "list", before)
    chosen = await tabs.prefer(named("chat"), page("chat"))
    assert chosen.target != tab.target
    assert len(tabs.used) == 2, "the one that left is still attached"


async def test_two_lines_to_one_tab_do_not_disturb_each_other(tabs, browser_url):
    one = await tabs.open(page("shared"))
    async with await connect_to(browser_url) as second:
        other = await Tabs(second).attach(one.target)
        stories = [[], []]
        one.on_life(stories[0].append)
        other.on_life(stories[1].append)
        assert await one.healthy()
        assert await other.healthy()
        await other.reload()
        await one.navigate(page("shared2"))
        await other.session.call("Runtime.evaluate", {"expression": "1"})
        # the newest of both: that the first page was loaded may be told late, to one of them
        newest = [[type(event) for event in story][-2:] for story in stories]
        assert newest[0] == newest[1]
        assert one.url == other.url == page("shared2")
        await other.detach()
        assert await one.healthy()
