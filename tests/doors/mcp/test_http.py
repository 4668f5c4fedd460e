"""MCP over HTTP, through the guard: the official client in both eras, and who is sent away."""

import asyncio
import socket
from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation

from kit.http_door import open_door
from tabwire.doors.mcp.server import McpDoor
from tabwire.doors.mcp.tools import listed

pytestmark = pytest.mark.asyncio
BOUND = 30.0
OFFERED = {tool.name for tool in listed(autopilot=False)}


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """`async with opened() as door`: the HTTP door with MCP behind it."""

    @asynccontextmanager
    async def opening(*, runs: bool = True, **more):
        doors = []
        home = tmp_path / "home"  # beside what may be sent: nothing in it may
        home.mkdir()

        async def app(scope, receive, send):
            await doors[0].http_app()(scope, receive, send)

        async with open_door(home, monkeypatch, mcp=app, **more) as door:
            doors.append(McpDoor(door.hub, beat=0.02))
            if not runs:
                yield door
                return
            listening = socket.socket(socket.AF_UNIX)
            listening.bind(str(home / "pumps.sock"))
            listening.listen()
            async with asyncio.TaskGroup() as group:
                task = group.create_task(doors[0].serve_socket(listening))
                yield door
                task.cancel()

    return opening


@asynccontextmanager
async def client_at(door, era="legacy", **headers):
    wanted = {"authorization": f"Bearer {door.token}"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    async with httpx2.AsyncClient(headers=wanted, timeout=BOUND) as http:
        line = streamable_http_client(f"http://127.0.0.1:{door.port}/mcp", http_client=http)
        who = Implementation(name="somebody", version="1")
        async with Client(line, mode=era, client_info=who) as client:
            yield client


async def test_a_client_asks_and_hears_of_progress(opened, era):
    heard = []

    async def hear(progress, _total, message):
        heard.append((progress, message))

    async with asyncio.timeout(BOUND), opened() as door, client_at(door, era) as client:
        assert {one.name for one in (await client.list_tools()).tools} == OFFERED
        async with asyncio.TaskGroup() as group:
            asked = {"question": "why?", "wait": 20}
            call = group.create_task(
                client.call_tool("ask_grok_web", asked, progress_callback=hear)
            )
            (job,) = await door.jobs.until(1)
            await door.jobs.answer(job.id, "so")
        assert call.result().content[0].text == "so"
        assert job.asker.client == "somebody"
        assert job.asker.agent.startswith("somebody-")
        assert job.asker.project == ""
    assert heard[0][1] == "waiting for its turn 0s"
    assert door.hub.guests.count == 0


async def test_an_agent_may_name_itself(opened, era):
    async with (
        asyncio.timeout(BOUND),
        opened() as door,
        client_at(door, era, x_tabwire_agent="Mine 7") as client,
    ):
        await client.call_tool("ask_grok_web", {"question": "now"})
        assert door.jobs.all["job-1"].asker.agent == "mine-7"


async def test_only_files_of_the_setting_may_be_sent(opened, tmp_path):
    allowed, other = tmp_path / "allowed", tmp_path / "other"
    for folder in (allowed, other):
        folder.mkdir()
        (folder / "notes.txt").write_text("notes")
    async with (
        asyncio.timeout(BOUND),
        opened(file_roots=(allowed,)) as door,
        client_at(door) as client,
    ):
        for name in (allowed / "notes.txt", other / "notes.txt", "notes.txt"):
            asked = {"question": f"now {name}", "files": [str(name)], "wait": "none"}
            await client.call_tool("ask_grok_web", asked)
        assert [job.request.files for job in door.jobs.all.values()] == [
            (str(allowed / "notes.txt"),)
        ]


@pytest.mark.parametrize(
    "header, status",
    [
        ({"authorization": None}, 401),
        ({"authorization": "Bearer wrong"}, 401),
        ({"host": "evil.example"}, 421),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
    ],
    ids=["no token", "a wrong token", "another host", "another origin", "no origin to name"],
)
async def test_strangers_are_sent_away_before_anything_is_read(opened, header, status):
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    async with asyncio.timeout(BOUND), opened() as door:
        answered = await door.ask("POST", "/mcp", body, **header)
    assert answered.status == status
    assert b"jsonrpc" not in answered.raw


async def test_before_the_hub_is_ready_it_says_so(opened):
    async with asyncio.timeout(BOUND), opened(runs=False) as door:
        answered = await door.ask("POST", "/mcp", b"{}")
    assert answered.status == 503
    assert b"retry-after: 1" in answered.head
