"""What runs in `make test` of a matrix, and what is left to `make soak`.

A matrix of sites, layouts or languages shows its worth once in a while; one of each row, by
turns, is enough to see that nothing broke. `by_turns` says so where the rows are written down,
`ROWS` for matrices that are longer than their worth in minutes.
"""

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

ROWS = {
    "faults/test_asking_stories.py::test_an_ask_comes_to_what_it_must_in_every_story": 9,
    "faults/test_asking_killed.py::test_an_ask_killed_at_a_step_is_finished_by_the_next": 3,
    "faults/test_asking_composer.py::test_the_prompt_arrives_to_the_letter": 4,
    "faults/test_asking_composer.py::test_a_long_prompt_arrives_to_the_letter": 2,
    "faults/test_asking.py::test_an_answer_to_somebody_else_is_waited_for_and_never_stopped": 1,
    "faults/test_asking.py::test_two_asks_at_once_at_one_site_get_each_its_own_answer": 1,
    "faults/test_asking_options.py::test_a_file_is_there_before_the_prompt_leaves": 1,
    "faults/test_asking_options.py::test_a_temporary_chat_is_not_kept_by_the_site": 1,
    "faults/test_hub_orphans.py::test_the_browser_of_a_hub_ends_with_it": 2,
    "faults/test_relay_cut.py::test_an_answer_in_the_middle_of_which_the_line_broke_is_whole": 2,
    "faults/test_stories.py::test_the_watcher_says_what_the_story_promises": 4,
    "faults/test_watching.py::test_no_answer_is_too_fast_or_too_large": 4,
    "e2e/test_library.py::test_whoever_leaves_a_stream_leaves_nothing_behind": 1,
    "e2e/test_mcp.py::test_a_client_gets_the_answers_of_two_sites_and_each_was_asked_once": 1,
    "asking/test_model_choice.py::test_an_effort_is_chosen_in_any_language": 3,
    "asking/test_model_choice.py::test_every_model_that_is_offered_is_the_one_that_answers": 2,
    "asking/test_model_choice.py::test_a_mode_of_grok_is_in_the_request": 1,
    "asking/test_model_choice.py::test_a_name_nobody_offers_is_refused_with_what_is_offered": 2,
    "asking/test_model_choice.py::test_a_tier_that_is_spent_is_refused_in_the_pages_own_words": 2,
    "asking/test_model_choice_other.py::test_a_compact_view_is_opened_to_its_menus": 2,
    "asking/test_model_choice_other.py::test_a_slider_alone_is_moved_by_keys": 2,
    "asking/test_uploads.py::test_a_slow_upload_is_waited_for": 2,
    "asking/test_uploads.py::test_two_files_are_uploaded_and_go_with_the_prompt": 2,
    "asking/test_uploads.py::test_a_page_of_other_make_is_read_by_what_it_shows": 4,
    "asking/test_uploads.py::test_without_any_input_files_are_pasted": 2,
    "asking/test_uploads.py::test_files_of_somebody_else_are_neither_sent_nor_taken_back": 2,
    "asking/test_uploads.py::test_an_upload_that_fails_is_refused_and_taken_back": 3,
    "browser/test_observe.py::test_an_answer_is_followed_from_question_to_action_bar": 3,
    "browser/tap/test_tap.py::test_what_is_read_afterwards_is_the_same_bytes": 5,
    "browser/tap/test_tap.py::test_big_and_packed_responses_are_whole": 3,
    "monitor/test_follow.py::test_an_answer_typed_by_hand_is_followed_to_its_proven_end": 2,
    "lab/test_honest.py::test_page_wire_and_ledger_agree_in_every_story": 10,
    "lab/test_honest.py::test_an_exchange_in_every_site_layout_and_language": 5,
    "lab/test_honest.py::test_whatever_befalls_a_tab_the_site_answers_and_keeps_it": 1,
    "lab/test_drift.py::test_a_seed_is_always_the_same_page_and_every_seed_another": 5,
    "lab/replicas/chatgpt/test_observed.py"
    "::test_an_exchange_is_asked_and_seen_from_beginning_to_end": 3,
    "lab/replicas/chatgpt/test_layouts.py::test_an_exchange_in_every_language": 1,
    "lab/replicas/chatgpt/test_layouts.py::test_stop_says_so_in_the_page_s_language_and_stops": 2,
    "lab/replicas/chatgpt/test_stories.py::test_the_rest_of_an_answer_is_fetched_wherever_it_is": 3,
    "lab/replicas/chatgpt/test_stage.py::test_a_file_takes_its_time_and_goes_along": 2,
    "lab/replicas/gemini/test_stories.py"
    "::test_however_the_wire_carries_it_the_page_has_it_whole": 2,
    "lab/replicas/gemini/test_stories.py::test_an_exchange_in_every_language": 2,
    "lab/replicas/grok/test_stage.py::test_an_exchange_in_every_language": 2,
    "lab/replicas/grok/test_stories.py::test_a_refusal_is_shown_as_what_it_is": 3,
    "lab/replicas/grok/test_x_page.py::test_an_exchange_in_every_language": 2,
    "lab/replicas/gemini/test_stories.py::test_what_the_site_refuses_is_told": 3,
    "lab/replicas/gemini/test_stories.py::test_an_overlay_keeps_send_from_being_clicked": 1,
    "lab/replicas/grok/test_x_page.py::test_the_rest_is_read_from_what_is_stored": 2,
    "lab/replicas/grok/test_stage.py::test_a_dialog_covers_send_until_it_is_closed": 1,
    "lab/replicas/chatgpt/test_observed.py::test_a_refusal_is_seen_as_what_it_is": 2,
    "lab/replicas/chatgpt/test_page.py::test_what_is_written_is_what_arrives": 3,
    "lab/play/test_person.py::test_a_page_is_used_by_its_looks_where_its_parts_have_other_names": 1,
    "lab/test_drift.py::test_each_grade_does_what_it_says": 3,
    "browser/test_observe.py::test_an_old_answer_is_never_the_new_questions": 3,
    "browser/test_observe_world.py::test_a_notice_is_told_when_it_shows_and_when_it_goes": 4,
    "browser/page/test_fill.py::test_an_editor_with_a_model_of_its_own_takes_every_text": 2,
    "browser/test_world.py::test_it_survives_every_kind_of_navigation": 2,
    "faults/test_asking_limits.py::test_a_limit_says_when_it_is_over_where_anybody_says_it": 1,
    "faults/test_asking_composer.py::test_a_draft_that_the_site_kept_is_put_back": 1,
    "faults/test_asking_stuck.py"
    "::test_a_stop_that_hangs_is_loaded_away_and_the_prompt_sent_once": 1,
    "faults/test_watching.py::test_a_page_in_trouble_does_not_trouble_the_watch": 2,
    "doors/cli/ask/test_ask_lab.py::test_on_a_terminal_columns_grow_and_answers_follow_in_full": 1,
    "doors/cli/antigravity/test_ends.py::test_once_leaves_with_the_code_of_how_it_ended": 1,
    "doors/cli/antigravity/test_ends.py::test_a_window_that_stays_away_is_given_up": 1,
    "files/test_damage.py::test_of_a_stream_cut_anywhere_the_whole_records_are_told": 1,
    "files/test_files.py::test_200_mb_of_zeros_are_refused_with_little_memory": 3,
    "faults/test_asking_walls.py::test_after_a_login_the_same_question_is_asked": 2,
    "faults/test_asking_walls.py"
    "::test_after_a_limit_or_a_failure_the_next_question_is_asked_in_our_own_tab": 2,
    "faults/test_asking_walls.py::test_a_page_that_had_no_composer_once_is_read_anew": 1,
    "faults/test_asking_walls.py::test_a_wall_of_any_build_is_a_login_and_quotes_its_words": 2,
    "faults/test_asking_stopped.py"
    "::test_an_answer_we_are_told_to_stop_is_over_at_once_and_stays_stopped": 2,
    "faults/test_asking_stopped.py::test_a_stop_pressed_in_the_page_is_never_forgotten": 1,
    "faults/test_asking_swallowed.py::test_a_swallowed_press_at_chatgpt_is_tried_once_more": 1,
    "faults/test_asking_swallowed.py"
    "::test_where_nobody_knows_whether_it_left_an_answer_of_before_is_never_given": 1,
    "faults/test_hub_cannot_start.py"
    "::test_a_home_that_cannot_be_written_to_is_said_and_not_traced": 5,
    "faults/test_hub_cannot_start.py::test_the_cause_and_the_remedy_are_told_to_the_client": 3,
}
"""How many rows of a test run in `make test`; a test holds that every name is one."""


