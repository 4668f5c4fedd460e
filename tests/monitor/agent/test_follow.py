"""The follower in a real browser, on the replica of the panel."""

import asyncio

import pytest

from kit.antigravity import PACE
from monitor.agent.following import following
from tabwire.browser.agent import window
from tabwire.fusion.monitor_phases import MonitorProfile
from tabwire.lab.antigravity import (
    Busy,
    Command,
    Flicker,
    Imitate,
    Notify,
    Pause,
    Picture,
    Plan,
    Quota,
    Rerender,
    Say,
    Stall,
    Task,
    Think,
    Tool,
    Virtual,
)
from tabwire.model.agent import (
    AgentAttached,
    AgentImage,
    AgentLost,
    AgentPhase,
    AgentQuota,
    AgentShown,
    RowKind,
)
from tabwire.monitor.agent.runs import AGENT

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

OLD = (("Old question?", "Old answer: mind the rate limit."), ("More?", "An older Analyzed x.py"))
PANELS = ["1.x", "2.0", "cascade", "manager"]
EVERY = [*PANELS, "app", "cursor"]
WORK = Plan(
    (
        Think("I weigh both ways."),
        Say("I will look around."),
        Tool("Analyzed", "package.json", "#L1-75"),
        Tool("Edited", "schema.sql", "+1 -0"),
        Tool("Created", "CategoryId.php", "+41 -0"),
        Tool("Searched", "CategoryId", "4 results"),
        Tool("Error during tool execution"),
        Command("npm test", ask=False, output="1 failed", exit_code=1),
        Say("All green."),
    )
)


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("generation", PANELS)
@pytest.mark.rows(3, first=2)
async def test_output_and_log_are_told_apart(agent_window, generation, lang):
    """S0-039 and the two streams, in every generation and language."""
    desk = await agent_window(generation=generation, lang=lang, turns=OLD)
    async with following(desk) as told:
        await desk.plays(WORK)
        ended = await told.ended()
    assert ended.phase == "complete"
    assert ended.text == "I will look around.\n\nAll green."
    assert ended.answer == "All green."
    tools = [one.text for one in ended.log if one.kind is RowKind.TOOL]
    assert [text.split()[0] for text in tools] == [
        "Analyzed", "Edited", "Created", "Searched", "Error",
    ]  # fmt: skip
    assert [one.target for one in ended.log if one.kind is RowKind.TOOL][1:4] == [
        "schema.sql", "CategoryId.php", "CategoryId",
    ]  # fmt: skip
    (ran,) = [one for one in ended.log if one.kind is RowKind.COMMAND]
    assert (ran.command, ran.cwd, ran.exit_code) == ("npm test", "~/shop", 1)
    assert [one.text.split("\n")[-1] for one in ended.log if one.kind is RowKind.THINKING] == [
        "I weigh both ways."
    ]
    said = " ".join([*told.progress, *(one.text for one in told.log)])
    assert "Old" not in said
    assert "older" not in said
    assert told.of(AgentAttached)[0].test.recognised


@pytest.mark.parametrize("generation", ["app", "cursor"])
async def test_other_panels_end_with_the_same_answer(agent_window, generation):
    desk = await agent_window(generation=generation, turns=OLD)
    async with following(desk) as told:
        await desk.plays(WORK)
        ended = await told.ended()
    assert ended.answer == "All green."
    assert any("package.json" in one.text for one in ended.log)
    assert not any("Analyzed" in text or "rate limit" in text for text in told.progress)


async def test_s0_040_the_same_command_three_times_is_three_entries(agent_window):
    desk = await agent_window(turns=OLD)
    once = Command("npm test", ask=False, exit_code=0)
    async with following(desk) as told:
        await desk.plays(Plan((once, once, once, Say("Done."))))
        ended = await told.ended()
    ran = [one for one in ended.log if one.kind is RowKind.COMMAND]
    assert [(one.command, one.exit_code) for one in ran] == [("npm test", 0)] * 3
    assert len({one.id for one in ran}) == 3


