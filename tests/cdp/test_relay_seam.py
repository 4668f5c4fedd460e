"""A `Connection` over a line that knows tabs and no browser, as an extension's relay will be.

What `chrome.debugger` gives and denies is measured in browser.md; carrier.py says what the
relay makes of it.
"""

import asyncio

import pytest
import pytest_asyncio

from tabwire.cdp.connection import NO_SUCH_SESSION, Connection
from tabwire.cdp.errors import CommandFailed, ConnectionLost, SessionLost
from tabwire.cdp.memory import MemoryCarrier, Refusal
from tabwire.model.errors import Retry

pytestmark = pytest.mark.asyncio

SECONDS = 30.0
DENIED = Refusal("'Target.getTargets' wasn't found", -32601)
DATA = "Network.dataReceived"


class RelayLike(MemoryCarrier):
    """Attaches tab by tab, answers for the tabs it has, and denies all else."""

    def __init__(self):
        super().__init__()
        self.tabs = set()

    def send(self, message):
        before = len(self.sent)
        super().send(message)
        for command in self.sent[before:]:
            if command.session is None:
                self.reply(command, DENIED)
            elif command.session not in self.tabs:
                self.reply(command, Refusal("no such tab", NO_SUCH_SESSION))
            elif command.method == "Runtime.evaluate":
                self.reply(command, {"result": {"value": command.session}})

    def attach(self, tab):
        self.tabs.add(tab)
        target = {"targetId": f"target of {tab}", "type": "page"}
        self.emit("Target.attachedToTarget", {"sessionId": tab, "targetInfo": target})

    def detach(self, tab):
        self.tabs.discard(tab)
        self.emit("Target.detachedFromTarget", {"sessionId": tab})


@pytest_asyncio.fixture
async def relay():
    return RelayLike()


@pytest_asyncio.fixture
async def line(relay):
    async with asyncio.timeout(SECONDS), Connection(relay) as connection:
        for tab in ("tab 1", "tab 2"):
            relay.attach(tab)
        await turn()
        yield connection


async def turn():
    """One turn of the loop: what was said is delivered."""
    done = asyncio.Event()
    asyncio.get_running_loop().call_soon(done.set)
    await done.wait()


@pytest.mark.parametrize("method", ["Target.getTargets", "Browser.getVersion", "Target.attach"])
async def test_what_names_no_tab_is_refused_at_once(line, method):
    with pytest.raises(CommandFailed) as caught:
        await line.call(method)
    assert (caught.value.command, caught.value.code) == (method, DENIED.code)


async def test_a_connection_says_nothing_to_the_browser_by_itself(line, relay):
    """One that began with `Target.setDiscoverTargets` would fail on its first word."""
    assert relay.sent == []


async def test_each_tab_answers_for_itself_and_is_heard_alone(line, relay):
    heard = []
    first, second = line.session("tab 1"), line.session("tab 2")
    first.listen(DATA, lambda event: heard.append(event.session))
    relay.emit(DATA, session="tab 2")
    relay.emit(DATA, session="tab 1")
    for tab in (first, second):
        assert (await tab.call("Runtime.evaluate"))["result"]["value"] == tab.id
    assert heard == ["tab 1"]


async def test_a_tab_the_relay_does_not_have_was_not_told(line):
    with pytest.raises(SessionLost) as caught:
        await line.session("tab 9").call("Runtime.evaluate")
    assert caught.value.retry is Retry.SAME


async def test_a_tab_that_is_taken_away_ends_with_its_frames_and_alone(line, relay):
    """`onDetach`: the tab was closed, or the person pressed "Cancel" in the bar."""
    frame = {"sessionId": "frame", "targetInfo": {"targetId": "F", "type": "iframe"}}
    relay.emit("Target.attachedToTarget", frame, "tab 1")
    relay.tabs.add("frame")
    await turn()
    lost = []
    line.session("tab 1").send("Page.reload", on_reply=lost.append)
    line.session("frame").send("Page.enable", on_reply=lost.append)
    events = line.session("frame").subscribe([DATA])
    relay.detach("tab 1")
    with pytest.raises(SessionLost):
        await anext(events)
    assert sorted((type(one).__name__, one.command) for one in lost) == [
        ("SessionLost", "Page.enable"),
        ("SessionLost", "Page.reload"),
    ]
    assert await line.session("tab 2").call("Runtime.evaluate")


async def test_a_crash_is_told_by_the_tab_itself(line, relay):
    """There is no browser to say `Target.targetCrashed`."""
    outcomes = []
    line.session("tab 1").send("Page.reload", on_reply=outcomes.append)
    line.session("tab 2").send("Page.reload", on_reply=outcomes.append)
    relay.emit("Inspector.targetCrashed", session="tab 1")
    await turn()
    assert [(one.session, one.crashed) for one in outcomes] == [("tab 1", True)]
    assert line.waiting == ("Page.reload",)


async def test_an_extension_that_goes_away_takes_every_tab_with_it(line, relay):
    calls = asyncio.gather(
        *(line.session(tab).call("Page.reload") for tab in ("tab 1", "tab 2")),
        return_exceptions=True,
    )
    await relay.next_sent()
    relay.cut("the extension was switched off")
    for error in await calls:
        assert isinstance(error, ConnectionLost)
        assert "switched off" in str(error)
