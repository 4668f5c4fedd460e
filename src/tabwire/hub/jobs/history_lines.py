"""A line of the history.jsonl of the tool that seed 001 describes (section 8.4)."""

from pathlib import PureWindowsPath
from typing import TYPE_CHECKING

from tabwire.hub.sessions.legacy_file import javascript_time

if TYPE_CHECKING:
    from tabwire.store.rows import Attempt


def history_line(one: "Attempt") -> dict[str, object] | None:
    """One question with its answer, keys in the seed's order; None while it has no answer.

    `project` is the last part of the client's folder, as the seed has it.
    """
    if one.answer is None:
        return None
    return {
        "ts": javascript_time(one.created_at),
        "project": PureWindowsPath(one.asker.project).name,  # knows both kinds of slashes
        "provider": one.request.site,
        "question": one.request.prompt,
        "answer": one.answer.text,
        "url": one.answer.url or one.url or "",
        "timings": one.answer.timings.as_seed(),
    }
