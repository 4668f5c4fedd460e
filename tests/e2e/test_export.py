"""`tabwire export` right after `tabwire ask`, and while a question is under way: as commands, in a
browser with a debugging port and through the extension."""

import asyncio
import json

import pytest

from kit.asking import new_prompt, prompts_in, tab_where, tabs_of
from kit.house import RUN_SECONDS, house, run, started
from kit.places import both_places
from kit.turns import by_turns
from tabwire.lab.plan import plan_for
from tabwire.sites.known import SITES

__all__ = ["both_places", "house"]

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("hub")]

EVERY_SITE = tuple(SITES)


async def answer_to(house, prompt, *arguments):
    code, out, err = await run(house, "ask", prompt, "--json", *arguments)
    assert code == 0, err
    return json.loads(out)["answers"][0]


def said_in(exported):
    return [turn["text"].strip() for turn in exported["turns"] if turn["is_message"]]


@pytest.mark.parametrize("site", by_turns("export_last", EVERY_SITE))
async def test_what_was_just_answered_is_exported(house, site, lab):
    prompt = new_prompt(seed=741, pieces=8)
    await answer_to(house, prompt, "--to", site)
    code, out, err = await run(
        house, "export", "last", "--site", site, "--format", "common", "--out", "-"
    )
    assert code == 0, err
    told = json.loads(out)
    assert said_in(told) == [prompt, plan_for(prompt).text.strip()]
    assert told["exportMeta"]["completeness"] == "complete"
    assert told["exportMeta"]["fidelity"]
    assert len(prompts_in(lab, prompt)) == 1


@pytest.mark.parametrize("site", by_turns("export_under_way", EVERY_SITE))
async def test_what_lacks_a_question_that_is_under_way_is_not_exported_as_whole(house, site, lab):
    """One conversation, two tabs. The second one shows it as it was before."""
    first = await answer_to(house, new_prompt(seed=742, pieces=8), "--to", site)
    named, url = first["conversation_id"], first["url"]
    async with tabs_of(house.url) as tabs:
        second = await tabs.open(url)
        await tab_where(tabs, lambda info: info.target == second.target and named in info.url)
        more = new_prompt(seed=743, pieces=4000, every=0.1)
        asking = await started(
            house, "ask", more, "--to", site, "--continue", named, "--json", "--stream"
        )
        try:
            async with asyncio.timeout(RUN_SECONDS):
                while json.loads(await asking.stdout.readline())["event"] != "text":
                    pass
            await second.reload()
            for force in ((), ("--force",)):
                how = ("--site", site, "--format", "common", "--out", "-", *force)
                code, out, _err = await run(house, "export", named, *how)
                assert asking.returncode is None, "it was to be under way"
                assert code != 0, (force, out)
                if out:
                    assert json.loads(out)["exportMeta"]["completeness"] != "complete"
        finally:
            asking.kill()
            await asking.communicate()
            await tabs.close(second.target)
    assert len(prompts_in(lab, more)) == 1
