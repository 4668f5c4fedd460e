"""What was on when a hub ended is said by the next one, until somebody turns it on or off."""

import os
import time

import msgspec
import pytest
import pytest_asyncio

from tabwire.config.home import run_folder
from tabwire.hub.agents.autopilot.autopilot import Autopilot, panic_stop
from tabwire.hub.agents.autopilot.previous import SIGN_FILE, left_on
from tabwire.model.autopilot import Act, AuditLine, Halted, Switches
from tabwire.store.opening import opened

pytestmark = pytest.mark.asyncio

NOW = 1_800_000_000.0


@pytest_asyncio.fixture
async def rows(tmp_path):
    async with opened(tmp_path / "tabwire.db") as store:
        yield store.autopilot


@pytest.fixture
def home(tmp_path):
    return {"TABWIRE_HOME": str(tmp_path / "home")}


def line(act, note="", window="", session="first", at=NOW):
    return AuditLine(at, act, window, session, note=note)


ON, ON_BOTH = line(Act.ON, "commands"), line(Act.ON, "commands,edits")
CLICKED = line(Act.CLICKED, at=NOW + 60)
LEFT = [
    # id, the audit, what was left on
    ("nothing ever", [], None),
    ("on", [ON_BOTH], {"": ("commands", "edits")}),
    ("on and clicked", [ON, CLICKED], {"": ("commands",)}),
    ("on for more, then for less", [ON_BOTH, ON], {"": ("commands",)}),
    ("off", [ON, line(Act.OFF)], None),
    ("stopped", [ON, line(Act.PANIC, "said so")], None),
    ("off and on again", [ON, line(Act.OFF), ON_BOTH], {"": ("commands", "edits")}),
    ("in one window", [line(Act.ON, "plans", "shop")], {"shop": ("plans",)}),
    ("off in that window", [line(Act.ON, "plans", "a"), line(Act.OFF, "", "a")], None),
    ("off in another", [ON, line(Act.OFF, "", "a")], {"": ("commands",)}),
    ("off everywhere", [line(Act.ON, "plans", "a"), line(Act.OFF)], None),
    (
        "here so, there so",
        [ON, line(Act.ON, "plans", "a")],
        {"": ("commands",), "a": ("plans",)},
    ),
    ("a hub since, which nobody told anything", [ON, line(Act.DRIVES, session="second")], "same"),
    ("a hub since that was told on", [ON, line(Act.ON, "edits", session="me")], None),
    ("a hub since that was told off", [ON, line(Act.OFF, session="second")], None),
    ("its window of before is none of the next", [
        line(Act.ON, "plans", "a"), line(Act.ON, "edits", "b", session="second"),
    ], {"b": ("edits",)}),
]  # fmt: skip


@pytest.mark.parametrize("lines, on", [c[1:] for c in LEFT], ids=[c[0] for c in LEFT])
async def test_the_audit_tells_what_was_left_on(rows, home, lines, on):
    for one in lines:
        await rows.append(one)
    found = await left_on(rows, "me", home)
    assert (None if found is None else found.on) == ({"": ("commands",)} if on == "same" else on)


async def test_it_says_what_when_and_how_to_go_on(rows, home, monkeypatch):
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    for one in (ON_BOTH, line(Act.ON, "plans", "my shop"), CLICKED):
        await rows.append(one)
    found = await left_on(rows, "me", home)
    assert found.says == (
        "was on (commands, edits; plans in my shop) until the hub ended at 2027-01-15 08:01:00; "
        "nothing is clicked until you turn it on again: "
        "`tabwire antigravity auto on commands edits` and "
        "`tabwire antigravity auto on plans --window 'my shop'`"
    )
    told = msgspec.json.decode(msgspec.json.encode(found.told()))
    assert (told["since"], told["ended_at"]) == (NOW, NOW + 60)
    assert told["on"][0] == {"window": "", "switches": ["commands", "edits"]}


async def test_a_sign_of_life_tells_the_end_better_than_the_last_click(rows, home):
    sign = run_folder(home) / SIGN_FILE
    began = time.time() - 1000
    await rows.append(line(Act.ON, "commands", at=began))
    for at, ended in ((began + 500, began + 500), (began - 5, began), (began + 9999, began)):
        sign.touch()
        os.utime(sign, (at, at))  # before it was on, or from the future: of no use
        assert (await left_on(rows, "me", home)).ended_at == pytest.approx(ended, abs=0.01)


async def test_while_something_is_on_a_sign_is_given(rows, home):
    one = Autopilot(rows, environment=home)
    await one._settle()
    assert not (run_folder(home) / SIGN_FILE).exists()
    await one.on(Switches(commands=True))
    await one._settle()
    assert time.time() - (run_folder(home) / SIGN_FILE).stat().st_mtime < 60


async def test_the_next_hub_has_nothing_on_and_says_what_was(rows, home):
    one, two = (Autopilot(rows, environment=home) for _ in range(2))
    await one.on(Switches(commands=True))
    assert await one.left_on() is None  # its own
    assert (await two.left_on()).on == {"": ("commands",)}
    assert two.switches() == Switches()
    await two.off()
    assert await two.left_on() is None


async def test_a_stop_from_any_process_is_no_such_case(rows, home):
    await Autopilot(rows, environment=home).on(Switches(commands=True))
    panic_stop("enough", home)
    assert await Autopilot(rows, environment=home).left_on() is None


async def test_rules_that_changed_turned_it_off_and_the_audit_has_it(rows, home):
    told = []
    one = Autopilot(rows, environment=home, tell=told.append)
    await one.on(Switches(commands=True))
    (run_folder(home).parent / "config.toml").write_text("")
    assert one.switches() == Switches()
    assert any(isinstance(event, Halted) for event in told)
    assert await one.left_on() is None
    assert [each.act for each in await rows.lines()] == [Act.ON, Act.OFF]
    assert await Autopilot(rows, environment=home).left_on() is None
