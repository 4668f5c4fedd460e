"""`lab open` and the word it leaves: one lab, found by others, and nothing left of it."""

import asyncio
import stat

import psutil
import pytest

from kit.chromium import connect_to
from tabwire.hub.browsers.lab_file import lab_endpoint, running_lab
from tabwire.lab.home import HOME
from tabwire.lab.open import open_lab, run_until_told
from tabwire.lab.room import Room
from tabwire.lab.serve import Lab
from tabwire.model.errors import BrowserNotReachable, TabwireError

LONG = 60  # seconds: a browser starts in one, on a busy machine in ten
LAB = Lab(port=1234, spki="hash", hosts=("chatgpt.com",), room=Room())
SITES = ("chatgpt", "gemini", "grok")


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Where the word of a lab is left, in a home of this test's own."""
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "run" / "lab.json"


class Opened:
    """`open_lab` under way, and what it said."""

    def __init__(self, group):
        self.said = []
        self.ready = asyncio.Event()
        self.task = group.create_task(
            open_lab(SITES, headless=False, port=0, ledger=None, say=self.hear)
        )
        self.task.add_done_callback(lambda _: self.ready.set())

    def hear(self, line):
        self.said.append(line)
        if "Ctrl-C" in line:
            self.ready.set()


def ours():
    return psutil.Process().children(recursive=True)


@pytest.mark.asyncio
@pytest.mark.xdist_group("browser")
async def test_it_opens_a_tab_for_each_site_and_is_found_by_others(chromium, file, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    before = set(ours())
    async with asyncio.timeout(LONG), asyncio.TaskGroup() as group:
        opened = Opened(group)
        await opened.ready.wait()
        assert opened.said[0] == "There is no display, so the browser runs without a window."
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        endpoint = await lab_endpoint()
        async with await connect_to(endpoint.url) as line:
            targets = (await line.call("Target.getTargets"))["targetInfos"]
            pages = {target["url"] for target in targets if target["type"] == "page"}
            assert {HOME, "https://chatgpt.com/", "https://grok.com/"} < pages
            assert any(url.startswith("https://gemini.google.com/") for url in pages)
            with pytest.raises(TabwireError, match=r"is already running .* has a browser open"):
                await open_lab(SITES, headless=True, port=0, ledger=None, say=print)
            processes = set(ours()) - before
            assert processes
            await line.call("Browser.close")
        await opened.task
    assert opened.said[-1] == "The browser was closed, and the lab with it."
    await nothing_left(file, processes)


@pytest.mark.asyncio
@pytest.mark.xdist_group("browser")
async def test_told_to_end_it_takes_everything_with_it(chromium, file):
    before = set(ours())
    async with asyncio.timeout(LONG), asyncio.TaskGroup() as group:
        opened = Opened(group)
        await opened.ready.wait()
        processes = set(ours()) - before
        opened.task.cancel()
    await nothing_left(file, processes)


async def nothing_left(file, processes):
    _, alive = await asyncio.to_thread(psutil.wait_procs, processes, timeout=10)
    assert alive == []
    assert list(file.parent.iterdir()) == []
    assert running_lab() is None
    with pytest.raises(BrowserNotReachable, match="no lab is running"):
        await lab_endpoint()


def test_what_fails_is_not_taken_for_being_told_to_end():
    async def fails():
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        run_until_told(fails())
