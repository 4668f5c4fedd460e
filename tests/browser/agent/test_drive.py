"""A prompt, a stop, a choice in the replica's panel, compared with its ledger. Real Chromium."""

import pytest
import pytest_asyncio

from tabwire.browser.agent.drive import driving
from tabwire.browser.agent.errors import (
    AgentBusy,
    NoSuchName,
    NotDone,
    PanelNotShown,
    PromptMaybeSent,
    PromptNotSent,
)
from tabwire.browser.agent.lists import (
    choose,
    list_choices,
    list_conversations,
    select_conversation,
)
from tabwire.browser.agent.prompt import is_new_turn, send_prompt
from tabwire.browser.agent.targets import at_port, windows_at
from tabwire.browser.agent.window import AgentWindow
from tabwire.lab.antigravity import Command, Did, Past, Plan, Say, Stall
from tabwire.lab.antigravity.window import MODELS
from tabwire.model.agent import OpenTurn, Panel, TurnSeen
from tabwire.model.errors import Retry

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

GENERATIONS = ["1.x", "2.0", "app", "cascade"]
EDITOR = "[data-lexical-editor]"
ANSWER = Plan((Say("Done."),))
PAST = (
    Past("Fix login", "2 mins ago", turns=(("Fix the login.", "It is fixed."),)),
    Past("Fix login page", "1 hr ago", turns=(("Fix the page.", "It is fixed, too."),)),
    Past("Twice", "1 hr ago"),
    Past("Twice", "2 hrs ago"),
    Past("Another project", "3 days ago", here=False),
)


@pytest_asyncio.fixture
async def driver(agent_window, antigravity):
    """Open a window and take its wheel: `desk, drive = await driver(generation="2.0")`."""
    opened = []

    async def one(**settings):
        desk = await agent_window(**settings)
        windows = await windows_at(antigravity.port)
        (window,) = [one for one in windows if one.id == antigravity.target(desk.window)]
        block = driving(AgentWindow(at_port(antigravity.port, window), window))
        opened.append(block)
        return desk, await block.__aenter__()

    yield one
    for block in opened:
        await block.__aexit__(None, None, None)


def prompts(desk):
    return [one.text for one in desk.did(Did.PROMPT)]


async def standing(desk):
    inside = "(document.querySelector('iframe')?.contentDocument ?? document)"
    text = await desk.finds(f"{inside}.querySelector('{EDITOR}').innerText")
    return text.strip()


async def writes(desk, text):
    inside = "(document.querySelector('iframe')?.contentDocument ?? document)"
    await desk.finds(f"{inside}.querySelector('{EDITOR}').focus()")
    await desk.session.call("Emulation.setFocusEmulationEnabled", {"enabled": True})
    await desk.session.call("Input.insertText", {"text": text})
    await desk.sees(f"{inside}.querySelector('{EDITOR}').innerText.trim().length > 0")


@pytest.mark.parametrize("generation", GENERATIONS)
async def test_a_prompt_arrives_once_and_is_proven_by_its_turn(driver, generation):
    desk, drive = await driver(generation=generation, plans=(ANSWER,))
    sent = await send_prompt(drive, "Add VAT.\n\nAnd tests, please.")
    assert prompts(desk) == ["Add VAT.\n\nAnd tests, please."]
    assert sent.how == "button"
    assert sent.turn == drive.panel.turns[-1].token
    assert not sent.draft
    assert await standing(desk) == ""


@pytest.mark.parametrize("generation", GENERATIONS)
async def test_a_half_typed_draft_is_not_sent_and_stands_there_again(driver, generation):
    """S2-044."""
    desk, drive = await driver(generation=generation, plans=(ANSWER,))
    await writes(desk, "half a thou")
    kept = []

    async def keep(draft):
        kept.append(draft)

    sent = await send_prompt(drive, "Add VAT.", keep=keep)
    assert prompts(desk) == ["Add VAT."]
    assert sent.draft
    assert await standing(desk) == "half a thou"
    assert kept == ["half a thou", ""]


