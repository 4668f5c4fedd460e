"""Advice over MCP names tools and arguments, not commands and flags."""

import ast
import re
from pathlib import Path

import pytest

import tabwire
from kit.mcp_clients import client_of, serving
from tabwire.doors.mcp.arguments import AskAll
from tabwire.doors.mcp.results import result_of_error
from tabwire.doors.mcp.tools import BY_NAME
from tabwire.doors.mcp.wording import in_our_words
from tabwire.hub.jobs.ask_runner import check
from tabwire.model import ask_errors
from tabwire.model.ask import AskRequest
from tabwire.model.errors import Retry

SOURCE = Path(tabwire.__file__).parent

# what is advised, and how a model reads it
ADVICE = [
    (
        "Fetch it later: `tabwire fetch last --site grok`; or give more time with --timeout.",
        'Fetch it later: get_answer(job_id="job-1").',
    ),
    (
        "not found in time; fetch the rest later: tabwire fetch c-7 --site grok",
        'not found in time; fetch the rest later: get_answer(job_id="job-1")',
    ),
    ("Wait, or ask with --new.", 'Wait, or ask with conversation="new".'),
    (
        "Log in by hand: `tabwire login grok`; then ask again. `--guest` asks in the logged-out "
        "chat, where the site has one.",
        "Log in by hand: `tabwire login grok`; then ask again.",
    ),
    ("Send long material as a file: --file.", "Send long material as a file: `files`."),
    (
        "Choose another --model or --effort, or add --model-best-effort. It offers: 5, 4.",
        "Choose another `model` or `effort`, or leave it out. It offers: 5, 4.",
    ),
    (
        "Check the type and size of the file, or inline it with --context.",
        "Check the type and size of the file, or put its text into the question.",
    ),
    ("Ask again with --again.", "Ask again."),
    (
        "Run `tabwire doctor grok` and `tabwire snapshot grok`.",
        "Run `tabwire doctor grok` and take_cdp_snapshot.",
    ),
    ("or choose another --browser.", "or set another `browser`."),
    ("where you are logged in: `--browser attach`.", "where you are logged in: `browser`."),
]


@pytest.mark.parametrize("said, read", ADVICE, ids=[said[:30] for said, _ in ADVICE])
def test_advice_is_told_in_words_of_this_door(said, read):
    assert in_our_words(said, "job-1") == read


def test_without_a_job_the_tool_alone_is_named():
    assert in_our_words("`tabwire fetch last --site grok`") == "get_answer"


# A command in backticks is for the person, and stays; the rest of a sentence must have no flag.
COMMAND = re.compile(r"`tabwire (?!fetch|history|snapshot)[^`]*`")
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]+|tabwire (?:fetch|history|snapshot)\b")

# Errors that no tool can lead to: of reading files, of the terminal and its commands.
ELSEWHERE = {
    *("files/reader.py", "hub/jobs/prompt.py", "hub/browsers/lab_file.py"),
    *("hub/browsers/login.py", "hub/jobs/retrieval.py", "hub/guard.py", "model/errors.py"),
    *("hub/agents/windows.py", "hub/agents/start_entries.py", "sites/classics.py"),
}
ROOMS = ("model", "asking", "hub", "browser", "store", "cdp", "sites")


def advice_in(path):
    """All that errors of a module advise: `what_to_do=`, and what is raised with words."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            named = [word.value for word in node.keywords if word.arg == "what_to_do"]
            raised = node.args if ast.unparse(node.func) in ("BadAsk", "super().__init__") else []
            for value in (*named, *raised):
                yield from texts(value, node)
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "act":
            yield from texts(node.value, node)


def texts(value, where):
    for one in [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]:
        if isinstance(one, ast.JoinedStr):
            text = ""
            for part in one.values:  # a flag that is filled in is one that there is
                filled = "temporary" if text.endswith("--") else "xyz"
                text += part.value if isinstance(part, ast.Constant) else filled
            yield where.lineno, text
        elif isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield where.lineno, one.value


def test_what_is_set_aside_exists():
    assert [name for name in ELSEWHERE if not (SOURCE / name).is_file()] == []
    assert [room for room in ROOMS if not (SOURCE / room).is_dir()] == []


def test_no_error_of_an_ask_advises_a_flag():
    """Whoever writes one that does adds a rule to doors/mcp/wording.py."""
    found, left = 0, []
    for path in sorted(p for room in ROOMS for p in (SOURCE / room).rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if name in ELSEWHERE:
            continue
        for line, text in advice_in(path):
            found += bool(FLAG.search(text))
            said = COMMAND.sub("", in_our_words(text, "job-1"))
            if FLAG.search(said):
                left.append(f"{name}:{line}: {said}")
    assert found > 10, "it looks in the wrong place"
    assert not left


def test_the_arguments_that_are_named_are_there():
    names = {*AskAll.__struct_fields__, *BY_NAME, "browser", "job_id"}
    for said, _ in ADVICE:
        read = COMMAND.sub("", in_our_words(said, "job-1"))
        assert set(re.findall(r"`(\w+)`|(\w+)=", read)) <= {(n, "") for n in names} | {
            ("", n) for n in names
        }


@pytest.mark.asyncio
async def test_a_failed_ask_is_told_so_in_both_parts(hub, jobs, path):
    error = ask_errors.AnswerTimedOut("grok", 60.0, "nothing received yet")
    async with serving(hub, path), client_of(path) as client:
        await client.call_tool("ask_grok_web", {"question": "why?", "wait": "none"})
        await jobs.fail("job-1", error.code, Retry.NO, what_to_do=error.what_to_do)
        result = await client.call_tool("get_answer", {"job_id": "job-1"})
    advice = result.structured_content["error"]["what_to_do"]
    assert advice == 'Fetch it later: get_answer(job_id="job-1").'
    assert advice in result.content[0].text


def test_a_flag_in_what_happened_is_an_argument_too():
    result = result_of_error(ask_errors.NotPrivate("grok", "temporary", "there is no such chat"))
    assert "cannot be asked with `temporary`: there is no such chat" in result.content[0].text
    assert "or ask without `temporary`" in result.content[0].text


def test_a_slip_is_told_so_as_well():
    with pytest.raises(ask_errors.BadAsk) as slip:
        check(AskRequest("grok", "x" * 200_001))
    result = result_of_error(slip.value)
    assert "`files`" in result.content[0].text
    assert "--" not in f"{result.structured_content} {result.content[0].text}"
