"""Each surface has the structure that was measured: the same selectors find the same parts in the
replica and, where recordings lie beside the checkout, in dumps of the real thing."""

import json

import pytest

from kit.antigravity import listed
from tabwire.lab.antigravity import Command, Past, Plan, Say, Task, Think, Tool, Virtual
from tabwire.lab.antigravity.plans import PLANS

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

BOX = r"#antigravity\.agentSidePanelInputBox"
CARD = "div.flex.flex-col.gap-2.border.rounded-lg.my-1"
TURNS = "#conversation .overflow-y-auto div.relative.flex.flex-col.gap-y-3.px-4 > div"
STEPS = f"{TURNS} > .flex.flex-col.space-y-2"
TEXT = ".leading-relaxed.select-text"
LONG = 60  # seconds that a command runs: as long as a test looks

COMPOSER_OLDER = f"{BOX} div[contenteditable=true][role=textbox][data-lexical-editor=true]"
COMPOSER_NEWER = f'{BOX} div[role=combobox][contenteditable=true][aria-label="Message input"]'
STOP = "[data-tooltip-id=input-send-button-cancel-tooltip] > .bg-red-500"
SEND = "button[data-tooltip-id=input-send-button-send-tooltip]"
PICKERS = [
    "[role=button][aria-haspopup=dialog] + [role=dialog]",
    "[role=dialog] div.cursor-pointer > .font-medium",
    "[role=dialog] div.px-2.py-1.cursor-pointer span.text-xs.font-medium > span",
    "[role=button] svg[class*=chevron] + span.text-xs.select-none",
    "span.min-w-0.select-none.overflow-hidden.text-ellipsis.text-xs",
    "svg.lucide-plus",
    "input[type=file].hidden",
    'button[data-tooltip-id=audio-tooltip][aria-label="Record voice memo"]',
]

IDE_RUNNING = [
    ".antigravity-agent-side-panel",
    ".antigravity-agent-side-panel [class*=border-b] > div[class*=text-ellipsis]",
    "a[data-tooltip-id=new-conversation-tooltip]",
    "a[data-past-conversations-toggle][data-tooltip-id=history-tooltip] svg.lucide-history",
    TURNS,
    r".bg-gray-500\/15.p-2.rounded-lg.select-text .whitespace-pre-wrap",
    "[data-tooltip-id^=undo-tooltip-]",
    r"div.rounded-lg.bg-gray-500\/10:empty",
    ".isolate.mb-2.rounded-lg span.font-semibold",
    f".isolate.mb-2 {TEXT}",
    ".flex.flex-row > .min-w-0.grow .group .truncate span.shrink-0",
    ".truncate span.inline-flex.break-all",
    f"{CARD} span.opacity-60",
    f"{CARD} pre.whitespace-pre-wrap.break-all.font-mono > span.opacity-50",
    f"{CARD} div.isolate.h-fit",
    f"{CARD} button[aria-haspopup=listbox] span.truncate",
    ".opacity-50.pt-2 > span.text-sm",
    f".notify-user-container {TEXT}",
    ".text-ide-message-block-bot-color.px-2 [data-tooltip-id=tooltip-changesOverview]",
    "[data-tooltip-id=tooltip-terminal]",
    "[data-tooltip-id=tooltip-artifacts]",
    "[data-tooltip-id=tooltip-browser]",
    "[data-tooltip-id=toolbar-title-tooltip]",
    f".text-ide-message-block-bot-color.px-2 {BOX}",
    COMPOSER_OLDER,
    f"div{STOP}",
    *PICKERS,
    "textarea.ime-text-area",
    "textarea.xterm-helper-textarea",
    "[role=menuitem][aria-label=Run]",
    '[aria-label="Typeahead menu"][role=listbox]',
]
APP_RUNNING = [
    "#root [data-testid=conversation-view]",
    "[data-testid=conversation-view] .relative.flex.flex-col.gap-y-3.px-4 > .flex.items-start",
    '[role=article][aria-label="User message"] [data-testid=user-input-step] .whitespace-pre-wrap',
    '[role=article][aria-label="Agent response"]',
    '[role=article][aria-label="Agent response"] > .px-2.py-1 > .leading-relaxed.select-text',
    '[role=article][aria-label="Agent response"] > .relative > button[aria-expanded=false]',
    '[role=article][aria-label="Agent response"] > .relative > button.hidden[aria-expanded=true]',
    "button[aria-expanded=false] > span.text-secondary-foreground + span",
    ".group[role=button] .truncate span.truncate.font-mono",
    "pre.whitespace-pre-wrap.break-all.font-mono",
    "[data-testid=agent-loading]",
    "[data-tooltip-id^=up-][aria-label='Good response']",
    "[data-tooltip-id^=down-][aria-label='Bad response']",
    "[data-testid=revert-button][data-tooltip-id^=undo-tooltip-]",
    "[role=navigation] [data-testid^=convo-pill-]",
    "[data-testid=history-button]",
    "#a11y-live-announcer",
    COMPOSER_NEWER,
    f"button{STOP}",
    'button[aria-label^="Select model, current: "]',
    'button[aria-label="Add context"]',
    "input[type=file].hidden",
    '[aria-label="Typeahead menu"][role=listbox]',
]
MANAGER_IDLE = [
    "[data-testid^=convo-pill-]",
    COMPOSER_OLDER,
    f"{SEND}[disabled] svg.lucide-arrow-right",
    *PICKERS,
    '[aria-label="Typeahead menu"][role=listbox]',
]
PANEL = ":is(.antigravity-agent-side-panel, [data-testid=conversation-view])"
NEITHER = [f"{PANEL} {one}" for one in ("details", ".rendered-markdown", "[data-message-id]")]

