"""The scripted agent plays its plan in the page: words grow, rows come, and faults befall it."""

import json
from contextlib import suppress
from itertools import pairwise

import pytest

from tabwire.lab.antigravity import (
    Change,
    Command,
    Did,
    Fill,
    Flicker,
    Limit,
    Pause,
    Permit,
    Picture,
    Plan,
    Quota,
    Rerender,
    Say,
    Stall,
    Think,
    Tool,
    Virtual,
)
from tabwire.lab.antigravity.plans import LONG, PLANS

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

TEXT = ".leading-relaxed.select-text"
CARD = "div.flex.flex-col.gap-2.border.rounded-lg.my-1"
STOP = "[data-tooltip-id=input-send-button-cancel-tooltip]"
SEND = "[data-tooltip-id=input-send-button-send-tooltip]"
GENERATIONS = ["1.x", "2.0", "app"]


def all_of(selector: str) -> str:
    return f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.innerText)"


@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.rows(1)
async def test_an_answer_grows_and_ends(agent_window, generation):
    desk = await agent_window(generation=generation)
    lengths = f"""(() => {{
      window.lengths = [];
      const watch = new MutationObserver(() => {{
        const all = [...document.querySelectorAll("{TEXT}")];
        window.lengths.push(all.at(-1)?.innerText.length ?? 0);
      }});
      watch.observe(document, {{ subtree: true, childList: true, characterData: true }});
    }})()"""
    await desk.finds(lengths)
    run = await desk.plays(Plan((Say("word " * 40, seconds=0.8, pieces=8),)))
    await desk.sees(f"document.querySelector('{STOP}')")
    await desk.ends(run)
    await desk.sees(f"document.querySelector('{SEND}')")
    seen = sorted(set(await desk.finds("window.lengths")))
    assert len(seen) >= 4
    assert (await desk.finds(all_of(TEXT)))[-1].split() == ["word"] * 40


@pytest.mark.parametrize("generation", ["1.x", "app"])
@pytest.mark.soak
async def test_thinking_stands_apart_from_the_answer(agent_window, generation):
    desk = await agent_window(generation=generation)
    run = await desk.plays(Plan((Think("I wonder.", said="Thought for 28s"), Say("I know."))))
    await desk.ends(run)
    await desk.sees(f"document.querySelector('{SEND}')")
    if generation == "1.x":
        assert await desk.finds(all_of(".isolate > button")) == ["Thought for 28s"]
        assert (
            await desk.finds(f"document.querySelector('.isolate {TEXT}').textContent")
            == "I wonder."
        )
        assert await desk.finds(all_of(f".isolate + {TEXT}")) == ["I know."]
    else:
        folded = "[aria-label='Agent response'] > .relative > button"
        assert await desk.finds(all_of(TEXT)) == ["I know."]  # what is folded is not in the page
        await desk.presses_on(folded)
        await desk.sees(
            "[...document.querySelectorAll('button')].some((one) => one.innerText.includes('28s'))"
        )


@pytest.mark.soak
async def test_the_same_command_three_times_is_three_cards(agent_window):
    desk = await agent_window()
    step = Command("npm test", ask=False, exit_code=1)
    await desk.ends(await desk.plays(Plan((step, step, step))))
    await desk.sees(f"document.querySelectorAll('{CARD}').length === 3")
    assert desk.lab.ledger.ran(desk.window) == ("npm test",) * 3
    assert all("Exit code 1" in one for one in await desk.finds(all_of(CARD)))


@pytest.mark.soak
async def test_stop_stays_in_sight_while_it_waits_for_an_approval(agent_window):
    desk = await agent_window()
    await desk.plays(Plan((Command("ls"),)))
    await desk.asked()
    await desk.sees(f"document.querySelector('{STOP}') && document.querySelector('{CARD}')")
    assert "Waiting.." in await desk.finds("document.body.innerText")


