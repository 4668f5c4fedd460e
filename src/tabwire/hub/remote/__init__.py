"""A hub in another process, over `/api/v1` on its socket.

hub.py         `RemoteHub`
api.py         requests, repeated where that is safe; events, also across hubs
connection.py  one request to the hub and its response
jobs.py        the hub's jobs
asks.py        ask through the hub's jobs; whether there is a hub to ask through
autopilot.py   the hub's autopilot
extensions.py  the hub's extensions
"""
