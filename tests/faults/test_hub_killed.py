"""`kill -9` of the hub at any point of a job: the next hub goes on, one prompt, one answer.

Over the relay the extension finds the next one by itself, with the tabs it still has.
"""

import json
import random

import pytest

from kit.asking import new_prompt, prompts_in
from kit.dying import LAST, Dying, at_points
from kit.hub_process import kill_hub
from kit.places import both_places
from tabwire.lab.plan import plan_for
from tabwire.sites.known import SITES

__all__ = ["both_places"]

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("asking-killed")]

POINTS = [
    # id                            dies at             the prompt has left by then
    ("its id is known", "submitted", False),
    ("just taken up", "taken", False),
    ("before anything is typed", "phase:input", False),
    ("typed, not sent", "phase:send", False),
    ("about to press Send", "step:sending", False),
    ("left, and nobody wrote it down", "PromptLeft", True),
    ("left, on disk", "step:sent", True),
    ("the chat has a name", "ConversationKnown", True),
    ("while it answers", "TextCame", True),
    ("the answer is on disk, and nobody was told", "phase:finished", True),
    ("answered and told", "step:done", True),
]


@pytest.fixture
def hubs(place, root):
    """Hubs one after the other, in processes with one home and one browser."""
    kill_hub(place.home)  # with which the extension was paired
    return Dying("kit.hub_child", root, place.home, place.browser, **place.said)


def right(lab, prompts, lines, err):
    """Every prompt has the lab's whole answer, once, and the lab was asked once."""
    lists = [line for line in lines if line.startswith("[")]
    assert lists, (lines, err)
    told = json.loads(lists[-1])
    for prompt in prompts:
        (job,) = [one for one in told if one["prompt"] == prompt]
        assert job["state"] == "completed", (job["error"], lines, err)
        assert job["complete"], (job, lines)
        assert job["text"] == plan_for(prompt).text
        assert len(prompts_in(lab, prompt)) == 1


@pytest.mark.parametrize("site, dies, left", at_points(POINTS))
@pytest.mark.rows(4, first=1)
async def test_a_job_whose_hub_was_killed_is_finished_by_the_next(site, dies, left, lab, hubs):
    prompt = new_prompt(seed=500, pieces=40, every=0.02)
    lines, code, err = await hubs.run(dies, site, prompt)
    assert code == -9, (lines, err)
    if not left:
        assert not prompts_in(lab, prompt)
    lines, _code, err = await hubs.run()
    right(lab, [prompt], lines, err)


async def test_a_job_in_postgres_whose_hub_was_killed_is_finished_by_the_next(
    lab, lab_browser_url, root, tmp_path, postgres
):
    """Store, queue and the lock of the one hub are in the database; nothing is in the home.

    Over one carrier: where the store is has nothing to do with how a browser is reached.
    """
    prompts = [new_prompt(seed=500 + number, pieces=40, every=0.03) for number in range(2)]
    browser, said = f"attach={lab_browser_url}", {"TABWIRE_DATABASE": postgres}
    hubs = Dying("kit.hub_child", root, tmp_path, browser, **said)
    lines, code, err = await hubs.run("TextCame", "grok", prompts[0], "chatgpt", prompts[1])
    assert code == -9, (lines, err)
    lines, _code, err = await hubs.run()
    right(lab, prompts, lines, err)
    assert not list(tmp_path.glob("*.db*"))


async def killed_at_random(lab, hubs, seed, count):
    """Several jobs at once, and their hub killed two times at seeded points."""
    rng = random.Random(seed)
    for _ in range(count):
        sites = rng.sample(list(SITES), rng.randint(1, len(SITES)))
        prompts = [new_prompt(seed=rng.randrange(1000), pieces=40, every=0.03) for _ in sites]
        asked = [word for pair in zip(sites, prompts, strict=True) for word in pair]
        await hubs.run("", *asked, after=rng.randint(1, LAST))
        await hubs.run(after=rng.randint(1, LAST))
        lines, _code, err = await hubs.run()
        right(lab, prompts, lines, err)


async def test_jobs_whose_hub_was_killed_anywhere_are_finished_by_the_next(lab, hubs, seed):
    await killed_at_random(lab, hubs, seed, 1)


@pytest.mark.soak
async def test_many_jobs_whose_hub_was_killed_anywhere_are_finished_by_the_next(lab, hubs, seed):
    await killed_at_random(lab, hubs, seed + 2, 60)
