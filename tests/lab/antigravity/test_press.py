"""Every press is in the ledger as it was, and has the effect the real thing would give it."""

import json

import pytest

from tabwire.lab.antigravity import Command, Did, Imitate, Permit, Plan, Say
from tabwire.lab.antigravity.plans import PLANS

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

CARD = "div.flex.flex-col.gap-2.border.rounded-lg.my-1"
ASK = Plan((Command("npm test", output="12 passing"), Say("Done.")))


def button(label: str) -> str:
    """A program that finds a button by its words."""
    words = "one.innerText.replace(/\\s/g, '')"
    return (
        f"[...document.querySelectorAll('button')].find((one) => {words} === {json.dumps(label)})"
    )


def dispatched(node: str, *kinds: str) -> str:
    """A program that sends an element events of its own making."""
    events = "".join(
        f"node.dispatchEvent(new {'PointerEvent' if kind.startswith('pointer') else 'MouseEvent'}"
        f"('{kind}', {{ bubbles: true, cancelable: true }}));"
        for kind in kinds
    )
    return f"(() => {{ const node = {node}; {events} }})()"


async def test_run_runs_and_the_card_says_so(agent_window):
    desk = await agent_window("ledger")
    run = await desk.plays(ASK)
    card = await desk.asked()
    await desk.presses_text("Run⌥⏎")
    await desk.ends(run)
    (click,) = desk.lab.ledger.clicks(window=desk.window)
    assert click.workspace == "ledger"
    assert (click.control, click.label, click.card) == ("run", "Run⌥⏎", card["id"])
    assert (click.command, click.shown) == ("npm test", "npm test")
    assert (click.trusted, click.took) == (True, True)
    (ran,) = desk.did(Did.RAN)
    assert (ran.card, ran.command, ran.number) == (card["id"], "npm test", click.number + 1)
    said = await desk.finds(f"document.querySelector('{CARD}').innerText")
    assert "Ran command" in said
    assert "Run⌥⏎" not in said


@pytest.mark.soak
async def test_reject_rejects(agent_window):
    desk = await agent_window()
    run = await desk.plays(ASK)
    await desk.asked()
    await desk.presses_text("Reject")
    await desk.ends(run)
    assert desk.did(Did.RAN) == ()
    assert [one.command for one in desk.did(Did.REJECTED)] == ["npm test"]
    assert "Rejected command" in await desk.finds("document.body.innerText")


@pytest.mark.soak
async def test_what_a_script_presses_is_known_for_it(agent_window):
    desk = await agent_window()
    run = await desk.plays(ASK)
    await desk.asked()
    await desk.does(f"{button('Run⌥⏎')}.click()")
    await desk.ends(run)
    (click,) = desk.lab.ledger.clicks("run", desk.window)
    assert (click.trusted, click.took) == (False, True)


@pytest.mark.soak
async def test_an_event_beside_the_button_does_nothing(agent_window):
    desk = await agent_window()
    await desk.plays(ASK)
    await desk.asked()
    await desk.does(f"document.querySelector('{CARD}').click()")
    (click,) = await desk.lab.until(lambda: desk.did(Did.CLICK))
    assert (click.control, click.took) == ("", False)
    assert len(desk.lab.cards(desk.window)) == 1


@pytest.mark.soak
async def test_a_strict_panel_wants_pointer_events(agent_window):
    desk = await agent_window(strict=True)
    run = await desk.plays(ASK)
    await desk.asked()
    await desk.does(f"{button('Run⌥⏎')}.click()")
    (click,) = await desk.lab.until(lambda: desk.did(Did.CLICK))
    assert (click.control, click.took) == ("run", False)
    await desk.does(dispatched(button("Run⌥⏎"), "pointerdown", "mousedown", "mouseup", "click"))
    await desk.ends(run)
    assert [one.took for one in desk.did(Did.CLICK)] == [False, True]


async def test_a_choice_and_its_submit_want_pointer_events(agent_window):
    desk = await agent_window()
    run = await desk.plays(Plan((Permit(variant="choices"),)))
    await desk.asked()
    option = "[...document.querySelectorAll('label')].find((one) => one.innerText === 'Allow Once')"
    await desk.does(f"{option}.click()")
    await desk.lab.until(lambda: desk.did(Did.CLICK))
    assert await desk.finds(f"{button('Submit')}.disabled")
    await desk.does(dispatched(option, "mousedown", "mouseup", "click"))
    await desk.sees(f"!{button('Submit')}.disabled")
    await desk.does(dispatched(button("Submit"), "mousedown", "mouseup", "click"))
    await desk.ends(run)
    (allowed,) = desk.did(Did.ALLOWED)
    assert allowed.label == "Allow Once"


