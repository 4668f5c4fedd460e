"""Ten states as the four of a badge."""

import pytest

from tabwire.capture.standing import Lifecycle, ui_lifecycle
from tabwire.fusion.table import LIVING, SETTLED, TRANSITIONS, State

ORDER = list(Lifecycle)


def test_every_state_has_a_badge():
    assert {state: ui_lifecycle(state).value for state in State} == {
        State.IDLE: "idle",
        State.PROMPT_SENT: "prompt-sent",
        State.STREAMING: "streaming",
        State.COMPLETED_HINT: "completed",
        State.CANONICAL_PROBING: "completed",
        State.CAPTURED_READY: "completed",
        State.TERMINATED_PARTIAL: "completed",
        State.ERROR: "completed",
        State.SUPERSEDED: "idle",
        State.DISPOSED: "idle",
    }


@pytest.mark.parametrize("state", sorted(LIVING | SETTLED))
def test_no_line_of_the_table_takes_a_badge_back(state):
    for target in TRANSITIONS[state].values():
        if target in LIVING | SETTLED:
            assert ORDER.index(ui_lifecycle(target)) >= ORDER.index(ui_lifecycle(state))