EARLIER = (("Hello?", "Hello."),)
RUNNING = Plan(
    (
        Virtual(2),
        Task(
            "Finding it",
            "Looking at `server.js`.",
            (
                Tool("Analyzed", "server.js", "#L1-9"),
                Command("npm start", ask=False, run_seconds=LONG),
            ),
        ),
    )
)
NOTIFIED = Plan((PLANS["plan"].steps[-1],))
APP_PLAN = Plan(
    (
        Think("First this."),
        Say("I look."),
        Command("ls", ask=False),
        Command("npm start", ask=False, run_seconds=LONG),
    )
)


async def running_ide(agent_window):
    desk = await agent_window(turns=EARLIER, past=(Past("Fix login"),))
    await desk.ends(await desk.plays(NOTIFIED))
    await desk.plays(RUNNING)
    await desk.sees(f"document.querySelector('{CARD} div.isolate.h-fit')")
    return desk


async def running_app(agent_window):
    desk = await agent_window(generation="app", turns=EARLIER, past=(Past("Fix login"),))
    await desk.plays(APP_PLAN)
    await desk.sees("document.querySelector('pre.font-mono')?.textContent.includes('npm start')")
    return desk


async def idle_manager(agent_window):
    return await agent_window(generation="manager", past=(Past("Fix login"),))


DUMPS = {
    "dom_yoshia_workbench_generating_2026-02.html": (running_ide, IDE_RUNNING),
    "dom_nferrer_generating_2026-07.html": (running_app, APP_RUNNING),
    "dom_hjamet_agent_panel_idle_2026-03.html": (idle_manager, MANAGER_IDLE),
}


async def missing(look, selectors) -> list[str]:
    """Which of them find nothing."""
    return await look(f"{json.dumps(selectors)}.filter((one) => !document.querySelector(one))")


@pytest.mark.parametrize("surface, selectors", DUMPS.values(), ids=["ide", "app", "manager"])
@pytest.mark.rows(2)
async def test_a_surface_has_the_parts_that_were_measured(agent_window, surface, selectors):
    desk = await surface(agent_window)
    assert await missing(desk.finds, selectors) == []
    assert await missing(desk.finds, NEITHER) == NEITHER


@pytest.mark.parametrize("name, selectors", [(name, row[1]) for name, row in DUMPS.items()])
@pytest.mark.rows(1)
async def test_a_dump_of_the_real_thing_has_them_too(shared, blank, name, selectors):
    path = shared / "recordings" / "antigravity" / name
    if not path.is_file():
        pytest.skip(f"no recording {name}")
    tree = await blank.call("Page.getFrameTree")
    where = {"frameId": tree["frameTree"]["frame"]["id"], "html": path.read_text("utf-8")}
    await blank.call("Page.setDocumentContent", where)

    async def look(expression):
        how = {"expression": expression, "returnByValue": True}
        return (await blank.call("Runtime.evaluate", how))["result"]["value"]

    assert await missing(look, selectors) == []
    assert await missing(look, NEITHER) == NEITHER


