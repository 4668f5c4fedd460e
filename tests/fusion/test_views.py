import pytest

from fusion.story import (
    BUSY,
    CUT,
    ENDED,
    GREW,
    PROMPT,
    STOPPED,
    STORED,
    told,
)
from tabwire.fusion.monitor_phases import Phase
from tabwire.fusion.table import LIVING, SETTLED, TRANSITIONS, State
from tabwire.fusion.views import Lifecycle, monitor_phase, ui_lifecycle
from tabwire.model.signals import Refusal, Refused, ThoughtGrew

ORDER = list(Lifecycle)
LIMIT, BLOCKED = Refused(Refusal.RATE_LIMIT), Refused(Refusal.BLOCKED)


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


PHASES = [
    ("nothing yet", [], Phase.WAITING),
    ("sent", [(1, PROMPT)], Phase.WAITING),
    ("the page works", [(1, PROMPT), (2, BUSY)], Phase.THINKING),
    ("reasoning", [(1, PROMPT), (2, ThoughtGrew("hm"))], Phase.THINKING),
    ("text", [(1, PROMPT), (2, GREW)], Phase.GENERATING),
    ("proven", [(1, GREW), (2, ENDED)], Phase.COMPLETE),
    ("ready", [(1, STORED), (2, STORED)], Phase.COMPLETE),
    ("stopped by the person", [(1, GREW), (2, STOPPED)], Phase.COMPLETE),
    ("cut", [(1, GREW), (2, CUT), (10, None)], Phase.TIMEOUT),
    ("no answer at all", [(1, PROMPT), (2, CUT), (10, None)], Phase.TIMEOUT),
    ("limit before any text", [(1, PROMPT), (2, LIMIT)], Phase.QUOTA_REACHED),
    ("limit with text in hand", [(1, GREW), (2, LIMIT)], Phase.TIMEOUT),
    ("blocked", [(1, PROMPT), (2, BLOCKED)], Phase.TIMEOUT),
]


@pytest.mark.parametrize("story, phase", [c[1:] for c in PHASES], ids=[c[0] for c in PHASES])
def test_the_phase_of_an_attempt_followed_by_wire(story, phase):
    assert monitor_phase(told(story)) is phase


def test_lost_and_asking_lie_over_a_living_run_only():
    running, ended = told([(1, GREW)]), told([(1, GREW), (2, ENDED)])
    assert monitor_phase(running, connected=False, approval=True) is Phase.DISCONNECTED
    assert monitor_phase(running, approval=True) is Phase.WAITING_APPROVAL
    assert monitor_phase(ended, connected=False, approval=True) is Phase.COMPLETE
