"""Follow the agent panel of Antigravity: what the agent says and what it does, apart.

In:  states of a panel (browser/agent/panel.py).      Out: events of runs (model/agent.py).

align.py     two readings of the same rows: which is which
ledger.py    the turns and rows of a conversation, each known by what it is, not where it stands
streams.py   of those, what belongs to one run: its output, its log, its pictures
runs.py      states and time -> phases and events; one run after the other
follow.py    one window: its states and losses heard, time let pass
windows.py   all windows of a port, each followed
callbacks.py the same events as five callbacks
classic.py   one run as seed 000 polls it

Nothing is clicked here, and nothing is sent. Phases come from `fusion/monitor_phases.py`.

endings.py  how a run ended, and whether it has
folds.py    what a line that stands for folded steps says of them, where they were not seen
            themselves
"""
