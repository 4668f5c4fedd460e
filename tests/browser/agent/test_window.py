"""One window of the replica: attached once for all who listen, and attached again after a loss."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from tabwire.browser.agent import window as agent_window_module
from tabwire.browser.agent.drive import driving
from tabwire.browser.agent.targets import at_port, windows_at
from tabwire.browser.agent.window import AgentWindow, Attachment, Ended, Lost
from tabwire.lab.antigravity import Pause, Plan, Say
from tabwire.model.agent import Panel
from tabwire.model.errors import TabwireError

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

SOON = 20


class Heard:
    """What a listener was told."""

    def __init__(self):
        self.news = []
        self._came = asyncio.Event()

    def __call__(self, news):
        self.news.append(news)
        self._came.set()

    async def until(self, fits):
        async with asyncio.timeout(SOON):
            while not (found := [one for one in self.news if fits(one)]):
                self._came.clear()
                await self._came.wait()
        return found[0]

    async def attached(self):
        return await self.until(lambda one: isinstance(one, Attachment))

    async def says(self, text):
        return await self.until(lambda one: isinstance(one, Panel) and text in words(one))


def words(panel):
    return " ".join(row.text for turn in panel.open for row in turn.rows)


async def window_of(desk, **options):
    there = await windows_at(desk.lab.port)
    (listed,) = [one for one in there if one.id == desk.lab.target(desk.window)]
    return AgentWindow(at_port(desk.lab.port, listed), listed, **options)


def sockets(desk):
    """How often somebody connected to the page of this window."""
    target = desk.lab.target(desk.window)
    return len([x for x in desk.lab.gate.asked if x.path.endswith(target) and not x.method])


async def test_all_who_listen_are_told_the_same_over_one_socket(agent_window):
    desk = await agent_window()
    window, first, second = await window_of(desk), Heard(), Heard()
    async with window.listening(first), window.listening(second), driving(window) as driver:
        await first.attached()
        await (await desk.plays(Plan((Say("One."), Pause(0.5), Say("Two."))))).ended()
        await first.says("Two.")
        assert "Two." in words(await driver.look())
    assert first.news == second.news
    assert sockets(desk) == 1


async def test_one_who_comes_late_is_told_how_it_is(agent_window):
    desk = await agent_window()
    window, first, late = await window_of(desk), Heard(), Heard()
    async with window.listening(first):
        await first.attached()
        await desk.ends(await desk.plays(Plan((Say("One."),))))
        await first.says("One.")
        async with window.listening(late):
            (told,) = late.news
            assert told is window.attachment
            assert "One." in words(told.panel)
    assert sockets(desk) == 1


async def test_it_is_let_go_of_when_the_last_one_leaves_and_not_before(agent_window):
    desk = await agent_window()
    window, first = await window_of(desk), Heard()
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(window.listening(first))
        async with driving(window):
            attachment = window.attachment
        assert (window.attachment, attachment.is_gone) == (attachment, False)
    assert (window.attachment, attachment.is_gone) == (None, True)
    async with window.attached() as again:
        assert again is not attachment
    assert sockets(desk) == 2


async def test_a_state_that_cannot_be_put_together_is_asked_for_at_once(agent_window, monkeypatch):
    """Not at the next heartbeat."""
    monkeypatch.setattr(agent_window_module, "HEARTBEAT_SECONDS", 3600.0)
    desk = await agent_window()
    window, heard = await window_of(desk), Heard()
    async with window.listening(heard):
        attachment = await heard.attached()
        run = await desk.plays(Plan((Say("One."), Pause(4), Say("Two."))))
        await heard.says("One.")
        attachment.watch._rows.clear()
        await run.ended()
        await heard.says("One. Two.")


async def test_a_lost_socket_is_told_and_opened_again(agent_window):
    desk = await agent_window()
    window, heard = await window_of(desk), Heard()
    async with window.listening(heard):
        attachment = await heard.attached()
        attachment.session.connection._carrier._transport.abort()
        await heard.until(lambda one: isinstance(one, Lost))
        again = await heard.until(lambda one: isinstance(one, Attachment) and one is not attachment)
        assert again is window.attachment
    assert sockets(desk) == 2


async def test_a_window_that_stays_away_ends(agent_window):
    desk = await agent_window()
    window, heard = await window_of(desk, give_up_seconds=0.5), Heard()
    async with window.listening(heard):
        await heard.attached()
        await desk.lab.close(desk.window)
        ended = await heard.until(lambda one: isinstance(one, Ended))
    assert ended.seconds >= 0.5
    assert not window.is_there
    with pytest.raises(TabwireError):
        async with driving(window):
            raise AssertionError


async def test_a_fault_of_ours_ends_it_and_is_told_as_it_is(agent_window, monkeypatch):
    desk = await agent_window()
    window, heard = await window_of(desk), Heard()
    monkeypatch.setattr(agent_window_module, "open_window", None)
    async with window.listening(heard):
        ended = await heard.until(lambda one: isinstance(one, Ended))
    assert isinstance(ended.error, TypeError)
