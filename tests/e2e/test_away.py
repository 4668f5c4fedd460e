"""A person asks in their own tab, and in mid-answer something goes away: the answer is kept all
the same, and Save comes by itself. The rows of docs/extension.md, "When something is away"."""

import json
import os
import signal

import pytest

from e2e.test_capture import own_tab
from extension.control_seen import Control
from kit.asking import new_prompt
from kit.extension import NOWHERE
from kit.hub_process import kill_hub
from kit.shell import Shell
from tabwire.hub.process import lock
from tabwire.lab.demo.person import ask
from tabwire.lab.plan import plan_for
from tabwire.sites.known import SITES

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("extension")]

SOAK = pytest.mark.soak


@pytest.fixture
def shell(tmp_path):
    home = tmp_path / "h"
    home.mkdir(mode=0o700)
    yield Shell(home)
    kill_hub(home)


async def kill_the_hub(shell, extension):
    """And start another, as any command does."""
    os.kill(lock.holder(shell.home / "run").pid, signal.SIGKILL)
    await shell.run("extension", "list")


async def end_the_worker(shell, extension):
    await extension.stop_worker()


async def cut_the_line(shell, extension):
    await extension.point_at(NOWHERE)
    await extension.point_at(shell.port)


AWAY = {"the hub": kill_the_hub, "the worker": end_the_worker, "the line": cut_the_line}
CASES = [
    ("grok", "the hub", ()),
    ("chatgpt", "the worker", ()),
    *(
        (site, what, SOAK)
        for site in SITES
        for what in AWAY
        if (site, what) not in (("grok", "the hub"), ("chatgpt", "the worker"))
    ),
]


@pytest.mark.parametrize("site, what", [pytest.param(*c[:2], marks=c[2]) for c in CASES])
async def test_what_was_away_in_mid_answer_costs_nothing(
    shell, extension, extension_browser_url, lab, site, what
):
    await shell.pair(extension)
    prompt = new_prompt(pieces=120, every=0.05)
    async with own_tab(extension_browser_url, SITES[site].page.home) as tab:
        control = Control(tab.session)
        await ask(tab, SITES[site], prompt)
        await control.lives("streaming")
        await AWAY[what](shell, extension)
        await control.until(".save", "(one) => !one.disabled && one.checkVisibility()")
        await control.lives("completed")
    written = await shell.run("export", "last", "--site", site, "--format", "common", "--out", "-")
    told = json.loads(written)
    assert told["exportMeta"]["completeness"] == "complete"
    said = [one["text"] for one in told["turns"] if one["is_message"]]
    assert said == [prompt, plan_for(prompt).text]
