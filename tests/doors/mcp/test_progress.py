"""How long a call waits, and what is told meanwhile."""

import itertools
from dataclasses import replace

import pytest

from kit.mcp_jobs import ScriptedJobs
from tabwire.doors.mcp.clients import KNOWN, client_named
from tabwire.doors.mcp.progress import HTTP_SECONDS, Patience, age, doing, sentence, wait_for
from tabwire.model.ask import AskRequest, Phase, Step
from tabwire.model.job import Asker, Door, Job, JobState
from tabwire.model.phases import PHASE_WORDS

NOW = 10_000.0
JOB = Job(
    "job-1",
    AskRequest("grok", "why?"),
    Asker("me", Door.MCP),
    JobState.WORKING,
    Step.SENT,
    NOW - 200,
    NOW - 1,
)

PATIENCE = [
    # wait, client, has a token, over HTTP, seconds
    ("auto", "claude-code", True, False, None),
    ("auto", "Claude-Code", True, False, None),
    ("auto", "claude-code", False, False, 45),
    ("auto", "claude-code", True, True, HTTP_SECONDS),
    ("auto", "Visual Studio Code - Insiders", True, False, None),
    ("auto", "claude-ai", True, False, 45),
    ("auto", "codex-mcp-client", True, False, 45),
    ("auto", "somebody new", True, False, 45),
    ("auto", "", True, False, 45),
    ("none", "claude-code", True, False, 0),
    (7.5, "claude-code", True, False, 7.5),
    (600.0, "somebody new", False, False, 600),
]


@pytest.mark.parametrize("wait, name, token, http, seconds", PATIENCE)
def test_a_call_waits_as_long_as_its_client_can(wait, name, token, http, seconds):
    patience = Patience.of(wait, client_named(name), has_token=token, over_http=http, seconds=45)
    assert patience.seconds == seconds


def test_every_known_client_is_found_by_its_name():
    assert [client_named(one.name) for one in KNOWN] == list(KNOWN)


@pytest.mark.parametrize(
    "changes, said",
    [
        ({}, "waiting for its turn 3m20s"),
        ({"phase": Phase.CONNECT, "phase_at": NOW}, "connecting to the browser"),
        ({"phase": Phase.WAIT_RESPONSE, "phase_at": NOW - 9}, "waiting for the answer 9s"),
        ({"phase": Phase.THINKING, "phase_at": NOW - 192}, "thinking 3m12s"),
        ({"phase": Phase.ANSWERING, "characters": 4812}, "answering, 4,812 characters"),
        ({"phase": Phase.RECOVERING, "phase_at": NOW - 3720}, "looking for the answer 1h02m"),
        ({"state": JobState.INPUT_REQUIRED, "phase": Phase.SEND}, "needs the person"),
        ({"state": JobState.COMPLETED}, "done"),
    ],
)
def test_what_a_job_does_is_said_as_a_person_would(changes, said):
    assert doing(replace(JOB, **changes), NOW) == said


def test_every_phase_is_said_in_the_words_all_doors_have_for_it():
    for phase in Phase:
        assert doing(replace(JOB, phase=phase), NOW).startswith(PHASE_WORDS[phase])


def test_of_several_each_is_named():
    other = replace(JOB, request=AskRequest("gemini", "why?"), state=JobState.FAILED)
    assert sentence([JOB, other], NOW) == "Grok: waiting for its turn 3m20s; Gemini: failed"


@pytest.mark.parametrize(
    "seconds, said", [(-1, "0s"), (59.9, "59s"), (60, "1m00s"), (3600, "1h00m")]
)
def test_ages_are_short(seconds, said):
    assert age(seconds) == said


class Counting(ScriptedJobs):
    """Time passes only while somebody waits."""

    def __init__(self, rest_at: float | None) -> None:
        super().__init__()
        self.clock, self.rest_at = 0.0, rest_at

    async def wait(self, job_ids, seconds=None):
        self.clock += seconds
        done = self.rest_at is not None and self.clock >= self.rest_at
        return (replace(JOB, state=JobState.COMPLETED) if done else JOB,)


async def waited(jobs, patience, **more):
    told = []

    async def tell(number, what):
        told.append(number)

    (job,) = await wait_for(jobs, [JOB], Patience(patience), tell, clock=lambda: jobs.clock, **more)
    return job, told


@pytest.mark.asyncio
async def test_progress_is_told_at_least_every_ten_seconds_for_an_hour():
    jobs = Counting(rest_at=3600)
    job, told = await waited(jobs, None, now=lambda: NOW + jobs.clock)
    assert job.state is JobState.COMPLETED
    steps = [later - sooner for sooner, later in itertools.pairwise(told)]
    assert 0 < min(steps) <= max(steps) <= 10
    assert told[0] == 200, "counted from the beginning of the job"


@pytest.mark.asyncio
async def test_numbers_rise_also_when_the_clock_goes_back():
    jobs = Counting(rest_at=60)
    _, told = await waited(jobs, None, now=lambda: NOW - 2 * jobs.clock)
    assert told == sorted(set(told))


@pytest.mark.parametrize("seconds", [0.0, 45.0, 47.0])
@pytest.mark.asyncio
async def test_patience_ends_to_the_second(seconds):
    jobs = Counting(rest_at=None)
    job, told = await waited(jobs, seconds)
    assert job.state is JobState.WORKING
    assert jobs.clock == seconds
    assert bool(told) == bool(seconds)
