"""Two homes of one person, each with a hub of its own, ask in one browser at the same time.

Their stores do not know of each other, and both may be led to the same tab and the same chat. One
of them at a time types into a tab, and one at a time goes on in a chat: a second question there
would end the answer to the first.
"""

import asyncio
import json

import pytest

from kit.asking import new_prompt, prompts_in, tabs_of
from kit.hub_process import kill_hub
from kit.shell import Shell
from tabwire.hub.process import lock
from tabwire.lab.plan import plan_for
from tabwire.lab.stories.stage import DEFAULT, stage_from

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("hub")]


@pytest.fixture
def homes(tmp_path, lab_browser_url):
    """Two of them, with the same browser."""
    shells = []
    for name in ("one", "other"):
        home = tmp_path / name
        home.mkdir(mode=0o700)
        shells.append(Shell(home, f"attach={lab_browser_url}"))
    yield shells
    for shell in shells:
        kill_hub(shell.home)


async def answer_of(shell, prompt, *more):
    """What a home is told that asks."""
    out = await shell.run("ask", prompt, "--to", "grok", "--json", *more)
    (answer,) = json.loads(out)["answers"]
    return answer


async def test_no_two_of_them_type_into_one_tab(homes, lab, lab_browser_url, monkeypatch):
    """Both go on in one chat, whose page comes alive slowly: the tab in which the one is about to
    ask looks idle to the other, at the right address and with nothing written in it."""
    begun = [new_prompt(seed=900, pieces=5) for _ in homes]
    first, _ = await asyncio.gather(*map(answer_of, homes, begun))  # and their hubs start
    async with tabs_of(lab_browser_url) as tabs:
        for info in await tabs.list():
            if first["conversation_id"] in info.url:
                await tabs.close(info.target)
    monkeypatch.setattr(lab.room, "stage", stage_from("hydrate:10", DEFAULT))
    prompts = [new_prompt(seed=901, pieces=60, every=0.05) for _ in homes]
    calls = [
        answer_of(home, prompt, "--continue", first["url"])
        for home, prompt in zip(homes, prompts, strict=True)
    ]
    answers = await asyncio.gather(*calls)
    pids = {lock.holder(shell.home / "run").pid for shell in homes}
    assert len(pids) == 2, "each home has a hub of its own"
    for prompt, answer in zip(prompts, answers, strict=True):
        assert "error" not in answer, answer["error"]
        assert answer["complete"]
        assert answer["text"].strip() == plan_for(prompt).text.strip()
        assert len(prompts_in(lab, prompt)) == 1
    assert {answer["url"] for answer in answers} == {first["url"]}
