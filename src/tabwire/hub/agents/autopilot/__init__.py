"""The autopilot of a hub: which windows it drives, what it asks, how it is stopped.

autopilot.py  which windows are driven, what is on
window.py     one window, driven: its lock, its connection, the lease in its page
lock.py       one driver per window, across processes
previous.py   what was on when the hub before this one ended
folders.py    which folder a window works in
approvals.py  a person's answer, from any door
desk.py       the autopilot for the doors: on, off, stop, what it did, what it asks
"""
