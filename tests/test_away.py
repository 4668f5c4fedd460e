"""docs/extension.md, "When something is away": no row without a test that tries it."""

import pytest

from kit.hub_process import ROOT

# docs/extension.md, row by row: who tries it, for a question of a program and for one of a person
ROWS = {
    "the hub stops or restarts": (
        ("e2e/test_away.py", "test_what_was_away_in_mid_answer_costs_nothing"),
        ("e2e/test_relay_hub.py", "test_a_hub_killed_in_the_middle_of_an_answer_is_followed"),
        ("extension/test_worker_line.py", "test_a_hub_that_comes_is_found_within_three_seconds"),
        (
            "hub/conversations/test_captures_away.py",
            "test_a_hub_that_is_started_anew_in_mid_answer_goes_on",
        ),
        (
            "hub/conversations/test_captures_away.py",
            "test_what_is_kept_as_ready_can_be_saved_in_the_next_hub",
        ),
        (
            "hub/conversations/test_captures_away.py",
            "test_what_is_not_kept_is_read_again_where_the_person_looks",
        ),
    ),
    "the connection is interrupted": (
        ("e2e/test_away.py", "test_what_was_away_in_mid_answer_costs_nothing"),
        ("faults/test_relay_cut.py", "test_an_answer_in_the_middle_of_which_the_line_broke"),
        ("extension/test_channel.py", "test_what_was_not_confirmed_is_said_again_when_the_port"),
    ),
    "Chrome stops the extension's worker": (
        ("e2e/test_away.py", "test_what_was_away_in_mid_answer_costs_nothing"),
        ("extension/test_worker_pages.py", "test_an_open_page_wakes_a_worker_that_was_ended"),
        (
            "hub/conversations/test_captures_away.py",
            "test_a_page_whose_worker_was_ended_in_mid_answer_goes_on",
        ),
        ("hub/relay/test_relays.py", "test_a_new_worker_has_forgotten_and_its_tabs_are_read_again"),
    ),
    "the extension is disabled or removed during a question": (
        ("faults/test_relay_lost.py", "test_an_extension_switched_off_in_the_middle_is_said"),
        (
            "hub/conversations/test_captures_away.py",
            "test_a_page_that_goes_in_mid_answer_leaves_what_was_heard",
        ),
    ),
    "the machine slept": (
        ("faults/test_relay_lost.py", "test_a_machine_that_slept_in_the_middle_goes_on"),
        ("hub/relay/test_session.py", "test_a_quiet_line_is_pinged_and_a_dead_one_is_found"),
    ),
    "Tabwire was updated": (
        ("hub/relay/test_relays.py", "test_another_protocol_is_refused_and_who_is_to_be_updated"),
        ("faults/test_relay_lost.py", "test_an_extension_reloaded_in_the_middle_goes_on"),
    ),
}


def rows():
    text = (ROOT / "docs" / "extension.md").read_text("utf-8")
    table = text.partition("## Interruptions")[2].partition("\n## ")[0]
    cells = [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("|")]
    return cells[2:]  # after the head and the line under it


def test_the_table_has_these_rows():
    assert rows() == list(ROWS)


@pytest.mark.parametrize("path, name", sorted({one for all_of in ROWS.values() for one in all_of}))
def test_whoever_is_named_is_there(path, name):
    assert f"def {name}" in (ROOT / "tests" / path).read_text("utf-8")
