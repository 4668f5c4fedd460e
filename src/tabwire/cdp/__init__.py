"""The browser's DevTools protocol over any carrier.

In:  commands, and messages as bytes.      Out: replies, events, named errors.
protocol.py      bytes <-> replies, failures and events; no I/O
connection.py    commands, flat sessions, loss of a tab or of the connection
pending.py       pending commands with their timeouts
routes.py        dispatch of events to listeners
subscription.py  a bounded queue of events that reports gaps
errors.py        errors, each naming its command
carrier.py       the transport interface
websocket.py     the carrier to a real browser
relay.py         the carrier to the extension's browser (relay_shapes.py: its messages;
                 relay_frames.py: the frames of the extension)
memory.py        the carrier to a script, for tests and the lab

Nothing here interprets commands, except for the few events that end a session.
Neighbours: imports `model`; `browser` uses the commands.
"""
