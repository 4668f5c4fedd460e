"""The windows of a port, for several who ask: one list, one object per window."""

import asyncio
from contextlib import aclosing

import pytest

from tabwire.browser.agent import windows as module
from tabwire.browser.agent.windows import PortWindows

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

SOON = 20


async def test_all_who_ask_are_given_the_same_window(agent_window, antigravity, monkeypatch):
    monkeypatch.setattr(module, "LIST_SECONDS", 0.1)
    port = PortWindows(antigravity.port)
    async with asyncio.timeout(SOON), aclosing(port.each()) as first, aclosing(port.each()) as late:
        await agent_window("shop")
        shop = await anext(first)
        assert await anext(late) is shop
        await agent_window("docs")
        docs = await anext(first)
        assert await anext(late) is docs
        async with aclosing(port.each()) as latest:
            assert [await anext(latest), await anext(latest)] == [shop, docs]
    assert [one.name for one in (shop, docs)] == ["shop", "docs"]


async def test_a_closed_window_that_nobody_listens_to_is_forgotten(agent_window, antigravity):
    port = PortWindows(antigravity.port)
    desk = await agent_window("shop")
    await port.look()
    (shop,) = port.windows.values()
    await port.look()
    assert list(port.windows.values()) == [shop]
    await antigravity.close(desk.window)
    await port.look()
    assert port.windows == {}


async def test_a_fault_of_ours_is_raised_by_all_who_ask(antigravity, monkeypatch):
    monkeypatch.setattr(module, "windows_at", None)
    port = PortWindows(antigravity.port)
    async with asyncio.timeout(SOON), aclosing(port.each()) as first, aclosing(port.each()) as late:
        asked = asyncio.gather(anext(first), anext(late), return_exceptions=True)
        assert [type(one) for one in await asked] == [TypeError, TypeError]
