"""Events, answers and errors as plain data for JSON. The names are those of docs/ask.md."""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import msgspec

from tabwire.doors.cli.ask.board import Board
from tabwire.model.ask import EVENT_NAMES, Amended, Answer, Answered, AskEvent, Failed
from tabwire.model.errors import TabwireError

if TYPE_CHECKING:
    from tabwire.hub import Comparison

END = "end"  # the last line of --stream: the whole object

Plain = Callable[[str], str]
Result = Answer | TabwireError


class JsonLines:
    """`--json --stream`: each event is a line, at once. `with` it."""

    def __init__(self, board: Board, plain: Plain) -> None:
        self._board = board
        self._plain = plain

    def __enter__(self) -> "JsonLines":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def tell(self, event: AskEvent) -> None:
        """Print one event."""
        write_line(event_data(event, self._board.began, self._plain))

    def say(self, words: str) -> None:
        """Words for a person are no event."""
        print(f"tabwire: {words}", file=sys.stderr, flush=True)


def write_line(data: Mapping[str, Any]) -> None:
    """One object, on one line, at once."""
    sys.stdout.buffer.write(as_bytes(data))
    sys.stdout.buffer.flush()


def as_bytes(data: Mapping[str, Any]) -> bytes:
    """The object as a line."""
    return msgspec.json.encode(data) + b"\n"


def event_data(event: AskEvent, began: float, plain: Plain) -> dict[str, Any]:
    """One event as an object."""
    data: dict[str, Any] = {
        "event": EVENT_NAMES[type(event)],
        "seconds": round(max(0.0, event.at - began), 6),
        "site": event.site,
    }
    match event:
        case Answered(answer=answer) | Amended(answer=answer):
            return data | answer_data(answer, plain)
        case Failed(error=error):
            return data | error_data(event.site, error, plain)
    for one in fields(event):
        if one.name not in ("at", "site"):
            data[one.name] = getattr(event, one.name)
    return data


def whole_data(
    prompt: str,
    results: Sequence[tuple[str, Result]],
    exit_code: int,
    plain: Plain,
    comparison: "Comparison | None" = None,
) -> dict[str, Any]:
    """Everything, as one object."""
    data: dict[str, Any] = {
        "prompt": prompt,
        "answers": [
            answer_data(result, plain)
            if isinstance(result, Answer)
            else error_data(site, result, plain)
            for site, result in results
        ],
        "exit_code": exit_code,
    }
    if comparison is not None:
        data["comparison"] = comparison_data(comparison)
    return data


def answer_data(answer: Answer, plain: Plain) -> dict[str, Any]:
    """An answer as an object. `plain` is what --plain makes of a text, or leaves it alone."""
    return {
        "site": answer.site,
        "lab": answer.lab,
        "attempt_id": answer.id or None,
        "conversation_id": answer.conversation_id,
        "url": answer.url,
        "title": answer.title,
        "model": answer.model,
        "effort": answer.effort,
        "complete": answer.complete,
        "completeness": str(answer.completeness),
        "why": answer.why,
        "text": plain(answer.text),
        "thinking": answer.thinking,
        "citations": answer.citations,
        "text_from": answer.text_from,
        "evidence": answer.evidence,
        "problems": answer.problems,
        "others": [{"source": one.source, "text": one.text} for one in answer.others],
        "suspicious": answer.suspicious,
        "timings": answer.timings,
        "debug": answer.debug,
    }


def error_data(site: str, error: Exception, plain: Plain) -> dict[str, Any]:
    """An error as an object, with the same keys whatever it was.

    `answer` is there only where the site answered all the same: by another model, say.
    """
    answer = getattr(error, "answer", None)
    return ({"answer": answer_data(answer, plain)} if answer is not None else {}) | {
        "site": site,
        "lab": getattr(error, "lab", None),
        "error": {
            "code": code_of(error),
            "what": str(error),
            "what_to_do": getattr(error, "what_to_do", ""),
            "retry": str(getattr(error, "retry", "no")),
            "attempt_id": getattr(error, "attempt_id", None),
            "conversation_id": getattr(error, "conversation_id", None),
            "resets_at": getattr(error, "resets_at", None),
            "debug": getattr(error, "debug", None),
        },
    }


def code_of(error: Exception) -> str:
    """The name a program reads; one of ours that is no ask's is named by its class."""
    said = getattr(error, "code", None)
    if isinstance(said, str):
        return said
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(error).__name__).lower()


def comparison_data(comparison: "Comparison") -> dict[str, Any]:
    """What all said, what only one said, and where they differ."""
    return {
        "agreed": list(comparison.agreed),
        "only": {site: list(said) for site, said in comparison.only.items()},
        "differ": [dict(one.texts) for one in comparison.differ],
        "shared": [{"sites": list(one.sites), "text": one.text} for one in comparison.shared],
    }
