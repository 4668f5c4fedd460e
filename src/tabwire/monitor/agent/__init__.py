"""Follow the agent panel of Antigravity: what the agent says and what it does, apart.

In:  states of a panel (browser/agent/panel.py).      Out: events of runs (model/agent.py).

align.py     two readings of the same rows: which is which
ledger.py    the turns and rows of a conversation, each known by what it is, not where it stands
streams.py   of those, what belongs to one run: its output, its log, its pictures
runs.py      states and time -> phases and events; one run after the other
follow.py    one window: connect, arm, hear, let time pass, come back after a loss
windows.py   all windows of a port, each followed
callbacks.py the same events as five callbacks
classic.py   one run as seed 000 polls it

Nothing is clicked here, and nothing is sent. Phases come from `fusion/monitor_phases.py`.
"""
