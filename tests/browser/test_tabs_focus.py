"""The manner: never steal focus. The person's tab and window stay as they are, whatever we open."""

import asyncio

import pytest
import pytest_asyncio

from kit.front import tab_in_front
from tabwire.browser.launch import Launch, launched
from tabwire.browser.tabs import Tabs
from tabwire.cdp.connection import Connection
from tabwire.cdp.errors import SessionLost
from tabwire.cdp.websocket import connect

pytestmark = pytest.mark.asyncio

LONG = 60  # seconds: a browser of its own, on a busy machine
CHAT = "data:text/html,<title>chat</title>"


@pytest_asyncio.fixture
async def line(chromium, base):
    """A browser of its own: who is in front in the shared one is nobody's."""
    async with (
        asyncio.timeout(LONG),
        launched(Launch(chromium)) as browser,
        Connection(await connect(browser.endpoint.url)) as line,
    ):
        yield line


async def test_whatever_we_open_and_use_the_person_stays_in_front(line):
    sees = await tab_in_front(line)
    before = await sees()
    assert '"seen":"visible"' in before[0]
    assert '"element":"INPUT"' in before[0]
    tabs = Tabs(line)
    tab = await tabs.open(CHAT)
    assert await hidden(tab)
    again = await tabs.attach(tab.target)
    await again.reload()
    await again.navigate(CHAT + "more")
    preferred = await tabs.prefer(lambda info: info.url == CHAT + "more", CHAT)
    assert preferred.target == tab.target
    new = await tabs.prefer(lambda info: False, CHAT)
    assert await hidden(new)
    with tabs.lease(new.target, "an ask", 60):
        assert await new.healthy()
    with pytest.raises(SessionLost):
        await new.session.call("Page.crash")
    await new.reload()
    await new.detach()
    assert await hidden(tab)
    await tabs.close(new.target)
    await tabs.close(tab.target)
    assert await sees() == before


async def test_this_would_notice_a_tab_that_comes_to_the_front(line):
    sees = await tab_in_front(line)
    before = await sees()
    tabs = Tabs(line)
    tab = await tabs.open(CHAT)
    await line.call("Target.activateTarget", {"targetId": tab.target})
    assert not await hidden(tab)
    assert (await sees())[0] != before[0]


async def hidden(tab):
    said = await tab.session.call("Runtime.evaluate", {"expression": "document.visibilityState"})
    return said["result"]["value"] == "hidden"
