"""What needs a person: asked once, bound to card, words and time, answered from any door.

Ids are those of ../shared/corpus/behaviours.json; T and F ids of the tables of threats and faults.
"""

import asyncio
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autopilot.cockpit import Act, Did, flying
from tabwire.lab.antigravity import Command, Fail, Permit, Plan, Propose
from tabwire.model.autopilot import Answerer, ApprovalState, Switches
from tabwire.store.opening import opened

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

ME = Answerer("me")
CHAT = Answerer("42", door="discord", from_chat=True, channel="7")
LISTED = frozenset({"discord:42@7"})
INSTALL = Command("npm install left-pad")
PROGRAM = Path(__file__).with_name("autopilot_child.py")


async def asked(cockpit, desk, *steps):
    await desk.plays(Plan(steps))
    (found,) = await cockpit.until(cockpit.asked)
    return found


async def test_s0_055_one_question_with_command_folder_and_buttons(agent_window, tmp_path):
    desk = await agent_window()
    async with flying(desk, tmp_path, None) as cockpit:
        one = await asked(cockpit, desk, INSTALL)
        await desk.lab.change(desk.window, desk.lab.cards(desk.window)[0]["id"], buttons="")
        await cockpit.still(5)
        assert len(cockpit.asked()) == 1
        assert await cockpit.autopilot.approvals() == [one]  # on disk before it was told
    assert (one.command, one.cwd, one.workspace) == ("npm install left-pad", "~/shop", "shop")
    assert [label.split()[0] for label in one.actions] == ["Reject", "Run"]
    assert (one.verdict, one.rule) == ("ask", "package.install")
    assert cockpit.clicked() == []


ANSWERS = [
    # id, step, whether it is approved, what is pressed, what came of it
    ("run", INSTALL, True, "run", [(Did.RAN, "npm install left-pad")]),
    ("reject", INSTALL, False, "reject", [(Did.REJECTED, "npm install left-pad")]),
    ("allow once", Permit("Allow access to ~/x/y?"), True, "allow_once", [(Did.ALLOWED, "")]),
    ("deny", Permit("Allow access to ~/x/y?"), False, "deny", [(Did.DENIED, "")]),
    ("an address", Permit(variant="address"), True, "accept", [(Did.ALLOWED, "")]),
    ("plan", Propose("Plan", "Adds VAT."), True, "proceed", [(Did.PLAN, "")]),
    ("retry", Fail(), True, "retry", [(Did.RETRY, "")]),
    ("dismiss", Fail(), False, "dismiss", [(Did.DISMISS, "")]),
]


@pytest.mark.parametrize(
    "step, yes, pressed, came", [c[1:] for c in ANSWERS], ids=[c[0] for c in ANSWERS]
)
@pytest.mark.rows(4, first=2)
async def test_an_answer_is_carried_out_by_one_click(
    agent_window, tmp_path, step, yes, pressed, came
):
    desk = await agent_window()
    async with flying(desk, tmp_path, None) as cockpit:
        one = await asked(cockpit, desk, step)
        answer = cockpit.autopilot.approve if yes else cockpit.autopilot.reject
        told = await answer(one.id, ME)
        assert told.done, told.said
        await desk.lab.until(lambda: desk.did(*(did for did, _ in came)))
        lines = await cockpit.autopilot.audit()
    assert cockpit.clicked() == [pressed]
    assert [(one.did, one.command) for one in desk.did(*(did for did, _ in came))] == came
    state = ApprovalState.APPROVED if yes else ApprovalState.REJECTED
    assert [closed.state for closed in cockpit.closed()] == [state]
    assert told.approval.by == "cli:me"
    assert [line.by for line in lines if line.act is Act.CLICK] == ["cli:me"]


async def test_a_persons_click_is_none_of_the_autopilots(agent_window, tmp_path):
    desk = await agent_window()
    async with flying(desk, tmp_path, None) as cockpit:
        one = await asked(cockpit, desk, INSTALL)
        await cockpit.autopilot.approve(one.id, ME)
        assert (await cockpit.autopilot.statistics()).clicks == 0


async def test_s0_056_an_answer_to_what_the_card_no_longer_says_clicks_nothing(
    agent_window, tmp_path
):
    desk = await agent_window()
    async with flying(desk, tmp_path, None) as cockpit:
        one = await asked(cockpit, desk, INSTALL)
        (card,) = desk.lab.cards(desk.window)
        change = {"command": "npm publish", "shown": "npm publish"}
        await desk.lab.change(desk.window, card["id"], **change)
        await desk.sees("document.body.innerText.includes('npm publish')")
        told = await cockpit.autopilot.approve(one.id, ME)
        assert not told.done
        assert "nothing was clicked" in told.said
        (_, two) = await cockpit.until(lambda: len(cockpit.asked()) == 2 and cockpit.asked())
        assert (two.command, two.card_hash != one.card_hash) == ("npm publish", True)
        assert (await cockpit.store.autopilot.approval(one.id)).state in (
            ApprovalState.GONE,
            ApprovalState.CHANGED,
        )
    assert cockpit.clicked() == []


