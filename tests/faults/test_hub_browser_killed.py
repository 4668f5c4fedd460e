"""The browser dies under a hub: another one is started, and the answer is there, asked once.

Not over the relay: nobody starts a person's own Chrome for them. What an ask comes to when that is
gone is in test_asking_stories.py (`browser-killed`).
"""

import os
import signal

import pytest

from kit.asking import home_at, new_prompt, prompts_in
from kit.lab import to_the_lab
from tabwire.config.settings import settings
from tabwire.hub.process.assembly import running_hub
from tabwire.lab.plan import plan_for
from tabwire.model.ask import AskRequest, Phase, TextCame
from tabwire.model.job import Asker, Door, JobState

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("hub"), pytest.mark.timeout(240)]


def _phase(told):
    return getattr(told.event, "phase", None)


ASK_SECONDS = 120.0  # with a browser that starts twice, on a busy machine
POINTS = [
    # id, site, dies when this is heard
    (
        "while the page opens",
        "chatgpt",
        lambda one: _phase(one) is Phase.WAIT_INPUT,
    ),
    ("while it answers", "grok", lambda one: isinstance(one.event, TextCame)),
]


@pytest.mark.parametrize("site, dies", [c[1:] for c in POINTS], ids=[c[0] for c in POINTS])
async def test_a_browser_that_is_killed_is_followed_by_another(site, dies, lab, chromium, tmp_path):
    prompt = new_prompt(seed=721, pieces=60, every=0.05)
    with home_at(tmp_path / "home"):
        now = settings(browser="launch", program=str(to_the_lab(tmp_path, chromium, lab)))
        async with running_hub(now) as hub:
            (job,) = await hub.jobs.submit([AskRequest(site, prompt)], Asker("a", Door.PYTHON))
            async for news in hub.jobs.news(job.id):
                if dies(news):
                    os.kill(_browser(tmp_path), signal.SIGKILL)
                    break
            (job,) = await hub.jobs.wait([job.id], ASK_SECONDS)
            if job.state is not JobState.COMPLETED:  # it says that nothing was sent: ask again
                assert not prompts_in(lab, prompt), job.error
                assert job.error.retry == "same"
                (job,) = await hub.jobs.submit([job.request], Asker("a", Door.PYTHON))
                (job,) = await hub.jobs.wait([job.id], ASK_SECONDS)
    assert job.state is JobState.COMPLETED, job.error
    assert job.answer.complete
    assert job.answer.text == plan_for(prompt).text
    assert len(prompts_in(lab, prompt)) == 1


def _browser(folder):
    """The pid of the browser that has the profile open."""
    lock = folder / "home" / "profiles" / "main" / "SingletonLock"
    return int(os.readlink(lock).rpartition("-")[2])
