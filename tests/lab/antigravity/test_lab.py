"""The lab itself: several windows, windows out of sight, reloads, and an IDE that is restarted."""

import asyncio
import sys

import pytest

from kit.antigravity import listed
from kit.chromium import connect_to
from tabwire.browser.endpoint import ask_version
from tabwire.lab.antigravity import Command, Did, Plan, Say, Stall, Window, antigravity_lab
from tabwire.lab.antigravity.ledger import Ledger
from tabwire.model.errors import BrowserNotReachable

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

CARD = "div.flex.flex-col.gap-2.border.rounded-lg.my-1"


async def test_the_port_says_whose_it_is(antigravity):
    version = await ask_version("127.0.0.1", antigravity.port, seconds=10)
    assert version.endpoint.port == antigravity.port
    async with await connect_to(antigravity.url) as line:
        assert "Antigravity/" in (await line.call("Browser.getVersion"))["userAgent"]


@pytest.mark.soak
async def test_windows_do_not_mix(agent_window):
    one = await agent_window("one")
    two = await agent_window("two")
    run = await one.plays(Plan((Command("ls one"), Say("One."))))
    other = await two.plays(Plan((Command("ls two"), Say("Two."))))
    await two.asked()
    await two.presses_text("Run⌥⏎")
    await two.ends(other)
    assert not run.over
    assert one.did(Did.RAN) == ()
    assert [entry.workspace for entry in two.did()] == ["two", "two"]
    assert "ls one" in await one.finds("document.body.innerText")
    assert "ls one" not in await two.finds("document.body.innerText")


@pytest.mark.soak
async def test_a_hidden_window_is_hidden_and_told_all_the_same(agent_window):
    desk = await agent_window()
    await desk.lab.hide(desk.window)
    await desk.finds(
        "new Promise((done) => { const look = () => document.hidden && done(1); "
        "addEventListener('visibilitychange', look); look(); })"
    )
    run = await desk.plays(Plan((Say("Out of sight."),)))
    await desk.ends(run)
    assert await desk.finds("document.visibilityState") == "hidden"
    assert "Out of sight." in await desk.finds("document.body.textContent")
    await desk.lab.show(desk.window)
    await desk.finds(
        "new Promise((done) => { const look = () => document.hidden || done(1); "
        "addEventListener('visibilitychange', look); look(); })"
    )


@pytest.mark.soak
async def test_a_reloaded_window_shows_its_conversation_again(agent_window):
    desk = await agent_window(turns=(("Before?", "Before."),))
    await desk.plays(Plan((Command("ls"),)), "And now?")
    card = await desk.asked()
    await desk.lab.reload(desk.window)
    assert (await desk.asked())["id"] == card["id"]
    said = await desk.finds("document.body.innerText")
    assert "Before." in said
    assert "And now?" in said
    assert await desk.counts(CARD) == 1
    await desk.presses_text("Run⌥⏎")
    await desk.lab.until(lambda: desk.did(Did.RAN))


async def test_a_closed_window_leaves_the_list_and_its_agent_ends(antigravity):
    window = await antigravity.open(Window("gone"))
    target = antigravity.target(window)
    run = await antigravity.play(window, Plan((Stall(),)))
    await antigravity.close(window)
    await run.ended()
    assert target not in [row["id"] for row in await listed(antigravity.port)]
    assert window not in antigravity.windows


@pytest.mark.soak
async def test_a_lab_of_one_s_own_plays_quits_and_comes_back(chromium, tmp_path):
    """The port stays, the windows and their conversations come back, the ledger is on disk."""
    kept = tmp_path / "ledger.jsonl"
    plan = Plan((Command("ls"), Say("Done.")))
    windows = [Window("shop"), Window("docs", "app")]
    async with antigravity_lab(windows, plan, browser=chromium, ledger=kept) as lab:
        first, second = lab.windows
        port = lab.port
        await lab.until(lambda: lab.cards(first))
        before = {lab.target(first), lab.target(second)}
        line = await connect_to(lab.url)
        await lab.quit()
        async with asyncio.timeout(60):
            await line.wait_gone()
        with pytest.raises(BrowserNotReachable):
            await ask_version("127.0.0.1", port, seconds=2)
        await lab.restart()
        assert lab.port == port
        assert {row["title"] for row in await listed(port)} >= {"shop — Antigravity", "Antigravity"}
        assert before.isdisjoint({lab.target(first), lab.target(second)})
        assert [card["command"] for card in lab.cards(first)] == ["ls"]
        async with await connect_to(lab.url) as line:
            attached = {"targetId": lab.target(first), "flatten": True}
            session = line.session(
                (await line.call("Target.attachToTarget", attached))["sessionId"]
            )
            press = f"document.querySelector('{CARD} .ml-auto .flex button').click()"
            await session.call("Runtime.evaluate", {"expression": press})
            await lab.until(lambda: lab.ledger.ran() == ("ls",))
    written = kept.read_text().splitlines()
    assert len(written) == len(lab.ledger.entries) == 2


@pytest.mark.soak
async def test_what_fails_inside_is_told_as_itself(chromium):
    with pytest.raises(ZeroDivisionError):
        async with antigravity_lab([Window()], Plan((Stall(),)), browser=chromium):
            raise ZeroDivisionError


async def test_the_ledger_counts_without_a_gap_and_tells_who_listens():
    ledger = Ledger()
    heard = []
    stop = ledger.listen(lambda: heard.append(len(ledger.entries)))
    ledger.record(Did.PROMPT, window="w1", workspace="a", text="one")
    ledger.record(Did.PROMPT, window="w2", workspace="b", text="two")
    stop()
    ledger.record(Did.STOP, window="w1", workspace="a")
    assert [one.number for one in ledger.entries] == [1, 2, 3]
    assert heard == [1, 2]
    assert ledger.prompts("w2") == ("two",)
    assert len(ledger.of(window="w1")) == 2


@pytest.mark.soak
async def test_the_command_opens_it_on_the_port_that_is_asked_for(chromium, tmp_path, monkeypatch):
    """`tabwire lab antigravity` as a process: says where it is, plays, ends when it is told."""
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path))
    command = [sys.executable, "-m", "tabwire", "lab", "antigravity", "--headless"]
    process = await asyncio.create_subprocess_exec(
        *command, "--plan", "commands", stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(60):
            said = (await process.stdout.readline()).decode()
            while "debugging port" not in said:
                said = (await process.stdout.readline()).decode()
            port = int(said.rpartition(":")[2].partition("/")[0])
            titles = {row["title"] for row in await listed(port)}
            assert {"shop — Antigravity - cart.js", "docs — Antigravity", "Manager"} <= titles
            process.terminate()
            await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0
