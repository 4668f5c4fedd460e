"""A coding assistant asks: the official MCP client, `tabwire mcp`, and the hub it starts.

Nothing here is ours but the question. The client starts `tabwire mcp` as an assistant does by
the line in its configuration; that starts a hub; the hub asks in the same browser.
"""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import Implementation

from tabwire.config.home import SETTING
from tabwire.hub.process.lock import LOOK_SECONDS, holder
from tabwire.hub.remote.connection import LineLost, NoHub
from tabwire.hub.remote.hub import RemoteHub
from tabwire.lab.serve import Lab

SITE = "gemini"
TOOL = f"ask_{SITE}_web"
QUESTION = "Which colour has the sky on Mars at dusk, and why?"

GONE_SECONDS = 10.0  # a hub promises five

Say = Callable[[str], None]


async def ask_as_assistant(home: Path, browser: str, lab: Lab, say: Say) -> list[str]:
    """Ask, say what happens, and give everything that is not as it should be."""
    async with _client(home, browser) as client:
        tools = await client.list_tools()
        say(f"an MCP client started `tabwire mcp` and found {len(tools.tools)} tools")
        say(f'{TOOL}(question="{QUESTION}")')

        async def hear(progress: float, total: float | None, message: str | None) -> None:  # noqa: ARG001
            say(f"  {message}")

        result = await client.call_tool(TOOL, {"question": QUESTION}, progress_callback=hear)
    told = getattr(result.content[0], "text", "")  # what follows says where it is from
    data = result.structured_content or {}
    say(f"{data.get('completeness')}: {len(told):,} characters, job {data.get('job_id')}")
    return list(_differences(told, lab))


@asynccontextmanager
async def _client(home: Path, browser: str) -> AsyncIterator[Client]:
    """The client, and at the end no hub any more."""
    environment = {SETTING: str(home), "TABWIRE_BROWSER": browser, "TABWIRE_PORT": "0"}
    pump = StdioServerParameters(
        command=sys.executable,
        args=["-m", "tabwire", "mcp"],
        env={**os.environ, **environment},
        cwd=str(home),
    )
    try:
        who = Implementation(name="demo-assistant", version="1")
        async with Client(pump, client_info=who) as client:
            yield client
    finally:
        with suppress(NoHub, LineLost):
            await RemoteHub(start=False).shutdown()
        until = time.monotonic() + GONE_SECONDS
        while holder() is not None and time.monotonic() < until:
            await asyncio.sleep(LOOK_SECONDS)  # its home goes with the demo


def _differences(told: str, lab: Lab) -> list[str]:
    asked = [entry for entry in lab.ledger.asked(SITE) if entry.prompt == QUESTION]
    said = [
        exchange.text
        for chat in lab.room.conversations[SITE].values()
        for exchange in chat.exchanges
        if exchange.prompt == QUESTION
    ]
    found = []
    if len(asked) != 1:
        found.append(f"the assistant's question came {len(asked)} times")
    if [text.strip() for text in said] != [told.strip()]:
        found.append("the assistant was NOT told the text the lab sent")
    return found
