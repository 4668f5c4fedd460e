"""What tools give back, as schemas: the fields a program goes by, and nothing else.

Every model of every client reads these with the list of tools, so they name no field that only a
person would look at (docs/mcp.md has them all), and say nothing twice. A tool that fails gives
`error` in place of the rest, so no field is required: some clients check errors, too.
"""

from typing import Any

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_WHOLE: Schema = {"type": "integer"}
_ANY: Schema = {"type": "object"}
_TEXTS: Schema = {"type": "array", "items": _TEXT}
_ROWS: Schema = {"type": "array", "items": _ANY}


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "properties": {**properties, "error": _ANY}}


JOB = _object(answer=_TEXT, job_id=_TEXT, state=_TEXT, conversation_id=_TEXT, next=_TEXT)
JOBS = _object(jobs=_ROWS, answered=_WHOLE, working=_WHOLE)
ROWS = _object(jobs=_ROWS, before=_TEXT)
SNAPSHOT = _object(folder=_TEXT, site=_TEXT, snapshot=_ANY)
ELEMENTS = _object(count=_WHOLE, elements=_ROWS)
AUTOPILOT = _object(on=_TEXTS, asks=_WHOLE)
STATUS = _object(agent=_TEXT, waits=_TEXT, folders=_TEXTS, chats=_ROWS)