@pytest.mark.parametrize("generation", EVERY)
@pytest.mark.rows(3, first=1)
async def test_a_run_that_flickers_and_is_drawn_anew_ends_once(agent_window, generation):
    """S0-008, and nothing told twice."""
    desk = await agent_window(generation=generation, turns=OLD)
    plan = Plan(
        (
            Tool("Analyzed", "a.py"), Flicker(3, 1.2, 0.4), Rerender(), Tool("Analyzed", "b.py"),
            Say("One."), Rerender(), Pause(1.2), Say("Two."),
        )
    )  # fmt: skip
    async with following(desk) as told:
        run = await desk.plays(plan)
        ended = await told.ended()
        assert run.over
    assert ended.text.endswith("Two.")
    assert ended.text.count("One.") == 1
    about = [one.text for one in ended.log if "a.py" in one.text]
    assert len(about) == 1


async def test_turns_that_are_unmounted_take_nothing_with_them(agent_window):
    desk = await agent_window(turns=(*OLD, *OLD, *OLD))
    async with following(desk) as told:
        await desk.plays(Plan((Tool("Analyzed", "a.py"), Virtual(1), Say("One."))))
        first = await told.ended()
        await desk.plays(Plan((Tool("Analyzed", "b.py"), Say("Two."), Virtual(9), Pause(0.8))))
        second = await told.ended(2)
    assert (first.text, second.text) == ("One.", "Two.")
    assert [one.text for one in second.log] == ["Analyzed b.py"]


async def test_the_same_prompt_twice_is_two_runs(agent_window):
    desk = await agent_window()
    async with following(desk) as told:
        for number in (1, 2, 3):
            run = await desk.plays(Plan((Tool("Analyzed", "a.py"), Say("Same."))), "go on")
            ended = await told.ended(number)
            assert (ended.text, len(ended.log)) == ("Same.", 1)
            await desk.ends(run)


async def test_s0_029_joining_a_run_begins_at_generating(agent_window):
    desk = await agent_window(turns=OLD)
    run = await desk.plays(Plan((Tool("Analyzed", "a.py"), Say("Half."), Stall())))
    await desk.sees("document.body.innerText.includes('Half.')")
    async with following(desk) as told:
        assert told.phases[0] == "generating"
        await told.until(lambda e: getattr(e, "text", "") == "Half.")
        assert [one.text for one in told.log] == ["Analyzed a.py"]
        await desk.presses_on("[data-tooltip-id=input-send-button-cancel-tooltip]")
        ended = await told.ended()
        assert (ended.phase, ended.text) == ("stopped", "Half.")
        await run.ended()


@pytest.mark.parametrize("label", ["停止", "生成を停止", "Stop generating"])
async def test_s0_031_a_stop_control_known_by_its_label(agent_window, label):
    desk = await agent_window(stop=label)
    async with following(desk) as told:
        run = await desk.plays(Plan((Stall(),)))
        await told.phase("thinking")
        await desk.presses_text(label)
        assert (await told.ended()).phase == "stopped"
        await run.ended()


@pytest.mark.parametrize("generation", ["1.x", "app", "cascade", "cursor"])
@pytest.mark.parametrize("how", ["press", "script"])
@pytest.mark.rows(3)
async def test_a_run_that_is_stopped_is_told_as_stopped(agent_window, generation, how):
    desk = await agent_window(generation=generation)
    async with following(desk) as told:
        run = await desk.plays(Plan((Tool("Analyzed", "a.py"), Say("Half."), Stall())))
        await told.until(lambda e: getattr(e, "text", "") == "Half.")
        if how == "script" or generation == "cascade":
            inside = "(document.querySelector('iframe')?.contentDocument ?? document)"
            css = (
                "[data-tooltip-id=input-send-button-cancel-tooltip], .composer-toolbar-section > *"
            )
            await desk.does(f"{inside}.querySelector({css!r}).click()")
        elif generation == "cursor":
            await desk.presses_text("Stop")
        else:
            await desk.presses_on("[data-tooltip-id=input-send-button-cancel-tooltip]")
        ended = await told.ended()
        await run.ended()
    assert (ended.phase, ended.text, ended.error) == ("stopped", "Half.", "")


