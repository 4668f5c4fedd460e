"""A command that asks through the hub: when it does, what it tells, and how it leaves."""

import asyncio
import time
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from kit.http_door import open_door
from kit.mcp_jobs import scripted_hub
from tabwire.hub.jobs import retrieval
from tabwire.hub.jobs.ask_runner import AskControl
from tabwire.hub.jobs.books import opened_books
from tabwire.hub.process import starter
from tabwire.hub.remote import asks as subject
from tabwire.hub.remote.asks import error_of, hub_for
from tabwire.hub.remote.hub import RemoteHub
from tabwire.model.ask import (
    LAB,
    Answer,
    Answered,
    AskRequest,
    Completeness,
    ConversationKnown,
    Failed,
    Phase,
    PhaseBegan,
    PromptLeft,
    StillWaiting,
    TextCame,
)
from tabwire.model.ask_errors import AnswerTimedOut, AskError
from tabwire.model.errors import ExtensionNotConnected, Retry
from tabwire.model.failure import Failure, exit_code_of
from tabwire.model.job import Asker, Door, Job, JobState, Step
from tabwire.store.rows import Owner

pytestmark = pytest.mark.asyncio

WHY = AskRequest("grok", "why?")


@pytest.fixture
def door(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "h"))
    return lambda: open_door(tmp_path / "h", monkeypatch, hub=scripted_hub(browser="auto"))


@pytest.fixture
def far():
    return RemoteHub(start=False)


SAID = [
    # id, settings, browser, whether the hub is asked
    ("nothing said", {}, None, True),
    ("the browser of the settings", {}, "auto", True),
    ("another browser", {}, "launch", False),
    ("hub off", {"TABWIRE_HUB": "off"}, None, False),
    ("the extension, which is the hub's alone", {}, "extension", True),
    ("the same by the settings", {"TABWIRE_BROWSER": "extension"}, None, True),
    ("the settings changed since it began", {"TABWIRE_BROWSER": "lab"}, None, False),
]


@pytest.mark.parametrize("more, browser, through", [c[1:] for c in SAID], ids=[c[0] for c in SAID])
async def test_the_hub_is_asked_where_it_has_the_browser_that_is_meant(
    door, monkeypatch, more, browser, through
):
    for name, value in more.items():
        monkeypatch.setenv(name, value)
    said = []
    async with door():
        found = await hub_for(browser, say=said.append)
    assert (found is not None, said) == (through, [])


async def test_a_hub_of_another_version_is_not_asked_and_said_to_be(door, monkeypatch):
    monkeypatch.setattr(subject, "__version__", "9.9")
    said = []
    async with door():
        assert await hub_for(None, say=said.append) is None
    assert "tabwire restart" in said[0]


async def test_who_means_the_extension_does_not_ask_without_the_hub(door, monkeypatch):
    """Another browser would be another person's chats, or none."""
    said = []
    monkeypatch.setenv("TABWIRE_HUB", "off")
    with pytest.raises(ExtensionNotConnected, match="setting `hub` is off"):
        await hub_for("extension", say=said.append)
    monkeypatch.delenv("TABWIRE_HUB")
    monkeypatch.setattr(subject, "__version__", "9.9")
    async with door():
        with pytest.raises(ExtensionNotConnected, match=r"this command 9\.9"):
            await hub_for("extension", say=said.append)
    assert said == []


async def test_a_question_says_that_it_is_meant_for_the_extension(door, far):
    async with door() as hub, asyncio.TaskGroup() as group:
        asking = group.create_task(far.asks.ask([WHY], lambda _event: None, browser="extension"))
        (job,) = await hub.jobs.until(1)
        assert job.request == replace(WHY, browser="extension")
        await hub.jobs.answer(job.id, "because")
        await asking


async def test_a_hub_that_does_not_start_is_no_reason_not_to_ask(tmp_path, monkeypatch):
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "h"))
    (tmp_path / "h").mkdir()
    (tmp_path / "h" / "run").write_text("")  # no folder for its sockets
    said = []
    assert await hub_for(None, say=said.append) is None
    assert said[0].endswith("asking without it")


async def test_what_happens_there_is_told_here_and_one_failure_spoils_no_other(door, far):
    told = []
    async with door() as hub, asyncio.TaskGroup() as group:
        requests = [WHY, AskRequest("gemini", "why?")]
        asking = group.create_task(far.asks.ask(requests, told.append))
        first, second = await hub.jobs.until(2)
        assert first.asker == Asker("terminal", Door.CLI)
        await hub.jobs.at(first.id, Phase.THINKING)
        await hub.jobs.fail(second.id, "login_required", Retry.SAME, JobState.INPUT_REQUIRED)
        await hub.jobs.answer(first.id, "because")
    answer, error = asking.result()
    assert isinstance(answer, Answer)
    assert answer.text == "because"
    assert (error.code, error.exit_code, error.retry) == ("login_required", 4, Retry.SAME)
    grok = [type(one) for one in told if one.site == "grok"]
    assert grok == [PhaseBegan, Answered]
    assert [type(one) for one in told if one.site == "gemini"] == [Failed]


