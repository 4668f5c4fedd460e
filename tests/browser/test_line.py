"""One socket to the chosen browser for a block, and a word to the person who must allow it."""

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import pytest_asyncio

from kit.proxy import proxy_to
from tabwire.browser.choose import Address, Attach, Auto, Lab, LaunchOwn
from tabwire.browser.endpoint import Endpoint
from tabwire.browser.find import Machine
from tabwire.browser.launch import Exit, Launch, Launched
from tabwire.browser.line import open_line
from tabwire.cdp.errors import CannotConnect
from tabwire.model.errors import BrowserNotReachable

pytestmark = pytest.mark.asyncio

LONG = 30  # seconds: a start takes one, on a busy machine five
SAY = 20  # seconds: the promise `say` is five, on a machine that is not busy


@pytest.fixture
def machine(tmp_path):
    return Machine("linux", {}, str(tmp_path), lambda _: None, lambda _: False)


@pytest.fixture
def shared(browser_url):
    """The browser all tests share."""
    parts = urlsplit(browser_url)
    return Endpoint(parts.hostname, parts.port, parts.path)


@pytest_asyncio.fixture
async def switched_on(machine, shared):
    """The person's own Chrome with its switch on: a file says where, and a dialog comes first."""
    async with proxy_to(shared) as (proxy, endpoint):
        folder = Path(machine.home, ".config", "google-chrome")
        folder.mkdir(parents=True)
        (folder / "DevToolsActivePort").write_text(f"{endpoint.port}\n{endpoint.path}")
        proxy.open.clear()
        yield proxy


def nothing_to_start():
    pytest.fail("nothing was to be started")


async def test_our_own_browser_is_asked_to_close_itself(chromium, base, machine, monkeypatch):
    asked = []
    stop = Launched.stop

    async def seen(self, close=None):
        asked.append(close)
        return await stop(self, close)

    monkeypatch.setattr(Launched, "stop", seen)
    async with asyncio.timeout(LONG):
        wanted = open_line(LaunchOwn(), machine, wish=lambda: Launch(chromium))
        async with wanted as line:
            assert "Tabwire's own" in line.whose
            tab = await line.tabs.open("about:blank")
            assert await tab.healthy()
    assert line.own.exit == Exit(0, asked=True)
    assert asked[0] is not None
    assert asked[1:] == [None], "by `launched`, to which it is stopped already"
    assert line.connection.gone is not None
    assert tab.ended is not None


async def test_our_own_browser_goes_when_the_block_fails(chromium, base, machine):
    async with asyncio.timeout(LONG):
        with pytest.raises(KeyError):
            async with open_line(LaunchOwn(), machine, wish=lambda: Launch(chromium)) as line:
                raise KeyError
    assert line.own.exit == Exit(0, asked=True)


async def test_a_browser_that_is_not_ours_stays_as_it_is(machine, shared, new_tab, line):
    target, _ = await new_tab()
    address = Attach(Address(shared.host, shared.port, shared.path))
    async with open_line(address, machine, wish=nothing_to_start) as ours:
        assert ours.own is None
        tab = await ours.tabs.attach(target)
        assert await tab.healthy()
    infos = (await line.call("Target.getTargets"))["targetInfos"]
    assert target in [info["targetId"] for info in infos]
    assert ours.connection.gone.by_us


@pytest.mark.parametrize("choice", [Auto(), Attach()])
async def test_the_person_is_told_and_waited_for_and_asked_once(machine, switched_on, choice):
    words = []
    async with asyncio.timeout(LONG), asyncio.TaskGroup() as group:
        wanted = open_line(choice, machine, wish=nothing_to_start, on_wait=words.append)
        entering = group.create_task(wanted.__aenter__())
        await switched_on.called.wait()
        assert not entering.done()
        [said] = words
        assert "Allow" in said
        assert "your own" in said
        switched_on.open.set()
        line = await entering
        assert await line.tabs.list()
        await wanted.__aexit__(None, None, None)
    assert switched_on.callers == 1


async def test_a_person_who_says_no_is_not_asked_again(machine, switched_on):
    async def says_no():
        await switched_on.called.wait()
        switched_on.cut()

    async with asyncio.timeout(SAY), asyncio.TaskGroup() as group:
        group.create_task(says_no())
        with pytest.raises(BrowserNotReachable, match="denied access") as caught:
            async with open_line(Attach(), machine, wish=nothing_to_start):
                pytest.fail("it was let in")
    assert "Allow" in caught.value.what_to_do
    assert switched_on.callers == 1


async def test_a_person_who_is_away_is_waited_for_only_so_long(machine, switched_on):
    with pytest.raises(BrowserNotReachable, match=r"no reply within 0\.3 s"):
        async with (
            asyncio.timeout(SAY),
            open_line(Attach(), machine, wish=nothing_to_start, dialog_seconds=0.3),
        ):
            pytest.fail("it was let in")
    assert switched_on.callers == 1


async def test_without_a_dialog_nobody_is_told(machine, shared):
    async def lab():
        return shared

    words = []
    wanted = open_line(Lab(), machine, wish=nothing_to_start, lab=lab, on_wait=words.append)
    async with wanted as line:
        assert line.whose == "the lab's browser"
    assert words == []


async def test_nobody_where_a_browser_should_be_is_said_so(machine):
    async def lab():
        return Endpoint("127.0.0.1", 1, "/devtools/browser/0")

    with pytest.raises(CannotConnect):
        async with open_line(Lab(), machine, wish=nothing_to_start, lab=lab):
            pytest.fail("nobody was there")
