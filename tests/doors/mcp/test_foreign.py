"""Clients nobody here wrote: the TypeScript SDK in both eras, and the Inspector."""

import asyncio
import json
import sys
from contextlib import asynccontextmanager

import pytest

from kit.mcp_clients import client_of, pump_environment, serving
from kit.node_clients import node_clients
from tabwire.doors.mcp.tools import listed
from tabwire.model.job import JobState

__all__ = ["node_clients"]

# the first run fetches the clients, which takes minutes on a slow line
pytestmark = [pytest.mark.asyncio, pytest.mark.timeout(900), pytest.mark.xdist_group("node")]
BOUND = 90.0
PUMP = (sys.executable, "-m", "tabwire", "mcp")


@asynccontextmanager
async def running(folder, home, *command):
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=folder,
        env=pump_environment(home),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=32 << 20,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def steps(process):
    """Each line that the client tells, until it closed."""
    while line := await process.stdout.readline():
        yield json.loads(line)


@pytest.mark.parametrize("flavour", ["v1", "v2-legacy", "v2-modern"])
async def test_the_typescript_sdk_does_everything_a_client_does(
    node_clients, hub, jobs, tmp_path, path, flavour
):
    got = {}
    async with (
        asyncio.timeout(BOUND),
        serving(hub, path),
        running(node_clients, tmp_path, "node", "story.mjs", flavour, *PUMP) as process,
    ):
        async for step in steps(process):
            got[step["step"]] = step
            match step["step"]:
                case "progress":
                    await jobs.answer(_named(jobs, "long").id, "long answer")
                case "cancelled":
                    assert _named(jobs, "cancelled").state is JobState.WORKING
                case "timed out":
                    await jobs.answer(_named(jobs, "late").id, "late answer")
        complaint = (await process.stderr.read()).decode()
    assert list(got) == [
        *("tools", "asked", "progress", "waited", "cancelled", "timed out", "fetched"),
        *("refused", "resource", "prompt", "completed", "closed"),
    ], complaint
    assert set(got["tools"]["names"]) == {tool.name for tool in listed(autopilot=False)}
    assert got["asked"]["text"] == "answer of grok"
    assert got["asked"]["data"]["state"] == "completed"
    assert got["waited"]["text"] == "long answer"
    assert got["waited"]["numbers"] == sorted(set(got["waited"]["numbers"]))
    assert (got["cancelled"]["failed"], got["timed out"]["failed"]) == (True, True)
    assert got["fetched"]["text"] == "late answer"
    assert got["refused"]["failed"]
    assert "unknown field `colour`" in got["refused"]["text"]
    assert (got["resource"]["text"], got["resource"]["templates"]) == ("answer of grok", 4)
    assert "Why?" in got["prompt"]["text"]
    assert got["completed"]["values"] == ["gemini", "grok"]
    assert jobs.submitted == 4


def _named(jobs, question):
    (found,) = (job for job in jobs.all.values() if job.request.prompt == question)
    return found


async def test_a_client_killed_in_a_call_leaves_the_answer_for_another(
    node_clients, hub, jobs, tmp_path, path
):
    async with asyncio.timeout(BOUND), serving(hub, path):
        async with running(node_clients, tmp_path, "node", "story.mjs", "v1", *PUMP) as process:
            async for step in steps(process):
                if step["step"] == "progress":
                    process.kill()
                    break
            await process.wait()
        job = _named(jobs, "long")
        assert job.state is JobState.WORKING
        await jobs.answer(job.id, "long answer")
        async with client_of(path, name="another") as client:
            result = await client.call_tool("get_answer", {"job_id": job.id})
    assert result.content[0].text == "long answer"


INSPECTED = [
    # method, arguments, what must be in what it prints
    ("tools/list", (), '"ask_chatgpt_gemini_web"'),
    (
        "tools/call",
        ("--tool-name", "ask_grok_web", "--tool-arg", "question=now"),
        '"text": "answer of grok"',
    ),
    ("resources/templates/list", (), "tabwire://conversations/{id}"),
    ("prompts/list", (), '"second_opinion"'),
]


@pytest.mark.parametrize("method, more, printed", INSPECTED, ids=[one[0] for one in INSPECTED])
async def test_the_inspector_lists_and_calls(
    node_clients, hub, tmp_path, path, method, more, printed
):
    inspector = node_clients / "node_modules" / ".bin" / "mcp-inspector"
    command = (str(inspector), "--cli", *PUMP, "--method", method, *more)
    async with (
        asyncio.timeout(BOUND),
        serving(hub, path),
        running(node_clients, tmp_path, *command) as process,
    ):
        out, complaint = await process.communicate()
    assert printed in out.decode(), complaint.decode()
