"""`kill -9` at any point of an ask, and the same command again: one prompt, one whole answer.

Over the relay the extension is reached through the hub (hub/relay/tunnel.py), which lives on.
"""

import json
import random

import pytest

from kit.asking import new_prompt, prompts_in, tabs_of
from kit.dying import LAST, Dying, at_points
from kit.places import both_places
from tabwire.lab.plan import plan_for
from tabwire.model.ask import Step
from tabwire.sites.known import SITES
from tabwire.store.opening import opened

__all__ = ["both_places"]

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("asking-killed")]

POINTS = [
    # id                            dies at             the prompt has left by then
    ("before anything is typed", "phase:input", False),
    ("typed, not sent", "phase:send", False),
    ("about to press Send", "step:sending", False),
    ("left, and nobody wrote it down", "PromptLeft", True),
    ("left, on disk", "step:sent", True),
    ("the chat has a name", "ConversationKnown", True),
    ("while it answers", "TextCame", True),
    ("the answer is on disk, and nobody was told", "phase:finished", True),
]


def asker_of(root, place, site, prompt):
    """The same ask in processes with one home and one browser."""
    words = (place.browser, site, prompt)
    return Dying("kit.asking_child", root, place.home, *words, **place.said)


def right(lab, prompt, lines, err):
    """The last line is the lab's whole answer, and the lab was asked once."""
    assert lines, err
    assert lines[-1].startswith("{"), (lines, err)
    told = json.loads(lines[-1])
    assert told.get("complete"), (told, lines)
    assert told["text"] == plan_for(prompt).text
    assert len(prompts_in(lab, prompt)) == 1


@pytest.mark.parametrize("site, dies, left", at_points(POINTS))
@pytest.mark.rows(3, first=1)
async def test_an_ask_killed_at_a_step_is_finished_by_the_next(site, dies, left, lab, place, root):
    prompt = new_prompt(seed=500, pieces=40, every=0.02)
    asker = asker_of(root, place, site, prompt)
    lines, code, err = await asker.run(dies)
    assert code == -9, (lines, err)
    if not left:
        assert not prompts_in(lab, prompt)
    lines, _code, err = await asker.run()
    right(lab, prompt, lines, err)


async def test_an_ask_killed_in_a_tab_of_the_person_is_finished_from_there(lab, place, root):
    """We opened no tab, and took one that stood at the start page."""
    prompt = new_prompt(seed=500, pieces=20, every=0.03)
    asker = asker_of(root, place, "gemini", prompt)
    async with tabs_of(place.url) as tabs:
        tab = await tabs.open("about:blank")
        await tab.navigate(SITES["gemini"].page.home, seconds=60.0)  # and there it is at rest
        await place.offer(tab.target)
        lines, code, err = await asker.run("step:sending")
        assert code == -9, (lines, err)
        async with opened(place.home / "tabwire.db") as store:
            assert await store.our_tabs("gemini", "") == []
        lines, _code, err = await asker.run()
        right(lab, prompt, lines, err)
        await tabs.close(tab.target)


async def is_done(home, prompt):
    """Whether this ask has its answer: asked once more it is another ask."""
    async with opened(home / "tabwire.db") as store:
        row = await store.last()
    return row is not None and row.request.prompt == prompt and row.step is Step.DONE


def was_in_vain(lines):
    """On a very busy machine no tab opens in time. It says that nothing was sent: ask again."""
    return (
        bool(lines) and lines[-1].startswith("{") and json.loads(lines[-1]).get("retry") == "same"
    )


async def killed_at_random(lab, place, root, seed, count):
    """Kill at so many seeded points. One that was over before is asked no more."""
    rng = random.Random(seed)
    for _ in range(count):
        site = rng.choice(list(SITES))
        after = rng.randint(1, LAST)
        prompt = new_prompt(seed=rng.randrange(1000), pieces=40, every=0.03)
        asker = asker_of(root, place, site, prompt)
        lines, code, err = await asker.run(after=after)
        if was_in_vain(lines):
            assert not prompts_in(lab, prompt)
        elif code == 0 or await is_done(place.home, prompt):
            # it was finished; whoever was killed before they saw it fetches it
            assert len(prompts_in(lab, prompt)) == 1, (site, after, lines, err)
            continue
        lines, _code, err = await asker.run()
        right(lab, prompt, lines, err)


async def test_asks_killed_anywhere_are_finished_by_the_next(lab, place, root, seed):
    await killed_at_random(lab, place, root, seed, 1)


@pytest.mark.soak
async def test_many_asks_killed_anywhere_are_finished_by_the_next(lab, place, root, seed):
    await killed_at_random(lab, place, root, seed + 1, 60)
