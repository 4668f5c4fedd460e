"""docs/mcp.md says what the tools are, and the words a model reads name nothing else."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from tabwire.doors.mcp import prompts, resources
from tabwire.doors.mcp.arguments import SiteName
from tabwire.doors.mcp.clients import KNOWN
from tabwire.doors.mcp.results import told
from tabwire.doors.mcp.schemas import JOB
from tabwire.doors.mcp.server import INSTRUCTIONS
from tabwire.doors.mcp.tools import ENTRIES
from tabwire.hub import SITE_NAMES
from tabwire.model.ask import Answer, AskRequest, Completeness, OtherText, Step
from tabwire.model.errors import Retry
from tabwire.model.failure import Failure
from tabwire.model.job import Asker, Door, Job, JobState

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "mcp.md").read_text(encoding="utf-8")
CLIENTS = ("Claude Code", "Claude Desktop", "Cursor", "VS Code", "Codex", "Gemini CLI")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_tool_and_argument_is_in_the_docs(entry):
    assert f"`{entry.name}`" in PAGE
    for name in entry.shown().input_schema["properties"]:
        assert f"`{name}`" in PAGE, f"{entry.name} {name}"


def test_every_resource_prompt_and_field_is_in_the_docs():
    for uri, *_ in resources.TEMPLATES:
        assert f"`{uri}`" in PAGE
    for offer in prompts.OFFERS:
        assert f"`{offer.name}`" in PAGE
        for name, _, _ in offer.arguments:
            assert f"`{name}`" in PAGE
    for name in {*JOB["properties"], *_everything()} - {"site", "resource"}:
        assert f"`{name}`" in PAGE, name


def _everything():
    """All that can be told of a job."""
    request = AskRequest("grok", "why?", debug=True)
    error = Failure("failed", "it failed", "Ask again.", Retry.SAME)
    answer = Answer(
        *("job-1", "grok", "why?", "so", Completeness.PARTIAL, "cut"),
        problems=("one",),
        suspicious=("one",),
        others=(OtherText("page", "x"),),
        title="Why",
        model="m",
        debug={"bundle": "/kept"},
    )
    asker = Asker("me", Door.MCP)
    told_of = {"answer": answer, "error": error, "conversation_id": "c", "url": "u"}
    ended = Job("job-1", request, asker, JobState.COMPLETED, Step.DONE, 0.0, 1.0, **told_of)
    running = Job("job-1", request, asker, JobState.WORKING, Step.SENT, 0.0, 1.0)
    return told(ended, 2.0, debug=True).keys() | told(running, 2.0).keys()


@pytest.mark.parametrize("client", CLIENTS)
def test_every_client_has_its_lines(client):
    assert f"**{client}**" in PAGE


def test_the_lines_can_be_read_and_start_the_pump():
    for language, text in BLOCKS:
        match language:
            case "json":
                (servers,) = json.loads(text).values()
                entry = servers["tabwire"]
            case "toml":
                entry = tomllib.loads(text)["mcp_servers"]["tabwire"]
            case _:
                assert re.search(r"tabwire.*\bmcp\b", text), text
                continue
        assert (entry["command"], entry["args"]) == ("tabwire", ["mcp"])
    assert len(BLOCKS) >= len(CLIENTS)


def test_words_for_a_model_name_only_tools_there_are():
    names = {entry.name for entry in ENTRIES}
    read = [INSTRUCTIONS, *(entry.says for entry in ENTRIES), *(one.text for one in prompts.OFFERS)]
    for text in read:
        named = set(re.findall(r"\b(?:ask|get|list|stop|search|take|tabwire)_\w+", text))
        assert named <= names, named - names


def test_the_sites_are_those_of_the_hub():
    assert SiteName.__args__ == SITE_NAMES


def test_known_clients_are_told_apart_by_how_their_names_begin():
    names = [one.name for one in KNOWN]
    assert names == [name.lower() for name in names]
    for name in names:
        assert [other for other in names if name.startswith(other)] == [name]


def test_every_prompt_can_be_written_from_what_must_be_given():
    for offer in prompts.OFFERS:
        given = {name: f"<{name}>" for name, _, must in offer.arguments if must}
        (message,) = prompts.written(offer.name, given).messages
        assert "{" not in message.content.text
        assert all(value in message.content.text for value in given.values())
