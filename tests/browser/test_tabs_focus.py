"""The manner: never steal focus. The person's tab and window stay as they are, whatever we open."""

import asyncio

import pytest
import pytest_asyncio

from tabwire.browser.launch import Launch, launched
from tabwire.browser.tabs import Tabs
from tabwire.cdp.connection import Connection
from tabwire.cdp.errors import SessionLost
from tabwire.cdp.websocket import connect

pytestmark = pytest.mark.asyncio

LONG = 60  # seconds: a browser of its own, on a busy machine
PERSON = "data:text/html,<title>person</title><input autofocus>"
CHAT = "data:text/html,<title>chat</title>"
LOOK = """JSON.stringify({
  seen: document.visibilityState,
  focus: document.hasFocus(),
  element: document.activeElement.tagName,
  changes,
})"""
NOTE = """changes = 0;
for (const name of ["blur", "focus", "resize"]) addEventListener(name, () => changes++);
document.addEventListener("visibilitychange", () => changes++);
document.querySelector("input").focus()"""


class Person:
    """Someone at the keyboard: a tab in front, and what can be seen of it."""

    def __init__(self, line, target, session):
        self.line, self.target, self.session = line, target, session

    async def run(self, script):
        said = await self.session.call("Runtime.evaluate", {"expression": script})
        return said["result"].get("value")

    async def sees(self):
        window = await self.line.call("Browser.getWindowForTarget", {"targetId": self.target})
        return await self.run(LOOK), window


@pytest_asyncio.fixture
async def line(chromium, base):
    """A browser of its own: who is in front in the shared one is nobody's."""
    async with (
        asyncio.timeout(LONG),
        launched(Launch(chromium)) as browser,
        Connection(await connect(browser.endpoint.url)) as line,
    ):
        yield line


@pytest_asyncio.fixture
async def person(line):
    target = (await line.call("Target.createTarget", {"url": "about:blank"}))["targetId"]
    attached = {"targetId": target, "flatten": True}
    session = line.session((await line.call("Target.attachToTarget", attached))["sessionId"])
    await session.call("Page.enable")
    with session.subscribe(["Page.loadEventFired"]) as loaded:
        await session.call("Page.navigate", {"url": PERSON})
        await anext(aiter(loaded))
    await line.call("Target.activateTarget", {"targetId": target})
    person = Person(line, target, session)
    await person.run(NOTE)
    await person.run("changes = 0")
    return person


async def test_whatever_we_open_and_use_the_person_stays_in_front(line, person):
    before = await person.sees()
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
    assert await person.sees() == before


async def test_this_would_notice_a_tab_that_comes_to_the_front(line, person):
    before = await person.sees()
    tabs = Tabs(line)
    tab = await tabs.open(CHAT)
    await line.call("Target.activateTarget", {"targetId": tab.target})
    assert not await hidden(tab)
    assert (await person.sees())[0] != before[0]


async def hidden(tab):
    said = await tab.session.call("Runtime.evaluate", {"expression": "document.visibilityState"})
    return said["result"]["value"] == "hidden"
