"""What changes between the look and the click, and who may click at all."""

import asyncio

import pytest

from autopilot.cockpit import Act, Did, flying
from tabwire.autopilot import click
from tabwire.autopilot.click import Clicker
from tabwire.browser.agent import windows
from tabwire.browser.agent.connection import open_window
from tabwire.browser.agent.panel import PanelWatch
from tabwire.browser.agent.targets import windows_at
from tabwire.hub.agents.autopilot.autopilot import panic_stop
from tabwire.lab.antigravity import Command, Fail, Limit, Permit, Plan, Rerender, Say
from tabwire.model.autopilot import ALL_ON, Answerer, Drives, StandsBy, Switches

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

ME = Answerer("me")


def between(cockpit, happens):
    """Let something happen after the line is written and before the page is told to click."""
    write, seen = cockpit.store.autopilot.append, []

    async def append(line):
        written = await write(line)
        if line.act is Act.CLICK and not seen:
            seen.append(line)
            await happens(line)
        return written

    cockpit.store.autopilot.append = append


def shows(text):
    return f"document.body.innerText.includes({text!r})"


async def test_t47_a_card_that_changes_between_look_and_click_is_not_clicked(
    agent_window, tmp_path
):
    desk = await agent_window()

    async def swapped(_):
        (card,) = desk.lab.cards(desk.window)
        await desk.lab.change(desk.window, card["id"], command="rm -rf ~", shown="rm -rf ~")
        await desk.sees(shows("rm -rf ~"))

    async with flying(desk, tmp_path) as cockpit:
        between(cockpit, swapped)
        await desk.plays(Plan((Command("npm test"),)))
        await cockpit.until(lambda: cockpit.acts(Act.REFUSED))
        (refused,) = cockpit.acts(Act.NOT_CLICKED)
    assert refused.note == "changed"
    assert cockpit.clicked() == []


async def test_a_card_that_is_drawn_anew_is_seen_anew_and_clicked_once(agent_window, tmp_path):
    desk = await agent_window()

    async def redrawn(_):
        await desk.does("document.querySelector('.gap-2.border pre').closest('.gap-2').id = 'old'")
        old = await desk.finds("Boolean(document.getElementById('old'))")
        assert old
        await desk.does(
            "(() => { const card = document.getElementById('old'); card.removeAttribute('id');"
            "const copy = card.cloneNode(true); card.replaceWith(copy); return true; })()"
        )

    async with flying(desk, tmp_path) as cockpit:
        between(cockpit, redrawn)
        await desk.plays(Plan((Command("npm test"),)))
        (refused,) = await cockpit.until(lambda: cockpit.acts(Act.NOT_CLICKED))
        assert refused.note == "gone"
    assert cockpit.came() == []


async def test_s2_022_another_command_in_the_nodes_of_a_blocked_card_is_judged_afresh(
    agent_window, tmp_path
):
    desk = await agent_window()
    async with flying(desk, tmp_path) as cockpit:
        run = await desk.plays(Plan((Command("rm -rf /"),)))
        await cockpit.until(lambda: cockpit.acts(Act.REFUSED))
        (card,) = desk.lab.cards(desk.window)
        await desk.lab.change(desk.window, card["id"], command="ls", shown="ls")
        await run.ended()
    assert cockpit.came() == [("ran", "ls")]


async def test_a_dangerous_one_in_the_nodes_of_one_that_was_let_go_is_refused(
    agent_window, tmp_path
):
    desk = await agent_window()
    async with flying(desk, tmp_path) as cockpit:
        await desk.plays(Plan((Command("ls"), Command("rm -rf /", reuse=True))))
        await cockpit.until(lambda: cockpit.acts(Act.REFUSED))
        await cockpit.still()
    assert cockpit.came() == [("ran", "ls")]


async def test_the_same_command_twice_is_clicked_twice(agent_window, tmp_path):
    desk = await agent_window()
    async with flying(desk, tmp_path) as cockpit:
        plan = Plan((Command("ls"), Command("ls"), Rerender(), Command("ls"), Say("Done.")))
        await (await desk.plays(plan)).ended()
    assert cockpit.came() == [("ran", "ls")] * 3
    assert cockpit.clicked() == ["run"] * 3


# --- off ----------------------------------------------------------------------------------------


