"""The agent panel of Antigravity: watched and driven, one window at a time.

targets.py     which windows a debugging port of Antigravity has
connection.py  one window: a socket to its page, and our world in the frame with the panel
window.py      one window: attached once, watched once, attached again; with listeners
windows.py     all windows of a port, listed in one loop
panel.py       watch the panel: its state whenever it changed
header.py      what the stand-alone program shows of where it works
drive.py       act in the panel as a hand does
prompt.py      one prompt, at most once, proven by the turn that begins with it
lists.py       conversations, models and modes: listed, and chosen by their exact names
errors.py      why something was not done in the panel
classic.py     the panel as the profile `classic` looks at it
"""
