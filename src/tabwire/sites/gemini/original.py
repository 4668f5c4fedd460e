"""A stored conversation as one JSON object: the calls that told it, their payloads decoded.

    {"calls": [{"call": "hNvQHb", "payload": […]}]}

`history.read_body` reads it as it reads the site's own bodies.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from tabwire.sites.gemini.envelope import Reply, read_chunk
from tabwire.wire.framed import Chunk, FramedDecoder
from tabwire.wire.text import NotJson, read_json

CALLS = "calls"


def unwrap(bodies: Sequence[bytes]) -> dict[str, Any]:
    """Every reply of every body that has a payload."""
    return {CALLS: [call for raw in bodies for call in _calls(raw)]}


def rewrap(body: Any) -> list[Reply] | None:
    """The replies of what `unwrap` made; None where it is nothing of that."""
    calls = body.get(CALLS) if isinstance(body, dict) else None
    if not isinstance(calls, list):
        return None
    return [
        Reply(call, json.dumps(payload))
        for one in calls
        if isinstance(one, dict)
        and isinstance(call := one.get("call"), str)
        and (payload := one.get("payload")) is not None
    ]


def _calls(raw: bytes) -> Iterator[dict[str, Any]]:
    decoder = FramedDecoder()
    for record in [*decoder.read(raw), *decoder.close()]:
        if not isinstance(record, Chunk):
            continue
        try:
            replies, _ = read_chunk(read_json(record.raw))
        except NotJson:
            continue
        for reply in replies:
            if reply.payload is None:
                continue
            try:
                yield {"call": reply.call, "payload": read_json(reply.payload)}
            except NotJson:
                continue