@pytest.mark.parametrize("prompt", ["look at @", "use /de", "mail a@b.example"])
async def test_a_list_over_the_composer_is_closed_and_the_prompt_goes_whole(driver, prompt):
    desk, drive = await driver(plans=(ANSWER,))
    await send_prompt(drive, prompt)
    assert prompts(desk) == [prompt]
    assert desk.did(Did.PICK) == ()


async def test_a_list_that_stays_open_means_not_sent(driver):
    """S2-045."""
    desk, drive = await driver()
    await desk.finds(
        "addEventListener('keydown', (event) => event.key === 'Escape' && "
        "event.stopImmediatePropagation(), true)"
    )
    with pytest.raises(PromptNotSent, match="Enter would choose") as said:
        await send_prompt(drive, "look at @")
    assert said.value.retry is Retry.SAME
    assert prompts(desk) == []
    assert desk.did(Did.PICK) == ()
    assert await standing(desk) == ""


async def test_somebody_who_picks_just_now_is_not_interrupted(driver):
    desk, drive = await driver()
    await writes(desk, "look at @")
    with pytest.raises(PromptNotSent, match="someone is typing"):
        await send_prompt(drive, "Add VAT.")
    assert prompts(desk) == []
    assert await standing(desk) == "look at @"


async def test_a_send_that_does_nothing_is_not_reported_as_sent(driver):
    """S2-045, the other way: the press is swallowed, and the prompt still stands there."""
    desk, drive = await driver()
    await writes(desk, "mine")
    await desk.finds("addEventListener('click', (event) => event.stopImmediatePropagation(), true)")
    with pytest.raises(PromptNotSent, match="it is still in the composer"):
        await send_prompt(drive, "Add VAT.")
    assert prompts(desk) == []
    assert await standing(desk) == "mine"


async def test_a_prompt_that_vanished_without_a_turn_is_unknown(driver):
    desk, drive = await driver()
    await desk.finds(
        "addEventListener('click', (event) => { event.stopImmediatePropagation(); "
        f"document.querySelector('{EDITOR}').focus(); document.execCommand('selectAll'); "
        "document.execCommand('delete'); }, true)"
    )
    with pytest.raises(PromptMaybeSent) as said:
        await send_prompt(drive, "Add VAT.")
    assert said.value.retry is Retry.RESUME
    assert prompts(desk) == []


async def test_a_line_lost_after_the_press_is_unknown(driver, antigravity, monkeypatch):
    desk, drive = await driver(plans=(ANSWER,))
    look = drive.look

    async def lost():
        if prompts(desk):
            await antigravity.cut()
        return await look()

    monkeypatch.setattr(drive, "look", lost)
    with pytest.raises(PromptMaybeSent) as said:
        await send_prompt(drive, "Add VAT.")
    assert said.value.retry is Retry.RESUME
    assert prompts(desk) == ["Add VAT."]


async def test_nothing_is_sent_while_the_agent_works_or_asks(driver):
    desk, drive = await driver()
    await desk.plays(Plan((Command("ls"), Stall())))
    await desk.asked()
    with pytest.raises(AgentBusy, match="waiting for your decision"):
        await send_prompt(drive, "More.")
    await desk.presses_text("Run⌥⏎")
    await drive.until(lambda panel: not panel.cards)
    with pytest.raises(AgentBusy, match="it is working"):
        await send_prompt(drive, "More.")
    assert prompts(desk) == []


async def test_a_run_that_begins_while_we_type_keeps_the_prompt_back(driver):
    desk, drive = await driver()
    await writes(desk, "mine")

    async def keep(draft):
        if draft:
            await desk.plays(Plan((Stall(),)))

    with pytest.raises(PromptNotSent, match="someone else started a run"):
        await send_prompt(drive, "Add VAT.", keep=keep)
    assert prompts(desk) == []
    assert await standing(desk) == "mine"


async def test_neither_the_ime_nor_the_terminal_is_taken_for_the_composer(driver):
    """S2-046: both are in the replica's window."""
    desk, drive = await driver(plans=(ANSWER,))
    assert await desk.counts("textarea.ime-text-area") == 1
    assert await desk.counts("textarea.xterm-helper-textarea") == 1
    await send_prompt(drive, "Add VAT.")
    typed = "[...document.querySelectorAll('textarea')].map((one) => one.value).join('')"
    assert await desk.finds(typed) == ""
    assert prompts(desk) == ["Add VAT."]