@pytest.mark.parametrize("generation", ["1.x", "app"])
async def test_a_stop_control_that_is_gone_for_longer_splits_no_run(agent_window, generation):
    desk = await agent_window(generation=generation)
    gone = Flicker(1, gone_seconds=1.3 * PACE, back_seconds=0.2)
    async with following(desk) as told:
        await desk.plays(Plan((Say("One."), gone, Say("Two."))))
        ended = await told.ended()
    assert ended.text == "One.\n\nTwo."
    assert {one.run for one in told.of(AgentPhase)} == {1}


@pytest.mark.parametrize("generation", ["1.x", "app"])
async def test_a_step_under_way_and_done_is_one_entry(agent_window, generation):
    desk = await agent_window(generation=generation)
    step = Tool("Edited", "cart.js", "+4 -1", during="Editing", seconds=2, bare=True)
    async with following(desk) as told:
        await desk.plays(Plan((step, Pause(2), step, Say("Done."))))
        await told.ended()
    about = [one for one in told.log if one.kind is RowKind.TOOL]
    assert [(one.text, one.revision) for one in about] == [("Edited cart.js +4 -1", 2)] * 2


async def test_a_window_without_a_panel_says_so(agent_window):
    desk = await agent_window(panel=False)
    async with following(desk) as told:
        shown = await told.until(lambda e: isinstance(e, AgentShown))
    assert (shown.shown, "no agent panel" in shown.why) == (False, True)


async def test_a_window_that_stays_away_is_given_up_and_that_is_told(agent_window):
    desk = await agent_window()
    async with following(desk, give_up_seconds=1.0) as told:
        await desk.lab.close(desk.window)
        lost = await told.until(lambda e: isinstance(e, AgentLost))
    assert lost.after_seconds >= 1.0
    assert lost.why


async def test_good_and_bad_as_bare_words_are_no_output(agent_window):
    desk = await agent_window(plain_thumbs=True)
    async with following(desk) as told:
        await desk.ends(await desk.plays(Plan((Say("Done."),))))
        ended = await told.ended()
    assert (ended.text, told.progress[-1]) == ("Done.", "Done.")


async def test_s0_035_thinking_alone_is_no_answer(agent_window):
    desk = await agent_window(turns=OLD)
    async with following(desk) as told:
        await desk.plays(Plan((Think("I ponder."), Pause(0.5))))
        ended = await told.ended()
    assert (ended.text, told.progress) == ("", [])
    assert ended.log[-1].text.endswith("I ponder.")


@pytest.mark.parametrize("generation", ["1.x", "app"])
async def test_what_looks_like_a_dialog_in_an_answer_is_text(agent_window, generation):
    desk = await agent_window(generation=generation)
    async with following(desk) as told:
        await desk.plays(Plan((Imitate(), Say("End."))))
        ended = await told.ended()
    assert "End." in ended.text
    assert told.cards == []
    assert "waiting_approval" not in told.phases


async def test_a_message_in_a_plans_container_is_output(agent_window):
    desk = await agent_window()
    async with following(desk) as told:
        await desk.plays(Plan((Tool("Analyzed", "a.py"), Notify("I have done it."))))
        ended = await told.ended()
    assert "I have done it." in ended.text
    assert told.cards == []


async def test_a_task_and_its_steps_are_log(agent_window):
    desk = await agent_window()
    steps = (Tool("Analyzed", "a.py"), Command("make", ask=False, exit_code=2))
    async with following(desk) as told:
        await desk.plays(Plan((Task("Mend the build", "in two steps", steps), Say("Done."))))
        ended = await told.ended()
    assert ended.text == "Done."
    kinds = [one.kind for one in ended.log]
    assert kinds.count(RowKind.COMMAND) == 1
    assert "Mend the build" in ended.log[0].text


@pytest.mark.parametrize("where", ["banner", "inline", "toast", "line", "popup"])
@pytest.mark.parametrize("generation", ["1.x", "app"])
@pytest.mark.rows(4, first=2)
async def test_s0_018_a_limit_before_any_text_ends_the_run(agent_window, generation, where):
    desk = await agent_window(generation=generation, turns=OLD)
    async with following(desk) as told:
        await desk.plays(Plan((Pause(0.4), Quota(where=where))))
        ended = await told.ended()
    assert (ended.phase, ended.text, ended.quota) == ("quota_reached", "", True)
    assert told.of(AgentQuota)[0].model


