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


async def test_what_was_closed_is_forgotten_and_what_nobody_saw_for_long(store):
    for target, since in [("here", 1.0), ("closed", 50.0), ("unseen", 1.0), ("young", 60.0)]:
        await store.own_tab(target, "grok", "b", since)
    await store.saw_tabs(["here"], ["closed"], 100.0, 60.0)
    assert await store.our_tabs("grok", "b") == ["young", "here"]
    await store.saw_tabs(["here"], [], 155.0, 60.0)
    assert await store.our_tabs("grok", "b") == ["here"]


async def test_a_tab_that_is_seen_stays_ours_for_ever(store):
    await store.own_tab("1", "grok", "b", 1.0)
    for now in range(50, 1000, 50):
        await store.saw_tabs(["1"], [], float(now), 60.0)
    assert await store.our_tabs("grok", "b") == ["1"]
