"""Follow a tab nobody asked in: what the site sends, what the page shows, what it is worth.

In:  a tab (browser/tab.py) and the site it shows.      Out: sightings, as they happen.

follow.py    the story in order: arm tap and observer, hear, let time pass, until the tab ends
traffic.py   what the tap hears -> signals of attempts; which request belongs to which answer
streams.py   answers that are being written, each read by its site's reader
replay.py    an answer that is told from its beginning once more: only what is new
relay.py     what became of attempts -> what is told of them
glances.py   what the page shows -> a witness of the newest answer
stored.py    stored bodies as they arrive, and the seam for whoever records them
sockets.py   the sockets over which handed-off turns arrive
requests.py  each request with its class, bytes and characters read; which ones that match
             no rule look like answers
sightings.py what whoever watches is told
classic.py   one answer by polling the page, as seed 001 did; classic_watch.py: one after another

agent/                    follow the agent panel of Antigravity
agent_quota.py            what is left of an account's allowance, read from two answers of the
                          local language server
agent_quota_processes.py  which running process is Antigravity's own language server, and what its
                          arguments tell
agent_quota_watch.py      from banners and readings, and from time

Neighbours: bytes come from `browser`, meaning from `sites`, states from `fusion`. We never
touch the store and never act in the tab: whoever watches must not disturb.
"""