STATES = ["disabled", "aria-disabled", "untouchable", "hidden", "covered"]


@pytest.mark.parametrize("state", STATES)
@pytest.mark.soak
async def test_a_button_that_cannot_be_pressed_is_not(agent_window, state):
    desk = await agent_window()
    await desk.plays(Plan((Command("ls", state=state),)))
    await desk.asked()
    if state == "hidden":
        assert not await desk.finds("document.body.innerText.includes('Run⌥⏎')")
        return
    await desk.presses_at(f"{button('Run⌥⏎')}", 10)
    await desk.does("1")
    assert desk.lab.ledger.ran(desk.window) == ()
    assert len(desk.lab.cards(desk.window)) == 1


async def test_a_state_may_pass(agent_window):
    desk = await agent_window()
    run = await desk.plays(Plan((Command("ls", state="disabled", state_seconds=1),)))
    await desk.asked()
    await desk.sees(f"{button('Run⌥⏎')} && !{button('Run⌥⏎')}.disabled")
    await desk.presses_text("Run⌥⏎")
    await desk.ends(run)
    assert desk.lab.ledger.ran(desk.window) == ("ls",)


@pytest.mark.soak
async def test_the_list_box_is_no_answer_and_always_run_stays_chosen(agent_window):
    desk = await agent_window()
    await desk.plays(ASK)
    await desk.asked()
    await desk.does(f"{button('Askeverytime')}.click()")  # it opens on a press, not on a click
    await desk.lab.until(lambda: desk.did(Did.CLICK))
    assert await desk.counts("[role=listbox] [role=option]") == 0
    await desk.presses_on("button[aria-haspopup=listbox]")
    await desk.presses_text("Always run")
    (chosen,) = await desk.lab.until(lambda: desk.did(Did.POLICY))
    assert chosen.text == "Always run"
    await desk.sees(
        "document.querySelector('button[aria-haspopup=listbox]').innerText === 'Always run'"
    )
    assert len(desk.lab.cards(desk.window)) == 1


@pytest.mark.soak
async def test_a_collapsed_step_asks_only_when_it_is_expanded(agent_window):
    desk = await agent_window()
    run = await desk.plays(PLANS["collapsed"])
    await desk.asked()
    assert "1 Step Requires Input" in await desk.finds("document.body.innerText")
    assert not await desk.finds("document.body.innerText.includes('Run⌥⏎')")
    await desk.presses_text("Expand")
    await desk.presses_text("Run⌥⏎")
    await desk.lab.until(lambda: desk.did(Did.RAN))
    await desk.presses_text("Expand")
    await desk.presses_text("Allow Once")
    await desk.ends(run)


@pytest.mark.soak
async def test_what_only_looks_like_a_dialog_runs_nothing(agent_window):
    desk = await agent_window()
    run = await desk.plays(Plan((Imitate(), Say("Well?"))))
    await desk.ends(run)
    assert await desk.counts(".leading-relaxed [role=dialog] button") == 3
    await desk.presses_text("Accept")
    (click,) = await desk.lab.until(lambda: desk.did(Did.CLICK))
    assert (click.control, click.command) == ("imitation", "rm -rf /")
    assert desk.lab.ledger.ran(desk.window) == ()


@pytest.mark.parametrize("generation", ["1.x", "2.0", "app", "manager", "cursor"])
@pytest.mark.rows(1)
async def test_a_card_is_answered_wherever_the_panel_stands(agent_window, generation):
    desk = await agent_window(generation=generation)
    run = await desk.plays(PLANS["danger"])
    label = "Accept⏎" if generation == "cursor" else "Accept"
    await desk.asked()
    await desk.presses_text(label)
    await desk.lab.until(lambda: len(desk.did(Did.RAN)) == 1)
    await desk.asked()
    await desk.presses_text(label)
    await desk.ends(run)
    assert desk.lab.ledger.ran(desk.window) == ("rm -rf /", "ls")


@pytest.mark.parametrize("generation", ["settings", "browser"])
@pytest.mark.soak
async def test_a_press_on_a_page_that_is_nobody_s_business_is_noticed(agent_window, generation):
    desk = await agent_window(generation=generation)
    await desk.presses_text("Run")
    (click,) = await desk.lab.until(lambda: desk.did(Did.CLICK))
    assert click.control == "elsewhere"


@pytest.mark.soak
async def test_presses_around_the_panel_are_noticed(agent_window):
    desk = await agent_window()
    await desk.presses_text("Run Task…")
    await desk.presses_text("run")
    clicks = await desk.lab.until(lambda: len(desk.did(Did.CLICK)) == 2 and desk.did(Did.CLICK))
    assert [one.control for one in clicks] == ["elsewhere", "file"]