async def test_s2_009_off_means_off_also_right_after_start(agent_window, tmp_path):
    desk = await agent_window()
    await desk.plays(Plan((Command("ls"),)))
    await desk.asked()
    async with flying(desk, tmp_path, None) as cockpit:
        await cockpit.until(cockpit.asked)
        await cockpit.still(5)
        assert cockpit.clicked() == []
        await cockpit.autopilot.on(Switches(commands=True))
        await cockpit.until(lambda: cockpit.acts(Act.CLICKED))
        await cockpit.autopilot.off()
        assert cockpit.autopilot.switches() == Switches()
    assert cockpit.came() == [("ran", "ls")]


async def test_a_switch_is_for_the_window_it_was_said_of(agent_window, tmp_path):
    """AutoAccept's window A drove window B as well."""
    desk = await agent_window()
    async with flying(desk, tmp_path, None) as cockpit:
        await cockpit.autopilot.on(ALL_ON, window="some other window")
        await desk.plays(Plan((Command("ls"),)))
        await cockpit.until(cockpit.asked)
        await cockpit.still()
        assert cockpit.clicked() == []
        await cockpit.autopilot.on(ALL_ON)
        await cockpit.until(lambda: cockpit.acts(Act.CLICKED))


STOPS = [
    "off",
    "off for this window",
    "panic",
    "panic in another process",
    "one switch",
    "no sign of life for ten seconds",
]


@pytest.mark.parametrize("how", STOPS)
async def test_a_click_that_was_decided_on_is_not_made_once_it_is_off(agent_window, tmp_path, how):
    desk = await agent_window()
    async with flying(desk, tmp_path) as cockpit:
        autopilot = cockpit.autopilot
        name = next(iter(autopilot.windows.values())).seat.name

        async def stopped(_):
            match how:
                case "off":
                    await autopilot.off()
                case "off for this window":
                    await autopilot.off(window=name)
                case "panic":
                    await autopilot.panic("enough")
                case "panic in another process":
                    panic_stop("enough", {"TABWIRE_HOME": str(tmp_path / "home")})
                case "one switch":
                    await autopilot.on(Switches(edits=True))
                case "no sign of life for ten seconds":  # as after a machine that slept
                    (driven,) = autopilot.windows.values()
                    driven._beat_at -= 10.0

        between(cockpit, stopped)
        await desk.plays(Plan((Command("ls"),)))
        await cockpit.until(cockpit.asked)
        await cockpit.still(5)
        (refused,) = cockpit.acts(Act.NOT_CLICKED)
        assert refused.note in ("off", "no lease")
        assert cockpit.clicked() == []
        if how.startswith("panic"):
            (asked,) = cockpit.asked()
            told = await autopilot.approve(asked.id, ME)
            assert (told.done, "stopped" in told.said) == (False, True)
            assert cockpit.clicked() == []
        await autopilot.on(ALL_ON)
        await cockpit.until(lambda: cockpit.acts(Act.CLICKED))


# --- the lease ----------------------------------------------------------------------------------


async def seen_by(desk):
    """A clicker and a card in this window, with nobody who drives it."""
    (window,) = [
        one for one in await windows_at(desk.lab.port) if one.id == desk.lab.target(desk.window)
    ]
    session = await open_window(window)
    watch = PanelWatch(session, lambda _: None)
    panel = await watch.arm()
    while not panel.cards:
        panel = await watch.look()
    return session, Clicker(session), panel


async def test_s2_010_without_a_living_lease_the_page_clicks_nothing(agent_window):
    desk = await agent_window()
    await desk.plays(Plan((Command("ls"),)))
    await desk.asked()
    session, clicker, panel = await seen_by(desk)
    (card,) = panel.cards
    run = card.control("run")
    try:
        assert (await clicker.click(card, run, panel.pack)).why == "no lease"
        await clicker.lease(0.0)  # it was renewed last so long ago
        assert (await clicker.click(card, run, panel.pack)).why == "no lease"
        await clicker.lease(30.0)
        await clicker.revoke()
        assert (await clicker.click(card, run, panel.pack)).why == "no lease"
        await clicker.lease(30.0)
        clicker._number = "another driver's"
        assert (await clicker.click(card, run, panel.pack)).why == "no lease"
        assert desk.did(Did.CLICK) == ()
        clicker._number = ""
        await clicker.lease(30.0)
        outcome = await clicker.click(card, run, panel.pack)
        assert (outcome.clicked, outcome.verified) == (True, True)
        again = await clicker.click(card, run, panel.pack)  # what was clicked is no card any more
        assert (again.clicked, again.why) == (False, "gone")
    finally:
        await session.connection.close()
    assert len(desk.did(Did.CLICK)) == 1


