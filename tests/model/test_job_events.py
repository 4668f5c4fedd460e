"""What happens to a job, as JSON and back."""

from typing import get_args

import msgspec
import pytest

from tabwire.model.ask import (
    EVENT_NAMES,
    Amended,
    Answer,
    Answered,
    AskEvent,
    Completeness,
    ConversationKnown,
    Failed,
    Phase,
    PhaseBegan,
    PromptLeft,
    StillWaiting,
    TextCame,
    Timings,
)
from tabwire.model.citations import Citation
from tabwire.model.errors import Retry
from tabwire.model.failure import Failure
from tabwire.model.job import JobState
from tabwire.model.job_events import KINDS, NAMES, JobEvent, StateChanged, read_job_event

NOW, MONOTONIC = 1_800_000_100.0, 500.0
AGO = 100.0
ANSWER = Answer(
    "a1",
    "grok",
    "why?",
    "Because.",
    Completeness.PARTIAL,
    "cut",
    citations=(Citation("https://x.example", "X", "Y"),),
    timings=Timings(total=3.5),
    debug={"bundle": "/x.json", "rows": [1, {"a": None}]},
)
FAILURE = Failure("limit_reached", "spent", "Wait.", Retry.SAME, 99.0, {"bundle": "/x.json"}, 5)
EVENTS = [
    PhaseBegan("grok", Phase.UPLOAD, 400.0, "a: b: c"),
    PromptLeft("grok", "a1", None, 400.0),
    ConversationKnown("grok", "a1", "c1", "https://grok.com/c/c1", 400.0),
    TextCame("grok", "\n\ndata: x", thinking=True, anew=False, at=400.0),
    StillWaiting("grok", "nothing came", 400.0),
    Answered("grok", ANSWER, 400.0),
    Amended("grok", ANSWER, 400.0),
    StateChanged("grok", JobState.FAILED, FAILURE, 400.0),
    StateChanged("grok", JobState.WORKING, None, 400.0),
]


def as_bytes(event):
    return msgspec.json.encode(JobEvent("a1", 7, NOW - AGO, event).as_data())


@pytest.mark.parametrize("event", EVENTS, ids=[NAMES[type(one)] for one in EVENTS])
def test_an_event_comes_back_as_it_was_with_the_time_of_the_readers_clock(event):
    read = read_job_event(as_bytes(event), now=NOW, monotonic=MONOTONIC)
    assert read == JobEvent("a1", 7, NOW - AGO, event)


def test_a_clock_that_runs_behind_puts_nothing_into_the_future():
    read = read_job_event(as_bytes(EVENTS[0]), now=NOW - 1000, monotonic=MONOTONIC)
    assert read.event.at == MONOTONIC


def test_every_event_of_an_ask_has_its_name_and_all_but_failed_are_told():
    assert set(EVENT_NAMES) == set(get_args(AskEvent))
    assert set(NAMES) == {*EVENT_NAMES, StateChanged} - {Failed}
    assert len(KINDS) == len(NAMES)
    assert {type(one) for one in EVENTS} == set(NAMES)


def test_an_event_of_a_newer_version_is_passed_over():
    data = b'{"event": "danced", "job_id": "a1", "number": 1, "at": 5.0}'
    assert read_job_event(data, now=NOW, monotonic=MONOTONIC) is None
