"""Messages as chatgpt.com writes them, in its streams and in what it stores alike."""

import re
from collections.abc import Sequence
from typing import Any

from tabwire.lab.speak.chatgpt.names import RUNNING, WHOLE, Ids
from tabwire.lab.stories.steps import Tool

Message = dict[str, Any]

# A citation stands in the text as private-use characters; what it means is in the metadata.
CITATION = re.compile("\ue200[^\ue200\ue201]*\ue201")
END = "\ue201"
RESULT = re.compile(r"turn(\d+)([a-z]+)(\d+)")  # a search result, as a citation names it
CITED = "https://example.com/lab"
THOUGHT_SECONDS = 7


def asked(ids: Ids, prompt: str, files: Sequence[str], *, at: float) -> Message:
    """The person's own message."""
    message = _message("user", ids.user, _text(prompt), ids, at=at)
    message["metadata"] |= {
        "selected_github_repos": [],
        "serialization_metadata": {"custom_symbol_offsets": []},
        "message_source": None,
    }
    if files:
        message["metadata"]["attachments"] = [
            {"id": f"file-{ids.step(name, 1)[:8]}", "name": name} for name in files
        ]
    return message


def answering(
    ids: Ids, text: str, *, model: str, parent: str, status: str = RUNNING, at: float
) -> Message:
    """The answer itself."""
    message = _message("assistant", ids.answer, _text(text), ids, status=status, at=at)
    message["channel"] = "final"
    message["metadata"] |= {
        "citations": [],
        "content_references": references(text),
        **_by(model, parent),
    }
    return message


def thinking(
    ids: Ids,
    number: int,
    thoughts: Sequence[str] = (),
    *,
    model: str,
    parent: str,
    status: str = RUNNING,
    at: float,
) -> Message:
    """Thoughts that follow each other: one message."""
    told = [
        {"summary": f"Step {count}", "content": text, "chunks": [], "finished": True}
        for count, text in enumerate(thoughts, 1)
    ]
    name = ids.step("thoughts", number)
    content = {
        "content_type": "thoughts",
        "thoughts": told,
        "source_analysis_msg_id": ids.step("analysis", number),
    }
    message = _message("assistant", name, content, ids, status=status, at=at)
    message["end_turn"] = False
    message["metadata"] |= {
        "citations": [],
        "content_references": [],
        "reasoning_status": "is_reasoning",
        "reasoning_start_time": at,
        "skip_reasoning_title": "Skip",
        **_by(model, parent),
    }
    return message


def recap(ids: Ids, number: int, *, model: str, parent: str, at: float) -> Message:
    """“Thought for 7s”: the line that is left of the thinking."""
    content = {
        "content_type": "reasoning_recap",
        "content": f"Thought for {THOUGHT_SECONDS}s",
    }
    message = _message("assistant", ids.step("recap", number), content, ids, at=at)
    message["end_turn"] = False
    message["metadata"] |= {
        "reasoning_status": "reasoning_ended",
        "finished_duration_sec": THOUGHT_SECONDS,
        "reasoning_start_time": at,
        "reasoning_end_time": at + THOUGHT_SECONDS,
        **_by(model, parent),
    }
    return message


def calling(
    ids: Ids, number: int, tool: Tool, asks: str, *, model: str, parent: str, at: float
) -> Message:
    """The model's words to a tool: not for the person (`recipient`)."""
    language = "python" if tool.name == "python" else "unknown"
    content = {
        "content_type": "code",
        "language": language,
        "response_format_name": None,
        "text": asks,
    }
    message = _message("assistant", ids.step("call", number), content, ids, at=at)
    message["recipient"] = tool.name
    message["metadata"] |= {"citations": [], "content_references": [], **_by(model, parent)}
    return message


def tool_said(
    ids: Ids, number: int, tool: Tool, answers: str, *, model: str, parent: str, at: float
) -> Message:
    """The tool's words to the model."""
    content = (
        {"content_type": "execution_output", "text": answers}
        if tool.name == "python"
        else _text(answers)
    )
    message = _message("tool", ids.step("tool", number), content, ids, at=at)
    message["author"]["name"] = tool.name
    message["metadata"] |= {"command": "search", **_by(model, parent)}
    return message


def finished(message: Message) -> None:
    """The answer is whole, and says so."""
    message["status"] = WHOLE
    message["end_turn"] = True
    message["metadata"] |= LAST_WORDS


LAST_WORDS: dict[str, Any] = {
    "is_complete": True,
    "search_result_groups": [],
    "finish_details": {"type": "stop", "stop_tokens": [200002]},
    "can_save": True,
}


def references(text: str) -> list[dict[str, Any]]:
    """What the citations in a text point to, and all of it once more as a footnote."""
    cited = [_reference(found) for found in CITATION.finditer(text)]
    if not cited:
        return []
    shown = ("title", "url", "attribution")
    sources = [{key: item[key] for key in shown} for one in cited for item in one["items"]]
    footnote = {
        "matched_text": " ",
        "start_idx": len(text),
        "end_idx": len(text),
        "safe_urls": [],
        "refs": [],
        "alt": "",
        "prompt_text": None,
        "type": "sources_footnote",
        "sources": sources,
        "has_images": False,
    }
    return [*cited, footnote]


def unresolved(found: re.Match[str]) -> dict[str, Any]:
    """A citation as the stream tells it first: there is one, and nothing else is known."""
    return {**_placed(found), "safe_urls": [], "refs": [], "alt": "", "type": "hidden"}


def _reference(found: re.Match[str]) -> dict[str, Any]:
    """The first result it names is its source, the others support that one."""
    first, *others = [_result(*one) for one in RESULT.findall(found[0])] or [_result()]
    urls = [one["url"] for one in (first, *others)]
    return {
        **_placed(found),
        "safe_urls": urls,
        "refs": [],
        "alt": f"([{first['attribution']}]({first['url']}))",
        "prompt_text": None,
        "type": "grouped_webpages",
        "items": [{**first, "supporting_websites": others}],
        "fallback_items": None,
        "status": "done",
        "error": None,
        "style": None,
    }


def _placed(found: re.Match[str]) -> dict[str, Any]:
    return {"matched_text": found[0], "start_idx": found.start(), "end_idx": found.end()}


def _result(turn: str = "0", kind: str = "search", number: str = "0") -> dict[str, Any]:
    return {
        "title": f"The lab, {kind} {number}",
        "url": f"{CITED}/{turn}/{kind}/{number}",
        "pub_date": None,
        "snippet": "What the lab found.",
        "attribution": "The lab",
        "refs": [{"turn_index": int(turn), "ref_type": kind, "ref_index": int(number)}],
    }


def _text(text: str) -> dict[str, Any]:
    return {"content_type": "text", "parts": [text]}


def _by(model: str, parent: str) -> dict[str, Any]:
    return {
        "resolved_model_slug": model,
        "message_type": "next",
        "model_slug": model,
        "default_model_slug": model,
        "parent_id": parent,
    }


def _message(
    role: str,
    name: str,
    content: dict[str, Any],
    ids: Ids,
    *,
    status: str = WHOLE,
    at: float,
) -> Message:
    return {
        "id": name,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "update_time": None,
        "content": content,
        "status": status,
        "end_turn": None,
        "weight": 1.0,
        "metadata": {
            "request_id": ids.request,
            "turn_exchange_id": ids.turn,
            "model_switcher_deny": [],
        },
        "recipient": "all",
        "channel": None,
    }
