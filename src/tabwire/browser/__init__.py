"""Into a browser and its tabs: reach one, use a tab, hear it, look at it, act in it, and leave
nothing behind.

In:  a choice of browser (`auto`, `launch`, `attach`, `lab`).   Out: an open line, and its tabs.

A browser to speak to:
choose.py       what a person may say of the browser to use, as data
find.py         which browsers this machine has, and where their own profiles lie
attach.py       a browser that runs already -> its DevTools address
endpoint.py     where the protocol is spoken; one question to a port: who are you?
reach.py        a choice -> a browser to speak to, for as long as it is needed
launch.py       start a browser of our own, wait until it answers, stop it
flags.py        with which flags it starts
complaints.py   why it did not, from what it wrote to stderr
profile.py      the folders of a browser of ours: kept or temporary, and the sweep of stale ones
keeper.py       the small program between us and a browser, that outlives us to clean up
process.py      which process is meant: pid and start time

A tab to use:
line.py         one socket to the chosen browser, held for a block
tabs.py         which tabs there are, and a way into those we use
tab.py          one tab we are attached to, and what happen tos it (tab_shapes.py: in CDP's words)
tab_events.py   what can happen to a tab, as data
lease.py        one user per tab: who, and until when
errors.py       what goes wrong with a tab

In a tab:
tap/            what it says on the network: requests, bytes as they arrive, sockets
page/           what we do in it: find, write, click, press, give files, take a picture
agent/          the agent panel of Antigravity, watched and driven
world.py        our own world in a page, out of its scripts' sight
inpage/         the programs that run there, as .js files
observe.py      watch a page from inside: a state whenever something in it changed
observed.py     what was seen of a page, as data
patience.py     a time limit that stands still while a dialog of the page does
classic.py      the page as the profile `classic` looks at it: one poll

Neighbours: imports `model`, `cdp`, and the page data of `sites`.
This file imports nothing, so that the keeper starts quickly.
"""
