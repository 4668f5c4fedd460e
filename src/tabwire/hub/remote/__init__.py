"""A hub in another process, over `/api/v1` on its socket.

hub.py         `RemoteHub`
connection.py  one request to the hub and its response
asks.py        ask through the hub's jobs; whether there is a hub to ask through
autopilot.py   the hub's autopilot
"""
