"""Runs that two sources told, counted and ended as if one had."""

from tabwire.hub.remote.joined_runs import CUT, UNSEEN, JoinedRuns
from tabwire.model.agent import (
    AgentAttached,
    AgentEnded,
    AgentPhase,
    AgentProgress,
    SelfTest,
)

ATTACHED = AgentAttached(0.0, "shop", SelfTest("", True, "one", True))


def phase(name, run=1, text=""):
    return AgentPhase(0.0, "shop", run, name, text)


def told(runs, *events):
    return [one for event in events for one in runs.told(event)]


def test_one_source_is_told_as_it_is():
    runs = JoinedRuns()
    events = [ATTACHED, phase("waiting"), phase("thinking"), AgentProgress(0.0, "shop", 1, "x")]
    assert told(runs, *events) == events


def test_a_run_that_is_still_under_way_is_the_same_run():
    runs = JoinedRuns()
    told(runs, ATTACHED, phase("waiting", 3), phase("generating", 3))
    assert runs.cut(5.0) == (AgentPhase(5.0, "shop", 3, "disconnected", "", CUT),)
    again = told(runs, ATTACHED, phase("generating"), AgentProgress(0.0, "shop", 1, "more"))
    assert again == [ATTACHED, phase("generating", 3), AgentProgress(0.0, "shop", 3, "more")]
    assert told(runs, phase("waiting", 2)) == [phase("waiting", 4)]


def test_a_run_that_is_over_meanwhile_ended_unseen():
    runs = JoinedRuns()
    told(runs, phase("waiting"), phase("generating"), AgentProgress(0.0, "shop", 1, "half"))
    runs.cut(5.0)
    attached, ended, waiting = told(runs, ATTACHED, phase("waiting"))
    assert (attached, waiting) == (ATTACHED, phase("waiting", 2))
    assert isinstance(ended, AgentEnded)
    assert (ended.run, ended.phase, ended.lost, ended.text) == (1, "timeout", True, "half")
    assert ended.why == UNSEEN


def test_between_two_runs_only_the_count_goes_on():
    runs = JoinedRuns()
    end = AgentEnded(0.0, "shop", 1, "complete", "x")
    told(runs, phase("waiting"), phase("generating"), phase("complete"), end)
    runs.cut(5.0)
    assert told(runs, ATTACHED, phase("waiting")) == [ATTACHED, phase("waiting", 2)]


def test_a_source_that_never_told_anything_has_nothing_to_resume():
    runs = JoinedRuns()
    assert runs.cut(5.0) == ()
    assert told(runs, ATTACHED, phase("waiting")) == [ATTACHED, phase("waiting")]