async def test_t47_a_card_that_changes_while_it_is_being_answered_is_not_clicked(
    agent_window, tmp_path
):
    desk = await agent_window()
    async with flying(desk, tmp_path, None) as cockpit:
        one = await asked(cockpit, desk, INSTALL)
        write = cockpit.store.autopilot.append

        async def swapped(line):
            if line.act is Act.CLICK:
                (card,) = desk.lab.cards(desk.window)
                await desk.lab.change(desk.window, card["id"], command="rm -rf ~", shown="rm -rf ~")
                await desk.sees("document.body.innerText.includes('rm -rf ~')")
            return await write(line)

        cockpit.store.autopilot.append = swapped
        told = await cockpit.autopilot.approve(one.id, ME)
        assert (told.done, told.said) == (False, "nothing was clicked: changed")
    assert cockpit.clicked() == []


async def test_of_two_answers_at_once_the_first_valid_one_wins(agent_window, tmp_path):
    desk = await agent_window()
    async with flying(desk, tmp_path, None) as cockpit:
        one = await asked(cockpit, desk, INSTALL)
        told = await asyncio.gather(
            cockpit.autopilot.approve(one.id, ME),
            cockpit.autopilot.reject(one.id, Answerer("you", door="http")),
            cockpit.autopilot.approve(one.id, Answerer("third", door="mcp")),
        )
        assert [each.done for each in told].count(True) == 1
        again = await cockpit.autopilot.approve(one.id, ME)  # T45: a replayed answer
        assert (again.done, "already" in again.said) == (False, True)
    assert len(cockpit.clicked()) == 1


REFUSED = [
    # id, who, step, what is said of it
    ("S0-058 not on the list", Answerer("66", "discord", True, "7"), INSTALL, "may not"),
    ("S0-058 another channel", Answerer("42", "discord", True, "8"), INSTALL, "may not"),
    ("denied from a chat", CHAT, Command("rm -rf /"), "guard denies"),
]


@pytest.mark.parametrize("who, step, said", [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED])
async def test_t44_who_may_not_answer_is_refused_and_written_down(
    agent_window, tmp_path, who, step, said
):
    desk = await agent_window()
    async with flying(desk, tmp_path, None, chat_users=LISTED) as cockpit:
        one = await asked(cockpit, desk, step)
        told = await cockpit.autopilot.approve(one.id, who)
        assert (told.done, said in told.said) == (False, True)
        (line,) = [x for x in await cockpit.autopilot.audit() if x.act is Act.ANSWERED]
        assert (line.by, line.note) == (f"{who.door}:{who.name}", "refused")
        assert (await cockpit.store.autopilot.approval(one.id)).state is ApprovalState.OPEN
        assert cockpit.clicked() == []


async def test_from_a_chat_what_only_asks_can_be_approved_and_what_is_denied_rejected(
    agent_window, tmp_path
):
    desk = await agent_window()
    async with flying(desk, tmp_path, None, chat_users=LISTED) as cockpit:
        one = await asked(cockpit, desk, INSTALL, Command("rm -rf /"))
        assert (await cockpit.autopilot.approve(one.id, CHAT)).done
        await cockpit.until(lambda: len(cockpit.asked()) == 2)
        assert (await cockpit.autopilot.reject(cockpit.asked()[1].id, CHAT)).done
    assert cockpit.clicked() == ["run", "reject"]


async def test_what_is_denied_is_approved_at_the_machine_alone(agent_window, tmp_path):
    desk = await agent_window()
    async with flying(desk, tmp_path, chat_users=LISTED) as cockpit:
        one = await asked(cockpit, desk, Command("rm -rf /"))
        assert not (await cockpit.autopilot.approve(one.id, CHAT)).done
        assert (await cockpit.autopilot.approve(one.id, ME)).done
    assert cockpit.clicked() == ["run"]


async def test_t45_an_expired_question_clicks_nothing_and_is_asked_anew(agent_window, tmp_path):
    desk = await agent_window()
    async with flying(desk, tmp_path, None, approval_seconds=0.3) as cockpit:
        one = await asked(cockpit, desk, INSTALL)
        await cockpit.until(cockpit.closed)
        told = await cockpit.autopilot.approve(one.id, ME)
        assert (told.done, "expired" in told.said, "asked again" in told.said) == (
            False,
            True,
            True,
        )
        assert told.approval.id != one.id
        assert cockpit.clicked() == []
        assert [each.state for each in cockpit.closed()][:1] == [ApprovalState.EXPIRED]


@pytest.mark.parametrize("jump", [86_400.0, -86_400.0], ids=["forward", "back"])
async def test_a_clock_that_jumps_approves_nothing(agent_window, tmp_path, monkeypatch, jump):
    """Set forward a question expires early; set back it does not live longer."""
    desk = await agent_window()
    async with flying(desk, tmp_path, None, approval_seconds=2.0) as cockpit:
        one = await asked(cockpit, desk, INSTALL)
        real = time.time
        monkeypatch.setattr(time, "time", lambda: real() + jump)
        await cockpit.until(cockpit.closed)
        told = await cockpit.autopilot.approve(one.id, ME)
        assert not told.done
    assert cockpit.clicked() == []


