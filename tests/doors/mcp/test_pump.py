"""`tabwire mcp` as a client starts it: a real process, and hubs that come and go."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import AsyncExitStack

import pytest
from mcp import Client
from mcp_types import Implementation

from kit.mcp_clients import (
    STARTS_NO_HUB,
    client_of,
    introduce,
    pump_environment,
    pump_parameters,
    pumping,
    said_by,
    say,
    serving,
)
from tabwire.doors.mcp import pump
from tabwire.hub.process import lock
from tabwire.hub.sessions.sessions import Chat

pytestmark = pytest.mark.asyncio
BOUND = 60.0  # seconds, for a busy machine
GONE_SECONDS = 30.0  # seed 001, 14 says five; a busy machine makes longer ones of them


@pytest.fixture
def home(tmp_path, path):
    """Where the pump looks for its hub. `path` is the hub's socket there."""
    return tmp_path


async def initialized(process, name="test-client"):
    introduce(process, name)
    return await said_by(process)


def ask(process, number, question, **more):
    arguments = {"question": question, **more}
    params = {"name": "ask_grok_web", "arguments": arguments, "_meta": {"progressToken": number}}
    say(process, id=number, method="tools/call", params=params)


async def all_read(process):
    """Until the pump has taken all that was said to it: it refuses what is too long by itself,
    in its turn, whether there is a hub or not."""
    say(process, id="long", method="x", params={"pad": "x" * pump.MAX_LINE})
    assert (await said_by(process))["id"] == "long"


async def answer_to(process, number):
    """The answer to a request, and the progress that was told before it."""
    heard = []
    while True:
        message = await said_by(process)
        if message.get("id") == number:
            return message, heard
        heard.append(message["params"])


async def test_a_client_starts_it_and_speaks_to_the_hub(hub, home, path, era):
    async with asyncio.timeout(BOUND), serving(hub, path):
        parameters = pump_parameters(home, environment={"TABWIRE_AGENT_ID": "mine"})
        async with Client(
            parameters, mode=era, client_info=Implementation(name="someone", version="1")
        ) as client:
            result = await client.call_tool("ask_grok_web", {"question": "now"})
            status = await client.call_tool("tabwire_status", {})
    assert result.content[0].text == "answer of grok"
    assert status.structured_content["agent"] == "mine"
    assert status.structured_content["folders"] == [str(home.resolve())]


async def test_the_older_name_of_the_agent_counts_too(hub, jobs, home, path):
    parameters = pump_parameters(home, environment={"CAI_AGENT_ID": "theirs"})
    async with asyncio.timeout(BOUND), serving(hub, path), Client(parameters) as client:
        await client.call_tool("ask_grok_web", {"question": "now"})
    assert jobs.all["job-1"].asker.agent == "theirs"


async def test_a_restarted_hub_is_found_and_the_open_call_answered_by_its_job(
    hub, jobs, home, path
):
    """The client is told nothing of it: one introduction, one answer, one job."""
    async with asyncio.timeout(BOUND), pumping(home) as process:
        async with serving(hub, path):
            await initialized(process, "claude-code")
            ask(process, 1, "why?")
            await jobs.until(1)
            _, heard = await _progress(process)
        hub.sessions.chats.clear()
        async with serving(hub, path):
            again, more = await _progress(process)
            await jobs.answer("job-1", "so")
            message, _ = await answer_to(process, 1)
            say(process, id=2, method="tools/list")
            tools, _ = await answer_to(process, 2)
        assert message["result"]["content"][0]["text"] == "so"
        assert tools["result"]["tools"]
        assert jobs.submitted == 1
        assert more[-1]["progress"] > heard[-1]["progress"], "it must rise across hubs"
        assert again["progressToken"] == 1
        process.stdin.close()
        assert await process.wait() == 0


async def _progress(process):
    message = await said_by(process)
    return message["params"], [message["params"]]


