"""Reach a browser, use and observe its tabs, act in them, and clean up.

In:  a choice of browser (`auto`, `launch`, `attach`, `lab`).   Out: a connection and tabs.

Reaching a browser:
choose.py       parse the value of --browser
find.py         installed browsers and their profile folders
attach.py       a running browser -> its DevTools address
endpoint.py     DevTools addresses; ask a port to identify itself
reach.py        a choice -> a browser, for as long as it is needed
launch.py       start our own browser, wait until it responds or say why not, stop it
flags.py        its command-line flags
profile.py      profile folders, kept or temporary, and removal of stale ones
keeper.py       watchdog that outlives us to clean up after the browser
process.py      identify a process by PID and start time

Using a tab:
line.py         one connection to the chosen browser, for a block
tabs.py         list tabs and attach to them
tab.py          one attached tab and its events (tab_shapes.py: the CDP messages)
tab_events.py   events of a tab
lease.py        exclusive use of a tab, for a limited time
errors.py       errors of a tab

In a tab:
tap/            network traffic: requests, bytes as they arrive, WebSockets
page/           actions: find, type, click, press keys, attach files, take screenshots
agent/          the agent panel of Antigravity, watched and driven
world.py        an isolated world in a page, invisible to its scripts
inpage/         the scripts that run there
observe.py      observe a page from inside and report changes of its state
observed.py     the observed state of a page
patience.py     a timeout that pauses while a dialog blocks the page
classic.py      one poll of the profile `classic`

Neighbours: imports `model`, `cdp`, and the page data of `sites`.
This file imports nothing, so that the keeper starts quickly.
"""
