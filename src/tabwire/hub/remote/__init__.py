"""A hub in another process, over `/api/v1` on its socket.

hub.py         `RemoteHub`
api.py         requests, repeated where that is safe; events, also across hubs
connection.py  one request to the hub and its response
jobs.py        the hub's jobs
asks.py        ask through the hub's jobs; whether there is a hub to ask through
autopilot.py   the hub's autopilot
windows.py     Antigravity's windows through the hub that follows them
joined_runs.py events of agent runs that two sources told, as one stream
extensions.py  the hub's extensions
"""
