"""However a hub ends, nothing of it is left: not its browser, not itself, no zombie."""

import asyncio
import os
import signal

import psutil
import pytest

from kit.hub_process import GONE_SECONDS, kill_hub, program
from tabwire.browser.find import find_browser, this_machine
from tabwire.hub.remote.hub import RemoteHub
from tabwire.model.ask import AskRequest, Phase
from tabwire.model.job import Asker, Door

pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(240)]

NOWHERE = "--host-resolver-rules=MAP * ~NOTFOUND"  # no test leaves this machine
ASK_SECONDS = 60.0


@pytest.fixture
def home(tmp_path, monkeypatch):
    place = tmp_path / "h"
    place.mkdir(mode=0o700)
    monkeypatch.setenv("TABWIRE_HOME", str(place))
    yield place
    kill_hub(place)


@pytest.fixture
def offline(tmp_path, chromium):
    """A browser that finds no site."""
    script = tmp_path / "chromium"
    found = find_browser(this_machine()).path
    script.write_text(f'#!/bin/sh\nexec "{found}" "{NOWHERE}" "$@"\n')
    script.chmod(0o755)
    return script


def family(pid):
    """Every process below this one."""
    return psutil.Process(pid).children(recursive=True)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
@pytest.mark.rows(1, first=1)
async def test_the_browser_of_a_hub_ends_with_it(home, offline, how):
    said = {"TABWIRE_BROWSER": "launch", "TABWIRE_PROGRAM": str(offline)}
    with program(home, "-m", "tabwire", "serve", **said) as hub:
        await asyncio.to_thread(_listens, hub)
        remote = RemoteHub(start=False)
        (job,) = await remote.jobs.submit([AskRequest("grok", "Why?")], Asker("a", Door.PYTHON))
        async with asyncio.timeout(ASK_SECONDS):
            async for news in remote.jobs.news(job.id):
                if getattr(news.event, "phase", None) is Phase.NAVIGATE:
                    break
        left = family(hub.pid)
        assert any("chrom" in one.name() for one in left), left
        os.kill(hub.pid, how)
        code = await asyncio.to_thread(hub.wait, GONE_SECONDS)
        assert code == (0 if how is not signal.SIGKILL else -9)
        _gone, alive = await asyncio.to_thread(psutil.wait_procs, left, GONE_SECONDS)
        assert not alive


def _listens(hub):
    for line in hub.stderr:
        if line.startswith("hub listening"):
            return
    raise AssertionError("it ended without a word")