async def test_a_click_that_changes_nothing_is_given_up_and_not_counted(agent_window, monkeypatch):
    monkeypatch.setattr(click, "VERIFY_SECONDS", 0.3)
    desk = await agent_window()
    await desk.plays(Plan((Permit(),)))
    await desk.asked()
    await desk.does(  # the page swallows what is pressed
        "window.addEventListener('click', (event) => event.stopImmediatePropagation(), true)"
    )
    session, clicker, panel = await seen_by(desk)
    try:
        await clicker.lease(30.0)
        (card,) = panel.cards
        outcome = await clicker.click(card, card.control("allow_once"), panel.pack)
        assert (outcome.clicked, outcome.verified) == (True, False)
    finally:
        await session.connection.close()


async def test_a_click_without_effect_is_made_once_and_a_person_is_asked(
    agent_window, tmp_path, monkeypatch
):
    monkeypatch.setattr(click, "VERIFY_SECONDS", 0.3)
    desk = await agent_window()
    await desk.does(
        "window.addEventListener('click', (event) => event.stopImmediatePropagation(), true)"
    )
    async with flying(desk, tmp_path) as cockpit:
        await desk.plays(Plan((Command("ls"),)))
        (asked,) = await cockpit.until(cockpit.asked)
        await cockpit.still(5)
        assert len(cockpit.acts(Act.UNVERIFIED)) == 1
        assert asked.reason == "it was clicked but still asks"
        assert (await cockpit.autopilot.statistics()).clicks == 0


async def test_a_card_that_is_drawn_anew_before_it_goes_is_clicked_once(agent_window, tmp_path):
    desk = await agent_window()
    async with flying(desk, tmp_path) as cockpit:
        run = await desk.plays(Plan((Command("ls", goes_seconds=12), Say("Done."))))
        await desk.lab.until(lambda: desk.did(Did.CLICK))
        for _ in range(3):
            await desk.does(_REDRAW)
            await cockpit.still(2)
        await run.ended()
        await cockpit.until(lambda: cockpit.acts(Act.CLICKED))
    assert cockpit.clicked() == ["run"]
    assert cockpit.asked() == []


_REDRAW = """(() => { const card = document.querySelector('.gap-2.border pre')?.closest('.gap-2');
  if (card) card.replaceWith(card.cloneNode(true)); return true; })()"""


