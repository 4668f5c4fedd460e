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
lines.py        what a program writes, as lines that cannot grow without end
process.py      which process is meant: pid and start time

A tab to use:
line.py         one socket to the chosen browser, held for a block
tabs.py         which tabs there are, and a way into those we use
tab.py          one tab we are attached to, and what befalls it (tab_shapes.py: in CDP's words)
life.py         what may befall a tab, as data
lease.py        one user per tab: who, and until when
errors.py       what goes wrong with a tab

What it says on the network:
tap.py          the bytes of chosen responses, as they arrive
tapped.py       what the tap hears, as data
tap_parts.py    the parts of a tab, each with a session: page, frames, workers
tap_load.py     one response, from its request to its end
tap_body.py     its bytes, each exactly once and in order
tap_sockets.py  its WebSockets
tap_shapes.py   the fields read of the browser's messages

What it shows, and what we do in it:
world.py        our own world in a page, out of its scripts' sight
inpage/         the programs that run there, as .js files
observe.py      watch a page from inside: a state whenever something in it changed
observed.py     what was seen of a page, as data
classic.py      the page as the profile `classic` looks at it: one poll
page.py         find, fill, click, press, attach files, read, take a picture
page_find.py    … look for elements, past decoys and shadow roots
page_found.py   … what was looked for and found, as data
page_fill.py    … write a text and prove that it stands there
page_click.py   … a real click, at a point that belongs to the element
page_keys.py    … keys, as the protocol wants them pressed
page_files.py   … give files to a page
page_hold.py    … requests held back until somebody has looked at them
page_focus.py   … a tab that believes it is in front, while we act
page_errors.py  … what goes wrong there

Neighbours: imports `model`, `cdp`, and the page data of `sites`.
This file imports nothing, so that the keeper starts quickly.
"""
