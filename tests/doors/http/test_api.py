"""The routes under /api/v1: what they take, what they answer, and how errors are said."""

import asyncio
import re
import time
from contextlib import asynccontextmanager
from dataclasses import fields

import msgspec
import pytest

from kit.http_door import open_door
from tabwire.config.logs import close_log, open_log
from tabwire.doors.http.api import Api
from tabwire.model.ask import Phase
from tabwire.model.failure import Failure
from tabwire.model.job import Job, JobState
from tabwire.model.job_events import NAMES

pytestmark = pytest.mark.asyncio


@pytest.fixture
def door(tmp_path, monkeypatch):
    def opened(**more):
        return open_door(tmp_path / "home", monkeypatch, **more)

    return opened


def asking(*prompts, **more):
    """The body of a submission."""
    requests = [{"site": "grok", "prompt": prompt} for prompt in prompts]
    return msgspec.json.encode({"requests": requests, **more})


async def test_a_job_is_handed_in_waited_for_and_found_again(door):
    async with door() as hub:
        taken = await hub.ask("POST", "/api/v1/jobs", asking("why?", agent="me"))
        assert taken.status == 201
        (job,) = (msgspec.convert(one, Job) for one in taken.json["jobs"])
        assert (job.state, job.asker.agent, job.asker.door) == (JobState.WORKING, "me", "http")
        assert (await hub.ask("GET", f"/api/v1/jobs/{job.id}")).json["state"] == "working"
        async with asyncio.TaskGroup() as group:
            waiting = group.create_task(hub.ask("GET", f"/api/v1/jobs/{job.id}?wait=60"))
            several = group.create_task(hub.ask("GET", f"/api/v1/wait?id={job.id}&id={job.id}"))
            await hub.jobs.answer(job.id, "because")
        assert waiting.result().json["answer"]["text"] == "because"
        assert [one["state"] for one in several.result().json["jobs"]] == ["completed"] * 2


async def test_the_same_question_again_is_the_same_job(door):
    async with door() as hub:
        first = (await hub.ask("POST", "/api/v1/jobs", asking("why?"))).json["jobs"][0]
        again = (await hub.ask("POST", "/api/v1/jobs", asking("why?"))).json["jobs"][0]
        assert (again["id"], first["joined"], again["joined"]) == (first["id"], False, True)
        anew = (await hub.ask("POST", "/api/v1/jobs", asking("why?", again=True))).json["jobs"][0]
        assert anew["id"] != first["id"]


async def test_jobs_are_listed_and_searched(door):
    async with door() as hub:
        await hub.ask("POST", "/api/v1/jobs", asking("now", agent="a"))
        await hub.ask("POST", "/api/v1/jobs", asking("apples", "pears", agent="b"))

        async def ids(query):
            found = await hub.ask("GET", f"/api/v1/jobs?{query}")
            return [one["id"] for one in found.json["jobs"]]

        assert await ids("") == ["job-3", "job-2", "job-1"]
        assert await ids("limit=1") == ["job-3"]
        assert await ids("state=completed") == ["job-1"]
        assert await ids("agent=b&before=job-3") == ["job-2"]
        assert await ids("site=gemini") == []
        assert await ids("words=apples") == ["job-2"]


async def test_a_job_is_stopped_and_cancelled(door):
    async with door() as hub:
        await hub.ask("POST", "/api/v1/jobs", asking("one", "two"))
        stopped = await hub.ask("POST", "/api/v1/jobs/job-1/stop")
        assert stopped.json["answer"]["completeness"] == "stopped_by_user"
        assert (await hub.ask("POST", "/api/v1/jobs/job-2/cancel")).json["state"] == "cancelled"