async def test_an_open_call_is_the_same_job_though_last_is_another_chat_by_now(
    hub, jobs, home, path
):
    async with asyncio.timeout(BOUND), pumping(home) as process:
        async with serving(hub, path):
            await initialized(process)
            ask(process, 1, "why?", conversation="last", wait=60)
            (job,) = await jobs.until(1)
        hub.sessions.chats[job.asker.agent] = (Chat("grok", "other", "https://grok.com/", None, 0),)
        async with serving(hub, path), client_of(path, agent=job.asker.agent) as other:
            await other.call_tool("ask_grok_web", {"question": "else", "wait": "none"})
            await jobs.answer("job-1", "so")
            message, _ = await answer_to(process, 1)
        assert message["result"]["content"][0]["text"] == "so"
        assert [job.request.prompt for job in jobs.all.values()] == ["why?", "else"]


async def test_what_is_said_between_two_hubs_reaches_the_next(hub, home, path):
    """No hub can be started here: the pump looks for one until it is there."""
    async with asyncio.timeout(BOUND), pumping(home) as process:
        async with serving(hub, path):
            await initialized(process)
        ask(process, 1, "now")
        say(process, id=2, method="tools/list")
        async with serving(hub, path):
            got = {
                message["id"]: message
                for message in [await said_by(process), await said_by(process)]
            }
        assert got[1]["result"]["content"][0]["text"] == "answer of grok"
        assert got[2]["result"]["tools"]


async def test_a_request_that_was_cancelled_is_not_sent_to_the_next_hub(hub, jobs, home, path):
    async with asyncio.timeout(BOUND), pumping(home) as process:
        async with serving(hub, path):
            await initialized(process)
        ask(process, 1, "never")
        say(process, method="notifications/cancelled", params={"requestId": 1})
        ask(process, 2, "now")
        await all_read(process)
        async with serving(hub, path):
            message, _ = await answer_to(process, 2)
        assert message["result"]["content"][0]["text"] == "answer of grok"
        assert [job.request.prompt for job in jobs.all.values()] == ["now"]


async def test_a_hub_that_only_hangs_up_is_not_called_for_ever(home, path):
    calls = []

    async def hang_up(reader, writer):
        calls.append([await reader.readline(), await reader.readline()])
        writer.close()

    async with (
        asyncio.timeout(BOUND),
        await asyncio.start_unix_server(hang_up, str(path)),
        pumping(home) as process,
    ):
        ask(process, 1, "why?")
        message = await said_by(process)
        assert await process.wait() == 1
        assert b"tabwire logs" in await process.stderr.read()
    assert message["id"] == 1
    assert "Your questions are saved" in message["error"]["message"]
    assert len(calls) == 3
    assert [request for request, _ in json.loads(calls[-1][0])["open"]] == [1]


@pytest.mark.parametrize("how", ["stdin ends", "SIGTERM", "SIGINT", "SIGKILL"])
async def test_it_ends_when_its_client_does_and_the_job_goes_on(hub, jobs, home, path, how):
    """Seed 001, 14: gone within 5 s."""
    async with asyncio.timeout(BOUND), serving(hub, path), pumping(home) as process:
        await initialized(process)
        ask(process, 1, "why?", wait=60)
        await jobs.until(1)
        async with asyncio.timeout(GONE_SECONDS):
            if how == "stdin ends":
                process.stdin.close()
            else:
                process.send_signal(getattr(signal, how))
            code = await process.wait()
        assert code == {"stdin ends": 0, "SIGTERM": -15, "SIGINT": 130, "SIGKILL": -9}[how]
        await jobs.answer("job-1", "so")
        async with client_of(path, name="another") as client:
            result = await client.call_tool("get_answer", {"job_id": "job-1"})
    assert result.content[0].text == "so"
    assert hub.guests.count == 0


HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x"}}
HELLO["clientInfo"]["version"] = "1"
FIRST = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO}
SECOND = {"jsonrpc": "2.0", "method": "notifications/initialized"}
THIRD = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
# what a client says before it closes stdin, and the ids of the answers it must have
AT_ONCE = [
    ("one line", (FIRST,), b"\n", [0]),
    ("one line without its end", (FIRST,), b"", [0]),
    ("several lines", (FIRST, SECOND, THIRD), b"\n", [0, 1]),
]


