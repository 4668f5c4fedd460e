"""Bytes to records, whatever the cut. Framing only; no site's meaning lives here.

Every decoder has the same two methods, `feed(bytes) -> list` and `close() -> list`, and
gives the same records however the bytes were cut. The end of a stream is information
(`Truncated`), a record that cannot be read is an event (`Unread`): never silence, never
a crash. Every buffer has a named limit with its reason beside it.

records.py  what every decoder may say, and the limits
lines.py    bytes -> lines
sse.py      server-sent events
ndjson.py   one JSON value per line
framed.py   Gemini's length-prefixed JSON chunks
delta.py    ChatGPT's `delta_encoding v1`: a document patched piece by piece
socket.py   ChatGPT's WebSocket envelope around SSE blocks
text.py     JSON text with the faults real sites send: lone surrogates, bad UTF-8

document.py  A JSON document that is changed in place by pointer
held.py      bytes waiting for the rest of their record, bounded

Neighbours: imports `model`; `sites` gives the records their meaning.
"""
