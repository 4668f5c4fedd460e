"""Cards as the follower tells of them, on the replica."""

import pytest

from monitor.agent.following import following
from tabwire.lab.antigravity import Change, Command, Fail, Limit, Pause, Permit, Plan, Propose, Say
from tabwire.model.agent import AgentCard, card_hash

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

EVERY = ["1.x", "2.0", "cascade", "manager", "app", "cursor"]


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("generation", EVERY)
@pytest.mark.rows(5, first=1)
async def test_s0_055_a_command_asks_once_with_all_it_says(agent_window, generation, lang):
    desk = await agent_window(generation=generation, lang=lang)
    async with following(desk) as told:
        await desk.plays(Plan((Command("git push --force origin main", cwd="~/shop"), Say("Ok."))))
        card = await told.card("command")
        await told.phase("waiting_approval")
        await desk.does("document.title += ' '")
        assert card.command == "git push --force origin main"
        assert card.cwd == ("" if generation == "cursor" else "~/shop")
        assert not card.shortened
        assert card.hash == card_hash(card.kind, card.text, card.cwd, card.command)
        run, no = card.control("run"), card.control("reject", "skip", "cancel")
        assert run is not None
        assert no is not None
        assert run.visible
        assert run.enabled
        assert not run.popup
        assert told.follower.runs.cards[0].id == card.id
    assert len(told.cards) == 1


@pytest.mark.parametrize(
    "step, shortened, command",
    [
        (Command("rm -rf build && make", shown="rm -rf bui…"), True, "rm -rf bui…"),
        (Command("go test ./..."), False, "go test ./..."),
        (Command("cat <<X\na  b\nX"), False, "cat <<X\na  b\nX"),
        (Command("npm test", nested=True), False, "npm test"),
        (Command("npm test", unreadable=True), False, ""),
        (Command("npm test", label="Accept"), False, "npm test"),
    ],
    ids=["shortened", "dots of go", "lines", "nested", "unreadable", "labelled Accept"],
)
@pytest.mark.rows(3, first=2)
async def test_the_command_is_the_whole_command_or_says_so(agent_window, step, shortened, command):
    """S2-017, S2-021: what cannot be read is not made up."""
    desk = await agent_window()
    async with following(desk) as told:
        await desk.plays(Plan((step,)))
        card = (await told.until(lambda e: isinstance(e, AgentCard))).card
    assert (card.command, card.shortened) == (command, shortened)


@pytest.mark.parametrize(
    "state, field",
    [("disabled", "enabled"), ("aria-disabled", "enabled"), ("untouchable", "enabled"),
     ("covered", "occluded")],
)  # fmt: skip
async def test_a_control_says_whether_it_could_be_clicked(agent_window, state, field):
    desk = await agent_window()
    async with following(desk) as told:
        await desk.plays(Plan((Command("npm test", state=state),)))
        card = await told.card("command")
    run = card.control("run")
    assert getattr(run, field) is (field == "occluded")


async def test_s2_022_a_node_used_for_another_command_is_another_card(agent_window):
    desk = await agent_window()
    async with following(desk) as told:
        await desk.plays(Plan((Command("rm -rf /"), Command("ls", reuse=True), Say("Done."))))
        first = await told.card("command")
        await desk.presses_text("Reject")
        second = (
            await told.until(lambda e: isinstance(e, AgentCard) and e.card.command == "ls")
        ).card
    assert first.id != second.id
    assert first.hash != second.hash


async def test_a_command_that_is_swapped_under_the_card_is_another_card(agent_window):
    desk = await agent_window()
    async with following(desk) as told:
        await desk.plays(Plan((Command("ls", swaps=((0.8, "rm -rf /"),)),)))
        first = await told.card("command")
        second = (
            await told.until(lambda e: isinstance(e, AgentCard) and e.card.command == "rm -rf /")
        ).card
    assert first.command == "ls"
    assert first.id != second.id


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("variant", ["once", "plain", "split", "choices", "script", "address"])
@pytest.mark.rows(5, first=1)
async def test_permissions_in_all_their_shapes(agent_window, variant, lang):
    desk = await agent_window(lang=lang)
    async with following(desk) as told:
        await desk.plays(Plan((Permit(variant=variant),)))
        event = await told.until(lambda e: isinstance(e, AgentCard))
        await told.phase("waiting_approval")
    card = event.card
    assert card.kind in ("permission", "question", "accept")
    rules = {one.rule for one in card.controls}
    assert rules & {"allow_once", "allow", "accept", "submit"}
    assert card.text


@pytest.mark.parametrize("bare", [True, False])
async def test_a_permission_without_a_dialog_around_it_is_a_card(agent_window, bare):
    desk = await agent_window()
    async with following(desk) as told:
        await desk.plays(Plan((Permit("Allow directory access to /tmp/x?", bare=bare),)))
        card = await told.card("permission")
    assert "/tmp/x" in card.text
    assert {one.rule for one in card.controls} >= {"allow_once", "always", "reject"}


async def test_a_step_behind_a_banner_asks_too(agent_window):
    desk = await agent_window()
    async with following(desk) as told:
        await desk.plays(Plan((Command("npm test", collapsed=True),)))
        card = await told.card("hidden_step")
        await told.phase("waiting_approval")
    assert card.control("expand") is not None


@pytest.mark.parametrize("generation", ["1.x", "app"])
async def test_s0_060_a_plan_tells_title_summary_and_both_actions(agent_window, generation):
    desk = await agent_window(generation=generation)
    async with following(desk) as told:
        await desk.plays(Plan((Propose("Rework the cart", "In three steps", "1. …"), Say("Ok."))))
        card = await told.card("plan")
        await told.phase("waiting_approval")
        assert "Rework the cart" in card.text
        assert "In three steps" in card.text
        assert card.control("proceed") is not None
        assert card.control("open") is not None
        await desk.presses_text("Proceed")
        assert (await told.ended()).text == "Ok."
    assert len([one for one in told.cards if one.kind == "plan"]) == 1


@pytest.mark.parametrize("where", ["dialog", "overlay"])
async def test_s0_061_an_error_tells_its_words_and_buttons(agent_window, where):
    desk = await agent_window()
    async with following(desk) as told:
        await desk.plays(Plan((Say("Half."), Fail(where=where))))
        card = await told.card("error")
    assert "terminated" in card.text.lower()
    assert {one.rule for one in card.controls} >= {"retry", "dismiss"}


async def test_the_invocation_limit_asks_to_continue(agent_window):
    desk = await agent_window()
    async with following(desk) as told:
        await desk.plays(Plan((Say("Half."), Limit(), Say("Rest."))))
        await told.card("continue")
        await desk.presses_text("Continue")
        assert (await told.ended()).text == "Half.\n\nRest."


async def test_changed_files_are_a_card_that_holds_nothing_up(agent_window):
    desk = await agent_window()
    async with following(desk) as told:
        await desk.plays(Plan((Change((("a.py", 3, 1),)), Say("Done."), Pause(0.2))))
        card = await told.card("files")
        ended = await told.ended()
    assert ended.phase == "complete"
    assert {one.rule for one in card.controls} >= {"accept_all", "reject_all"}
