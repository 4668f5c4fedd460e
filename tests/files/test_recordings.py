"""What `tabwire parse` says of every recording that lies beside the checkout.

What is expected is read from the recordings themselves, here, in a simpler way than the
sites' readers do; nothing of their content is written down in this file.
"""

import json
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from tabwire.__main__ import run

RECORDINGS = Path(__file__).resolve().parents[3] / "shared" / "recordings"

# Patterns of path below `recordings`; the first that fits decides.
NO_WIRE_BODY = [
    "*.html",  # pages, whole or in pieces, and a challenge page
    "*.tsv",  # an order of requests
    "*.md",
    "*.request.json",  # what was sent, not what was answered
    "*_prepare_*.json",
    "*_chunks_*.json",  # where the network cut a stream, as notes
    "*/structure_only_*.json",
    "selector_snapshots/*.json",
    "gemini/bardapi_*.json",  # inner payloads, taken out of their frames
    "other/*",  # streams and pages of sites we do not read
    "chatgpt/blackiya_sample_chatgpt_conversation.json",  # its id has letters beyond f
]
NO_CONVERSATION = [
    "gemini/blackiya_sample_gemini_titles.txt",
    "gemini/har_*_batchexecute_*",
    "grok/blackiya_sample_grok_history.json",
]
REFUSALS = ["gemini/error_frame_*"]
PROVEN = [
    "chatgpt/*.sse",
    "grok/*.ndjson",
    "grok/*_grok_conversation.json",
    "gemini/*StreamGenerate*",
]
ALL = [*NO_WIRE_BODY, *NO_CONVERSATION, *REFUSALS, *PROVEN]


def recordings(*patterns: str, but: Sequence[str] = ()) -> list[Any]:
    """The recordings these patterns name, as parameters."""
    found = [
        pytest.param(path, id=name)
        for path in sorted(RECORDINGS.rglob("*"))
        if path.is_file()
        and fits(name := path.relative_to(RECORDINGS).as_posix(), patterns)
        and not fits(name, but)
    ]
    reason = f"no {' or '.join(patterns[:2])} in shared/recordings beside the checkout"
    return found or [pytest.param(None, marks=pytest.mark.skip(reason=reason), id="absent")]


def fits(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)


@pytest.fixture
def parse(capsys):
    """Run `tabwire parse --json FILE`: (exit code, objects, stderr)."""

    def call(path: Path) -> tuple[int, list[dict[str, Any]], str]:
        with pytest.raises(SystemExit) as left:
            run(["parse", "--json", str(path)])
        out, err = capsys.readouterr()
        return int(left.value.code or 0), [json.loads(line) for line in out.splitlines()], err

    return call


@pytest.mark.parametrize("path", recordings(*NO_WIRE_BODY))
def test_what_is_no_wire_body_is_refused(parse, path):
    code, told, err = parse(path)
    assert code == 2
    assert told
    for one in told:
        assert (one["conversation_id"], one["complete"], one["messages"]) == (None, False, [])
        assert one["problems"]
    assert err.startswith(f"{path}: ")


@pytest.mark.parametrize("path", recordings(*NO_CONVERSATION))
def test_a_body_with_titles_or_nothing_of_ours_is_read_and_holds_no_conversation(parse, path):
    code, (told,), _ = parse(path)
    assert code == 0
    assert (told["conversation_id"], told["messages"]) == (None, [])
    assert told["site"] == path.relative_to(RECORDINGS).parts[0]
    assert told["problems"]


@pytest.mark.parametrize("path", recordings(*REFUSALS))
def test_an_error_frame_holds_no_conversation_and_says_its_code(parse, path):
    _, (told,), _ = parse(path)
    assert (told["conversation_id"], told["messages"], told["complete"]) == (None, [], False)
    assert any("1096" in problem for problem in told["problems"])


@pytest.mark.parametrize("path", recordings(*PROVEN))
def test_a_recorded_answer_is_proven(parse, path):
    code, (told,), err = parse(path)
    assert (code, err) == (0, "")
    assert told["conversation_id"]
    assert told["complete"]
    assert told["terminal"]
    assert told["evidence"]
    assert told["messages"][-1]["role"] == "assistant"


@pytest.mark.parametrize("path", recordings("*", but=ALL))
def test_a_recording_that_came_later_than_this_test_is_answered(parse, path):
    code, told, _ = parse(path)
    assert code in (0, 2)
    assert all(one["conversation_id"] or one["problems"] for one in told)
    assert told