@pytest.mark.soak
async def test_an_ide_turn_is_user_steps_status_and_feedback(agent_window):
    """Facts 1.3: thinking in `.isolate`, answers beside it, tool rows, a card, Good and Bad."""
    desk = await agent_window()
    tour = await desk.plays(PLANS["tour"])
    await desk.asked()
    reply = f"{STEPS} > .flex.flex-row.my-2 > .min-w-0.grow > .flex.flex-col.gap-y-3"
    parts = [
        f"{reply} > div.isolate > button + div.max-h-0.opacity-0 {TEXT}",
        f"{reply} > div.isolate + {TEXT}",
        f"{STEPS} > .flex.flex-row .group .truncate",
        f"{STEPS} > .flex.flex-row > .min-w-0.grow > {CARD}",
        f"{TURNS} > .opacity-50.pt-2:not(.hidden) > span.text-sm",
        r"[data-tooltip-id=toolbar-title-tooltip]",
    ]
    await desk.sees(f"document.querySelector('{CARD}')")
    assert await missing(desk.finds, parts) == []
    rows = await desk.finds(
        f"[...document.querySelectorAll('{STEPS} .group .truncate')].map((one) => one.innerText"
        ".replace(/\\s+/g, ' ').trim())"
    )
    assert rows == [
        "Searched total 4 results",
        "Analyzed cart.js#L1-75",
        "Edited cart.js +4 -1",
        "Created cart.test.js +22 -0",
    ]
    card = await desk.finds(f"document.querySelector('{CARD}').innerText")
    assert card.split() == "Run command? ~/shop $ npm test Ask every time Reject Run ⌥⏎".split()
    await desk.presses_text("Run⌥⏎")
    await desk.ends(tour)
    after = [
        f"{TURNS} > .pt-2.hidden.opacity-0",
        f"{TURNS} > div > [data-tooltip-id^=up-]",
        f"{TURNS} > div > [data-tooltip-id^=down-]",
        f"{CARD} pre + button",
        f"{CARD} div.isolate > pre",
        SEND,
    ]
    await desk.sees(f"document.querySelector('{SEND}')")
    assert await missing(desk.finds, after) == []
    assert await desk.counts("[data-tooltip-id=input-send-button-cancel-tooltip]") == 0
    said = await desk.finds(f"document.querySelector('{CARD}').innerText")
    assert "Ran command" in said
    assert "12 passing" in said
    assert "Exit code 0" in said


@pytest.mark.soak
async def test_the_ide_of_2_0_has_another_composer_and_another_bubble(agent_window):
    desk = await agent_window(generation="2.0")
    await desk.ends(await desk.plays(PLANS["answer"]))
    parts = [
        ".bg-input.p-2 .whitespace-pre-wrap",
        COMPOSER_NEWER,
        ".text-ide-message-block-bot-color",
    ]
    assert await missing(desk.finds, parts) == []
    assert await desk.counts(COMPOSER_OLDER) == 0


async def test_the_old_panel_is_in_a_frame(agent_window):
    desk = await agent_window(generation="cascade")
    await desk.plays(PLANS["danger"])
    await desk.asked()
    assert await desk.counts(".antigravity-agent-side-panel") == 0
    assert await desk.counts("iframe[src*='cascade-panel']") == 1
    parts = ["#react-app.react-app-container #chat #cascade", CARD, COMPOSER_OLDER]
    found = await desk.finds(
        f"{json.dumps(parts)}.filter((one) => "
        "!document.querySelector('iframe').contentDocument.querySelector(one))"
    )
    assert found == []


@pytest.mark.soak
async def test_windows_are_listed_by_title_and_some_share_an_address(antigravity, agent_window):
    desks = {
        "1.x": await agent_window("shop", file="cart.js"),
        "2.0": await agent_window("docs", generation="2.0"),
        "app": await agent_window("app", generation="app"),
        "manager": await agent_window("shop", generation="manager"),
        "launchpad": await agent_window("shop", generation="launchpad"),
        "settings": await agent_window("shop", generation="settings"),
        "browser": await agent_window("shop", generation="browser"),
        "cursor": await agent_window("site", generation="cursor"),
    }
    rows = {row["id"]: row for row in await listed(antigravity.port)}
    found = {name: rows[antigravity.target(desk.window)] for name, desk in desks.items()}
    assert {row["type"] for row in found.values()} == {"page"}
    assert {name: row["title"] for name, row in found.items()} == {
        "1.x": "shop — Antigravity - cart.js",
        "2.0": "docs — Antigravity",
        "app": "Antigravity",
        "manager": "Manager",
        "launchpad": "Launchpad",
        "settings": "Multi Purpose Agent Settings",
        "browser": "Checkout",
        "cursor": "site — Cursor",
    }
    assert found["1.x"]["url"] == found["2.0"]["url"]
    assert found["1.x"]["url"].endswith("/workbench.html")
    assert found["manager"]["url"] == found["launchpad"]["url"]
    assert "workbench-jetski-agent" in found["manager"]["url"]
    assert found["app"]["url"].startswith("https://127.0.0.1:")


@pytest.mark.soak
async def test_another_editor_s_panel_has_buttons_that_are_none(agent_window):
    desk = await agent_window("site", generation="cursor")
    run = await desk.plays(PLANS["danger"])
    await desk.asked()
    await desk.sees("document.querySelector('.anysphere-primary-button')")
    assert await desk.finds("document.querySelector('.anysphere-primary-button').tagName") == "DIV"
    assert (
        await desk.finds("document.querySelector('.composer-terminal-command').innerText")
        == "rm -rf /"
    )
    await desk.presses_text("Skip")
    await desk.presses_text("Accept⏎")
    await desk.ends(run)
    assert desk.lab.ledger.ran(desk.window) == ("ls",)
