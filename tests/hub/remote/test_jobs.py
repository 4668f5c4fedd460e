"""The hub's jobs from another process: the same words, and a line that may break."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

import msgspec
import pytest

from kit.http_door import open_door
from kit.mcp_jobs import scripted_hub
from tabwire.hub.remote import api as subject
from tabwire.hub.remote import connection as remote_line
from tabwire.hub.remote.api import HubSaid
from tabwire.hub.remote.connection import LineLost, NoHub
from tabwire.hub.remote.hub import RemoteHub, WorkingJob
from tabwire.model.ask import AskRequest, Phase
from tabwire.model.ask_errors import BadAsk
from tabwire.model.errors import Retry
from tabwire.model.exits import LIMIT
from tabwire.model.failure import Failure, failure_of
from tabwire.model.job import Asker, Door, Job, JobState, NoSuchJob

pytestmark = pytest.mark.asyncio

ASKER = Asker("me", Door.CLI, "shell", "/project")
WHY = AskRequest("grok", "why?", files=("/a",), timeout_seconds=9.0)


@pytest.fixture
def door(tmp_path, monkeypatch):
    """Opens the door of one hub, as often as wanted: restarted, its jobs are still there."""
    hub = scripted_hub()

    def opened():
        return open_door(tmp_path / "h", monkeypatch, hub=hub)

    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path / "h"))
    monkeypatch.setattr(subject, "PAUSE_SECONDS", 0.01)
    return opened


@pytest.fixture
def far():
    return RemoteHub(start=False)


async def test_a_job_comes_over_as_it_is(door, far):
    async with door() as hub:
        (job,) = await far.jobs.submit([WHY], ASKER)
        assert job == hub.jobs.all[job.id]
        assert (job.request, job.asker) == (WHY, ASKER)
        (again,) = await far.jobs.submit([WHY], ASKER)
        assert again.joined
        await hub.jobs.answer(job.id, "because", debug={"a": [1, {"b": None}]})
        assert await far.jobs.job(job.id) == hub.jobs.all[job.id]
        assert await far.jobs.wait([job.id]) == (hub.jobs.all[job.id],)


async def test_every_word_of_jobs_is_there(door, far):
    async with door() as hub:
        requests = [replace(WHY, prompt=prompt, files=()) for prompt in ("one", "two & three", "ä")]
        await far.jobs.submit(requests, ASKER, again=True)
        assert [one.id for one in await far.jobs.recent(2)] == ["job-3", "job-2"]
        assert [one.id for one in await far.jobs.recent(agent="me", before="job-2")] == ["job-1"]
        assert (await far.jobs.stop("job-1")).answer.text == "as far as it got"
        assert (await far.jobs.cancel("job-2")).state is JobState.CANCELLED
        assert [one.id for one in await far.jobs.recent(states=[JobState.WORKING])] == ["job-3"]
        states = [JobState.CANCELLED, JobState.COMPLETED]
        assert [one.id for one in await far.jobs.recent(states=states)] == ["job-2", "job-1"]
        assert [one.id for one in await far.jobs.search("two & three")] == ["job-2"]
        assert [one.id for one in await far.jobs.search("ä", site="grok", limit=1)] == ["job-3"]
        assert await far.jobs.recent(site="gemini") == ()
        status = await far.status()
        assert (status.port, status.working) == (hub.port, (WorkingJob("job-3", "grok"),))
        assert (await far.jobs.resume("job-1")).state is JobState.WORKING


async def test_what_is_not_there_is_not_there(door, far):
    async with door():
        assert await far.jobs.job("none/../such?x=1") is None
        for act in (far.jobs.stop, far.jobs.cancel):
            with pytest.raises(NoSuchJob, match="no job 'no"):
                await act("none")
        with pytest.raises(NoSuchJob, match="no job 'no"):
            await far.jobs.wait(["none"])
        with pytest.raises(NoSuchJob, match="no job 'no"):
            async for _ in far.jobs.news("none"):
                pass


async def test_an_error_of_the_hub_is_the_same_error_here(door, far):
    async with door():
        with pytest.raises(BadAsk, match="the prompt is empty") as caught:
            await far.jobs.submit([replace(WHY, prompt=" ")], ASKER)
        assert caught.value.site == "grok"
        assert caught.value.what_to_do == "Write what you want to ask."
        with pytest.raises(HubSaid) as said:
            await far.jobs.recent(10_000)
        assert (said.value.code, said.value.exit_code) == ("bad_request", 2)


async def test_an_error_of_the_hub_loses_nothing_on_its_way():
    sent = Failure(
        "limit_reached", "spent", "Wait.", Retry.SAME, 99.0, {"bundle": "/kept/x.json"}, LIMIT
    )
    with pytest.raises(HubSaid) as said:
        subject.read((500, msgspec.json.encode(sent)), Job)
    assert failure_of(said.value) == sent


async def test_a_wait_ends_when_its_time_is_over(door, far, monkeypatch):
    monkeypatch.setattr(subject, "HELD_SECONDS", 0.02)
    async with door():
        await far.jobs.submit([WHY], ASKER)
        (job,) = await far.jobs.wait(["job-1"], 0.05)
        assert job.state is JobState.WORKING


async def test_a_wait_goes_on_at_the_hub_that_comes_next(door, far):
    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        async with door() as hub:
            await far.jobs.submit([WHY], ASKER)
            waiting = group.create_task(far.jobs.wait(["job-1"]))
            while hub.hub.guests.count == 0:
                await asyncio.sleep(0)
        assert not waiting.done()
        async with door() as hub:
            while hub.hub.guests.count == 0:
                await asyncio.sleep(0)
            await hub.jobs.answer("job-1", "because")
            assert (await waiting)[0].answer.text == "because"


async def test_news_go_on_at_the_hub_that_comes_next_and_none_is_heard_twice(door, far):
    heard, three = [], asyncio.Event()

    async def listen():
        async for one in far.jobs.news("job-1"):
            heard.append((one.number, one.kind, getattr(one.event, "phase", None)))
            if len(heard) == 2:
                three.set()

    async with asyncio.timeout(30), asyncio.TaskGroup() as group:
        async with door() as hub:
            await far.jobs.submit([WHY], ASKER)
            listening = group.create_task(listen())
            await hub.jobs.at("job-1", Phase.THINKING)
            await hub.jobs.at("job-1", Phase.ANSWERING)
            await three.wait()
        await hub.jobs.at("job-1", Phase.RECOVERING)
        async with door():
            await hub.jobs.answer("job-1", "because")
            await listening
    assert heard == [
        (1, "phase", Phase.THINKING),
        (2, "phase", Phase.ANSWERING),
        (3, "phase", Phase.RECOVERING),
        (4, "answer", None),
    ]


async def test_without_a_hub_it_says_so(door, far, monkeypatch):
    monkeypatch.setattr(subject, "BACK_SECONDS", 0.0)
    for ask in (
        far.status(),
        far.jobs.recent(),
        far.jobs.wait(["job-1"]),
        far.jobs.submit([WHY], ASKER),
    ):
        with pytest.raises(NoHub):
            await ask
    with pytest.raises(NoHub):
        async for _ in far.jobs.news("job-1"):
            pass


@asynccontextmanager
async def mute_hub(answers):
    """Listens where the hub would, and says only these bytes, one after the other."""
    said = list(answers)
    asked = []

    async def serve(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        asked.append(head.split(b"\r\n")[0])
        writer.write(said.pop(0))
        await writer.drain()
        writer.close()

    path = remote_line.socket_path("hub.sock")
    path.parent.mkdir(parents=True, exist_ok=True)
    async with await asyncio.start_unix_server(serve, str(path)):
        yield asked


BROKEN = [
    ("nothing", b""),
    ("half a head", b"HTTP/1.1 200 OK\r\ncontent-le"),
    ("half a body", b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"),
    ("no HTTP", b"hello\r\n\r\n"),
    ("about to end", b"HTTP/1.1 503 x\r\ncontent-length: 2\r\n\r\n{}"),
]
EMPTY = b'HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"jobs":[]}'


@pytest.mark.parametrize("answer", [c[1] for c in BROKEN], ids=[c[0] for c in BROKEN])
async def test_a_line_that_breaks_is_tried_again_unless_that_would_ask_twice(door, far, answer):
    async with mute_hub([answer, EMPTY]) as asked:
        assert await far.jobs.submit([WHY], ASKER) == ()
        assert len(asked) == 2
    async with mute_hub([answer]) as asked:
        with pytest.raises(LineLost) as caught:
            await far.jobs.submit([WHY], ASKER, again=True)
        assert len(asked) == 1
    assert caught.value.retry == "resume"


async def test_where_there_are_no_such_sockets_the_port_and_the_token_do(door, far, monkeypatch):
    """As on Windows."""
    from tabwire.hub.process.lock import HubLock, this_process

    async with door() as hub:
        lock = HubLock()
        lock.take(this_process(hub.port))
        monkeypatch.setattr(remote_line, "HAS_UNIX", False)
        assert (await far.status()).port == hub.port
        lock.release()
        with pytest.raises(NoHub):
            await far.status()