WRONG = [
    # id, method, path, body, status, code
    ("no json", "POST", "/api/v1/jobs", b"{", 400, "bad_request"),
    ("no utf-8", "POST", "/api/v1/jobs", b'{"requests": ["\xff"]}', 400, "bad_request"),
    ("unknown field", "POST", "/api/v1/jobs", b'{"requests": [], "x": 1}', 400, "bad_request"),
    ("wrong type", "POST", "/api/v1/jobs", b'{"requests": 1}', 400, "bad_request"),
    ("deep", "POST", "/api/v1/jobs", b'{"requests": ' + b"[" * 100_000, 400, "bad_request"),
    ("bad ask", "POST", "/api/v1/jobs", asking(" "), 400, "bad_request"),
    ("no such job", "GET", "/api/v1/jobs/none", b"", 404, "no_such_job"),
    ("no such news", "GET", "/api/v1/jobs/none/news", b"", 404, "no_such_job"),
    ("nothing to stop", "POST", "/api/v1/jobs/none/stop", b"", 404, "no_such_job"),
    ("nothing to cancel", "POST", "/api/v1/jobs/none/cancel", b"", 404, "no_such_job"),
    ("nothing to wait for", "GET", "/api/v1/wait?id=none", b"", 404, "no_such_job"),
    ("long wait", "GET", "/api/v1/jobs/none?wait=61", b"", 400, "bad_request"),
    ("no number", "GET", "/api/v1/jobs?limit=nan", b"", 400, "bad_request"),
    ("no state", "GET", "/api/v1/jobs?state=busy", b"", 400, "bad_request"),
    ("no news number", "GET", "/api/v1/jobs/none/news?after=-1", b"", 400, "bad_request"),
    ("no route", "GET", "/api/v2/jobs", b"", 404, "not_found"),
    ("wrong method", "DELETE", "/api/v1/jobs", b"", 404, "not_found"),
]


@pytest.mark.parametrize(
    "method, path, body, status, code", [c[1:] for c in WRONG], ids=[c[0] for c in WRONG]
)
async def test_an_error_has_a_code_a_sentence_and_a_remedy(door, method, path, body, status, code):
    async with door() as hub:
        answer = await hub.ask(method, path, body)
        assert (answer.status, answer.json["code"]) == (status, code)
        assert answer.json["message"]
        assert answer.json["what_to_do"]
        assert {one.name for one in fields(Failure)} <= set(answer.json)
        assert answer.json["exit_code"] == 2
        assert hub.jobs.submitted == 0


async def test_an_error_nobody_expected_tells_nothing_of_itself(door, monkeypatch):
    async def broken(*_, **__):
        raise RuntimeError("my diagnosis")

    async with door() as hub:
        monkeypatch.setattr(hub.jobs, "recent", broken)
        answer = await hub.ask("GET", "/api/v1/jobs")
        assert (answer.status, answer.json["code"]) == (500, "failed")
        assert {one.name for one in fields(Failure)} == set(answer.json)
        assert b"diagnosis" not in answer.raw


@pytest.mark.parametrize("path", ["/api/v1/jobs/job-1", "/api/v1/jobs/job-1/news", "/api/v1/wait"])
async def test_a_key_error_is_a_fault_of_ours_that_is_logged_and_no_missing_job(
    door, monkeypatch, tmp_path, path
):
    async def broken(*_, **__):
        raise KeyError("url")

    log = tmp_path / "log"
    open_log("error", file=log)
    try:
        async with door() as hub:
            for name in ("job", "wait"):
                monkeypatch.setattr(hub.jobs, name, broken)
            answer = await hub.ask("GET", path)
    finally:
        close_log()
    assert (answer.status, answer.json["code"]) == (500, "failed")
    (line,) = log.read_text().splitlines()
    assert "a request failed" in line
    assert f"route={path}" in line


@asynccontextmanager
async def listening(hub, job_id, **headers):
    """The events of a job, one by one, as they come."""
    reader, writer = await asyncio.open_connection("127.0.0.1", hub.port)
    said = {"host": f"127.0.0.1:{hub.port}", "authorization": f"Bearer {hub.token}", **headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in said.items())
    writer.write(f"GET /api/v1/jobs/{job_id}/news HTTP/1.1\r\n{lines}\r\n".encode())

    async def events():
        while True:
            try:
                block = await reader.readuntil(b"\n\n")
            except asyncio.IncompleteReadError:
                return
            fields = dict(re.findall(rb"^(id|event|data): (.*)$", block, re.MULTILINE))
            if fields:
                yield fields

    try:
        yield events()
    finally:
        writer.close()


