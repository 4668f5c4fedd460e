"""A hub in the calling process.

hub.py       `LocalHub`, and what only the hub's own process has
asks.py      questions asked and waited for
records.py   conversations and sessions, from this person's store
browsers.py  browsers reached from here; commands judged
agents.py    Antigravity's windows
"""
