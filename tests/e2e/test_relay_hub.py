"""The whole way as a person goes it: commands, the hub's own process, the real extension."""

import asyncio
import json
import os
import signal

import pytest

from kit.asking import new_prompt, prompts_in
from kit.hub_process import kill_hub
from kit.shell import RUN_SECONDS, Shell, over
from tabwire.hub.process import lock
from tabwire.lab.plan import plan_for

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("extension")]


async def heard(process, event):
    """Read what `ask --json --stream` tells until this event."""
    told = []
    async with asyncio.timeout(RUN_SECONDS):
        while line := await process.stdout.readline():
            told.append(line.decode()[:300])
            if json.loads(line)["event"] == event:
                return
    raise AssertionError((event, told, (await process.stderr.read()).decode()))


@pytest.fixture
def shell(tmp_path):
    home = tmp_path / "h"
    home.mkdir(mode=0o700)
    yield Shell(home)
    kill_hub(home)


async def test_paired_by_a_code_a_question_is_answered_in_the_persons_own_browser(
    shell, extension, lab
):
    await shell.pair(extension)
    prompt = new_prompt(seed=831, pieces=10)
    told = json.loads((await shell.run("ask", prompt, "--to", "grok", "--json")).splitlines()[-1])
    (answer,) = told["answers"]
    assert answer["text"].strip() == plan_for(prompt).text.strip()
    assert len(prompts_in(lab, prompt)) == 1
    status = json.loads(await shell.run("extension", "status", "--json"))
    assert status["connected"]


@pytest.mark.soak
@pytest.mark.parametrize("site", ["chatgpt", "gemini", "grok"])
async def test_a_hub_killed_in_the_middle_of_an_answer_is_followed_by_another(
    shell, extension, lab, site
):
    """The next hub knows nothing of the tab, and asks nothing twice."""
    await shell.pair(extension)
    prompt = new_prompt(seed=832, pieces=80, every=0.05)
    asking = await shell.start("ask", prompt, "--to", site, "--json", "--stream")
    await heard(asking, "text")
    first = lock.holder(shell.home / "run")
    os.kill(first.pid, signal.SIGKILL)
    end = json.loads((await over(asking)).splitlines()[-1])
    assert end["answers"][0]["text"].strip() == plan_for(prompt).text.strip()
    assert lock.holder(shell.home / "run").pid != first.pid
    assert len(prompts_in(lab, prompt)) == 1
