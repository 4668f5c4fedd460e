"""Every choice leads to a browser, or to a sentence about why not."""

import asyncio
from pathlib import Path

import pytest

from tabwire.browser.choose import Address, Attach, Auto, Lab, LaunchOwn
from tabwire.browser.endpoint import Endpoint
from tabwire.browser.find import Machine
from tabwire.browser.launch import Launch, Patience
from tabwire.browser.reach import reached
from tabwire.model.errors import BrowserNotFound, BrowserNotReachable

pytestmark = pytest.mark.asyncio

WHOLE = "/devtools/browser/0f-1"


@pytest.fixture
def machine(tmp_path):
    return Machine("linux", {}, str(tmp_path), lambda _: None, lambda _: False)


def nothing_to_start():
    raise BrowserNotFound("none", what_to_do="install one")


async def switch_on(machine):
    """The person's own Chrome, with remote debugging on: a file, and somebody who listens."""
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    folder = Path(machine.home, ".config", "google-chrome")
    folder.mkdir(parents=True)
    (folder / "DevToolsActivePort").write_text(f"{port}\n{WHOLE}")
    return server, Endpoint("127.0.0.1", port, WHOLE)


@pytest.mark.parametrize("choice", [Auto(), Attach()])
async def test_a_browser_that_listens_is_attached_to_and_none_is_started(machine, choice):
    server, endpoint = await switch_on(machine)
    wanted = reached(choice, machine, wish=nothing_to_start)
    async with server, asyncio.timeout(20), wanted as browser:
        assert browser.endpoint == endpoint
        assert browser.dialog
        assert browser.own is None


@pytest.mark.parametrize("choice", [Auto(), LaunchOwn()])
async def test_without_one_our_own_is_wanted(machine, choice):
    with pytest.raises(BrowserNotFound):
        async with reached(choice, machine, wish=nothing_to_start):
            pytest.fail("nothing was there to reach")


async def test_launch_does_not_look_for_others(machine):
    server, _ = await switch_on(machine)
    async with server:
        with pytest.raises(BrowserNotFound):
            async with reached(LaunchOwn(), machine, wish=nothing_to_start):
                pytest.fail("the person's own browser was taken")


async def test_an_address_where_nobody_is_does_not_start_another_browser(machine):
    with pytest.raises(BrowserNotReachable):
        async with reached(Attach(Address("127.0.0.1", 1)), machine, wish=nothing_to_start):
            pytest.fail("nobody was there")


async def test_the_lab_is_the_lab_or_nothing(machine):
    async def lab():
        return Endpoint("127.0.0.1", 7, WHOLE)

    async with reached(Lab(), machine, wish=nothing_to_start, lab=lab) as browser:
        assert browser.endpoint.port == 7
    with pytest.raises(BrowserNotReachable, match="no lab"):
        async with reached(Lab(), machine, wish=nothing_to_start):
            pytest.fail("there was no lab")


async def test_one_we_started_goes_with_the_block(machine, base, answering):
    wish = Launch(answering, patience=Patience(grace_seconds=0.1))
    async with asyncio.timeout(20):
        async with reached(Auto(), machine, wish=lambda: wish) as browser:
            assert browser.own is not None
            assert browser.own.exit is None
        assert browser.own.exit.asked


async def test_our_own_that_runs_already_is_used_and_left_to_whoever_started_it(
    machine, chromium, tmp_path
):
    wish = Launch(chromium, profile=tmp_path / "profile")
    async with reached(LaunchOwn(), machine, wish=lambda: wish) as first:
        async with reached(Auto(), machine, wish=lambda: wish) as second:
            assert (second.endpoint, second.own) == (first.endpoint, None)
            assert second.whose.endswith("already running")
        assert first.own.exit is None
    async with reached(LaunchOwn(), machine, wish=lambda: wish) as third:
        assert third.own is not None, "what it wrote of its port is stale by now"