async def test_an_answer_given_in_the_window_ends_the_question(agent_window, tmp_path):
    desk = await agent_window()
    async with flying(desk, tmp_path, None) as cockpit:
        one = await asked(cockpit, desk, INSTALL)
        await desk.presses_text("Reject")
        (closed,) = await cockpit.until(cockpit.closed)
        assert (closed.id, closed.state) == (one.id, ApprovalState.GONE)
        told = await cockpit.autopilot.approve(one.id, ME)
        assert (told.done, "gone" in told.said) == (False, True)
    assert cockpit.clicked() == ["reject"]


async def test_s0_060_a_plan_is_told_with_its_words_and_not_again_when_it_is_drawn_anew(
    agent_window, tmp_path
):
    desk = await agent_window()
    async with flying(desk, tmp_path, None) as cockpit:
        one = await asked(cockpit, desk, Propose("Add VAT", "Two files change."))
        await desk.does("document.querySelector('.notify-user-container').style.display = 'none'")
        await cockpit.until(cockpit.closed)
        await desk.does("document.querySelector('.notify-user-container').style.display = ''")
        await cockpit.still(5)
        assert len(cockpit.asked()) == 1  # within 5 s it is not told again
        open_now = await cockpit.autopilot.approvals()
        assert len(open_now) == 1  # but it can be answered
    assert (one.title, "Two files change." in one.text) == ("Add VAT", True)
    assert one.actions == ("Open", "Proceed")


async def test_s0_061_an_error_is_told_with_its_words_and_buttons_once(agent_window, tmp_path):
    desk = await agent_window()
    async with flying(desk, tmp_path, None) as cockpit:
        one = await asked(cockpit, desk, Fail(times=3))
        await desk.presses_text("Retry")  # the same dialog comes again at once
        await desk.lab.until(lambda: len(desk.did(Did.RETRY)) == 1)
        await cockpit.still(5)
        assert len(cockpit.asked()) == 1
    assert "Agent terminated due to error" in one.text
    assert one.actions == ("Dismiss", "Copy debug info", "Retry")


async def test_a_question_survives_nodes_that_are_drawn_anew(agent_window, tmp_path):
    desk = await agent_window()

    async def redrawn():
        desk.lab._shown(desk.window).current.told("rerender")

    async with flying(desk, tmp_path, None) as cockpit:
        one = await asked(cockpit, desk, INSTALL)
        await desk.does("document.querySelector('pre.font-mono').id = 'old'")
        await desk.lab._there(redrawn())
        await desk.sees("document.getElementById('old') === null")
        await cockpit.still()
        told = await cockpit.autopilot.approve(one.id, ME)
        assert told.done, told.said
        assert len(cockpit.asked()) == 1
    assert cockpit.came() == [("ran", "npm install left-pad")]


async def test_a_line_that_breaks_over_an_answer_leaves_nothing_half_done(agent_window, tmp_path):
    desk = await agent_window()
    async with flying(desk, tmp_path, None) as cockpit:
        one = await asked(cockpit, desk, INSTALL)
        write = cockpit.store.autopilot.append

        async def cut(line):
            written = await write(line)
            if line.act is Act.CLICK:
                await desk.lab.cut()
            return written

        cockpit.store.autopilot.append = cut
        told = await cockpit.autopilot.approve(one.id, ME)
        assert not told.done
        state = (await cockpit.store.autopilot.approval(one.id)).state
        assert state in (ApprovalState.FAILED, ApprovalState.LOST)
        # it comes back by itself, and asks anew
        await cockpit.until(lambda: len(cockpit.asked()) == 2)
    assert cockpit.came() == []


async def test_f36_killed_with_a_question_open_it_is_never_approved_by_itself(
    agent_window, tmp_path
):
    desk = await agent_window()
    environment = {"PYTHONPATH": ":".join(sys.path), "HOME": "/root", "PATH": "/usr/bin:/bin"}
    (tmp_path / "locks").mkdir(mode=0o700)
    arguments = [str(desk.lab.port), desk.lab.target(desk.window), str(tmp_path)]
    child = subprocess.Popen(
        [sys.executable, str(PROGRAM), *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    try:
        assert (await asyncio.to_thread(child.stdout.readline)).strip() == "drives"
        await desk.plays(Plan((INSTALL,)))
        word, said = (await asyncio.to_thread(child.stdout.readline)).split()
        assert word == "asked"
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
    async with opened(tmp_path / "tabwire.db") as store:
        assert (await store.autopilot.approval(said)).state is ApprovalState.OPEN
        async with flying(desk, tmp_path, Switches(commands=True), store=store) as cockpit:
            (new,) = await cockpit.until(cockpit.asked)  # the next one asks anew
            assert new.id != said
            assert (await store.autopilot.approval(said)).state is ApprovalState.LOST
            told = await cockpit.autopilot.approve(said, ME)
            assert (told.done, "has ended" in told.said) == (False, True)
            assert cockpit.clicked() == []
            assert (await cockpit.autopilot.approve(new.id, ME)).done
    assert cockpit.came() == [("ran", "npm install left-pad")]
