"""Which requests look like an answer and match no rule. A site that changed its addresses
shows here first, before anybody finds out why answers are missing.
"""

from dataclasses import dataclass

STREAM_TYPES = frozenset(
    {
        "text/event-stream",
        "application/x-ndjson",
        "application/ndjson",
        "application/stream+json",
        "application/json+protobuf",
        "application/grpc-web+proto",
        "application/connect+json",
    }
)
FEW_CHUNKS = 4  # a plain reply comes in one to three
LONG_SECONDS = 0.7  # a plain reply is over sooner; no answer is
FEW_BYTES = 200  # the shortest answer with its envelope


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a response without knowing the site."""

    method: str
    resource: str  # as the browser sorts it: Fetch, XHR, EventSource, Document …
    mime: str
    chunks: int
    bytes: int
    seconds: float


def answer_like(facts: Facts) -> str | None:
    """Why it looks like an answer, or None."""
    if facts.resource == "EventSource":
        return "server-sent events"
    if facts.resource not in ("Fetch", "XHR"):
        return None
    if facts.mime in STREAM_TYPES and facts.bytes >= FEW_BYTES:
        return f"a stream of {facts.mime}"
    slow = facts.chunks >= FEW_CHUNKS and facts.seconds >= LONG_SECONDS
    if facts.method == "POST" and slow and facts.bytes >= FEW_BYTES:
        return f"written in {facts.chunks} pieces over {facts.seconds:.1f} s"
    return None
