"""`tabwire login` as a person runs it: a real window, on a screen of the test's own."""

import asyncio
import os
import shutil
import sys
from contextlib import asynccontextmanager, suppress

import pytest

from kit.asking import tab_where, tabs_of
from kit.lab import to_the_lab
from kit.leaving import looked
from tabwire.browser.launch import Launch, launched
from tabwire.browser.profile import named_profile
from tabwire.cdp.errors import ConnectionEnded
from tabwire.lab.serve import serving
from tabwire.lab.stories.stage import DEFAULT, stage_from

pytestmark = pytest.mark.asyncio

RUN_SECONDS = 60.0  # a command and a browser with a window, on a busy machine
HOME = "https://chatgpt.com/"


@asynccontextmanager
async def screen():
    """A screen nobody sees: its name."""
    if shutil.which("Xvfb") is None:
        pytest.skip("no Xvfb here (`apt-get install xvfb`): a window has no display to be on")
    shown, says = os.pipe()
    process = await asyncio.create_subprocess_exec(
        "Xvfb", "-displayfd", str(says), "-screen", "0", "1280x800x24", "-nolisten", "tcp",
        pass_fds=[says], stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    os.close(says)
    try:
        with os.fdopen(shown) as said:
            yield f":{(await asyncio.to_thread(said.readline)).strip()}"
    finally:
        process.terminate()
        await process.wait()


@asynccontextmanager
async def logging_in(folder, chromium, lab):
    """The command under way, and the tabs of the window it opened."""
    async with screen() as display, asyncio.timeout(RUN_SECONDS):
        home = folder / "home"
        place = {
            **os.environ,
            "TABWIRE_HOME": str(home),
            "TABWIRE_PROGRAM": str(to_the_lab(folder, chromium, lab)),
            "DISPLAY": display,
        }
        process = await login(place)
        try:
            said = (await process.stderr.readline()).decode()
            assert "Log in to chatgpt" in said
            port, path = (named_profile(home, "main") / "DevToolsActivePort").read_text().split()
            async with tabs_of(f"ws://127.0.0.1:{port}{path}") as tabs:
                yield process, tabs
        finally:
            if process.returncode is None:
                process.terminate()
                await process.wait()


SHOWN = """new Promise((settle) => {
  const look = () => document.visibilityState === "visible" && settle("visible");
  addEventListener("visibilitychange", look);
  look();
})"""


async def login(place):
    command = (sys.executable, "-m", "tabwire", "login", "chatgpt")
    return await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE, env=place)


async def test_whoever_logs_in_by_hand_is_seen_and_let_go(tmp_path, chromium):
    async with (
        serving(stage=stage_from("login:wall")) as lab,
        logging_in(tmp_path, chromium, lab) as (process, tabs),
    ):
        tab = await tab_where(tabs, lambda info: info.url.startswith(HOME))
        version = await tabs.connection.call("Browser.getVersion")
        assert "Headless" not in version["userAgent"]
        # a window that is being opened may still be hidden
        seen = {"expression": SHOWN, "awaitPromise": True, "returnByValue": True}
        shown = await looked(tab.session, seen, seconds=RUN_SECONDS)
        assert shown["result"]["value"] == "visible"
        lab.room.stage = DEFAULT  # the person has an account now
        await tab.reload()
        said = (await process.stderr.read()).decode()
        assert await process.wait() == 0, said
        assert "logged in to ChatGPT" in said
        assert not lab.ledger.asked()


async def test_whoever_closes_the_window_is_not_logged_in(tmp_path, chromium):
    async with (
        serving(stage=stage_from("login:wall")) as lab,
        logging_in(tmp_path, chromium, lab) as (process, tabs),
    ):
        with suppress(ConnectionEnded):  # the browser ends with its last tab, unreplied
            for info in await tabs.list():
                await tabs.close(info.target)
        said = (await process.stderr.read()).decode()
        assert await process.wait() == 4, said
        assert "closed" in said


async def test_a_machine_without_a_screen_is_told_at_once(tmp_path):
    screens = ("DISPLAY", "WAYLAND_DISPLAY")
    place = {name: value for name, value in os.environ.items() if name not in screens}
    async with asyncio.timeout(RUN_SECONDS):
        process = await login({**place, "TABWIRE_HOME": str(tmp_path)})
        said = (await process.stderr.read()).decode()
        assert await process.wait() == 1
    assert "no display" in said
    assert "attach" in said


async def test_our_browser_that_runs_without_a_window_has_to_end_first(tmp_path, chromium):
    """Whoever asked through a hub that was started where there is no display."""
    wish = Launch(chromium, profile=named_profile(tmp_path, "main"))
    place = {**os.environ, "TABWIRE_HOME": str(tmp_path), "DISPLAY": ":none"}
    async with launched(wish), asyncio.timeout(RUN_SECONDS):
        process = await login(place)
        said = (await process.stderr.read()).decode()
        assert await process.wait() == 1
    assert "without a window" in said
    assert "tabwire stop" in said
