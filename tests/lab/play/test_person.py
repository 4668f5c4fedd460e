"""The scripted person of a play: what is asked arrives once, and what cannot be asked is said."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from kit.chromium import connect_to
from tabwire.browser.tabs import Tabs
from tabwire.lab.ledger import Ledger
from tabwire.lab.play.person import Arrivals, send
from tabwire.model.errors import TabwireError
from tabwire.sites.known import SITES

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

SHORT = "lab: pieces=3 every=0.01 first=0.01"


@asynccontextmanager
async def tab_at(url, address):
    async with await connect_to(url) as line:
        tabs = Tabs(line)
        await tabs.discover()
        tab = await tabs.open(address)
        yield tab
        await tabs.close(tab.target)


@pytest.mark.parametrize("site", ["chatgpt", "gemini", "grok"])
@pytest.mark.rows(1, first=1)
async def test_a_page_is_used_by_its_looks_where_its_parts_have_other_names(
    lab, lab_browser_url, site
):
    prompt = f"By looks at {site}\n{SHORT}"
    arrived = Arrivals(prompt)
    async with tab_at(lab_browser_url, SITES[site].page.home) as tab:
        with arrived.heard(lab.ledger):
            await send(tab, SITES[site], prompt, arrived, drifted=True)
    # editors differ in how they write two lines; the words are the same
    asked = [" ".join(one.split()) for one in lab.ledger.prompts(site)]
    assert asked.count(" ".join(prompt.split())) == 1


async def test_what_never_arrives_is_an_error_in_words(lab, lab_browser_url):
    arrived = Arrivals("Nobody listens")
    async with tab_at(lab_browser_url, "about:blank") as tab:
        with pytest.raises(TabwireError, match="did not reach the lab"):
            await send(tab, SITES["grok"], "Nobody listens", arrived, drifted=True)


async def test_an_arrival_is_told_from_any_thread_and_only_of_this_prompt():
    ledger, arrived = Ledger(), Arrivals("mine")
    with arrived.heard(ledger):
        await asyncio.to_thread(ledger.record, "grok", "c1", "another")
        assert not await arrived.within(0.01)
        await asyncio.to_thread(ledger.record, "grok", "c1", "mine")
        assert await arrived.within(5.0)
    ledger.record("grok", "c1", "mine")  # nobody listens any more, and nothing breaks