async def test_each_event_is_told_here_as_it_was_told_there(door, far):
    told, before = [], time.monotonic()
    events = [
        PhaseBegan("grok", Phase.UPLOAD, before, "a.txt: 1 of 2: 50 %"),
        PromptLeft("grok", "job-1", "c1", before),
        ConversationKnown("grok", "job-1", "c1", "https://grok.com/c/c1", before),
        TextCame("grok", "Hm.", thinking=True, anew=False, at=before),
        TextCame("grok", "Beca", thinking=False, anew=True, at=before),
        StillWaiting("grok", "nothing came for 30 s", before),
    ]
    async with door() as hub, asyncio.TaskGroup() as group:
        asking = group.create_task(far.asks.ask([WHY], told.append))
        (job,) = await hub.jobs.until(1)
        for event in events:
            await hub.jobs.happens(job.id, event)
        await hub.jobs.answer(job.id, "because")
    answer = asking.result()[0]
    expected = [*events, Answered("grok", answer, before)]
    assert [replace(one, at=before) for one in told] == expected
    assert all(before - 1 < one.at <= time.monotonic() for one in told), "of this clock"


async def test_the_same_question_again_says_whose_answer_it_is(door, far):
    told = []
    async with door() as hub, asyncio.TaskGroup() as group:
        await far.jobs.submit([WHY], Asker("other", Door.CLI))
        asking = group.create_task(far.asks.ask([WHY], told.append))
        (job,) = await hub.jobs.until(1)
        await hub.jobs.answer(job.id, "because")
    assert asking.result()[0].text == "because"
    (why,) = [one.why for one in told if isinstance(one, StillWaiting)]
    assert why.endswith("(--again asks it again)")


LEFT = [
    # id, the phase it was in, what becomes of the job
    ("before it was sent", Phase.INPUT, JobState.CANCELLED),
    ("when it may be sent", Phase.SEND, JobState.WORKING),
    ("while it thinks", Phase.THINKING, JobState.WORKING),
]


@pytest.mark.parametrize("phase, state", [c[1:] for c in LEFT], ids=[c[0] for c in LEFT])
async def test_whoever_leaves_takes_along_only_what_was_not_sent(door, far, phase, state):
    heard = asyncio.Event()
    async with door() as hub, asyncio.TaskGroup() as group:
        asking = group.create_task(far.asks.ask([WHY], lambda _event: heard.set()))
        (job,) = await hub.jobs.until(1)
        sent = PromptLeft("grok", job.id, None, 0.0)
        event = sent if phase is Phase.THINKING else PhaseBegan("grok", phase, 0.0)
        await hub.jobs.happens(job.id, event, phase=phase)
        await heard.wait()
        asking.cancel()
        await asyncio.wait([asking])
        assert hub.jobs.all[job.id].state is state


async def test_stop_is_pressed_there(door, far):
    control, heard = AskControl(), asyncio.Event()
    async with door() as hub, asyncio.TaskGroup() as group:
        work = far.asks.ask([WHY], lambda _event: heard.set(), control=control)
        asking = group.create_task(work)
        (job,) = await hub.jobs.until(1)
        await hub.jobs.at(job.id, Phase.ANSWERING)
        await heard.wait()
        control.stop_site()
    assert asking.result()[0].text == "as far as it got"


ERRORS = [
    # code, retry, state, exit code, pending
    ("limit_reached", Retry.SAME, JobState.INPUT_REQUIRED, 5, False),
    ("timeout", Retry.RESUME, JobState.INPUT_REQUIRED, 3, True),
    ("site_failed", Retry.NO, JobState.FAILED, 1, False),
    ("no_browser", Retry.SAME, JobState.INPUT_REQUIRED, 4, False),
    ("store_failed", Retry.NO, JobState.FAILED, 1, False),
]


