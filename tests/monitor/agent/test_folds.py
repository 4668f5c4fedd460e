"""Steps that are folded away are told as missing, and only those that were not seen."""

import pytest

from monitor.agent.following import following
from tabwire.lab.antigravity import Command, Pause, Plan, Say, Stall, Tool
from tabwire.model.agent import Row, RowKind
from tabwire.monitor.agent.folds import MORE, told_fold


def fold(label, state="done"):
    return Row(1, RowKind.FOLD, label=label, state=state)


PROSE, COMMAND = Row(1, RowKind.PROSE, text="Hi"), Row(1, RowKind.COMMAND, command="ls")
TOOL, THOUGHT = Row(1, RowKind.TOOL, text="Read a"), Row(1, RowKind.THINKING, label="Thought")
RAN, WORKED = fold("Ran 1 command"), fold("Worked for 4m")
UNKNOWN = "steps are folded; how many is not shown"
FOLDS = [
    # id, the line, what stands before it, what is said beside it
    ("one", RAN, [], "1 step is folded"),
    ("several", fold("Ran 3 commands"), [], "3 steps are folded"),
    ("seen while it ran", RAN, [COMMAND], ""),
    ("one of two was seen", fold("Ran 2 commands"), [COMMAND], "1 step is folded"),
    ("what was seen belongs to another", RAN, [COMMAND, RAN], "1 step is folded"),
    ("each has its own", RAN, [COMMAND, RAN, COMMAND], ""),
    ("a tool is no command", RAN, [TOOL], "1 step is folded"),
    ("files", fold("Edited 2 files"), [TOOL], "1 step is folded"),
    ("two sorts", fold("Explored 2 files, 1 search"), [], "3 steps are folded"),
    ("before something was said", RAN, [COMMAND, PROSE], "1 step is folded"),
    ("Japanese", fold("2 件のコマンドを実行しました"), [], "2 steps are folded"),
    ("a time", WORKED, [], UNKNOWN),
    ("a time in words", fold("Worked for 2 minutes"), [], UNKNOWN),
    ("a time, all seen", WORKED, [THOUGHT, TOOL], ""),
    ("a time, after lines that count", WORKED, [RAN], ""),
    ("a time, of an earlier part", WORKED, [TOOL, WORKED], UNKNOWN),
    ("a time, before something was said", WORKED, [TOOL, PROSE], UNKNOWN),
    ("more", fold("Show 3 more", MORE), [TOOL], "3 more steps are folded"),
    ("one more", fold("Show 1 more step", MORE), [], "1 more step is folded"),
    ("more, Japanese", fold("さらに4件を表示", MORE), [], "4 more steps are folded"),
    ("a line that says how many more ends nothing", RAN, [COMMAND, fold("Show 2 more", MORE)], ""),
]


@pytest.mark.parametrize("row, before, said", [c[1:] for c in FOLDS], ids=[c[0] for c in FOLDS])
def test_a_line_says_how_many_steps_it_hides(row, before, said):
    assert told_fold(row, before) == (f"{row.label} ({said})" if said else row.label)


def told_in(log):
    return [one.text for one in log]


@pytest.mark.asyncio
@pytest.mark.xdist_group("browser")
async def test_steps_that_ran_before_anybody_looked_are_said_to_be_folded(agent_window):
    desk = await agent_window(generation="app", most=2)
    steps = [Tool("Analyzed", f"{name}.js") for name in "abcde"]
    await desk.plays(Plan((Command("ls", ask=False), Say("Half."), *steps, Stall())))
    await desk.sees("document.body.innerText.includes('Show 3 more')")
    async with following(desk, passive=True) as told:
        await told.until(lambda _: "Analyzed e.js" in told_in(told.log))
        assert told_in(told.log) == [
            f"Worked for 1s ({UNKNOWN})",
            "Show 3 more (3 more steps are folded)",
            "Analyzed d.js",
            "Analyzed e.js",
        ]
        assert not any("Show" in text for text in told.progress)


@pytest.mark.asyncio
@pytest.mark.xdist_group("browser")
async def test_more_that_are_folded_are_told_anew_and_seen_ones_are_not_missed(agent_window):
    desk = await agent_window(generation="app", most=2)
    steps = [step for name in "abcd" for step in (Tool("Analyzed", f"{name}.js"), Pause(0.4))]
    async with following(desk) as told:
        await desk.plays(Plan((*steps, Say("Done."))))
        ended = await told.ended()
    texts = told_in(ended.log)
    assert texts[-1].startswith("Worked for ")
    assert "folded" not in texts[-1]
    assert sorted(texts[:-1]) == [
        *(f"Analyzed {name}.js" for name in "abcd"),
        "Show 2 more (2 more steps are folded)",
    ]
    assert (ended.text, ended.why_no_log) == ("Done.", "")