@pytest.mark.parametrize("late", [False, True], ids=["a hub is there", "the hub comes later"])
@pytest.mark.parametrize("lines, end, ids", [c[1:] for c in AT_ONCE], ids=[c[0] for c in AT_ONCE])
async def test_a_client_that_closes_stdin_at_once_is_answered(
    hub, home, path, lines, end, ids, late
):
    """Its stdout is open: it reads on. `printf … | tabwire mcp` is one."""
    said = b"\n".join(json.dumps(line).encode() for line in lines) + end
    program = STARTS_NO_HUB.replace("lambda: None", "lambda: print('looks', file=sys.stderr)")
    async with asyncio.timeout(BOUND), AsyncExitStack() as stack:
        if not late:
            await stack.enter_async_context(serving(hub, path))
        process = await stack.enter_async_context(pumping(home, program=program))
        process.stdin.write(said)
        process.stdin.close()
        if late:
            await process.stderr.readline()  # it looks for one
            await stack.enter_async_context(serving(hub, path))
        answers = [json.loads(line) async for line in process.stdout]
        assert await process.wait() == 0
    assert [one["id"] for one in answers] == ids
    assert all("result" in one for one in answers)


async def test_it_ends_with_stdin_also_while_it_looks_for_a_hub(home):
    program = STARTS_NO_HUB.replace("lambda: None", "lambda: print('looks', file=sys.stderr)")
    async with asyncio.timeout(BOUND), pumping(home, program=program) as process:
        assert await process.stderr.readline() == b"looks\n"
        async with asyncio.timeout(GONE_SECONDS):
            process.stdin.close()
            assert await process.wait() == 0


async def test_it_ends_with_stdin_also_when_nobody_reads_what_it_writes(hub, jobs, home, path):
    """A pipe that is full stops one thread of the two."""
    reading, writing = os.pipe()
    async with (
        asyncio.timeout(BOUND),
        serving(hub, path),
        pumping(home, stdout=writing) as process,
    ):
        os.close(writing)
        introduce(process)
        for number in range(1, 30):
            say(process, id=number, method="tools/list")
        await process.stdin.drain()
        await asyncio.to_thread(os.read, reading, 1)  # it began to write
        async with asyncio.timeout(GONE_SECONDS):
            process.stdin.close()
            assert await process.wait() == 0
    os.close(reading)


async def test_a_message_of_five_megabytes_goes_both_ways(hub, jobs, home, path):
    big = "x" * 5_000_000
    async with asyncio.timeout(BOUND), serving(hub, path), pumping(home) as process:
        await initialized(process)
        ask(process, 1, big, wait="none")
        await answer_to(process, 1)
        assert jobs.all["job-1"].request.prompt == big
        await jobs.answer("job-1", big)
        params = {"name": "get_answer", "arguments": {"job_id": "job-1"}}
        say(process, id=2, method="tools/call", params=params)
        message, _ = await answer_to(process, 2)
        assert message["result"]["content"][0]["text"] == big


async def test_a_message_beyond_all_measure_is_refused_by_name_and_the_rest_goes_on(
    hub, home, path
):
    async with asyncio.timeout(BOUND), serving(hub, path), pumping(home) as process:
        await initialized(process)
        ask(process, 1, "x" * (17 << 20))
        ask(process, 2, "now")
        await process.stdin.drain()
        got = {
            message["id"]: message for message in [await said_by(process), await said_by(process)]
        }
        assert "longer than 16 MiB" in got[1]["error"]["message"]
        assert got[2]["result"]["content"][0]["text"] == "answer of grok"