async def test_stop_flickers_and_the_agent_works_on(agent_window):
    desk = await agent_window()
    await desk.finds(f"""(() => {{
      window.stops = [];
      new MutationObserver(() => window.stops.push(Boolean(document.querySelector("{STOP}"))))
        .observe(document, {{ subtree: true, childList: true, attributes: true }});
    }})()""")
    steps = (Flicker(2, 1.0, 1.0), Tool("Analyzed", "a.js"), Say("End."))
    await desk.ends(await desk.plays(Plan(steps)))
    await desk.sees(f"document.querySelector('{SEND}')")
    seen = await desk.finds("window.stops")
    changes = sum(1 for before, now in pairwise(seen) if before != now)
    assert changes >= 5  # there, gone, there, gone, there, gone at the end


@pytest.mark.soak
async def test_nodes_are_replaced_and_say_the_same(agent_window):
    desk = await agent_window()
    run = await desk.plays(Plan((Say("Before."), Pause(2), Rerender(), Stall())))
    await desk.sees(f"document.querySelector('{TEXT}')?.innerText === 'Before.'")
    await desk.finds(
        f"window.kept = document.querySelector('{TEXT}'); window.words = kept.innerText"
    )
    await desk.sees("!window.kept.isConnected")
    assert (await desk.finds(all_of(TEXT)))[0] == await desk.finds("window.words")
    assert not run.over


@pytest.mark.soak
async def test_a_card_that_is_reused_keeps_its_nodes_and_has_another_command(agent_window):
    desk = await agent_window()
    await desk.plays(PLANS["reused"])
    first = await desk.asked()
    await desk.sees(f"document.querySelector('{CARD} pre')?.textContent.includes('rm -rf')")
    await desk.finds(f"window.kept = document.querySelector('{CARD}'); 1")
    await desk.presses_text("Reject")
    second = await desk.lab.until(
        lambda: next((one for one in desk.lab.cards(desk.window) if one["id"] != first["id"]), None)
    )
    assert second["command"] == "ls"
    await desk.sees("window.kept.querySelector('pre').textContent.endsWith('ls')")
    assert await desk.finds("window.kept.isConnected")
    assert await desk.counts(CARD) == 1


@pytest.mark.soak
async def test_a_command_that_is_swapped_runs_as_it_stands_when_it_is_pressed(agent_window):
    desk = await agent_window()
    run = await desk.plays(Plan((Command("ls", swaps=((0.4, "rm -rf ~"),)),)))
    await desk.asked()
    await desk.sees(f"document.querySelector('{CARD} pre')?.textContent.endsWith('rm -rf ~')")
    await desk.presses_text("Run⌥⏎")
    await desk.ends(run)
    (click,) = desk.lab.ledger.clicks("run", desk.window)
    assert (click.command, click.shown) == ("rm -rf ~", "rm -rf ~")
    assert desk.lab.ledger.ran(desk.window) == ("rm -rf ~",)


@pytest.mark.soak
async def test_the_lab_changes_a_card_between_a_look_and_a_press(agent_window):
    desk = await agent_window()
    await desk.plays(Plan((Command("ls"),)))
    card = await desk.asked()
    await desk.lab.change(desk.window, card["id"], command="rm -rf ~", shown="rm -rf ~")
    await desk.sees(f"document.querySelector('{CARD} pre')?.textContent.endsWith('rm -rf ~')")


HARD = [
    # id, step, what stands in the card, what would run
    (
        "shortened",
        PLANS["hidden-words"].steps[0],
        "git log --all && …",
        "git log --all && rm -rf /",
    ),
    ("missing", PLANS["hidden-words"].steps[1], "", "make clean"),
    ("very long", PLANS["hidden-words"].steps[2], LONG, LONG),
    ("nested", PLANS["hidden-words"].steps[3], "npm ci", "npm ci"),
]


@pytest.mark.parametrize(
    "step, shown, runs", [row[1:] for row in HARD], ids=[row[0] for row in HARD]
)
@pytest.mark.rows(1)
async def test_a_command_may_be_hard_to_read(agent_window, step, shown, runs):
    desk = await agent_window()
    run = await desk.plays(Plan((step,)))
    await desk.asked()
    words = f"document.querySelector('{CARD} pre')?.textContent.split(' $ ')[1]"
    await desk.sees(f"({words} ?? null) !== null && ['seen']")
    assert await desk.finds(words) == shown
    assert await desk.counts(f"{CARD} pre > code") == (1 if step.nested else 0)
    await desk.presses_text("Run⌥⏎")
    await desk.ends(run)
    (click,) = desk.lab.ledger.clicks("run", desk.window)
    assert (click.shown, click.command) == (shown, runs)
    assert len(LONG) > 5000


