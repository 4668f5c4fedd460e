import re
from pathlib import Path

import pytest

import tabwire.fusion
from tabwire.fusion.table import DEAD, LIVING, SETTLED, TRANSITIONS, Cause, State, mermaid

FAILURES = (State.ERROR, State.TERMINATED_PARTIAL)


def after(state: State) -> set[State]:
    """Every state that can follow, however late."""
    found: set[State] = set()
    left = [state]
    while left:
        for target in TRANSITIONS[left.pop()].values():
            if target not in found:
                found.add(target)
                left.append(target)
    return found


def test_the_ten_states_have_the_names_of_the_seed():
    assert [state.value for state in State] == (
        "idle prompt_sent streaming completed_hint canonical_probing captured_ready "
        "terminated_partial error superseded disposed"
    ).split()


def test_every_state_has_a_row_and_one_kind():
    assert set(TRANSITIONS) == set(State)
    assert sorted([*LIVING, *SETTLED, *DEAD]) == sorted(State)


def test_every_state_can_be_reached_from_idle():
    assert after(State.IDLE) == set(State) - {State.IDLE}


@pytest.mark.parametrize("state", sorted(LIVING))
@pytest.mark.parametrize("exit_", [*FAILURES, State.SUPERSEDED, State.DISPOSED])
def test_every_living_state_has_every_exit_at_once(state, exit_):
    """A relative's table lacks prompt_sent -> error: a request refused at once vanishes."""
    assert exit_ in TRANSITIONS[state].values()


@pytest.mark.parametrize("state", sorted(LIVING))
@pytest.mark.parametrize(
    "cause",
    [Cause.TURN_STOPPED, Cause.REFUSED, Cause.WITNESSES_SILENT, Cause.GAVE_UP],
)
def test_no_living_state_ignores_a_failure(state, cause):
    assert TRANSITIONS[state][cause] in FAILURES


@pytest.mark.parametrize("state", sorted(set(State) - {State.DISPOSED}))
def test_every_state_can_be_disposed(state):
    assert TRANSITIONS[state][Cause.DISPOSED] is State.DISPOSED


@pytest.mark.parametrize("state", sorted(State))
def test_no_state_comes_back(state):
    assert state not in after(state)


@pytest.mark.parametrize("state", sorted(SETTLED | DEAD))
def test_what_is_over_never_lives_again(state):
    assert not after(state) & LIVING


def test_superseded_can_only_be_disposed_and_disposed_is_the_end():
    assert TRANSITIONS[State.SUPERSEDED] == {Cause.DISPOSED: State.DISPOSED}
    assert TRANSITIONS[State.DISPOSED] == {}


def test_only_steady_samples_make_a_conversation_ready():
    ways = {c for row in TRANSITIONS.values() for c, t in row.items() if t is State.CAPTURED_READY}
    assert ways == {Cause.CANONICAL_STEADY}


def test_every_cause_moves_something():
    assert {cause for row in TRANSITIONS.values() for cause in row} == set(Cause)


def test_one_file_moves_states():
    """Two writes beside the table were how a relative's table stopped being the law."""
    room = Path(tabwire.fusion.__file__).parent
    writes = re.compile(r"\.state\s*(?:,[^=\n]*)?=(?!=)")
    movers = {path.name for path in room.glob("*.py") if writes.search(path.read_text())}
    assert movers == {"life.py"}


def test_the_diagram_draws_every_line_of_the_table():
    drawn = mermaid()
    assert drawn.startswith("stateDiagram-v2\n    [*] --> idle\n")
    arrows = {
        (before, target): set(causes.split(", "))
        for before, target, causes in re.findall(r"^    (\w+) --> (\w+): (.+)$", drawn, re.M)
    }
    for state, row in TRANSITIONS.items():
        for cause, target in row.items():
            assert cause.value in arrows[state.value, target.value]
    assert sum(map(len, arrows.values())) == sum(map(len, TRANSITIONS.values()))
    assert drawn.endswith("    disposed --> [*]\n")
