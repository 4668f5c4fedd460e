"""Hear a tab: its requests, the bytes of its responses as they arrive, its sockets.

tap.py       the bytes of chosen responses of a tab
parts.py     the parts of a tab, each with a session: page, frames of other sites, workers
load.py      one response, from its request to its end
body.py      the bytes of one response, each exactly once and in order
sockets.py   the WebSockets of a tab
messages.py  the fields the tap reads of the browser's messages
events.py    what the tap hears, as data
"""