async def test_news_come_as_events_while_a_job_goes_on(door):
    async with door() as hub:
        await hub.ask("POST", "/api/v1/jobs", asking("why?"))
        async with asyncio.timeout(30), listening(hub, "job-1") as events:
            await hub.jobs.at("job-1", Phase.THINKING)
            first = await anext(events)
            assert (first[b"id"], first[b"event"]) == (b"1", b"phase")
            told = msgspec.json.decode(first[b"data"])
            assert (told["event"], told["job_id"], told["number"]) == ("phase", "job-1", 1)
            assert (told["site"], told["phase"], told["note"]) == ("grok", "thinking", "")
            assert abs(told["at"] - time.time()) < 3600, "no clock of the hub's own"
            await hub.jobs.answer("job-1", "because")
            rest = [one[b"event"] async for one in events]
        assert rest == [b"answer", b"end"]


@pytest.mark.parametrize("how", ["last-event-id", "after"])
async def test_whoever_lost_the_line_goes_on_after_the_last_news_it_saw(door, how):
    async with door() as hub:
        await hub.ask("POST", "/api/v1/jobs", asking("why?"))
        await hub.jobs.at("job-1", Phase.THINKING)
        await hub.jobs.at("job-1", Phase.ANSWERING)
        await hub.jobs.answer("job-1", "because")
        query, headers = ("?after=1", {}) if how == "after" else ("", {"last_event_id": "1"})
        told = await hub.ask("GET", f"/api/v1/jobs/job-1/news{query}", **headers)
        assert re.findall(rb"^id: (\d+)", told.raw, re.MULTILINE) == [b"2", b"3"]


async def test_a_silent_job_is_said_to_be_alive(door, monkeypatch):
    monkeypatch.setattr("tabwire.doors.http.job_events.ALIVE_SECONDS", 0.01)
    async with door() as hub:
        await hub.ask("POST", "/api/v1/jobs", asking("why?"))
        reader, writer = await asyncio.open_unix_connection(str(hub.socket))
        writer.write(b"GET /api/v1/jobs/job-1/news HTTP/1.1\r\nhost: x\r\n\r\n")
        async with asyncio.timeout(30):
            await reader.readuntil(b": still here\n\n")
        writer.close()


async def test_a_listener_counts_as_a_guest_until_it_leaves(door):
    async with door() as hub:
        await hub.ask("POST", "/api/v1/jobs", asking("why?"))
        async with asyncio.timeout(30):
            async with listening(hub, "job-1"):
                while hub.hub.guests.count == 0:
                    await asyncio.sleep(0)
            while hub.hub.guests.count:
                await asyncio.sleep(0)


async def test_a_hub_that_ends_sends_everybody_to_the_next_one(door):
    async with door() as hub:
        await hub.ask("POST", "/api/v1/jobs", asking("why?"))
        async with asyncio.timeout(30), asyncio.TaskGroup() as group:
            waiting = group.create_task(hub.ask("GET", "/api/v1/jobs/job-1?wait=60"))
            async with listening(hub, "job-1") as events:
                while hub.hub.guests.count < 2:
                    await asyncio.sleep(0)
                assert (await hub.ask("POST", "/api/v1/shutdown")).status == 202
                assert [one async for one in events] == [], "no `end`: the job goes on"
        assert (waiting.result().status, waiting.result().json["code"]) == (503, "hub_ends")
        assert (hub.ending.why, hub.ending.restart) == ("it was asked to stop", False)


async def test_a_hub_can_be_told_to_start_anew(door):
    async with door() as hub:
        await hub.ask("POST", "/api/v1/shutdown", b'{"restart": true}')
        assert hub.ending.restart


async def test_over_the_port_only_files_of_allowed_folders_are_taken(door, tmp_path):
    allowed, other = tmp_path / "allowed", tmp_path / "other"
    for folder in (allowed, other):
        folder.mkdir()
        (folder / "notes.txt").write_text("notes")
    (allowed / "link.txt").symlink_to(other / "notes.txt")

    def body(path):
        request = {"site": "grok", "prompt": path.name, "files": [str(path)]}
        return msgspec.json.encode({"requests": [request]})

    async with door(file_roots=(allowed,)) as hub:
        for path in (other / "notes.txt", allowed / "link.txt", allowed / ".." / "other/notes.txt"):
            answer = await hub.ask("POST", "/api/v1/jobs", body(path))
            assert (answer.status, answer.json["code"]) == (403, "file_refused")
        assert hub.jobs.submitted == 0
        assert (await hub.ask("POST", "/api/v1/jobs", body(allowed / "notes.txt"))).status == 201
        # over its own socket comes the person, who may send what is theirs
        local = await hub.ask("POST", "/api/v1/jobs", body(other / "notes.txt"), local=True)
        assert local.status == 201


