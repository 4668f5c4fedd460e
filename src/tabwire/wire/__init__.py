"""Bytes to records, however the bytes are split. Framing only, nothing specific to a site.

Every decoder has the same two methods, `feed(bytes) -> list` and `close() -> list`, and
returns the same records however the bytes were split. The end of a stream is information
(`Truncated`), a record that cannot be read is an event (`Unread`), never
a silent loss or an exception. Every buffer has a named limit with its reason beside it.

records.py  results of decoders, and the limits
lines.py    bytes -> lines
sse.py      server-sent events
ndjson.py   one JSON value per line
framed.py   Gemini's length-prefixed JSON chunks
delta.py    ChatGPT's `delta_encoding v1`: a document patched piece by piece
socket.py   ChatGPT's WebSocket envelope around SSE blocks
text.py     JSON text with the faults real sites send: lone surrogates, bad UTF-8

document.py  a JSON document, changed in place by pointers
held.py      bytes waiting for the rest of their record, bounded

Neighbours: imports `model`; `sites` interprets the records.
"""
