"""The classic profile on panels that its seed never saw, in the replica."""

import pytest

from tabwire.browser.agent.classic import ClassicPanel
from tabwire.lab.antigravity import Plan, Quota, Say, Stall, Think, Tool

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]


@pytest.mark.parametrize("generation", ["1.x", "2.0", "app"])
async def test_steps_are_log_and_thinking_is_no_answer(agent_window, generation):
    desk = await agent_window(generation=generation)
    await desk.plays(
        Plan(
            (
                Think("I weigh it."),
                Tool("Edited", "cart.js", "+4 -1"),
                Tool("Read", "a.js"),
                Stall(),
            )
        )
    )
    await desk.sees("document.body.innerText.includes('a.js')")
    panel = ClassicPanel(desk.session)
    await panel.arm()
    assert await panel.text() is None
    log = " | ".join(await panel.logs())
    assert "Edited cart.js" in log
    assert "Read a.js" in log
    await desk.ends(await desk.plays(Plan((Think("Once more."), Say("The answer.")))))
    assert await panel.text() == "The answer."
    assert not any("The answer." in one for one in await panel.logs())


async def test_a_limit_in_another_wording_is_one(agent_window):
    desk = await agent_window()
    limit = Quota(title="Individual quota reached", text="Enable overages. Resets in 143h5m5s.")
    await desk.ends(await desk.plays(Plan((limit,))))
    assert await ClassicPanel(desk.session).quota()
