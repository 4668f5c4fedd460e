"""Somebody types: a prompt becomes a turn, the typeahead comes first, and Stop stops."""

import pytest

from tabwire.lab.antigravity import MODELS, Command, Did, Past, Plan, Say, Stall
from tabwire.lab.antigravity.plans import PLANS

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

BOX = {
    "1.x": r"#antigravity\.agentSidePanelInputBox [role=textbox]",
    "2.0": r"#antigravity\.agentSidePanelInputBox [role=combobox]",
    "app": r"#antigravity\.agentSidePanelInputBox [role=combobox]",
}
STOP = "[data-tooltip-id=input-send-button-cancel-tooltip]"
SEND = "[data-tooltip-id=input-send-button-send-tooltip]"
MENU = ".lexical-typeahead-menu"
TITLE = "[class*=border-b] > div[class*=text-ellipsis]"
PAST = (Past("Fix login"), Past("Write docs"), Past("Far away", here=False))


def text(selector: str) -> str:
    return f"document.querySelector({selector!r})?.innerText"


@pytest.mark.parametrize("generation", BOX)
@pytest.mark.rows(1)
async def test_a_prompt_becomes_a_turn_and_starts_the_next_plan(agent_window, generation):
    desk = await agent_window(generation=generation, plans=(Plan((Say("Planned."),)),))
    await desk.writes(BOX[generation], "Fix the cart")
    await desk.presses("Enter")
    (prompt,) = await desk.lab.until(lambda: desk.did(Did.PROMPT))
    assert (prompt.text, prompt.by, prompt.trusted) == ("Fix the cart", "enter", True)
    assert prompt.conversation
    await desk.sees("document.body.innerText.includes('Planned.')")
    assert await desk.finds(f"document.querySelector({BOX[generation]!r}).innerText.trim()") == ""
    await desk.sees(f"document.querySelector('{SEND}')")
    await desk.writes(BOX[generation], "And now?")  # no plan is left: a short answer
    await desk.presses_on(SEND)
    await desk.lab.until(lambda: len(desk.did(Did.PROMPT)) == 2)
    assert desk.did(Did.PROMPT)[1].by == "button"
    assert desk.lab.ledger.prompts(desk.window) == ("Fix the cart", "And now?")


@pytest.mark.soak
async def test_lines_stay_lines(agent_window):
    desk = await agent_window()
    await desk.writes(BOX["1.x"], "one\ntwo\n\nfour 日本語")
    await desk.presses("Enter")
    await desk.lab.until(lambda: desk.did(Did.PROMPT))
    assert desk.lab.ledger.prompts(desk.window) == ("one\ntwo\n\nfour 日本語",)


@pytest.mark.soak
async def test_text_set_by_a_script_is_not_in_the_editor(agent_window):
    """As measured: `innerText =` alone does not reach the editor's state."""
    desk = await agent_window()
    await desk.does(f"document.querySelector({BOX['1.x']!r}).innerText = 'smuggled'")
    await desk.finds(f"document.querySelector({BOX['1.x']!r}).focus()")
    await desk.presses("Enter")
    await desk.does("1")
    assert desk.did(Did.PROMPT) == ()


@pytest.mark.soak
async def test_an_editing_command_of_the_page_is(agent_window):
    desk = await agent_window()
    await desk.finds(f"document.querySelector({BOX['1.x']!r}).focus()")
    await desk.does("document.execCommand('insertText', false, 'by command')")
    await desk.does(
        f"document.querySelector({BOX['1.x']!r}).dispatchEvent("
        "new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))"
    )
    (prompt,) = await desk.lab.until(lambda: desk.did(Did.PROMPT))
    assert (prompt.text, prompt.trusted) == ("by command", False)


@pytest.mark.parametrize("generation", ["1.x", "2.0"])
@pytest.mark.soak
async def test_enter_picks_while_the_typeahead_is_open(agent_window, generation):
    desk = await agent_window(generation=generation)
    box = BOX[generation]
    await desk.writes(box, "look at @")
    await desk.sees(f"document.querySelector('{MENU}')")
    active = f"document.querySelector({box!r}).getAttribute('aria-activedescendant')"
    assert await desk.finds(active) == "typeahead-item-0"
    await desk.presses("Enter")
    (pick,) = await desk.lab.until(lambda: desk.did(Did.PICK))
    assert pick.text == "Files"
    await desk.sees(f"!document.querySelector('{MENU}')")
    assert desk.did(Did.PROMPT) == ()
    assert await desk.finds(active) is None
    await desk.presses("Enter")
    await desk.lab.until(lambda: desk.did(Did.PROMPT))
    assert desk.lab.ledger.prompts(desk.window) == ("look at @Files",)


