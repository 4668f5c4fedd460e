"""Tabs we opened ourselves."""

import pytest

pytestmark = pytest.mark.asyncio


async def test_our_tabs_are_those_of_a_site_in_a_browser(store):
    for target, site, browser in [("1", "grok", "b"), ("2", "grok", "b"), ("3", "x", "b")]:
        await store.own_tab(target, site, browser, 1.0)
    await store.own_tab("4", "grok", "c", 1.0)
    assert await store.our_tabs("grok", "b") == ["2", "1"]
    assert await store.our_tabs("grok", "d") == []


async def test_a_tab_is_ours_once(store):
    await store.own_tab("1", "grok", "b", 1.0)
    await store.own_tab("1", "chatgpt", "b", 2.0)
    assert await store.our_tabs("grok", "b") == []
    assert await store.our_tabs("chatgpt", "b") == ["1"]


async def test_a_forgotten_tab_is_nobodys(store):
    await store.own_tab("1", "grok", "b", 1.0)
    await store.own_tab("2", "grok", "b", 1.0)
    await store.forget_tab("1")
    await store.forget_tab("1")
    assert await store.our_tabs("grok", "b") == ["2"]
