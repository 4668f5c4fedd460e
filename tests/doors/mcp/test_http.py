"""MCP over HTTP, through the guard: the official client in both eras, and who is sent away."""

import asyncio
import json
import socket
from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
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
            async with asyncio.TaskGroup() as group:
                tasks = []

                def served():
                    listening = socket.socket(socket.AF_UNIX)
                    listening.bind(str(home / f"pumps-{len(tasks)}.sock"))
                    listening.listen()
                    tasks.append(group.create_task(doors[0].serve_socket(listening)))

                async def restart():
                    """As if another hub came: it knows nothing of the sessions before it."""
                    tasks[-1].cancel()
                    await asyncio.wait(tasks)
                    doors[0] = McpDoor(door.hub, beat=0.02)
                    served()
                    while (await door.ask("POST", "/mcp", b"{}")).status == 503:
                        pass  # it says that it starts until it does

                served()
                opening.restart = restart
                yield door
                tasks[-1].cancel()

    return opening


@asynccontextmanager
async def client_at(door, era="legacy", *, named="somebody", **headers):
    wanted = {"authorization": f"Bearer {door.token}"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    async with httpx2.AsyncClient(headers=wanted, timeout=BOUND) as http:
        line = streamable_http_client(f"http://127.0.0.1:{door.port}/mcp", http_client=http)
        who = Implementation(name=named, version="1")
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
        assert job.asker.agent.startswith("somebody-" if era == "legacy" else "")
        assert job.asker.project == ""
    assert heard[0][1] == "waiting for its turn 0s"
    assert door.hub.guests.count == 0


async def test_two_clients_of_one_name_never_go_on_in_each_others_chats(opened, era):
    """Without sessions (2026-07-28) nobody can tell them apart: `last` is then refused, and says
    what to give instead."""
    async with (
        asyncio.timeout(BOUND),
        opened() as door,
        client_at(door, era) as one,
        client_at(door, era) as other,
    ):
        first = await one.call_tool("ask_grok_web", {"question": "now"})
        chat = first.structured_content["conversation_id"]
        going_on = {"question": "and then?", "wait": "none", "conversation": "last"}
        theirs = await other.call_tool("ask_grok_web", going_on)
        ours = await one.call_tool("ask_grok_web", going_on | {"conversation": chat})
        mine = await other.call_tool("list_jobs", {"mine": True})
        status = await other.call_tool("tabwire_status", {})
        asked = [job.request.conversation_id for job in door.jobs.all.values()]
    assert not ours.is_error
    assert status.structured_content["chats"] == []
    if era == "legacy":
        assert asked == [None, None, chat]
        return
    assert asked == [None, chat]
    for refused in (theirs, mine):
        assert refused.is_error
        assert refused.structured_content["error"]["code"] == "no_agent"
    assert "conversation_id" in theirs.content[0].text
    assert "X-Tabwire-Agent" in theirs.content[0].text
    assert not door.hub.sessions.touched, "an unnamed client is remembered"


async def test_with_a_name_of_its_own_last_works_in_both_eras(opened, era):
    async with (
        asyncio.timeout(BOUND),
        opened() as door,
        client_at(door, era, x_tabwire_agent="mine") as one,
        client_at(door, era, x_tabwire_agent="yours") as other,
    ):
        await one.call_tool("ask_grok_web", {"question": "now"})
        going_on = {"question": "and then?", "wait": "none", "conversation": "last"}
        for client in (one, other):
            await client.call_tool("ask_grok_web", going_on)
        asked = [job.request.conversation_id for job in door.jobs.all.values()]
    assert asked == [None, "conversation-job-1", None]


async def test_a_session_of_a_client_without_a_name_is_one_agent(opened):
    async with asyncio.timeout(BOUND), opened() as door, client_at(door, named="") as client:
        for question in ("now", "now and then"):
            await client.call_tool("ask_grok_web", {"question": question, "wait": "none"})
        agents = {job.asker.agent for job in door.jobs.all.values()}
    assert len(agents) == 1


@pytest.mark.parametrize("method", ["tools/list", "tools/call"])
async def test_a_client_whose_session_ended_with_the_hub_is_told_how_to_go_on(opened, method):
    params = {"name": "tabwire_status", "arguments": {}} if method == "tools/call" else {}
    body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    async with asyncio.timeout(BOUND), opened() as door:
        answered = await door.ask(
            "POST",
            "/mcp",
            json.dumps(body).encode(),
            **{
                "mcp-session-id": "0123456789abcdef0123456789abcdef",
                "mcp-protocol-version": "2025-11-25",
                "accept": "application/json, text/event-stream",
                "content-type": "application/json",
            },
        )
    assert answered.status == 404, "on which a client introduces itself anew"
    for word in ("restarted", "Connect again", "list_jobs", "get_answer"):
        assert word in answered.raw.decode()


async def test_the_official_client_hears_it(opened):
    async with asyncio.timeout(BOUND), opened() as door, client_at(door) as client:
        await client.call_tool("ask_grok_web", {"question": "now"})
        await opened.restart()
        with pytest.raises(MCPError, match="Connect again"):
            await client.call_tool("tabwire_status", {})
        async with client_at(door) as again:
            listed = await again.call_tool("list_jobs", {})
    assert len(listed.structured_content["jobs"]) == 1


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