async def test_what_is_no_message_is_answered_as_such(hub, home, path):
    async with asyncio.timeout(BOUND), serving(hub, path), pumping(home) as process:
        await initialized(process)
        process.stdin.write(b"{not json}\n\n" + b'{"jsonrpc":"2.0","methud":"x","id":9}\n')
        broken, strange = await said_by(process), await said_by(process)
    assert (broken["id"], broken["error"]["code"]) == (None, -32700)
    assert strange["error"]["code"] == -32600


async def test_a_stranger_on_the_socket_is_not_served(hub, path):
    async with asyncio.timeout(BOUND), serving(hub, path):
        reader, writer = await asyncio.open_unix_connection(str(path))
        writer.write(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
        assert await reader.read() == b""
        writer.close()


# --- what it costs ---------------------------------------------------------------------------


async def test_it_imports_next_to_nothing(hub, home, path):
    """Speed is measured in `make bench`; what makes it slow is held here."""
    program = (
        "import sys, atexit; began = set(sys.modules)\n"
        "sys.argv = ['tabwire', 'mcp']\n"
        "import os; leave = os._exit\n"
        "def told(code):\n"
        "    sys.stderr.write('\\n'.join(sorted(set(sys.modules) - began))); sys.stderr.flush()\n"
        "    leave(code)\n"
        "os._exit = told\n"
        "from tabwire.__main__ import main; main()"
    )
    async with (
        asyncio.timeout(BOUND),
        serving(hub, path),
        pumping(home, program=program) as process,
    ):
        process.stdin.close()
        names = set((await process.stderr.read()).decode().split())
    assert names <= {
        *("tabwire", "tabwire.__main__", "tabwire.model", "tabwire.model.lazy"),
        *("tabwire.doors", "tabwire.doors.mcp"),
        *("tabwire.doors.mcp.pump", "_socket", "_json", "_thread", "atexit"),
    }


async def test_nothing_is_read_before_the_first_answer_is_there(home, path):
    """Reading messages needs `json`, and that takes longer than all the rest."""
    program = (
        "import sys; sys.argv = ['tabwire', 'mcp']\n"
        "import tabwire.doors.mcp.pump as pump; sent = pump.Pump._write\n"
        "def write(self, data):\n"
        "    sys.stderr.write(f\"{'json' in sys.modules}\\n\"); sys.stderr.flush()\n"
        "    sent(self, data)\n"
        "pump.Pump._write = write\n"
        "pump.main()"
    )
    heard = asyncio.Event()

    async def answer(reader, writer):
        await reader.readline()
        await reader.readline()
        writer.write(b'{"jsonrpc":"2.0","id":0,"result":{}}\n')
        await heard.wait()
        writer.close()

    async with (
        asyncio.timeout(BOUND),
        await asyncio.start_unix_server(answer, str(path)),
        pumping(home, program=program) as process,
    ):
        introduce(process)
        await said_by(process)
        told = await process.stderr.readline()
        heard.set()
    assert told == b"False\n"


async def test_a_setting_that_cannot_be_meant_is_told_in_words(home):
    with subprocess.Popen(
        [sys.executable, "-m", "tabwire", "mcp"],
        env={**pump_environment(home), "TABWIRE_HOME": "not/whole"},
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.wait(BOUND) == 2
        assert b"is not an absolute path" in process.stderr.read()


@pytest.mark.parametrize(
    "environment",
    [
        {"TABWIRE_HOME": "/somewhere"},
        {"TABWIRE_HOME": "/" + "long" * 40},
        {"XDG_DATA_HOME": "/data", "TABWIRE_HOME": ""},
        {"HOME": "/home/somebody", "XDG_DATA_HOME": "", "TABWIRE_HOME": ""},
    ],
    ids=["named", "long", "by the system", "by default"],
)
async def test_it_looks_where_the_hub_listens(monkeypatch, environment):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert pump.socket_path() == str(lock.socket_path("mcp.sock"))


async def test_its_help_is_that_of_a_command():
    done = subprocess.run(
        [sys.executable, "-m", "tabwire", "mcp", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "MCP clients start this" in " ".join(done.stdout.split())
