"""The browser's DevTools protocol over any carrier.

In:  commands, and messages as bytes.      Out: replies, events, named errors.
protocol.py      bytes <-> replies, failures and events; no I/O
connection.py    commands, flat sessions, what happens when a tab or the line goes
pending.py       the commands that wait, each with a bound
routes.py        who hears which event, at once
subscription.py  a bounded queue of events that says what it had to leave out
errors.py        what can go wrong, each naming its command
carrier.py       the seam: what brings messages there and back
websocket.py     the carrier to a real browser
relay.py         the carrier to the browser of an extension (relay_shapes.py: what passes
                 through it; relay_frames.py: what the extension says, as data)
memory.py        the carrier to a script, for tests and the lab

Nothing here knows what a command means, but for the few events that end a session.
Neighbours: imports `model`; `browser` gives the commands their purpose.
"""
