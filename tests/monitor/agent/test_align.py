"""Two readings of the same rows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.agent.panels import command, gap, panel, prose, tool
from tabwire.model.agent import Row, RowKind
from tabwire.monitor.agent.align import align
from tabwire.monitor.agent.ledger import Ledger

A, B, C = (lambda n=n: tool("Analyzed", n) for n in "abc")


def test_rows_drawn_anew_are_the_same_rows():
    assert align([A(), B(), C()], [A(), B(), C()]) == [0, 1, 2]


def test_one_more_of_the_same_is_new():
    assert align([A(), A()], [A(), A(), A()]) == [0, 1, None]
    assert align([A(), B()], [A(), B(), B()]) == [0, 1, None]


def test_a_node_used_for_the_next_row_is_not_the_row_before():
    known = [tool("Analyzed", n, token=t) for t, n in enumerate("abc", 1)]
    now = [tool("Analyzed", n, token=t) for t, n in enumerate("bcd", 1)]
    assert align(known, now) == [1, 2, None]


def test_equal_rows_out_of_sight_are_told_apart_by_their_nodes():
    known = [command("npm test", token=t) for t in (1, 2, 3)]
    now = [gap(), command("npm test", token=3), command("npm test", token=4)]
    assert align(known, now) == [None, 2, None]


def test_equal_rows_that_moved_up_are_known_by_their_nodes():
    known = [command("npm test", exit_code=0, token=t) for t in (1, 2, 3)]
    now = [command("npm test", exit_code=0, token=t) for t in (3, 4, 5)]
    assert align(known, now) == [2, None, None]


def test_a_row_that_is_done_is_the_row_that_ran():
    assert align([command("make", "running")], [command("make", "done", 0)]) == [0]


def test_a_command_that_runs_again_is_another():
    assert align(
        [command("make", "done", 0)], [command("make", "done", 0), command("make", "running")]
    ) == [0, None]


def test_words_that_grow_are_the_same_words():
    assert align([prose("**Weigh")], [prose("**Weighing** both")]) == [0]
    assert align([prose("One.")], [prose("One."), prose("Two.")]) == [0, None]


ROWS = st.lists(st.sampled_from("aabbc"), max_size=12)


@given(ROWS, ROWS)
def test_what_came_before_is_found_again_and_only_the_rest_is_new(before, more):
    known = [tool("Analyzed", one) for one in before]
    now = [tool("Analyzed", one) for one in before + more]
    assert align(known, now) == [*range(len(before)), *[None] * len(more)]


@given(ROWS, st.integers(0, 12), ROWS)
def test_with_its_nodes_kept_a_list_may_hide_any_beginning(before, hidden, more):
    known = [tool("Analyzed", one, token=at + 1) for at, one in enumerate(before)]
    kept = known[hidden:]
    now = [gap(), *kept, *[tool("Analyzed", one) for one in more]]
    found = align(known, now)
    if kept or not hidden:
        assert found[1:] == [*range(len(before) - len(kept), len(before)), *[None] * len(more)]


TURNS = st.lists(
    st.tuples(st.sampled_from("pqr"), st.lists(st.sampled_from("ab"), max_size=3)),
    min_size=1,
    max_size=6,
)


@given(TURNS, TURNS, st.integers(0, 5), st.booleans())
def test_only_rows_of_new_turns_are_appended(old, new, dropped, redrawn):
    """Turns keep their nodes or are all drawn anew; some old ones are dropped."""

    def shown(turns, base):
        return [
            (q, [tool("Analyzed", f"{base + at}{r}") for r in rows], base + at)
            for at, (q, rows) in enumerate(turns)
        ]

    ledger = Ledger()
    first = shown(old, 100)
    ledger.see(panel(*first))
    if redrawn and len({q for q, _ in old}) == 1:
        return  # equal questions, no node kept: nobody could tell
    keep = first if redrawn else first[min(dropped, len(first) - 1) :]
    if redrawn:
        keep = [(q, rows, 500 + at) for at, (q, rows, _) in enumerate(keep)]
    reading = ledger.see(panel(*keep, *shown(new, 300)))
    assert not reading.foreign
    assert [one.user for one in reading.appended] == [f"h:{q}" for q, _ in new]
    assert all(
        one.turn in reading.appended or not one.new for one in reading.changes if len(new) >= 2
    )
    assert all(one.row.kind is not RowKind.GAP for turn in ledger.turns for one in turn.rows)


BECAME = [
    # under way, done, whether that is the same step
    ("Editing cart.js", "Edited cart.js +4 -1", True),
    ("Editing cart.js +1 -0", "Editing cart.js +12 -3", True),
    ("Analyzing cart.js", "Analyzed cart.js #L1-75", True),
    ("Reading a.py", "Read a.py", True),
    ("Running npm test", "Ran npm test", True),
    ("cart.js を編集中", "cart.js を編集しました", True),
    ("編集中 cart.js", "編集しました cart.js +4 -1", True),
    ("Editing cart.js", "Edited cart.test.js", False),
    ("Reading cart.js", "Edited cart.js", False),
    ("Edited cart.js +4 -1", "Edited cart.js +2 -0", False),
    ("Editing", "Edited", False),
]


@pytest.mark.parametrize("before, after, same", BECAME)
@pytest.mark.parametrize("kinds", [("tool", "tool"), ("notice", "tool"), ("notice", "notice")])
def test_a_step_under_way_and_done_is_one_row_in_any_nodes(before, after, same, kinds):
    old, new = (
        Row(token, RowKind(kind), text.split()[0] if kind == "tool" else "", text)
        for token, kind, text in zip((1, 2), kinds, (before, after), strict=True)
    )
    assert align([old], [new]) == [0 if same else None]


def test_two_steps_on_the_same_file_stay_two():
    done = Row(1, RowKind.TOOL, "Edited", "Edited a.js +4 -1", "a.js")
    doing = Row(2, RowKind.TOOL, "Editing", "Editing a.js", "a.js", state="running")
    then = Row(3, RowKind.TOOL, "Edited", "Edited a.js +1 -0", "a.js")
    assert align([done], [done, doing]) == [0, None]
    assert align([done, doing], [done, then]) == [0, 1]