async def test_rules_that_change_under_an_open_card_judge_it_anew(agent_window, tmp_path):
    """What was allowed and is banned now is not clicked, and nobody approves it by the old word."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    desk = await agent_window()
    async with flying(desk, tmp_path, None) as cockpit:
        await desk.plays(Plan((Command("npm test"),)))
        (first,) = await cockpit.until(cockpit.asked)
        assert first.verdict == "allow"
        (home / "guard.toml").write_text('ban = ["npm test"]\n')
        answered = await cockpit.autopilot.approve(first.id, ME)
        assert not answered.done
        await cockpit.autopilot.on(ALL_ON)
        await cockpit.until(lambda: cockpit.acts(Act.REFUSED))
        await cockpit.still()
        assert [one.verdict for one in await cockpit.autopilot.approvals()] == ["deny"]
    assert cockpit.clicked() == []


# --- retries ------------------------------------------------------------------------------------


@pytest.mark.parametrize("step, did", [(Fail(times=0), Did.RETRY), (Limit(times=9), Did.CONTINUE)])
async def test_s2_011_three_retries_in_a_minute_then_stop_and_notify(
    agent_window, tmp_path, step, did
):
    desk = await agent_window()
    async with flying(desk, tmp_path) as cockpit:
        await desk.plays(Plan((step,)))
        await cockpit.until(cockpit.halted)
        await cockpit.still(5)
        assert len(desk.did(did)) == 3
        assert len(cockpit.halted()) == 1
        assert len(cockpit.acts(Act.STOPPED)) == 1
        (asked,) = await cockpit.until(cockpit.asked, 20)
        told = await cockpit.autopilot.approve(asked.id, ME)  # a person looked at it
        assert told.done, told.said
        await desk.lab.until(lambda: len(desk.did(did)) >= 4)


# --- two drivers --------------------------------------------------------------------------------


async def test_s2_024_of_two_drivers_one_stands_by_and_takes_over_when_the_other_goes(
    agent_window, tmp_path
):
    desk = await agent_window()
    async with flying(desk, tmp_path) as first:
        other = asyncio.TaskGroup()
        async with other:
            second, done, leave = None, asyncio.Event(), asyncio.Event()

            async def another():
                nonlocal second
                (tmp_path / "2").mkdir()
                places = {"lock_folder": tmp_path / "locks"}
                async with flying(desk, tmp_path / "2", wait=False, **places) as second:
                    await second.until(lambda: second.of(StandsBy))
                    done.set()
                    await leave.wait()
                    await second.until(lambda: second.of(Drives))
                    run = await desk.plays(Plan((Command("npm test"),)))
                    await run.ended()

            other.create_task(another())
            await asyncio.wait_for(done.wait(), 20)
            run = await desk.plays(Plan((Command("ls"), Command("rm -rf /"))))
            await first.until(lambda: first.acts(Act.REFUSED))
            await asyncio.sleep(1.2)  # the other looks at the lock once more
            assert second.acts() == [second.acts()[0]]  # that it was turned on, nothing else
            assert second.asked() == []
            assert not run.over
            await first.autopilot.off()
            await desk.presses_text("Reject")
            await run.ended()
            for task in first.tasks:
                task.cancel()
            leave.set()
    assert first.came() == [("ran", "ls"), ("ran", "npm test")]


UNTITLED = """document.title = '',
  Object.defineProperty(document, "title", {configurable: true, set() {}, get: () => ""})"""


async def test_a_window_without_its_title_yet_is_waited_for(agent_window, tmp_path, monkeypatch):
    """Taken by its address it would belong to no workspace, and every command would ask."""
    listed = asyncio.Event()

    async def listing(port):
        there = await windows_at(port)
        if desk.lab.target(desk.window) in [one.id for one in there if one.title in one.url]:
            asyncio.get_running_loop().call_later(0.3, listed.set)  # time to do the wrong thing
        return there

    desk = await agent_window()
    await desk.does(UNTITLED)
    monkeypatch.setattr(windows, "windows_at", listing)
    monkeypatch.setattr(windows, "LIST_SECONDS", 0.1)
    async with flying(desk, tmp_path, wait=False) as cockpit:
        run = await desk.plays(Plan((Command("git status"), Say("Done."))))
        await desk.asked()
        await listed.wait()
        await desk.does("delete document.title, document.title = 'shop — Antigravity'")
        await run.ended()
        assert cockpit.asked() == []
    assert cockpit.came() == [("ran", "git status")]


OTHER = """(() => { const was = Object.getOwnPropertyDescriptor(Document.prototype, "title");
  Object.defineProperty(Document.prototype, "title",
    {...was, set() { was.set.call(this, "other — Antigravity"); }}); })()"""


async def test_another_folder_opened_in_the_window_is_another_workspace(agent_window, tmp_path):
    desk = await agent_window()
    async with flying(desk, tmp_path) as cockpit:
        await (await desk.plays(Plan((Command("git status"),)))).ended()
        await desk.does(
            "document.title = 'other — Antigravity'"
        )  # the same document: a file's name
        await (await desk.plays(Plan((Command("ls"),)))).ended()
        await desk.session.call("Page.enable")
        await desk.session.call("Page.addScriptToEvaluateOnNewDocument", {"source": OTHER})
        with desk.session.subscribe(["Page.loadEventFired"]) as loaded:
            await desk.session.call("Page.reload")
            await anext(aiter(loaded))
        await desk.sees("document.title.startsWith('other')")
        await desk.plays(Plan((Command("ls -l"),)))
        (asked,) = await cockpit.until(cockpit.asked)
    assert (asked.workspace, asked.rule) == ("other", "workspace.unknown")
    assert cockpit.came() == [("ran", "git status"), ("ran", "ls")]
