"""Follow a tab: what the site sends, what the page shows, and the verdict on each answer.

In:  a tab (browser/tab.py) and the site it shows.      Out: sightings, as they occur.

follow.py    the main loop: start tap and observer, process events and time, until the tab ends
traffic.py   events of the tap -> signals of attempts; which request belongs to which answer
streams.py   answers that are being written, each read by its site's reader
replay.py    only the new part of an answer that is repeated from its beginning
relay.py     outcomes of attempts -> sightings
glances.py   what the page shows -> a witness of the newest answer
stored.py    stored bodies as they arrive, and the interface for recorders
sockets.py   the sockets over which handed-off turns arrive
requests.py  each request with its class, bytes and characters; unknown requests that look
             like answers
sightings.py events reported to a watcher
classic.py   one answer by polling the page; classic_watch.py: one after another

agent/                    follow the agent panel of Antigravity
agent_quota.py            an account's remaining quota, from two responses of the local
                          language server
agent_quota_processes.py  find the process of Antigravity's language server, and parse its
                          arguments
agent_quota_watch.py      the state of the quota, from notices, readings and time

Neighbours: bytes come from `browser`, meaning from `sites`, states from `fusion`. This room
never touches the store and never acts in the tab.
"""
