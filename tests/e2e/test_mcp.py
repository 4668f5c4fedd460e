"""An MCP client, `tabwire mcp`, the hub it starts, a real browser, and the lab's sites.

The first ask starts the hub. Then whatever can die does: the answer is there, and was asked for
once.
"""

import asyncio
import json
import os
import signal
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import Implementation

from kit.asking import new_prompt, prompts_in
from kit.mcp_clients import pump_environment
from kit.places import both_places
from tabwire.asking.suspicion import suspicious
from tabwire.hub.process.lock import holder
from tabwire.lab.plan import plan_for

__all__ = ["both_places"]

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.xdist_group("asking-doors"),
    pytest.mark.timeout(300),
]

RUN_SECONDS = 240.0  # a hub starts in a second or two, on a machine that has nothing else to do


class House:
    """One home, one browser, and whichever hub is started there."""

    def __init__(self, place):
        self.home = place.home
        said = ("TABWIRE_BROWSER", "TABWIRE_PORT")
        self._environment = pump_environment(place.home) | {
            name: place.environment[name] for name in said
        }

    @asynccontextmanager
    async def client(self, name="claude-code", era="legacy"):
        pump = StdioServerParameters(
            command=sys.executable,
            args=["-m", "tabwire", "mcp"],
            env=self._environment,
            cwd=str(self.home),
        )
        async with Client(
            pump, mode=era, client_info=Implementation(name=name, version="1")
        ) as client:
            yield client

    def hub(self):
        """The pid of the hub that runs."""
        found = holder(self.home / "run")
        return found.pid if found else None

    async def end(self):
        """No hub runs any more."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tabwire", "stop"),
            env=self._environment,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        await process.wait()


@pytest_asyncio.fixture
async def house(place):
    place.home.mkdir(exist_ok=True)
    house = House(place)
    yield house
    await house.end()
    assert house.hub() is None


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
@pytest.mark.rows(1, first=2)
async def test_a_client_gets_the_answers_of_two_sites_and_each_was_asked_once(house, lab, era):
    prompt = new_prompt(seed=611, pieces=20)
    async with asyncio.timeout(RUN_SECONDS), house.client(era=era) as client:
        asked = {"question": prompt, "wait": RUN_SECONDS}
        result = await client.call_tool("ask_chatgpt_gemini_web", asked)
        found = await client.call_tool("search_history", {"query": prompt.split(".")[0]})
    data = result.structured_content
    assert data["answered"] == 2, result.content
    assert [job["completeness"] for job in data["jobs"]] == ["complete"] * 2, result
    for block, site in zip(result.content, ("ChatGPT", "Gemini"), strict=True):
        assert block.text.startswith(f"# {site}\n\n{plan_for(prompt).text.strip()}")
    assert len(found.structured_content["jobs"]) == 2
    assert len(prompts_in(lab, prompt)) == 2


async def test_an_odd_answer_says_where_the_facts_about_it_are(house, lab):
    """Through the browser, the hub, its store and the pump; `extraction` with `debug` only."""
    prompts = [new_prompt("What is 12 + 30?", pieces=1, chars=1) for _ in range(200)]
    odd = [one for one in prompts if suspicious(plan_for(one).text, one)]  # a letter, no number
    async with asyncio.timeout(RUN_SECONDS), house.client() as client:
        asked = {"question": odd[0], "wait": RUN_SECONDS, "debug": True}
        data = (await client.call_tool("ask_grok_web", asked)).structured_content
        plain = await client.call_tool("ask_grok_web", {"question": odd[1], "wait": RUN_SECONDS})
    assert data["suspicious"], data
    assert json.loads(Path(data["debug"]["bundle"]).read_text())["error"] == "suspicious_answer"
    assert data["debug"]["extraction"][0]["length"] == len(data["answer"]) == 1
    assert plain.structured_content["debug"].keys() == {"bundle"}
    assert "was saved in" in plain.content[1].text
    assert len(prompts_in(lab, odd[0])) == 1


async def test_a_hub_killed_while_the_site_answers_is_followed_by_one_that_finishes_the_call(
    house, lab
):
    prompt = new_prompt(seed=612, pieces=120, every=0.05)
    killed = []

    async def hear(_progress, _total, message):
        if message.startswith("answering") and not killed:
            killed.append(house.hub())
            os.kill(killed[0], signal.SIGKILL)

    async with asyncio.timeout(RUN_SECONDS), house.client() as client:
        result = await client.call_tool(
            "ask_grok_web", {"question": prompt}, progress_callback=hear
        )
        after = house.hub()
    assert killed
    assert after not in (None, killed[0])
    assert result.content[0].text == plan_for(prompt).text, result
    assert len(prompts_in(lab, prompt)) == 1


async def test_a_client_that_is_gone_leaves_the_answer_to_the_next(house, lab):
    prompt = new_prompt(seed=613, pieces=60, every=0.05)
    async with asyncio.timeout(RUN_SECONDS):
        async with house.client() as client:
            begun = await client.call_tool("ask_chatgpt_web", {"question": prompt, "wait": "none"})
        job_id = begun.structured_content["job_id"]
        async with house.client("another") as client:
            asked = {"job_id": job_id, "wait": RUN_SECONDS}
            result = await client.call_tool("get_answer", asked)
    assert begun.structured_content["state"] == "working"
    assert result.content[0].text == plan_for(prompt).text, result
    assert len(prompts_in(lab, prompt)) == 1


async def test_the_agents_chat_is_gone_on_in_and_no_other(house, lab):
    first, second, third = (new_prompt(seed=seed, pieces=5) for seed in (614, 615, 616))
    async with asyncio.timeout(RUN_SECONDS), house.client() as client:
        results = [
            await client.call_tool(
                "ask_grok_web", {"question": prompt, "conversation": where, "wait": RUN_SECONDS}
            )
            for prompt, where in ((first, "new"), (second, "last"), (third, "new"))
        ]
    chats = [result.structured_content["conversation_id"] for result in results]
    assert chats[0] == chats[1] != chats[2], results


@pytest.mark.parametrize(
    "clients, each",
    [(4, 1), pytest.param(10, 2, marks=pytest.mark.soak)],
    ids=["four of four", "twenty of ten"],
)
async def test_clients_that_ask_at_once_are_each_answered_right(house, lab, clients, each):
    sites = ("chatgpt", "gemini", "grok")

    async def ask(number):
        async with house.client(f"client{number}") as client:
            for turn in range(each):
                prompt = new_prompt(seed=620 + number, pieces=10)
                site = sites[(number + turn) % len(sites)]
                asked = {"question": prompt, "wait": RUN_SECONDS}
                result = await client.call_tool(f"ask_{site}_web", asked)
                assert result.content[0].text == plan_for(prompt).text, result
                assert len(prompts_in(lab, prompt)) == 1

    async with asyncio.timeout(RUN_SECONDS), asyncio.TaskGroup() as group:
        for number in range(clients):
            group.create_task(ask(number))