async def test_who_asks_is_believed_only_on_the_hubs_own_socket(door):
    async with door() as hub:
        said = {"agent": "me", "door": "cli", "client": "shell", "project": "/project"}
        far = await hub.ask("POST", "/api/v1/jobs", asking("one", **said))
        near = await hub.ask("POST", "/api/v1/jobs", asking("two", **said), local=True)
        assert far.json["jobs"][0]["asker"] == {
            "agent": "me",
            "door": "http",
            "client": "",
            "project": "",
        }
        assert near.json["jobs"][0]["asker"] == said


async def test_the_hubs_own_socket_needs_no_token_and_any_name_will_do(door):
    async with door() as hub:
        answer = await hub.ask(
            "GET", "/api/v1/status", local=True, authorization=None, host="anything"
        )
        assert answer.status == 200
        assert hub.socket.stat().st_mode & 0o777 == 0o600
        assert hub.socket.parent.stat().st_mode & 0o777 == 0o700


async def test_status_says_what_goes_on_and_is_no_use_of_the_hub(door):
    async with door() as hub:
        await hub.ask("POST", "/api/v1/jobs", asking("why?"))
        left_at = hub.hub.guests.left_at
        told = (await hub.ask("GET", "/api/v1/status")).json
        assert told["working"] == [{"id": "job-1", "site": "grok"}]
        assert told["port"] == hub.port
        assert hub.hub.guests.left_at == left_at


async def test_metrics_are_numbers_and_no_words_of_anybody(door):
    async with door() as hub:
        await hub.ask("POST", "/api/v1/jobs", asking("my diagnosis", agent="secret-agent"))
        await hub.ask("GET", "/nowhere")
        await hub.ask("BREW", "/api/v1/status")
        await hub.ask("GET", "/api/v1/status", host="evil.example")
        text = (await hub.ask("GET", "/metrics")).raw.decode()
        for line in (
            'tabwire_jobs_working{site="grok"} 1.0',
            'tabwire_http_answers_total{method="POST",status="201"} 1.0',
            'tabwire_http_answers_total{method="other",status="405"} 1.0',
            'tabwire_http_refused_total{why="wrong_host"} 1.0',
            "tabwire_uptime_seconds ",
            "process_resident_memory_bytes ",
        ):
            assert line in text
        for word in ("diagnosis", "secret-agent", "evil", hub.token):
            assert word not in text


async def test_mcp_is_reached_behind_the_guard(door):
    async def mcp(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": scope["path"].encode()})

    async with door(mcp=mcp) as hub:
        assert (await hub.ask("POST", "/mcp", b"{}")).raw.endswith(b"/mcp\r\n0\r\n\r\n")
        assert (await hub.ask("GET", "/mcp/other")).status == 404


async def test_every_route_is_in_the_docs(root):
    written = re.findall(r"^\| `(GET|POST) (/\S+)` \|", (root / "docs/hub.md").read_text(), re.M)
    routes = Api(None, None, 0, None).routes()
    there = [(method, one.path) for one in routes for method in one.methods - {"HEAD"}]
    assert written == [*there, ("GET", "/metrics")]


async def test_the_docs_have_every_event_of_a_job_with_its_fields(root):
    text = (root / "docs/hub.md").read_text().partition("### Events of a job")[2]
    rows = re.findall(r"^\| (`[^|]*) \| (.*) \|$", text.partition("## Errors")[0], re.M)
    envelope, events = rows[:5], rows[5:]
    assert [name for name, _ in envelope] == [
        f"`{one}`" for one in ("event", "job_id", "number", "at", "site")
    ]
    said = {name: more for names, more in events for name in re.findall(r"`(\w+)`", names)}
    assert list(said) == [*NAMES.values(), "end"]
    for kind, name in NAMES.items():
        for one in {one.name for one in fields(kind)} - {"site", "at"}:
            assert f"`{one}`" in said[name], name