# -- read here, simply --------------------------------------------------------------------------


def frames(path: Path) -> list[Any]:
    """The JSON of every event."""
    lines = path.read_text("utf-8").splitlines()
    data = [line[6:] for line in lines if line.startswith("data: ")]
    return [json.loads(one) for one in data if one != "[DONE]"]


def replay(events: list[Any]) -> list[tuple[str, str]]:
    """(role, text) of what is for reading: deltas in order, all on the newest message."""
    said: list[list[str]] = []
    path = ""
    for event in events:
        if not isinstance(event, dict) or "type" in event:
            continue
        path = event.get("p", path)
        value = event.get("v")
        if isinstance(value, dict) and "message" in value:
            message = value["message"]
            readable = (
                message["content"]["content_type"] == "text"
                and not message["metadata"].get("is_visually_hidden_from_conversation")
                and message.get("channel") in (None, "final")
            )
            role = message["author"]["role"] if readable else ""
            said.append([role, "".join(message["content"].get("parts", []))])
        steps = value if isinstance(value, list) else [{"p": path, "v": value}]
        for step in steps:
            if step.get("p") == "/message/content/parts/0" and isinstance(step["v"], str):
                said[-1][1] += step["v"]
    return [(role, text) for role, text in said if role in ("user", "assistant") and text]


def seen(told: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["role"], one["text"]) for one in told["messages"]]


@pytest.mark.parametrize("path", recordings("chatgpt/*.sse"))
def test_chatgpt_streams_say_what_their_deltas_say(parse, path):
    _, (told,), _ = parse(path)
    events = [event for event in frames(path) if isinstance(event, dict)]
    named = {event.get("conversation_id") for event in events} - {None}
    assert {told["conversation_id"]} == named
    assert (told["site"], told["kind"]) == ("chatgpt", "sse")
    assert seen(told) == replay(events)
    titles = [event["title"] for event in events if event.get("type") == "title_generation"]
    assert told["title"] == (titles[-1] if titles else None)
    assert f'"{told["model"]}"' in path.read_text("utf-8")
    assert "end_turn" in told["evidence"]


@pytest.mark.parametrize("path", recordings("grok/*.ndjson"))
def test_grok_streams_say_what_their_lines_say(parse, path):
    _, (told,), _ = parse(path)
    results = [json.loads(line)["result"] for line in path.read_text("utf-8").splitlines() if line]
    (named,) = [one["conversation"]["conversationId"] for one in results if "conversation" in one]
    responses = [one["response"] for one in results if "response" in one]
    (asked,) = [one["userResponse"] for one in responses if "userResponse" in one]
    answered = [one["modelResponse"] for one in responses if "modelResponse" in one][-1]
    assert (told["site"], told["kind"], told["conversation_id"]) == ("grok", "ndjson", named)
    assert seen(told) == [("user", asked["message"]), ("assistant", answered["message"])]
    assert told["model"] == answered["model"]
    titles = [one["title"]["newTitle"] for one in results if "title" in one]
    assert told["title"] == titles[-1]


@pytest.mark.parametrize("path", recordings("grok/*_grok_conversation.json"))
def test_grok_on_x_says_what_its_items_say(parse, path):
    _, (told,), _ = parse(path)
    items = json.loads(path.read_bytes())["data"]["grok_conversation_items_by_rest_id"]["items"]
    roles = {"User": "user", "Agent": "assistant"}
    assert (told["site"], told["kind"]) == ("grok", "x_graphql")
    assert seen(told) == [(roles[item["sender_type"]], item["message"]) for item in items]
    assert told["conversation_id"] == items[0]["chat_item_id"]


@pytest.mark.parametrize("path", recordings("gemini/*StreamGenerate*"))
def test_gemini_streams_say_what_their_last_candidate_says(parse, path):
    _, (told,), _ = parse(path)
    answers = []
    for line in path.read_text("utf-8").splitlines():
        for record in json.loads(line) if line.startswith("[") else []:
            payload = json.loads(record[2]) if record[0] == "wrb.fr" and record[2] else []
            if len(payload) > 4 and payload[4]:
                answers.append((payload[1][0], payload[4][0][1][0], payload[4][0][8]))
    named, text, state = answers[-1]
    assert state == [2]
    assert (told["site"], told["kind"]) == ("gemini", "stream_generate")
    assert f"c_{told['conversation_id']}" == named
    assert seen(told) == [("assistant", text)]