async def test_without_a_panel_nothing_is_guessed(driver):
    desk, drive = await driver()
    await desk.finds("document.querySelector('.antigravity-agent-side-panel').remove()")
    with pytest.raises(PanelNotShown):
        await send_prompt(drive, "Add VAT.")


# --- stop, new chat -------------------------------------------------------------------------


@pytest.mark.parametrize("generation", GENERATIONS)
async def test_stop_stops_and_says_when_nothing_runs(driver, generation):
    desk, drive = await driver(generation=generation)
    assert await drive.stop() is False
    run = await desk.plays(Plan((Stall(),)))
    await drive.until(lambda panel: panel.stop)
    assert await drive.stop() is True
    await run.ended()
    assert len(desk.did(Did.STOP)) == 1


@pytest.mark.parametrize("generation", GENERATIONS)
async def test_a_new_chat_is_begun_once(driver, generation):
    desk, drive = await driver(generation=generation, turns=(("Before?", "Yes."),), title="Before")
    assert await drive.new_chat() is True
    assert await drive.new_chat() is False
    assert len(desk.did(Did.CHAT)) == 1
    assert drive.panel.turns == ()


async def test_a_run_is_not_left_behind_by_a_new_chat(driver):
    desk, drive = await driver()
    await desk.plays(Plan((Stall(),)))
    await drive.until(lambda panel: panel.stop)
    with pytest.raises(AgentBusy):
        await drive.new_chat()
    assert desk.did(Did.CHAT) == ()
    assert await drive.new_chat(leave_running=True)


# --- conversations --------------------------------------------------------------------------


@pytest.mark.parametrize("generation", ["1.x", "2.0", "manager"])
async def test_conversations_are_listed_and_the_list_is_closed_again(driver, generation):
    desk, drive = await driver(generation=generation, past=PAST)
    found = await list_conversations(drive)
    assert [one.name for one in found if one.here][-4:] == [
        "Twice",
        "Twice",
        "Fix login page",
        "Fix login",
    ]
    assert await desk.counts(".bg-quickinput-background") == 0
    if generation == "1.x":
        assert [one.name for one in found if not one.here] == ["Another project"]
        assert ("Fix login", "2 mins ago") in [(one.name, one.when) for one in found]


@pytest.mark.parametrize("generation", ["1.x", "2.0", "manager", "cascade"])
async def test_a_conversation_is_opened_by_its_exact_name_and_seen_to_be(driver, generation):
    """S2-042."""
    desk, drive = await driver(generation=generation, past=PAST, plans=(ANSWER,))
    sent = await send_prompt(drive, "Once more.", conversation="Fix login")
    assert sent.conversation == "Fix login"
    (asked,) = desk.did(Did.PROMPT)
    assert asked.title == "Fix login"
    assert [one.title for one in desk.did(Did.OPEN)] == ["Fix login"]
    await drive.until(lambda panel: not panel.stop)
    await select_conversation(drive, "Fix login")
    assert len(desk.did(Did.OPEN)) == 1, "it was open already"


BAD = [
    # id, name, what is said
    ("unknown", "Fix logout", "there is no conversation named 'Fix logout'"),
    ("only its beginning", "Fix", "there is no conversation named 'Fix'"),
    ("other letters", "fix login", "there is no conversation named"),
    ("two of them", "Twice", "2 have this name"),
    ("another workspace's", "Another project", "another workspace"),
]


@pytest.mark.parametrize("name, said", [c[1:] for c in BAD], ids=[c[0] for c in BAD])
async def test_a_name_that_is_not_there_is_an_error_and_nothing_is_sent(driver, name, said):
    desk, drive = await driver(past=PAST)
    with pytest.raises(NoSuchName, match=said) as raised:
        await send_prompt(drive, "Once more.", conversation=name)
    assert "Fix login" in raised.value.names
    assert prompts(desk) == []
    assert desk.did(Did.OPEN) == ()
    assert await desk.counts(".bg-quickinput-background") == 0


# --- pickers --------------------------------------------------------------------------------