@pytest.mark.soak
async def test_a_command_may_stand_in_the_label_of_its_button_only(agent_window):
    desk = await agent_window()
    run = await desk.plays(Plan((Command("npm run build", labelled=True),)))
    await desk.asked()
    assert "npm run" not in await desk.finds(f"document.querySelector('{CARD}').innerText")
    await desk.presses_on("button[aria-label='npm run build']")
    await desk.ends(run)
    assert desk.lab.ledger.ran(desk.window) == ("npm run build",)


@pytest.mark.soak
async def test_old_turns_go_out_of_the_list_and_leave_boxes(agent_window):
    desk = await agent_window(turns=(("One?", "One."), ("Two?", "Two.")))
    await desk.ends(await desk.plays(Plan((Virtual(1), Say("Three."))), "Three?"))
    await desk.sees(f"document.querySelectorAll('{TEXT}').length === 1")
    said = await desk.finds("document.querySelector('#conversation').innerText")
    assert "Three." in said
    assert "One." not in said
    assert await desk.counts(r"div.rounded-lg.bg-gray-500\/10:empty") == 4


@pytest.mark.soak
async def test_a_panel_may_have_twenty_thousand_nodes(agent_window):
    desk = await agent_window()
    await desk.plays(Plan((Fill(20_000), Command("ls"))))
    await desk.asked()
    await desk.sees(f"document.querySelector('{CARD}')")
    panel = "document.querySelector('.antigravity-agent-side-panel')"
    assert await desk.finds(f"{panel}.querySelectorAll('*').length") > 20_000


@pytest.mark.soak
async def test_a_quota_ends_the_turn_and_an_answer_about_it_does_not(agent_window):
    desk = await agent_window()
    await desk.ends(await desk.plays(Plan((Quota(),))))
    await desk.sees("document.querySelector('h3 span')?.innerText === 'Model quota reached'")
    await desk.ends(await desk.plays(Plan((Say("A"), Quota("inline"), Say("B")))))
    said = await desk.finds("document.querySelector('#conversation').innerText")
    assert "Error You have exhausted your quota on this model." in " ".join(said.split())
    assert (await desk.finds(all_of(TEXT)))[-1] == "A"
    await desk.presses_text("Dismiss")
    await desk.lab.until(lambda: desk.did(Did.DISMISS))
    await desk.ends(await desk.plays(PLANS["mentions-quota"]))
    await desk.sees("!document.querySelector('h3 span')")
    assert "rate limit" in (await desk.finds(all_of(TEXT)))[-1]


@pytest.mark.soak
async def test_a_picture_is_large_enough_to_be_one(agent_window):
    desk = await agent_window()
    await desk.ends(await desk.plays(Plan((Picture(320, 200),))))
    await desk.sees(
        "document.querySelector('#conversation img')?.naturalWidth === 320 || null"
    ) if (
        not await desk.finds("document.querySelector('#conversation img')?.naturalWidth === 320")
    ) else None
    assert await desk.finds("document.querySelector('#conversation img').naturalHeight") == 200


@pytest.mark.soak
async def test_the_changes_bar_counts_files_and_accept_is_no_button(agent_window):
    desk = await agent_window()
    await desk.ends(await desk.plays(Plan((Change((("a.js", 1, 0), ("b.js", 2, 3))),))))
    title = "document.querySelector('[data-tooltip-id=toolbar-title-tooltip]').innerText"
    await desk.sees(f"{title} === '2 Files With Changes'")
    await desk.presses_text("Accept all")
    (done,) = await desk.lab.until(lambda: desk.did(Did.CHANGES))
    assert done.control == "accept_all"
    await desk.sees(f"{title} === '0 Files With Changes'")
    (click,) = desk.lab.ledger.clicks("accept_all", desk.window)
    assert click.trusted


