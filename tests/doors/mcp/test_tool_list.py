"""What the list of tools and a result cost: every model reads them, in every conversation."""

import json

import jsonschema
import pytest

from kit.mcp_clients import client_of, serving
from kit.mcp_jobs import scripted_hub
from tabwire.hub.terms import SENTENCES

pytestmark = pytest.mark.asyncio

MOST = 16_000  # characters of JSON, all tools of today and of later together
FREE = 3_300
"""Characters of the list that are kept free for later tools: seven of the size of
`search_history` (some 430 each). Whoever adds a tool lowers this by what the tool costs."""

AUTOPILOT = {"stop_autopilot"}


def size(tools):
    """In characters of JSON, as it goes over the line."""
    dumped = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]
    return len(json.dumps({"tools": dumped}, separators=(",", ":")))


async def test_the_whole_list_is_short_and_leaves_room_for_more(path, era):
    hub = scripted_hub(antigravity="on")
    async with serving(hub, path), client_of(path, era) as client:
        tools = (await client.list_tools()).tools
    used = size(tools)
    assert used <= MOST - FREE, f"{used:,} of {MOST:,} characters are used: {FREE:,} must be free"


async def test_tools_of_the_autopilot_are_listed_where_antigravity_is_switched_on(path, tmp_path):
    names = {}
    for antigravity in ("off", "on"):
        hub, place = scripted_hub(antigravity=antigravity), tmp_path / antigravity
        async with serving(hub, place), client_of(place) as client:
            names[antigravity] = {tool.name for tool in (await client.list_tools()).tools}
    assert names["on"] - names["off"] == AUTOPILOT
    assert {"take_cdp_snapshot", "get_page_dom"} <= names["off"], "seed 001, section 12"


@pytest.mark.parametrize("name", ["pydantic-ai", "codex-mcp-client", "claude-code", "", "kimi"])
async def test_every_client_has_the_answer_in_both_parts(hub, path, era, name):
    """Some give a model only the one, some only the other (doors/mcp/clients.py)."""
    async with serving(hub, path), client_of(path, era, name=name) as client:
        one = await client.call_tool("ask_chatgpt_web", {"question": "now"})
        two = await client.call_tool("ask_chatgpt_gemini_web", {"question": "now"})
        later = await client.call_tool("get_answer", {"job_id": "job-1"})
    for result in (one, later):
        assert result.structured_content["answer"] == "answer of chatgpt"
        assert list(result.structured_content)[-1] == "answer", "what is cut off, is cut off it"
        assert result.content[0].text == "answer of chatgpt"
    answers = [job["answer"] for job in two.structured_content["jobs"]]
    assert answers == ["answer of chatgpt", "answer of gemini"]


DETAILS = {"timings", "evidence", "doing", "why"}


@pytest.mark.parametrize("asked_with", [False, True], ids=["plain", "asked with debug"])
async def test_how_an_answer_was_found_is_told_to_whoever_wants_it(hub, path, era, asked_with):
    async with serving(hub, path), client_of(path, era) as client:
        asked = {"question": "now", "debug": asked_with}
        first = await client.call_tool("ask_chatgpt_web", asked)
        both = await client.call_tool("ask_all_web", asked)
        again = await client.call_tool("get_answer", {"job_id": "job-1"})
        wanted = await client.call_tool("get_answer", {"job_id": "job-1", "debug": True})
    expected = DETAILS if asked_with else set()
    for data in (
        first.structured_content,
        again.structured_content,
        *both.structured_content["jobs"],
    ):
        assert data.keys() & DETAILS == expected
    assert wanted.structured_content.keys() >= DETAILS
    assert wanted.structured_content["timings"]["totalMs"] == 3.5


async def test_a_list_of_jobs_is_short(hub, path):
    async with serving(hub, path), client_of(path) as client:
        for number in range(12):
            long = f"now {number} " + "and a long story " * 40
            await client.call_tool("ask_grok_web", {"question": long, "wait": "none"})
        listed = await client.call_tool("list_jobs", {})
    rows = listed.structured_content["jobs"]
    assert len(rows) == 10
    assert rows[0].keys() == {"job_id", "site", "state", "created_at", "question"}
    assert len(json.dumps(listed.structured_content)) < 3_000


async def test_what_a_tool_gives_fits_the_schema_that_is_listed(hub, path, era):
    """Also where it fails: the TypeScript SDK checks that, too."""
    calls = {
        "ask_chatgpt_web": {"question": "now"},
        "ask_all_web": {"question": "now"},
        "get_answer": {"job_id": "job-1"},
        "list_jobs": {},
        "search_history": {"query": "now"},
        "take_cdp_snapshot": {"tab": "grok"},
        "get_page_dom": {"tab": "grok", "selector": "button"},
        "tabwire_status": {},
    }
    async with serving(hub, path), client_of(path, era) as client:
        schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
        for name, given in calls.items():
            for said in (given, {"colour": "red"}):
                result = await client.call_tool(name, said)
                data = result.structured_content
                jsonschema.validate(data, schemas[name])
                unlisted = schemas[name]["properties"].keys() - data.keys()
                if not result.is_error:
                    assert "error" in unlisted
                    assert unlisted <= {"error", "next", "before"}, name


async def test_the_terms_of_a_site_are_told_once_below_its_first_answer(path, era, monkeypatch):
    """In the text alone, and in no tool's description: few words, once."""
    monkeypatch.setenv("TABWIRE_HOME", str(path.parent.parent))
    hub = scripted_hub(wait_seconds=0.1, browser="launch")
    async with serving(hub, path), client_of(path, era) as client:
        first = await client.call_tool("ask_chatgpt_web", {"question": "now"})
        pair = await client.call_tool("ask_chatgpt_gemini_web", {"question": "now"})
        again = await client.call_tool("ask_all_web", {"question": "now", "sites": ["gemini"]})
    assert first.content[0].text == "answer of chatgpt"
    assert first.content[-1].text.endswith(
        f"\n(For the person, shown only once: {SENTENCES['chatgpt']})"
    )
    assert [block.text.count("'s terms") for block in pair.content] == [0, 1]
    assert SENTENCES["gemini"] in pair.content[-1].text
    assert "'s terms" not in again.content[-1].text
    assert "terms" not in str(first.structured_content)
