"""What the page's requests say: forms with JSON in them, and JSON inside that.

f.req = [null, "<JSON>"]                           of StreamGenerate
f.req = [[["name", "<JSON>", null, "generic"], …]] of batchexecute
at    = the page's token against forged requests
"""

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

GEM, TEMPORARY = 19, 45  # places in the inner list, as public clients fill them


@dataclass(frozen=True, slots=True)
class Question:
    """A StreamGenerate request. `chat` is "" for a new conversation."""

    prompt: str
    chat: str = ""
    files: tuple[str, ...] = ()
    gem: str = ""
    temporary: bool = False


def form_in(body: bytes) -> dict[str, str]:
    """The fields of a form, each once."""
    fields = parse_qs(body.decode("ascii", "replace"), max_num_fields=50)
    return {name: values[0] for name, values in fields.items()}


def question_in(form: dict[str, str]) -> Question | None:
    """What is asked; None where the form has no question."""
    try:
        match json.loads(form.get("f.req", "")):
            case [_, str(inner), *_]:
                return _question(json.loads(inner))
    except ValueError:
        pass
    return None


def _question(inner: Any) -> Question | None:
    match inner:
        case [[str(prompt), *about], _, [str(chat), *_], *_]:
            gem, temporary = _at(inner, GEM), _at(inner, TEMPORARY)
            return Question(
                prompt,
                chat.removeprefix("c_"),
                _files(_at(about, 2)),
                gem if isinstance(gem, str) else "",
                temporary == 1,
            )
    return None


def _files(listed: Any) -> tuple[str, ...]:
    """`[[["/contrib_service/…", 1], "name"], …]`: the names."""
    found = listed if isinstance(listed, list) else []
    names = [_at(one, 1) for one in found if isinstance(one, list)]
    return tuple(name for name in names if isinstance(name, str))


def calls_in(form: dict[str, str]) -> list[tuple[str, Any]] | None:
    """The calls of a batch with their payloads; None where it is no batch."""
    try:
        match json.loads(form.get("f.req", "")):
            case [[*calls], *_]:
                return [(str(call[0]), json.loads(call[1])) for call in calls]
    except (ValueError, TypeError, LookupError):
        pass
    return None


def _at(items: list[Any], place: int) -> Any:
    return items[place] if len(items) > place else None