async def test_escape_closes_the_typeahead(agent_window):
    desk = await agent_window()
    await desk.writes(BOX["1.x"], "/dep")
    await desk.sees(f"document.querySelector('{MENU}')")
    await desk.presses("Escape")
    await desk.sees(f"!document.querySelector('{MENU}')")
    await desk.presses("Enter")
    await desk.lab.until(lambda: desk.did(Did.PROMPT))
    assert desk.lab.ledger.prompts(desk.window) == ("/dep",)


@pytest.mark.parametrize("generation", BOX)
@pytest.mark.soak
async def test_stop_stops_and_says_so(agent_window, generation):
    desk = await agent_window(generation=generation)
    run = await desk.plays(Plan((Say("I begin."), Stall())))
    await desk.presses_on(STOP)
    await desk.ends(run)
    assert len(desk.did(Did.STOP)) == 1
    await desk.sees(f"document.querySelector('{SEND}') && !document.querySelector('{STOP}')")


@pytest.mark.soak
async def test_stop_in_an_approval_takes_the_card_back(agent_window):
    desk = await agent_window()
    run = await desk.plays(Plan((Command("rm -rf ~"), Say("never"))))
    await desk.asked()
    await desk.presses_on(STOP)
    await desk.ends(run)
    assert desk.lab.cards(desk.window) == []
    assert desk.did(Did.RAN) == ()
    said = await desk.finds("document.body.innerText")
    assert "Canceled command" in said
    assert "never" not in said


@pytest.mark.soak
async def test_stop_may_be_known_by_its_words_alone(agent_window):
    desk = await agent_window(stop="生成を停止", lang="ja")
    run = await desk.plays(Plan((Stall(),)))
    await desk.drawn()
    assert await desk.counts(STOP) == 0
    await desk.presses_text("生成を停止")
    await desk.ends(run)


@pytest.mark.soak
async def test_a_prompt_while_it_works_is_queued(agent_window):
    desk = await agent_window()
    await desk.plays(Plan((Say("One.", seconds=2),)))
    await desk.writes(BOX["1.x"], "next")
    await desk.presses("Enter")
    (prompt,) = await desk.lab.until(lambda: desk.did(Did.PROMPT))
    assert prompt.queued
    await desk.sees("document.body.innerText.includes('Nothing else was needed.')")


@pytest.mark.soak
async def test_dialogs_of_pickers_are_there_before_they_are_open(agent_window):
    desk = await agent_window()
    assert await desk.counts("[role=dialog]") == 4
    trigger = "[role=button]:has(svg[class*=chevron] + span.text-ellipsis)"
    assert await desk.finds(f"document.querySelector('{trigger}').ariaExpanded") == "false"
    await desk.presses_on(trigger)
    await desk.sees(f"document.querySelector('{trigger}').ariaExpanded === 'true'")
    await desk.presses_text(MODELS[2])
    (chosen,) = await desk.lab.until(lambda: desk.did(Did.MODEL))
    assert chosen.text == MODELS[2]
    assert desk.lab.chosen(desk.window) == (MODELS[2], "Planning")
    selected = r"[role=dialog] .px-2.py-1.cursor-pointer.bg-gray-500\/20 span.font-medium > span"
    await desk.sees(f"{text(selected)} === '{MODELS[2]}'")
    assert await desk.finds(f"document.querySelector('{trigger}').ariaExpanded") == "false"


async def test_the_mode_is_chosen(agent_window):
    desk = await agent_window()
    await desk.presses_text("Planning")
    await desk.presses_text("Fast")
    (chosen,) = await desk.lab.until(lambda: desk.did(Did.MODE))
    assert chosen.text == "Fast"
    faces = "[...document.querySelectorAll('[role=button] > button')]"
    await desk.sees(f"{faces}.some((one) => one.innerText === 'Fast')")


@pytest.mark.soak
async def test_the_app_has_its_model_in_a_label(agent_window):
    desk = await agent_window(generation="app")
    assert await desk.counts("[role=dialog]") == 0
    await desk.presses_on('button[aria-label^="Select model"]')
    await desk.presses_text(MODELS[3])
    await desk.lab.until(lambda: desk.did(Did.MODEL))
    await desk.sees(
        f"document.querySelector('button[aria-label=\"Select model, current: {MODELS[3]}\"]')"
    )