async def test_an_error_is_retried_until_it_helps(agent_window):
    desk = await agent_window()
    run = await desk.plays(PLANS["error"])
    while len(desk.did(Did.RETRY)) < 2:
        before = len(desk.did(Did.RETRY))
        await desk.presses_text("Retry")
        # the dialog that was just answered may still be drawn: then nobody hears the press
        with suppress(TimeoutError):
            await desk.lab.until(lambda n=before: len(desk.did(Did.RETRY)) > n, seconds=5.0)
    await desk.ends(run)
    assert len(desk.did(Did.RETRY)) == 2
    assert (await desk.finds(all_of(TEXT)))[-1] == "Now it worked."


@pytest.mark.soak
async def test_a_dismissed_error_ends_the_turn(agent_window):
    desk = await agent_window()
    run = await desk.plays(PLANS["retry-forever"])
    await desk.presses_text("Copy debug info")
    await desk.presses_text("Dismiss")
    await desk.ends(run)
    await desk.sees("!document.body.innerText.includes('Agent terminated')")


@pytest.mark.soak
async def test_the_limit_waits_for_continue(agent_window):
    desk = await agent_window()
    run = await desk.plays(Plan((Limit(2), Say("On."))))
    for times in (1, 2):
        await desk.asked()
        await desk.presses_text("Continue")
        await desk.lab.until(lambda times=times: len(desk.did(Did.CONTINUE)) == times)
    await desk.ends(run)


@pytest.mark.soak
async def test_a_plan_is_opened_and_proceeded_with(agent_window):
    desk = await agent_window()
    run = await desk.plays(PLANS["plan"])
    await desk.asked()
    await desk.presses_text("Open")
    await desk.sees("document.querySelector('.notify-user-container .relative.pl-4.pr-4.py-1')")
    await desk.presses_text("Proceed")
    await desk.ends(run)
    assert [one.control for one in desk.did(Did.PLAN)] == ["open_plan", "proceed"]


@pytest.mark.soak
async def test_japanese_labels_are_the_page_s_own(agent_window):
    desk = await agent_window(lang="ja")
    run = await desk.plays(PLANS["japanese"])
    await desk.asked()
    await desk.sees(f"document.querySelector('{CARD}')?.innerText.includes('コマンドを実行')")
    await desk.presses_text("実行⌥⏎")
    await desk.lab.until(lambda: desk.did(Did.RAN))
    await desk.presses_text("今回のみ許可")
    await desk.ends(run)
    (allowed,) = desk.did(Did.ALLOWED)
    assert allowed.label == "今回のみ許可"


VARIANTS = [
    # variant, what to press, what came of it, its label
    ("once", ["Allow Once"], Did.ALLOWED, "Allow Once"),
    ("once", ["Allow This Conversation"], Did.ALLOWED, "Allow This Conversation"),
    ("once", ["Deny"], Did.DENIED, "Deny"),
    ("plain", ["Allow"], Did.ALLOWED, "Allow"),
    ("split", ["Allow"], Did.ALLOWED, "Allow"),
    ("choices", ["Allow Once", "Submit"], Did.ALLOWED, "Allow Once"),
    ("choices", ["Deny", "Submit"], Did.DENIED, "Deny"),
    ("script", ["Allow"], Did.ALLOWED, "Allow"),
    ("address", ["Accept"], Did.ALLOWED, "Accept"),
    ("address", ["Reject"], Did.DENIED, "Reject"),
]


@pytest.mark.parametrize("bare", [False, True], ids=["dialog", "bare"])
@pytest.mark.soak
async def test_every_shape_of_a_permission_can_be_answered(agent_window, bare):
    desk = await agent_window()
    for variant, presses, did, label in VARIANTS:
        run = await desk.plays(Plan((Permit(variant=variant, bare=bare),)))
        card = await desk.asked()
        for press in presses:
            await desk.presses_text(press)
        await desk.ends(run)
        (came,) = [one for one in desk.did(Did.ALLOWED, Did.DENIED) if one.card == card["id"]]
        assert (came.did, came.label) == (did, label), variant


@pytest.mark.soak
async def test_the_menu_beside_allow_offers_more_than_is_asked(agent_window):
    desk = await agent_window()
    run = await desk.plays(Plan((Permit(variant="split"),)))
    await desk.asked()
    await desk.presses_on("button[aria-haspopup=menu]")
    await desk.presses_text("Allow Workspace")
    await desk.ends(run)
    (came,) = desk.did(Did.ALLOWED)
    assert came.label == "Allow Workspace"
