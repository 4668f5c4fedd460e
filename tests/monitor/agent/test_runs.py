"""Runs as stories with seconds: what seed 000 asks of a monitor, by structure."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from monitor.agent.panels import Story, card, command, gap, panel, prose, think, tool
from tabwire.fusion.monitor_phases import INACTIVE_SECONDS, RECONNECT_SECONDS, Phase
from tabwire.model.agent import (
    AgentCard,
    AgentEnded,
    AgentImage,
    AgentPhase,
    AgentQuota,
    AgentShown,
    Loose,
    Panel,
    Row,
    RowKind,
)
from tabwire.monitor.agent.runs import LEFT_SECONDS, why_no_log

OLD = ("old?", [tool("Analyzed", "old.py"), prose("The old answer.")])


def asked(*rows, token=50):
    return ("new?", list(rows), token)


def test_s0_001_the_run_waits_and_what_stands_there_is_the_past():
    story = Story(panel(OLD))
    assert (story.phases, story.log, story.progress) == (["waiting"], [], [])


def test_s0_003_the_stop_control_means_thinking():
    story = Story(panel(OLD)).at(1, panel(OLD, stop=True))
    assert story.phases == ["waiting", "thinking"]


def test_s0_004_text_means_generating_and_progress():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(), stop=True))
    story.at(2, panel(OLD, asked(prose("Hello")), stop=True))
    assert story.phases == ["waiting", "thinking", "generating"]
    assert story.progress == ["Hello"]


def test_s0_005_a_fast_reply_whose_stop_control_nobody_saw_completes():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(prose("Hi."))))
    assert story.phases[-1] == "generating"
    story.at(3.5)
    assert story.ends == [("complete", "Hi.")]


def test_s0_006_complete_soon_after_the_control_went_and_not_at_once():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(prose("Hi")), stop=True))
    story.at(10, panel(OLD, asked(prose("Hi"))))
    story.at(11.7)
    assert story.ends == []
    story.at(12.5)
    assert story.ends == [("complete", "Hi")]
    assert story.of(AgentEnded)[0].at <= 12.5


@pytest.mark.parametrize("gone", [0.3, 1.3, 1.7])
def test_a_control_that_is_gone_for_a_while_splits_no_run(gone):
    story = Story(panel(OLD)).at(1, panel(OLD, asked(prose("Hi", 7)), stop=True))
    for second in (10, 20, 30):
        story.at(second, panel(OLD, asked(prose("Hi", 7))))
        story.at(second + gone, panel(OLD, asked(prose("Hi", 7)), stop=True))
    story.at(40, panel(OLD, asked(prose("Hi there.", 7)))).at(43)
    assert story.ends == [("complete", "Hi there.")]
    assert [one.run for one in story.of(AgentEnded)] == [1]


@pytest.mark.parametrize(
    "row, more",
    [(prose("Hi"), {"status": "Working.."}), (command("make", "running", token=7), {})],
    ids=["its status line", "a step that runs"],
)
def test_a_control_that_is_gone_while_the_panel_shows_work_is_waited_for(row, more):
    story = Story(panel(OLD)).at(1, panel(OLD, asked(row), stop=True))
    story.at(10, panel(OLD, asked(row), **more)).at(16)
    assert story.ends == []
    story.at(17, panel(OLD, asked(row), stop=True)).at(25)
    assert story.ends == []
    story.at(30, panel(OLD, asked(row), **more)).at(60)  # and not for ever
    assert [one[0] for one in story.ends] == ["complete"]


def test_a_run_that_somebody_stopped_is_stopped():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(prose("Half")), stop=True))
    story.at(2, panel(OLD, asked(prose("Half")), presses=1)).at(5)
    assert story.ends == [("stopped", "Half")]
    assert story.phases[-1] == "stopped"
    again = ("again?", [prose("Whole.")], 60)
    story.at(6, panel(OLD, asked(prose("Half")), again, stop=True, presses=1))
    story.at(7, panel(OLD, asked(prose("Half")), again, presses=1)).at(10)
    assert story.ends[-1] == ("complete", "Whole.")


def test_words_that_say_so_make_it_stopped_but_not_those_of_before():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(prose("Half")), stop=True))
    story.at(2, panel(OLD, asked(prose("Half")), stopped=True)).at(5)
    assert story.ends == [("stopped", "Half")]
    before = Story(panel(OLD, stopped=True)).at(1, panel(OLD, stop=True, stopped=True))
    before.at(2, panel(OLD, stopped=True)).at(5)
    assert before.ends == [("complete", "")]


def test_a_press_that_stopped_nothing_is_no_stop():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(prose("Half", 7)), stop=True))
    story.at(2, panel(OLD, asked(prose("Half", 7)), stop=True, presses=1))
    story.at(9, panel(OLD, asked(prose("All", 7)), stop=True, presses=1))
    story.at(10, panel(OLD, asked(prose("All", 7)), presses=1)).at(13)
    assert story.ends == [("complete", "All")]


def notice(text, state="failed", token=None):
    return Row(token or 900, RowKind.NOTICE, text=text, state=state)


def test_a_step_that_failed_before_the_answer_fails_no_run():
    rows = [notice("Error during tool execution"), prose("Found another way.")]
    story = Story(panel(OLD)).at(1, panel(OLD, asked(*rows), stop=True))
    story.at(2, panel(OLD, asked(*rows))).at(5)
    ended = story.of(AgentEnded)[0]
    assert (ended.phase, ended.error) == ("complete", "")


def test_an_error_that_is_the_last_word_fails_the_run():
    rows = [prose("Half"), notice("Our servers are experiencing high traffic right now.")]
    story = Story(panel(OLD)).at(1, panel(OLD, asked(*rows), stop=True))
    story.at(2, panel(OLD, asked(*rows))).at(5)
    ended = story.of(AgentEnded)[0]
    assert (ended.phase, "high traffic" in ended.error) == ("failed", True)


def test_an_error_of_before_fails_no_later_run():
    failed = card("error", "", text="Agent terminated due to error")
    story = Story(panel(OLD, cards=[failed]))
    story.at(1, panel(OLD, asked(prose("Hi")), stop=True, cards=[failed]))
    story.at(2, panel(OLD, asked(prose("Hi")), cards=[failed])).at(5)
    assert story.ends == [("complete", "Hi")]


def test_a_window_without_a_panel_is_told_and_so_is_its_panel():
    story = Story(Panel()).at(5)
    assert [(one.shown, bool(one.why)) for one in story.of(AgentShown)] == [(False, True)]
    story.at(6, panel(OLD))
    assert [one.shown for one in story.of(AgentShown)] == [False, True]
    story.at(7, Panel()).at(7.5, panel(OLD)).at(20)  # drawn anew
    assert len(story.of(AgentShown)) == 2
    story.at(30, Panel()).at(40)
    assert [one.shown for one in story.of(AgentShown)] == [False, True, False]


def test_s0_008_a_control_that_comes_back_is_counted_anew():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(prose("Hi")), stop=True))
    for second in (2.0, 3.0, 4.0):
        story.at(second, panel(OLD, asked(prose("Hi"))))
        story.at(second + 0.7, panel(OLD, asked(prose("Hi")), stop=True))
    assert story.ends == []
    story.at(5, panel(OLD, asked(prose("Hi")))).at(8)
    assert len(story.ends) == 1


def test_s0_009_text_that_comes_while_the_end_is_confirmed_is_the_final_text():
    row = prose("Hi").token
    story = Story(panel(OLD)).at(1, panel(OLD, asked(prose("Hi", row)), stop=True))
    story.at(2, panel(OLD, asked(prose("Hi", row))))
    story.at(2.3, panel(OLD, asked(prose("Hi there", row))))
    story.at(2.6, panel(OLD, asked(prose("Hi there.", row)))).at(4.5)
    assert story.ends == [("complete", "Hi there.")]
    assert story.of(AgentEnded)[0].at < 4.5


def test_a_turn_that_can_be_called_good_or_bad_is_over_in_a_moment():
    row = prose("Hi").token
    story = Story(panel(OLD)).at(1, panel(OLD, asked(prose("Hi", row)), stop=True))
    story.at(2, panel(OLD, asked(prose("Hi there.", row)), closed=True)).at(2.2)
    assert story.ends == [("complete", "Hi there.")]


@pytest.mark.parametrize(
    "shown, more",
    [
        ((OLD,), {}),
        ((OLD, asked(tool("Analyzed", "a.py"))), {}),
        ((OLD, asked(prose("I look."), tool("Analyzed", "a.py"))), {}),
        ((OLD, asked(prose("I look."), think("Hm"))), {}),
        ((OLD, asked(prose("Hi"))), {"status": "Generating.."}),
        ((OLD, asked(prose("Hi"))), {"cards": (card(),)}),
    ],
    ids=["another turn's", "nothing said", "a tool last", "a thought last", "at work", "it asks"],
)
def test_good_and_bad_alone_are_not_enough(shown, more):
    """The turn before may show them still, and a page is idle for a moment between two steps."""
    story = Story(panel(OLD)).at(1, panel(OLD, stop=True))
    story.at(2, panel(*shown, closed=True, **more)).at(2.7)
    assert story.ends == []


def test_s0_010_what_never_began_never_completes():
    story = Story(panel(OLD))
    for second in range(1, 60):
        story.at(second, panel(OLD))
    assert (story.ends, story.phases) == ([], ["waiting"])


def test_s0_011_a_run_that_says_nothing_completes_with_an_empty_text():
    story = Story(panel(OLD)).at(1, panel(OLD, stop=True)).at(2, panel(OLD)).at(4)
    assert story.ends == [("complete", "")]
    assert story.of(AgentEnded)[0].why_no_log


def test_s0_012_the_old_answer_is_no_progress():
    story = Story(panel(OLD)).at(1, panel(OLD, stop=True)).at(2, panel(OLD, asked(), stop=True))
    assert story.progress == []


def test_s0_013_only_new_rows_are_told():
    a, b, c = tool("Analyzed", "a"), tool("Analyzed", "b"), tool("Analyzed", "c")
    story = Story(panel(("q", [a, b]))).at(1, panel(("q", [a, b, c]), stop=True))
    assert story.log == ["Analyzed c"]


def test_s0_016_nothing_for_too_long_is_a_timeout_with_the_last_text():
    story = Story(panel(OLD)).at(1, panel(OLD)).at(INACTIVE_SECONDS - 1)
    assert story.ends == []
    story.at(INACTIVE_SECONDS + 2)
    assert story.ends == [("timeout", "")]


def test_s0_017_no_timeout_while_the_agent_works():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(prose("Hi")), stop=True)).at(86_400)
    assert story.ends == []


def test_s0_018_a_limit_before_any_text_ends_the_run_at_once():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(), stop=True))
    story.at(2, panel(OLD, asked(), stop=True, quota=["Model quota reached"]))
    assert story.ends == [("quota_reached", "")]
    assert [one.text for one in story.of(AgentQuota)] == ["Model quota reached"]


def test_s0_019_a_limit_after_text_is_a_flag():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(prose("Hi")), stop=True))
    story.at(2, panel(OLD, asked(prose("Hi")), stop=True, quota=["Model quota reached"]))
    story.at(3, panel(OLD, asked(prose("Hi")), quota=["Model quota reached"])).at(5)
    assert story.ends == [("complete", "Hi")]
    assert story.of(AgentEnded)[0].quota


def test_a_limit_that_stood_there_before_says_nothing_of_this_run():
    story = Story(panel(OLD, quota=["Model quota reached"]))
    story.at(1, panel(OLD, asked(), stop=True, quota=["Model quota reached"]))
    assert story.phases[-1] == "thinking"


def test_s0_024_and_025_a_lost_window_is_a_phase_and_the_phase_comes_back():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(prose("Hello")), stop=True))
    story.events += story.runs.connection(False, 2.0, "cut")
    last = story.of(AgentPhase)[-1]
    assert (last.phase, last.text, last.why) == ("disconnected", "Hello", "cut")
    story.events += story.runs.connection(True, 9.0)
    assert story.phases[-1] == "generating"


def test_s0_027_a_window_that_stays_away_ends_the_run_within_a_bound():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(prose("Hello")), stop=True))
    story.events += story.runs.connection(False, 2.0)
    story.at(2 + RECONNECT_SECONDS + 1)
    assert story.ends == [("timeout", "Hello")]
    assert "did not come back" in story.of(AgentEnded)[0].why


def test_s0_029_joining_a_run_begins_generating_with_what_its_turn_shows():
    story = Story(panel(OLD, asked(tool("Analyzed", "x"), prose("Half")), stop=True))
    assert story.phases == ["generating"]
    assert (story.progress, story.log) == (["Half"], ["Analyzed x"])
    story.at(1, panel(OLD, asked(tool("Analyzed", "x"), prose("Half of it")), stop=True))
    assert story.progress[-1] == "Half of it"


def test_s0_035_thinking_is_log_and_no_answer():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(think("I ponder.")), stop=True))
    assert story.progress == []
    assert story.log == ["Thinking\nI ponder."]
    assert story.phases[-1] == "thinking"


def test_s0_039_every_row_is_told_in_order_with_its_target():
    rows = [
        tool("Analyzed", "a.py", "#L1-9"), tool("Edited", "b.sql", "+1 -0"),
        tool("Created", "c.py", "+3 -0"), tool("Searched", "CategoryId", "4 results"),
        Row(7, RowKind.TOOL, "Error during tool execution", "Error during tool execution"),
        command("npm test", exit_code=1),
    ]  # fmt: skip
    story = Story(panel(OLD)).at(1, panel(OLD, asked(*rows), stop=True))
    assert story.log == [
        "Analyzed a.py #L1-9", "Edited b.sql +1 -0", "Created c.py +3 -0",
        "Searched CategoryId 4 results", "Error during tool execution",
        "Ran command: ~/shop $ npm test (exit code 1)",
    ]  # fmt: skip


def test_s0_040_the_same_command_three_times_is_three_entries():
    story = Story(panel(OLD))
    rows = []
    for second in (1, 2, 3):
        rows.append(command("npm test", exit_code=0))
        story.at(second, panel(OLD, asked(*rows), stop=True))
    story.at(4, panel(OLD, asked(*[command("npm test", exit_code=0) for _ in rows]), stop=True))
    assert len(story.rows) == 3  # and drawing them anew adds none
    assert len(story.log) == 3


def test_an_exit_code_is_told_when_it_comes():
    story = Story(panel(OLD))
    story.at(1, panel(OLD, asked(command("make", "running", token=7)), stop=True))
    story.at(2, panel(OLD, asked(command("make", "done", 2, token=7)), stop=True))
    assert len(story.rows) == 1
    assert story.log[-1].endswith("(exit code 2)")


def test_s0_055_a_card_is_told_once_and_the_agent_waits():
    ask = card(turn=50)
    row = command("npm test", "waiting")
    story = Story(panel(OLD)).at(1, panel(OLD, asked(), stop=True))
    for second in (2, 3, 4):
        story.at(second, panel(OLD, asked(row), stop=True, cards=[ask]))
    assert story.cards == [("c1", False)]
    assert story.phases == ["waiting", "thinking", "waiting_approval"]
    told = story.of(AgentCard)[0].card
    assert (told.command, told.cwd) == ("npm test", "~/shop")
    story.at(10_000)
    assert story.ends == []  # nobody's time runs while a person is asked
    story.at(10_001, panel(OLD, asked(command("npm test", "running")), stop=True))
    assert story.phases[-1] == "thinking"
    assert story.cards[-1] == ("c1", True)


def test_the_same_command_asked_for_again_is_told_again():
    story = Story(panel(OLD))
    story.at(1, panel(OLD, asked(), stop=True, cards=[card(id_="c1")]))
    story.at(2, panel(OLD, asked(), stop=True))
    story.at(3, panel(OLD, asked(), stop=True, cards=[card(id_="c2")]))
    assert [one for one in story.cards if not one[1]] == [("c1", False), ("c2", False)]


@pytest.mark.parametrize("kind, seconds", [("plan", 5), ("error", 10)])
def test_s0_060_and_061_a_card_that_blinks_is_not_told_again_soon(kind, seconds):
    story = Story(panel(OLD))
    story.at(1, panel(OLD, cards=[card(kind, "", "c1")]))
    story.at(2, panel(OLD))
    story.at(3, panel(OLD, cards=[card(kind, "", "c2")]))
    story.at(4, panel(OLD))
    assert [one[0] for one in story.cards if not one[1]] == ["c1"]
    story.at(5 + seconds, panel(OLD, cards=[card(kind, "", "c3")]))
    assert [one[0] for one in story.cards if not one[1]] == ["c1", "c3"]


def test_an_error_is_in_the_end_of_its_run():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(prose("Half")), stop=True))
    failed = card("error", "", text="Agent terminated due to error")
    story.at(2, panel(OLD, asked(prose("Half")), cards=[failed])).at(5)
    ended = story.of(AgentEnded)[0]
    assert (ended.phase, ended.error) == ("failed", "Agent terminated due to error")


def test_changed_files_that_may_be_accepted_hold_up_no_end():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(prose("Hi")), stop=True))
    story.at(2, panel(OLD, asked(prose("Hi")), cards=[card("files", "")])).at(4)
    assert story.ends == [("complete", "Hi")]


def test_a_plan_of_an_earlier_turn_does_not_hold_the_next_run():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(), cards=[card("plan", "", turn=50)]))
    assert story.phases[-1] == "waiting_approval"
    later = ("later?", [prose("Done")], 60)
    story.at(2, panel(OLD, asked(), later, cards=[card("plan", "", turn=50)], stop=True))
    assert story.phases[-1] == "generating"


def test_one_run_after_the_other_each_with_its_own_words():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(prose("One")), stop=True))
    story.at(2, panel(OLD, asked(prose("One")))).at(4)
    second = ("again?", [tool("Analyzed", "z"), prose("Two")], 60)
    story.at(5, panel(OLD, asked(prose("One")), second, stop=True))
    story.at(6, panel(OLD, asked(prose("One")), second)).at(8)
    assert story.ends == [("complete", "One"), ("complete", "Two")]
    assert [one.run for one in story.of(AgentEnded)] == [1, 2]
    assert story.log == ["Analyzed z"]


def test_work_that_goes_on_in_the_same_turn_tells_only_what_is_new():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(prose("One")), stop=True))
    story.at(2, panel(OLD, asked(prose("One")))).at(4)
    more = asked(prose("One"), tool("Edited", "z"), prose("Two"))
    story.at(5, panel(OLD, more, stop=True)).at(6, panel(OLD, more)).at(8)
    assert story.ends[-1] == ("complete", "Two")


# --- nothing of another turn ------------------------------------------------------------------


def test_turns_that_scroll_into_sight_are_the_past():
    story = Story(panel(None, None, OLD))
    older = ("first?", [tool("Analyzed", "secret"), prose("Long ago")], 10)
    story.at(1, panel(older, None, OLD))
    story.at(2, panel(("zeroth?", [prose("Older still")], 3), older, None, OLD, stop=True))
    assert (story.log, story.progress) == ([], [])


def test_rows_of_the_old_turn_that_are_drawn_late_are_the_past():
    known, late = tool("Analyzed", "b"), tool("Analyzed", "a")
    story = Story(panel(("q", [gap(), known], 9)))
    story.at(1, panel(("q", [late, known], 9), stop=True))
    assert story.log == []
    story.at(2, panel(("q", [late, known, tool("Edited", "c")], 9), stop=True))
    assert story.log == ["Edited c"]


def test_a_conversation_drawn_anew_tells_nothing_twice():
    rows = [tool("Analyzed", "a"), prose("Hi")]
    story = Story(panel(OLD)).at(1, panel(OLD, ("n", rows, 50), stop=True))
    again = [tool("Analyzed", "a"), prose("Hi")]
    old = (OLD[0], [tool("Analyzed", "old.py"), prose("The old answer.")], 71)
    story.at(2, panel(old, ("n", again, 72), stop=True))
    assert (story.log, story.progress) == (["Analyzed a"], ["Hi"])


def test_a_node_used_for_another_turn_is_that_turn():
    """A list that keeps two nodes and moves the turns through them."""
    story = Story(panel(("a", [prose("A")], 1), ("b", [prose("B")], 2)))
    shown = panel(("b", [prose("B")], 1), ("c", [prose("C")], 2), stop=True)
    story.at(1, shown)
    assert story.progress == ["C"]


def test_the_same_question_asked_twice_is_two_turns():
    story = Story(panel(("go on", [prose("A")], 1)))
    story.at(1, panel(("go on", [prose("A")], 1), ("go on", [prose("B")], 2), stop=True))
    assert story.progress == ["B"]


def test_another_conversation_ends_the_run_and_tells_nothing_of_itself():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(prose("Hi")), stop=True))
    other = panel(("elsewhere", [tool("Analyzed", "x"), prose("Other")], 80))
    story.at(2, other)
    assert story.ends == []  # a panel that draws itself anew is not believed at once
    story.at(2.1 + LEFT_SECONDS, other).at(9, other)
    assert story.ends == [("timeout", "Hi")]
    assert "another conversation" in story.of(AgentEnded)[0].why
    assert (story.log, story.progress) == ([], ["Hi"])


def test_another_conversation_that_begins_with_the_same_question_is_another():
    story = Story(panel(("hi", [prose("A")], 1), ("fix a", [prose("B")], 2), conversation="One"))
    other = panel(
        ("hi", [prose("C")], 1), ("fix b", [prose("D")], 2), ("more", [prose("E")], 3),
        conversation="Two",
    )  # fmt: skip
    story.at(1, other).at(9, other)
    assert (story.log, story.progress, story.ends) == ([], [], [])


def test_a_question_asked_anew_in_its_place_is_a_run():
    """The person went back to an earlier turn and asked something else there."""
    story = Story(panel(("hi", [prose("A")], 1), ("fix a", [prose("B")], 2), conversation="One"))
    story.at(1, panel(("hi", [prose("A")], 1), ("fix b", [prose("D")], 2), conversation="One"))
    assert story.progress == ["D"]


def test_a_panel_that_is_empty_for_a_moment_is_the_same_conversation():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(prose("Hi")), stop=True))
    story.at(2, panel(stop=True)).at(2.4, panel(OLD, asked(prose("Hi all")), stop=True))
    assert story.progress == ["Hi", "Hi all"]


def test_an_old_conversation_opened_from_an_empty_panel_is_the_past():
    story = Story(panel())
    story.at(1, panel(("a", [prose("A")], 1), ("b", [tool("Analyzed", "x"), prose("B")], 2)))
    story.at(5)
    assert (story.log, story.progress, story.ends) == ([], [], [])


def test_the_first_question_in_an_empty_panel_is_a_run():
    story = Story(panel()).at(1, panel(("a", [prose("A")], 1), stop=True))
    assert story.progress == ["A"]


def test_cards_keep_their_names_over_a_lost_line():
    story = Story(panel(OLD)).at(1, panel(OLD, asked(), stop=True, cards=[card(id_="x-1")]))
    story.events += story.runs.connection(False, 2.0)
    story.events += story.runs.connection(True, 3.0)
    story.at(3, panel(OLD, asked(), stop=True, cards=[card(id_="y-1")]))
    assert story.cards == [("x-1", False)]
    assert story.phases[-1] == "waiting_approval"


# --- other things -----------------------------------------------------------------------------


def test_pictures_are_events_once():
    image = Row(5, RowKind.IMAGE, text="A cat", src="blob:1", width=300, height=200)
    story = Story(panel(OLD))
    for second in (1, 2):
        story.at(second, panel(OLD, asked(image), stop=True))
    assert [(one.src, one.width) for one in story.of(AgentImage)] == [("blob:1", 300)]


def test_the_answer_is_what_follows_the_last_thing_done():
    rows = [prose("I will look."), tool("Analyzed", "a"), prose("It is fine.")]
    story = Story(panel(OLD)).at(1, panel(OLD, asked(*rows), stop=True))
    story.at(2, panel(OLD, asked(*rows))).at(4)
    ended = story.of(AgentEnded)[0]
    assert ended.text == "I will look.\n\nIt is fine."
    assert ended.answer == "It is fine."


def test_a_panel_of_unknown_structure_is_read_by_words():
    def shown(text, logs, stop):
        return Panel(panel=True, stop=stop, loose=Loose(text, logs))

    story = Story(shown("Old", ("Reading a",), False))
    story.at(1, shown("Old", ("Reading a", "Reading b"), True))
    story.at(2, shown("New", ("Reading a", "Reading b"), True)).at(3, shown("New", (), False)).at(5)
    assert story.log == ["Reading b"]
    assert story.ends == [("complete", "New")]


@pytest.mark.parametrize(
    "shown, words",
    [
        (Panel(), "no agent panel"),
        (Panel(panel=True, loose=Loose()), "panel's structure is unknown"),
        (panel(OLD), "used no tool"),
    ],
)
def test_an_empty_log_says_why(shown, words):
    assert words in why_no_log(shown)


STEPS = st.sampled_from(["stop", "gone", "say", "tool", "ask", "answer", "lose", "back", "wait"])


@given(st.lists(st.tuples(STEPS, st.floats(0, 3)), max_size=30))
def test_whatever_happens_a_run_ends_once_and_phases_tell_of_every_change(steps):
    """Properties: no text of before, ends at most once a run, disconnected only while away."""
    story = Story(panel(OLD))
    rows, stop, cards, now, away = [], False, [], 0.0, False
    for step, seconds in steps:
        now += seconds
        match step:
            case "stop" | "gone":
                stop = step == "stop"
            case "say":
                rows.append(prose(f"word {len(rows)}"))
            case "tool":
                rows.append(tool("Analyzed", f"f{len(rows)}"))
            case "ask" | "answer":
                cards = [card()] if step == "ask" else []
            case "lose" | "back":
                away = step == "lose"
                story.at(now)
                story.events += story.runs.connection(not away, now)
        if away:
            story.at(now)
            continue
        story.at(now, panel(OLD, asked(*rows), stop=stop, cards=cards))
    assert all("old" not in one.lower() for one in (*story.log, *story.progress))
    runs = [one.run for one in story.of(AgentEnded)]
    assert len(runs) == len(set(runs))
    told = story.of(AgentPhase)
    assert all(a.phase != b.phase or a.run != b.run for a, b in pairwise(told))
    if away and not story.runs.over:
        assert story.runs.phase is Phase.DISCONNECTED
    if cards and not away and not story.runs.over:
        assert story.runs.phase is Phase.WAITING_APPROVAL
    story.at(now + 10 * INACTIVE_SECONDS)
    assert story.runs.over or stop or cards
