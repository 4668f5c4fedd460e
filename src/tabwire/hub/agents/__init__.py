"""Antigravity: its windows, what its agent does in them, and the autopilot.

windows.py            its windows by name
followed_windows.py   what can be done in one, over the attachment the hub has
agents.py             all windows followed for the whole hub, with quotas and resuming
events.py             what happens in a window, for whoever watches; also as JSON
board.py              the same, numbered and kept for a while
event_stream.py       the same, for a door that streams it: all windows, or one
status.py             how Antigravity is now: windows, panels, what is left
consent.py            whether the person allowed Tabwire to use Antigravity
language_server.py    ask Antigravity's language server what is left
launch.py             start Antigravity with a debugging port
start_entries.py      start entries that do so; start_entry_files.py: what they say
autopilot/            clicking what the person allowed
"""
