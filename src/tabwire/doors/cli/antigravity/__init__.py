"""`tabwire antigravity` and `tabwire watch antigravity`.

command.py  switch it on, open it, look at it, set it up
drive.py    act in one window: send, stop, select, new chat
auto.py     the autopilot and the approvals it asks for
option.py   options that these share
watch.py    what an agent says and what it does, apart, as it happens
"""