async def test_s0_019_a_limit_after_text_is_a_flag(agent_window):
    desk = await agent_window(turns=OLD)
    async with following(desk) as told:
        await desk.plays(Plan((Say("Half."), Quota())))
        ended = await told.ended()
    assert (ended.phase, ended.text, ended.quota) == ("complete", "Half.", True)


async def test_s0_020_an_answer_about_limits_is_no_limit(agent_window):
    desk = await agent_window()
    async with following(desk) as told:
        await desk.plays(Plan((Say("You have exhausted your quota, says the API: rate limit."),)))
        ended = await told.ended()
    assert (ended.phase, ended.quota) == ("complete", False)


async def test_busy_servers_are_said_in_the_end_of_the_run(agent_window):
    desk = await agent_window()
    async with following(desk) as told:
        await desk.plays(Plan((Tool("Analyzed", "a.py"), Busy())))
        ended = await told.ended()
    assert (ended.phase, "high traffic" in ended.error) == ("failed", True)


@pytest.mark.parametrize("generation", ["1.x", "app"])
async def test_a_generated_picture_is_an_event(agent_window, generation):
    desk = await agent_window(generation=generation)
    async with following(desk) as told:
        await desk.plays(Plan((Picture(alt="A lighthouse"), Pause(2), Say("There."))))
        ended = await told.ended()
    (image,) = told.of(AgentImage)
    assert (image.alt, image.width, ended.images) == ("A lighthouse", 320, 1)


async def test_s0_024_and_025_a_cut_line_is_a_phase_and_the_run_goes_on(agent_window):
    desk = await agent_window(turns=OLD)
    async with following(desk) as told:
        run = await desk.plays(
            Plan((Tool("Analyzed", "a.py"), Say("Hello"), Pause(6), Say("Bye.")))
        )
        await told.until(lambda e: getattr(e, "text", "") == "Hello")
        told.follower.window.attachment.session.connection._carrier._transport.abort()
        lost = await told.phase("disconnected")
        assert lost.text == "Hello"
        ended = await told.ended()
        assert run.over
    after = told.phases[told.phases.index("disconnected") :]
    assert after == ["disconnected", "generating", "complete"]
    assert ended.text == "Hello\n\nBye."
    assert len(ended.log) == 1


async def test_a_page_that_is_loaded_anew_is_the_same_run(agent_window):
    desk = await agent_window(turns=OLD)
    async with following(desk) as told:
        await desk.plays(Plan((Tool("Analyzed", "a.py"), Say("Hello"), Pause(6), Say("Bye."))))
        await told.until(lambda e: getattr(e, "text", "") == "Hello")
        await desk.lab.reload(desk.window)
        ended = await told.ended()
    assert ended.text == "Hello\n\nBye."
    assert [one.text for one in ended.log] == ["Analyzed a.py"]


async def test_s0_027_a_window_that_is_closed_ends_the_run_within_a_bound(agent_window):
    desk = await agent_window(turns=OLD)
    profile = MonitorProfile("soon", AGENT.confirmations, AGENT.apart_seconds, reconnect_seconds=1)
    async with following(desk, profile=profile) as told:
        await desk.plays(Plan((Say("Hello"), Stall())))
        await told.until(lambda e: getattr(e, "text", "") == "Hello")
        await desk.lab.close(desk.window)
        ended = await told.ended()
    assert (ended.phase, ended.text) == ("timeout", "Hello")
    assert ended.why


async def test_a_hidden_window_is_followed_as_well(agent_window):
    desk = await agent_window(turns=OLD)
    async with following(desk) as told:
        await desk.lab.hide(desk.window)
        await desk.plays(WORK)
        ended = await told.ended()
        await desk.lab.show(desk.window)
    assert ended.answer == "All green."
    assert len([one for one in ended.log if one.kind is RowKind.TOOL]) == 5


async def test_the_state_comes_by_itself_and_not_by_asking(agent_window, monkeypatch):
    """No poll: the page tells, and the heartbeat is further away than the test lasts."""
    monkeypatch.setattr(window, "HEARTBEAT_SECONDS", 3600.0)
    desk = await agent_window()
    async with following(desk) as told:
        await desk.plays(Plan((Command("npm test"),)))
        async with asyncio.timeout(60):
            await told.phase("waiting_approval")