@pytest.mark.parametrize("generation", GENERATIONS)
async def test_a_model_is_chosen_by_its_exact_name_and_read_back(driver, generation):
    desk, drive = await driver(generation=generation)
    now, names = await list_choices(drive, "model")
    assert (now, names) == (MODELS[0], tuple(MODELS))
    assert await choose(drive, "model", MODELS[2]) == MODELS[2]
    assert desk.lab.chosen(desk.window)[0] == MODELS[2]
    with pytest.raises(NoSuchName) as said:
        await choose(drive, "model", MODELS[1].split(" (")[0] + " no such")
    assert said.value.names == tuple(MODELS)
    assert len(desk.did(Did.MODEL)) == 1


async def test_a_mode_is_chosen_and_one_that_is_not_there_is_said(driver):
    desk, drive = await driver()
    now, names = await list_choices(drive, "mode")
    assert sorted(names) == ["Fast", "Planning"]
    other = next(name for name in names if name != now)
    assert await choose(drive, "mode", other) == other
    assert desk.lab.chosen(desk.window)[1] == other
    with pytest.raises(NoSuchName):
        await choose(drive, "mode", "Slow")


async def test_a_panel_without_modes_says_so(driver):
    _, drive = await driver(generation="app")
    with pytest.raises(NotDone, match="no mode picker"):
        await choose(drive, "mode", "Fast")


# --- files, pictures ------------------------------------------------------------------------


@pytest.mark.parametrize("generation", ["1.x", "2.0", "app"])
async def test_files_go_with_the_prompt(driver, tmp_path, generation):
    desk, drive = await driver(generation=generation, plans=(ANSWER,))
    paths = [tmp_path / "one.png", tmp_path / "two.png"]
    for path in paths:
        path.write_bytes(b"\x89PNG\r\n\x1a\n")
    sent = await send_prompt(drive, "Look at these.", files=paths)
    assert sent.files == ("one.png", "two.png")
    (asked,) = desk.did(Did.PROMPT)
    assert asked.files == ("one.png", "two.png")


async def test_a_file_that_is_not_there_means_nothing_is_sent(driver, tmp_path):
    desk, drive = await driver()
    with pytest.raises(PromptNotSent, match="file not found"):
        await send_prompt(drive, "Look.", files=[tmp_path / "none.png"])
    assert prompts(desk) == []


async def test_a_picture_of_the_window_is_a_png(driver):
    _, drive = await driver()
    assert (await drive.picture()).startswith(b"\x89PNG")


async def test_a_hidden_window_takes_a_prompt_and_stays_hidden(driver):
    desk, drive = await driver(plans=(ANSWER,))
    await desk.lab.hide(desk.window)
    await send_prompt(drive, "Add VAT.")
    assert prompts(desk) == ["Add VAT."]


# --- the proof ------------------------------------------------------------------------------


def panel(*turns, user=""):
    seen = tuple(TurnSeen(token, said) for token, said in turns)
    last = (OpenTurn(turns[-1][0], user),) if turns else ()
    return Panel(panel=True, turns=seen, open=last)


PROOFS = [
    # id, before, now, is it ours?
    ("first turn", panel(), panel((1, "a"), user="ask"), True),
    ("another turn", panel((1, "b")), panel((1, "b"), (2, "a"), user="ask"), True),
    ("the same question again", panel((1, "a")), panel((1, "a"), (2, "a"), user="ask"), True),
    ("drawn anew, nothing came", panel((1, "a")), panel((9, "a"), user="ask"), False),
    ("nothing came", panel((1, "a")), panel((1, "a"), user="ask"), False),
    ("somebody else's question", panel(), panel((1, "c"), user="other"), False),
    (
        "an older turn is not drawn any more",
        panel((1, "b"), (2, "c")),
        panel((3, "a"), user="ask"),
        True,
    ),
    ("empty", panel(), panel(), False),
]


@pytest.mark.parametrize("before, now, ours", [c[1:] for c in PROOFS], ids=[c[0] for c in PROOFS])
async def test_only_a_new_turn_that_says_it_proves_it(before, now, ours):
    assert is_new_turn(before, now, "ask") is ours
