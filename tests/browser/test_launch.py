"""A real Chromium: it starts, answers, stops, and leaves nothing behind."""

import asyncio
import json
import os
import signal
import stat
import sys

import psutil
import pytest

from tabwire.browser.attach import read_port_file
from tabwire.browser.endpoint import ask_version, listens
from tabwire.browser.launch import Exit, Launch, Patience, launch, launched
from tabwire.browser.profile import named_profile
from tabwire.model.errors import BrowserDidNotStart, BrowserNotReachable, ProfileInUse

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

LONG = 30  # seconds: a start takes one, on a busy machine five


def family(browser):
    """The keeper and all that descends from it, the browser's own orphans included."""
    keeper = psutil.Process(browser.keeper_pid)
    return [keeper, *keeper.children(recursive=True)]


async def all_gone(processes):
    _, alive = await asyncio.to_thread(psutil.wait_procs, processes, timeout=10)
    return alive == []


async def test_it_starts_answers_and_leaves_nothing(chromium, base):
    async with asyncio.timeout(LONG):
        async with launched(Launch(chromium)) as browser:
            assert (await ask_version("127.0.0.1", browser.endpoint.port)) == browser.version
            assert browser.version.browser
            assert read_port_file(str(browser.profile)) == browser.endpoint
            assert stat.S_IMODE(browser.profile.stat().st_mode) == 0o700
            assert stat.S_IMODE(browser.profile.parent.stat().st_mode) == 0o700
            assert browser.exit is None
            processes = family(browser)
            assert len(processes) > 3
            assert any("sandbox" in note for note in browser.notes) == (os.geteuid() == 0)
        assert await all_gone(processes)
    assert browser.exit == Exit(0, asked=True)
    assert not await listens("127.0.0.1", browser.endpoint.port)
    assert list(base.iterdir()) == []


async def test_nothing_goes_into_the_persons_own_settings(chromium, base, tmp_path, monkeypatch):
    """Chromium makes `Crash Reports` in the default profile, whatever profile it is given."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    async with asyncio.timeout(LONG), launched(Launch(chromium)):
        pass
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path for path in written if ".cache" not in path.parts] == []


async def test_two_at_once_do_not_meet(chromium, base):
    async with asyncio.timeout(LONG), asyncio.TaskGroup() as group:
        wishes = [group.create_task(launch(Launch(chromium))) for _ in range(2)]
    one, two = (wish.result() for wish in wishes)
    assert one.endpoint.port != two.endpoint.port
    assert one.profile != two.profile
    async with asyncio.timeout(LONG):
        await one.stop()
        assert await ask_version("127.0.0.1", two.endpoint.port) == two.version
        with pytest.raises(BrowserNotReachable):
            await ask_version("127.0.0.1", one.endpoint.port)
        await two.stop()


async def test_a_killed_browser_is_noticed_at_once(chromium, base):
    """Promise: say."""
    async with asyncio.timeout(LONG), launched(Launch(chromium)) as browser:
        processes = family(browser)
        os.kill(browser.pid, signal.SIGKILL)
        async with asyncio.timeout(20):
            assert await browser.ended() == Exit(-signal.SIGKILL, asked=False)
        assert await all_gone(processes)
        assert list(base.iterdir()) == []


async def test_a_frozen_browser_is_killed_after_the_grace(chromium, base):
    wish = Launch(chromium, patience=Patience(grace_seconds=0.2))
    async with asyncio.timeout(LONG):
        browser = await launch(wish)
        processes = family(browser)
        os.kill(browser.pid, signal.SIGSTOP)
        assert await browser.stop() == Exit(-signal.SIGKILL, asked=True)
        assert await all_gone(processes)


async def test_a_polite_close_comes_first(chromium, base):
    async with asyncio.timeout(LONG):
        browser = await launch(Launch(chromium))
        asked = []

        async def close():
            asked.append(browser.exit)
            raise ConnectionResetError("gone before it answered")

        assert await browser.stop(close) == Exit(0, asked=True)
        assert asked == [None]
        assert await browser.stop(close) == Exit(0, asked=True)
        assert asked == [None], "it was asked again although it had ended"


async def test_the_keeper_killed_takes_the_browser_with_it(chromium, base):
    """Nothing is left to clean up after us but ourselves."""
    async with asyncio.timeout(LONG), launched(Launch(chromium)) as browser:
        processes = family(browser)
        os.kill(browser.keeper_pid, signal.SIGKILL)
        assert (await browser.ended()).code is None
        if sys.platform == "linux":
            assert await all_gone(processes)


HOLDER = """
import asyncio, json, sys, tempfile
tempfile.tempdir = sys.argv[1]
from tabwire.browser.find import find_browser, this_machine
from tabwire.browser.launch import Launch, launch