FEW = {
    "doors/cli/antigravity/test_command.py": 3,
    "doors/cli/antigravity/test_auto.py": 2,
    "hub/agents/test_windows.py": 1,
    "hub/agents/test_agents.py": 1,
    "lab/antigravity/test_agent.py": 4,
    "lab/antigravity/test_composer.py": 3,
    "lab/antigravity/test_lab.py": 2,
    "lab/antigravity/test_press.py": 4,
    "lab/antigravity/test_surfaces.py": 4,
    "monitor/agent/test_windows.py": 1,
}
"""How many tests of a file that play an agent panel in a browser run in `make test`."""
_PLAYS = frozenset(("agent_window", "antigravity", "chromium"))


def leave_panels_to_soak(items: Sequence[pytest.Item], tests: Path) -> None:
    """Of files that play an agent panel, a few tests by turns; the rest for `make soak`."""
    found: dict[str, list[pytest.Item]] = {}
    for item in items:
        name = item.path.relative_to(tests).as_posix()
        plays = _PLAYS.intersection(getattr(item, "fixturenames", ()))
        if name in FEW and plays and item.get_closest_marker("soak") is None:
            found.setdefault(name, []).append(item)
    for name, plays_of in found.items():
        count = min(FEW[name], len(plays_of))
        due = {step * len(plays_of) // count for step in range(count)}
        for at, item in enumerate(plays_of):
            if at not in due:
                item.add_marker(pytest.mark.soak)


def leave_rows_to_soak(items: Sequence[pytest.Item], tests: Path) -> None:
    """Mark the rows that are not due, chosen by the name of their test, for `make soak`."""
    found: dict[str, list[pytest.Item]] = {}
    for item in items:
        name = f"{item.path.relative_to(tests).as_posix()}::{getattr(item, 'originalname', '')}"
        if name in ROWS and item.get_closest_marker("soak") is None:
            found.setdefault(name, []).append(item)
    for name, rows in found.items():
        first, count = zlib.crc32(name.encode()), min(ROWS[name], len(rows))
        due = {(first + step * len(rows) // count) % len(rows) for step in range(count)}
        for at, item in enumerate(rows):
            if at not in due:
                item.add_marker(pytest.mark.soak)


def by_turns(name: str, values: Sequence[Any], count: int = 1) -> list[Any]:
    """All values as parameters; all but `count` of them, chosen by the name, only in soaks."""
    first = zlib.crc32(name.encode())
    chosen = {(first + step) % len(values) for step in range(count)}
    params = []
    for at, value in enumerate(values):
        given = value if isinstance(value, tuple) else (value,)
        params.append(pytest.param(*given, marks=() if at in chosen else pytest.mark.soak))
    return params
