"""Into a browser: find one, start it or attach to it, and leave nothing behind.

In:  a choice of browser (`auto`, `launch`, `attach`, `lab`).   Out: an address to speak to.

choose.py      what a person may say of the browser to use, as data
find.py        which browsers this machine has, and where their own profiles lie
attach.py      a browser that runs already -> its DevTools address
endpoint.py    where the protocol is spoken; one question to a port: who are you?
reach.py       a choice -> a browser to speak to, for as long as it is needed
launch.py      start a browser of our own, wait until it answers, stop it
flags.py       with which flags it starts
complaints.py  why it did not, from what it wrote to stderr
profile.py     the folders of a browser of ours: kept or temporary, and the sweep of stale ones
keeper.py      the small program between us and a browser, that outlives us to clean up
lines.py       what a program writes, as lines that cannot grow without end
process.py     which process is meant: pid and start time

Neighbours: imports `model`. Whoever speaks the DevTools protocol is in `cdp`.
This file imports nothing, so that the keeper starts quickly.
"""