@pytest.mark.soak
async def test_a_past_conversation_is_opened_by_a_hand_and_not_by_a_script(agent_window):
    desk = await agent_window(past=PAST, turns=(("Now?", "Now."),))
    await desk.presses_on("[data-past-conversations-toggle]")
    quick = 'div[class*="bg-quickinput-background"]'
    await desk.sees(f"document.querySelector('{quick}')")
    said = (await desk.finds(text(quick))).split("\n")
    assert said.index("Fix login") < said.index("Other Conversations") < said.index("Far away")
    rows = f"[...document.querySelectorAll('{quick} div[class*=cursor-pointer]')]"
    row = f"{rows}.find((one) => one.innerText.includes('Fix login'))"
    events = "['pointerdown', 'mousedown', 'mouseup', 'click']"
    made = "new MouseEvent(kind, { bubbles: true })"
    await desk.does(f"for (const kind of {events}) {row}.dispatchEvent({made})")
    (click,) = await desk.lab.until(lambda: desk.lab.ledger.clicks("conversation", desk.window))
    assert click.took is False
    await desk.presses_text("Fix login")
    (opened,) = await desk.lab.until(lambda: desk.did(Did.OPEN))
    assert opened.title == "Fix login"
    await desk.sees(f"{text(TITLE)} === 'Fix login'")
    assert await desk.counts(quick) == 0


@pytest.mark.soak
async def test_the_list_of_conversations_closes_with_escape(agent_window):
    desk = await agent_window(past=PAST)
    await desk.presses_on("[data-past-conversations-toggle]")
    await desk.sees("document.querySelector('.bg-quickinput-background')")
    await desk.presses("Escape")
    await desk.sees("!document.querySelector('.bg-quickinput-background')")


@pytest.mark.soak
async def test_a_new_chat_is_empty_and_cannot_be_made_twice(agent_window):
    desk = await agent_window(turns=(("Old?", "Old."),), title="Old one")
    link = "a[data-tooltip-id=new-conversation-tooltip]"
    assert (
        await desk.finds(f"getComputedStyle(document.querySelector('{link}')).cursor") == "pointer"
    )
    await desk.presses_on(link)
    await desk.lab.until(lambda: desk.did(Did.CHAT))
    await desk.sees(f"{text(TITLE)} === 'Agent'")
    cursor = f"getComputedStyle(document.querySelector('{link}')).cursor"
    assert await desk.finds(cursor) == "not-allowed"
    await desk.presses_on(link)
    await desk.does("1")
    assert len(desk.did(Did.CHAT)) == 1


@pytest.mark.soak
async def test_the_agent_works_on_in_a_conversation_that_is_not_shown(agent_window):
    desk = await agent_window(generation="app", past=PAST)
    run = await desk.plays(Plan((Command("ls", ask=False, run_seconds=2), Say("Behind."))), "Go on")
    await desk.presses_text("Fix login")
    await desk.lab.until(lambda: desk.did(Did.OPEN))
    await desk.ends(run)
    assert "Behind." not in await desk.finds("document.body.innerText")
    await desk.presses_text("Go on")
    await desk.sees("document.body.innerText.includes('Behind.')")


@pytest.mark.soak
async def test_files_go_with_the_prompt(agent_window, tmp_path):
    desk = await agent_window()
    picture = tmp_path / "cart.png"
    picture.write_bytes(b"x")
    found = await desk.session.call(
        "Runtime.evaluate", {"expression": "document.querySelector('input[type=file]')"}
    )
    where = {"objectId": found["result"]["objectId"], "files": [str(picture)]}
    await desk.session.call("DOM.setFileInputFiles", where)
    await desk.lab.until(lambda: desk.did(Did.ATTACH))
    await desk.writes(BOX["1.x"], "What is this?")
    await desk.presses("Enter")
    (prompt,) = await desk.lab.until(lambda: desk.did(Did.PROMPT))
    assert prompt.files == ("cart.png",)


@pytest.mark.soak
async def test_a_title_comes_with_the_first_prompt_or_from_the_plan(agent_window):
    desk = await agent_window()
    await desk.plays(PLANS["answer"], "Tell me")
    await desk.sees(f"{text(TITLE)} === 'Tell me'")
    assert desk.lab.conversation(desk.window) == "Tell me"