@pytest.mark.parametrize("code, retry, state, exit_code, pending", ERRORS)
async def test_an_error_keeps_what_a_program_reads(code, retry, state, exit_code, pending):
    waits = state is JobState.INPUT_REQUIRED and retry is not Retry.RESUME
    ends_with = exit_code_of(code, needs_you=waits)
    said = Failure(code, "it failed", "Do this.", retry, 7.0, {"bundle": "/x"}, ends_with)
    asker = Asker("a", Door.CLI)
    job = Job("j1", WHY, asker, state, Step.SENT, 1.0, 2.0, conversation_id="c", error=said)
    error = error_of(job)
    assert (error.code, error.exit_code, error.pending) == (code, exit_code, pending)
    assert (str(error), error.what_to_do, error.retry) == ("it failed", "Do this.", retry)
    assert (error.attempt_id, error.conversation_id, error.resets_at) == ("j1", "c", 7.0)
    assert error.debug == {"bundle": "/x"}
    assert error.lab is False
    assert error_of(replace(job, request=replace(WHY, browser=LAB))).lab is True


async def test_a_cancelled_job_has_an_error_too():
    job = Job("j1", WHY, Asker("a", Door.CLI), JobState.CANCELLED, Step.NEW, 1.0, 2.0)
    assert "cancelled" in str(error_of(job))


# --- fetched ---------------------------------------------------------------------------------


class ReadFromHere(Exception):
    """A browser was to be opened beside the hub's."""


@pytest.fixture
def asked_before(door, monkeypatch):
    """Keeps a question as it stands: its id. Reading its answer from here raises."""

    @asynccontextmanager
    async def line(*_, **__):
        raise ReadFromHere
        yield

    monkeypatch.setattr(retrieval, "reached_browser", line)

    async def keep(step, state, *, queued=False, **request):
        asked = replace(WHY, **request)
        async with opened_books() as books:
            owner = Owner(2**22, 1.0)  # ended long ago
            row, _ = await books.store.begin(asked, owner, 1.0, again=True, queued=queued)
            if step is not Step.NEW:
                await books.store.note(row.id, step, 2.0, conversation_id="c1", state=state)
            return row.id

    return keep


def taken(hub, job_id, state):
    """The hub has it."""
    hub.jobs.all[job_id] = Job(job_id, WHY, Asker("a", Door.CLI), state, Step.SENT, 1.0, 2.0)


@pytest.mark.parametrize("state", [JobState.INPUT_REQUIRED, JobState.FAILED])
async def test_what_was_sent_is_looked_for_by_the_hub_and_told_here(door, far, asked_before, state):
    told, job_id = [], await asked_before(Step.SENT, state)
    async with door() as hub, asyncio.TaskGroup() as group:
        taken(hub, job_id, state)
        fetching = group.create_task(far.asks.fetch(job_id, tell=told.append))
        await hub.jobs.becomes(job_id, JobState.WORKING)
        await hub.jobs.at(job_id, Phase.RECOVERING)
        await hub.jobs.answer(job_id, "because")
    assert fetching.result().text == "because"
    assert [type(one) for one in told] == [PhaseBegan, Answered]
    assert hub.jobs.submitted == 0


@pytest.mark.parametrize("step", [Step.NEW, Step.SENDING, Step.SENT])
async def test_what_the_hub_carries_out_is_waited_for_and_goes_on_without_us(
    door, far, asked_before, step
):
    job_id, heard = await asked_before(step, JobState.WORKING, queued=True), asyncio.Event()
    async with door() as hub, asyncio.TaskGroup() as group:
        taken(hub, job_id, JobState.WORKING)
        fetching = group.create_task(far.asks.fetch(job_id, tell=lambda _event: heard.set()))
        await hub.jobs.at(job_id, Phase.THINKING)
        await heard.wait()
        fetching.cancel()
        await asyncio.wait([fetching])
        assert hub.jobs.all[job_id].state is JobState.WORKING
        fetching = group.create_task(far.asks.fetch(job_id))
        await hub.jobs.answer(job_id, "because")
    assert fetching.result().text == "because"


WORKING, WAITS = JobState.WORKING, JobState.INPUT_REQUIRED
FROM_HERE = [
    # id, step, state, request, settings
    ("perhaps not sent, so the hub might send it", Step.SENDING, WAITS, {}, {}),
    ("never sent", Step.FAILED, JobState.FAILED, {}, {}),
    ("partly there: the hub is done with it", Step.DONE, JobState.COMPLETED, {}, {}),
    ("nobody has it in a queue", Step.SENT, WORKING, {}, {}),
    ("asked in another browser", Step.SENT, WAITS, {"browser": "launch"}, {}),
    ("the hub would look for a moment only", Step.SENT, WAITS, {"timeout_seconds": 5.0}, {}),
    ("hub off", Step.SENT, WAITS, {}, {"TABWIRE_HUB": "off"}),
    ("the settings changed since it began", Step.SENT, WAITS, {}, {"TABWIRE_BROWSER": "launch"}),
]