async def main():
    browser = await launch(Launch(find_browser(this_machine())))
    print(json.dumps({"keeper": browser.keeper_pid, "profile": str(browser.profile)}), flush=True)
    await browser.ended()

asyncio.run(main())
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_when_we_are_killed_the_browser_goes_too(chromium, base, number):
    """Promise: back. The system closes the lifeline, whatever killed us."""
    async with asyncio.timeout(LONG):
        holder = await asyncio.create_subprocess_exec(
            sys.executable, "-c", HOLDER, str(base), stdout=asyncio.subprocess.PIPE
        )
        said = json.loads(await holder.stdout.readline())
        keeper = psutil.Process(said["keeper"])
        processes = [keeper, *keeper.children(recursive=True)]
        assert len(processes) > 3
        assert list(base.iterdir()) != []
        holder.send_signal(number)
        await holder.wait()
        assert await all_gone(processes)
    assert list(base.iterdir()) == []


async def test_a_named_profile_is_kept_and_can_be_used_by_one_only(chromium, base, tmp_path):
    profile = named_profile(tmp_path / "home", "work")
    wish = Launch(chromium, profile=profile)
    async with asyncio.timeout(LONG):
        async with launched(wish) as browser:
            with pytest.raises(ProfileInUse, match=f"browser with pid {browser.pid}") as caught:
                await launch(wish)
            assert "another profile" in caught.value.what_to_do
        assert (profile / "Local State").exists()
        async with launched(wish) as again:
            assert again.profile == profile
    for folder in (profile, profile.parent, profile.parent.parent):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


async def test_the_browser_itself_saying_so_is_believed(chromium, base, tmp_path, monkeypatch):
    """Two starts at the same moment pass our own look at the lock."""
    profile = named_profile(tmp_path, "work")
    async with asyncio.timeout(LONG), launched(Launch(chromium, profile=profile)) as browser:
        monkeypatch.setattr("tabwire.browser.launch.holder_of", lambda _: None)
        with pytest.raises(ProfileInUse, match="another browser"):
            await launch(Launch(chromium, profile=profile))
        assert await ask_version("127.0.0.1", browser.endpoint.port) == browser.version


async def test_a_start_that_is_cancelled_leaves_nothing(chromium, base):
    async with asyncio.timeout(LONG):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await launch(Launch(chromium))
    assert list(base.iterdir()) == []


async def test_no_display_is_told_as_that(chromium, base, monkeypatch):
    """Promise: say."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    if sys.platform != "linux":
        pytest.skip("elsewhere there is always a display")
    async with asyncio.timeout(LONG):
        with pytest.raises(BrowserDidNotStart, match="Missing X server") as caught:
            await launch(Launch(chromium, headless=False))
    assert "start it headless" in caught.value.what_to_do


async def test_what_a_killed_start_left_is_swept_by_the_next(chromium, base):
    """Both we and the keeper were killed: nobody was left to clean up but the next."""
    holder = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HOLDER, str(base), stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(LONG):
        said = json.loads(await holder.stdout.readline())
        keeper = psutil.Process(said["keeper"])
        processes = [keeper, *keeper.children(recursive=True)]
        keeper.kill()
        holder.kill()
        await holder.wait()
        assert await all_gone(processes) or sys.platform != "linux"
        (left,) = base.iterdir()
        async with launched(Launch(chromium)):
            assert not left.exists()
