"""What a person gets who pressed Save, Force Save or Copy: a file, or why there is none."""

from collections.abc import Mapping
from typing import Any

from tabwire.capture import page_messages as m
from tabwire.capture.export import Format, export
from tabwire.model.captured import Captured
from tabwire.model.errors import TabwireError

MAX_FILE = 48 * 1024 * 1024  # characters that can be handed to a page
WAIT = "Wait until the control shows that the conversation is saved."


def given(wish: m.Save | m.Copy, row: Captured | None, state: Mapping[str, Any]) -> dict[str, Any]:
    """The message for the page. `state` is what its control shows; `row` has its bodies."""
    if row is None:
        return failed(wish.request, "nothing_kept", "No conversation is saved for this page.")
    insisted = wish.force and state.get("force")
    if not (state.get("save") and row.ready) and not insisted:
        return failed(wish.request, "not_ready", str(state.get("why")))
    try:
        made = export(row, Format(wish.format), force=wish.force)
    except TabwireError as exc:
        return failed(wish.request, "not_exported", str(exc), exc.what_to_do)
    if len(made.text) > MAX_FILE:
        what = "The conversation is too long to pass to a page."
        return failed(wish.request, "too_large", what, f"`tabwire export {row.name}`")
    file = {"name": made.name, "mime": made.mime, "text": made.text}
    return {"kind": "file", "request": wish.request, **file}


def failed(request: str, code: str, what: str, remedy: str = WAIT) -> dict[str, Any]:
    """Why there is none, and what to do."""
    told = {"code": code, "message": what, "what_to_do": remedy}
    return {"kind": "failed", "request": request, **told}
