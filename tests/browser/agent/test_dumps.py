"""Panels as they were captured (beside the checkout; their prose and rare labels are masked)."""

import pytest

from browser.agent.test_panel import read
from tabwire.browser.agent.header import Head, head_of
from tabwire.model.agent import RowKind
from tabwire.monitor.agent.folds import told_fold

pytestmark = [pytest.mark.asyncio, pytest.mark.xdist_group("browser")]

LOG = (RowKind.TOOL, RowKind.COMMAND, RowKind.THINKING, RowKind.FOLD)


@pytest.fixture(scope="session")
def dumps(shared):
    folder = shared / "recordings" / "antigravity"
    if not folder.is_dir():
        pytest.skip("no captured panels beside the checkout")
    return folder


async def of(blank, dumps, name):
    (path,) = dumps.glob(f"*{name}*")
    return await read(blank, path.read_text(encoding="utf-8"))


def said_of_folds(rows):
    """What the log says of the steps that are not in the page, line by line."""
    folds = [(at, row) for at, row in enumerate(rows) if row.kind is RowKind.FOLD]
    told = [(row, told_fold(row, rows[:at])) for at, row in folds if row.state != "open"]
    return [text.removeprefix(row.label).strip(" ()") for row, text in told]


async def test_the_editors_panel_of_february(blank, dumps):
    panel = await of(blank, dumps, "workbench_generating")
    assert (panel.pack, panel.recognised, panel.stop) == ("side-panel", True, True)
    assert (panel.model, panel.mode, panel.status) == (
        "Gemini 3.1 Pro (High)",
        "Planning",
        "Running",
    )
    assert sum(one.gap for one in panel.turns) == 18  # not drawn
    rows = panel.open[-1].rows
    assert [row.kind for row in rows].count(RowKind.TOOL) == 6
    assert all(row.label == "Analyzed" for row in rows if row.kind is RowKind.TOOL)
    (command,) = [row for row in rows if row.kind is RowKind.COMMAND]  # shown twice, told once
    assert command.command.startswith('myeo -p "')
    assert (command.state, command.shortened) == ("running", False)
    assert not any(row.kind is RowKind.PROSE for row in rows)  # it has said nothing yet
    assert [row.kind for row in panel.open[0].rows].count(RowKind.PROSE) == 1
    assert [card.kind for card in panel.cards] == ["files"]  # a running command asks nothing


async def test_the_stand_alone_program_at_work(blank, dumps):
    panel = await of(blank, dumps, "nferrer_generating")
    assert (panel.pack, panel.stop, panel.send, panel.status) == (
        "stand-alone",
        True,
        False,
        "Working",
    )
    assert panel.conversation == "Nfhgnwgo Jno Rjbhflplemvy"
    assert await head_of(blank) == Head(r"l:\Bytefmpr\pdcmbjrcakt-trww", panel.conversation)
    kinds = [row.kind for row in panel.open[-1].rows]
    assert kinds == [RowKind.THINKING, RowKind.FOLD, RowKind.FOLD, RowKind.COMMAND]
    assert said_of_folds(panel.open[-1].rows) == ["1 step is folded"] * 2
    command = panel.open[-1].rows[-1]
    assert (command.command, command.state) == ("myeo maoi_ljo.cga", "running")
    assert panel.cards == ()
    assert panel.older


async def test_the_stand_alone_programs_conversation(blank, dumps):
    panel = await of(blank, dumps, "nferrer_conversation")
    assert len([one for one in panel.turns if one.user]) == 14
    rows = panel.open[-1].rows
    assert sum(row.kind in LOG for row in rows) == len(rows) == 7
    assert not any(row.kind is RowKind.PROSE for row in rows)
    before = panel.open[0].rows
    assert [row.kind for row in before if row.kind is not RowKind.GAP] == [
        RowKind.FOLD,
        RowKind.PROSE,
    ]
    assert "```" in before[1].text
    assert said_of_folds(before) == ["steps are folded; how many is not shown"]
    assert said_of_folds(rows) == ["1 step is folded"] * 3  # what is unfolded says nothing


async def test_the_manager_without_a_conversation(blank, dumps):
    panel = await of(blank, dumps, "agent_panel_idle")
    assert (panel.pack, panel.stop, panel.send, panel.cards) == ("manager", False, True, ())
    assert (panel.model, panel.mode) == ("Gemini 3.1 Pro (High)", "Planning")


async def test_the_composer_at_work(blank, dumps):
    panel = await of(blank, dumps, "composer_running")
    assert (panel.stop, panel.send, panel.cards) == (True, False, ())