@pytest.mark.parametrize(
    "step, state, request_, more", [c[1:] for c in FROM_HERE], ids=[c[0] for c in FROM_HERE]
)
async def test_what_the_hub_cannot_go_on_with_is_read_from_here(
    door, far, asked_before, monkeypatch, step, state, request_, more
):
    job_id = await asked_before(step, state, **request_)
    for name, value in more.items():
        monkeypatch.setenv(name, value)
    async with asyncio.timeout(10), door() as hub:
        taken(hub, job_id, state)
        with pytest.raises(ReadFromHere):
            await far.asks.fetch(job_id)
        assert hub.jobs.all[job_id].state is state


async def test_another_browser_than_the_hub_would_choose_is_reached_from_here(
    door, far, asked_before
):
    job_id = await asked_before(Step.SENT, WAITS)
    async with asyncio.timeout(10), door() as hub:
        taken(hub, job_id, WAITS)
        with pytest.raises(ReadFromHere):
            await far.asks.fetch(job_id, browser="extension")


async def test_without_a_hub_of_our_version_it_is_read_from_here_and_none_is_started(
    door, asked_before, monkeypatch
):
    job_id = await asked_before(Step.SENT, JobState.INPUT_REQUIRED)
    monkeypatch.setattr(starter, "ensure_hub", lambda: pytest.fail("a hub was started"))
    with pytest.raises(ReadFromHere):
        await RemoteHub().asks.fetch(job_id)
    monkeypatch.setattr(subject, "__version__", "9.9")
    async with door():
        with pytest.raises(ReadFromHere):
            await RemoteHub().asks.fetch(job_id)


async def test_a_kept_answer_needs_no_hub(far, asked_before, monkeypatch):
    job_id = await asked_before(Step.SENT, JobState.INPUT_REQUIRED)
    answer = Answer(job_id, "grok", "why?", "because", Completeness.COMPLETE, "the stream said so")
    async with opened_books() as books:
        await books.store.keep(job_id, answer, 3.0, done=True)
    monkeypatch.setattr(subject, "_hub_has", lambda *_: pytest.fail("the hub was asked"))
    assert (await far.asks.fetch(job_id)).text == "because"


@pytest.mark.parametrize(
    "code, retry, state, exit_code",
    [
        ("login_required", Retry.RESUME, JobState.INPUT_REQUIRED, 4),
        ("conversation_gone", Retry.NO, JobState.FAILED, 1),
    ],
)
async def test_why_the_hub_has_no_answer_is_raised_here(
    door, far, asked_before, code, retry, state, exit_code
):
    told, job_id = [], await asked_before(Step.SENT, JobState.INPUT_REQUIRED)
    async with door() as hub, asyncio.TaskGroup() as group:
        taken(hub, job_id, JobState.INPUT_REQUIRED)

        async def fails():
            with pytest.raises(AskError) as said:
                await far.asks.fetch(job_id, tell=told.append)
            return said.value

        failing = group.create_task(fails())
        await hub.jobs.becomes(job_id, JobState.WORKING)
        await hub.jobs.fail(job_id, code, retry, state)
    error = failing.result()
    assert (error.code, error.exit_code, error.attempt_id) == (code, exit_code, job_id)
    assert told == [], "who raises it does not tell it as well"


async def test_what_the_hub_gave_up_while_we_waited_is_read_from_here(door, far, asked_before):
    job_id = await asked_before(Step.SENT, JobState.WORKING, queued=True)
    async with asyncio.timeout(10), door() as hub, asyncio.TaskGroup() as group:
        taken(hub, job_id, JobState.WORKING)

        async def reads():
            with pytest.raises(ReadFromHere):
                await far.asks.fetch(job_id)

        group.create_task(reads())
        await hub.jobs.fail(job_id, "timeout", Retry.RESUME, JobState.INPUT_REQUIRED)


async def test_a_fetch_ends_after_its_time_and_the_hub_goes_on(
    door, far, asked_before, monkeypatch
):
    monkeypatch.setattr(retrieval, "FETCH_SECONDS", 0.05)
    job_id = await asked_before(Step.SENT, JobState.INPUT_REQUIRED)
    async with door() as hub:
        taken(hub, job_id, JobState.INPUT_REQUIRED)
        with pytest.raises(AnswerTimedOut, match="still being written") as said:
            await far.asks.fetch(job_id)
        assert (said.value.attempt_id, said.value.exit_code) == (job_id, 3)
        assert hub.jobs.all[job_id].state is JobState.WORKING
