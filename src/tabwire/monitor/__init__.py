"""Follow a tab nobody asked in: what the site sends, what the page shows, what it is worth.

In:  a tab (browser/tab.py) and the site it shows.      Out: sightings (told.py), as they happen.

follow.py    the story in order: arm tap and observer, hear, let time pass, until the tab ends
traffic.py   what the tap hears -> signals of attempts; which request belongs to which answer
streams.py   answers that are being written, each read by its site's reader
replay.py    an answer that is told from its beginning once more: only what is new
relay.py     what became of attempts -> what is told of them
glances.py   what the page shows -> a witness of the newest answer
stored.py    stored bodies as they arrive, and the seam for whoever records them
sockets.py   the sockets over which handed-off turns arrive
requests.py  each request with its class, bytes and characters read
discover.py  which requests look like answers and match no rule
told.py      what whoever watches is told
classic.py   one answer by polling the page, as seed 001 did; classic_watch.py: one after another

Neighbours: bytes come from `browser`, meaning from `sites`, states from `fusion`. We never
touch the store and never act in the tab: whoever watches must not disturb.
"""
