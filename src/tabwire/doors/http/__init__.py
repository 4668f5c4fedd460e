"""Programs on this machine: HTTP under /api/v1, and whatever else is spoken on the port.

guard.py    who may come in at all: looked at before anything else of a request is
visits.py   who may see the dashboard: tickets and sessions; sorry.py: what others see
api.py      the routes; codec.py: our records as JSON; answering.py: errors
news.py     what happens to a job, as server-sent events
dashboard.py  /dashboard, and board.py, what it shows
metrics.py  /metrics, for Prometheus
relay.py    where the extension dials in
patience.py a request that is begun and never sent whole is hung up on
serving.py  `HttpDoor`: the same routes on the port and on the hub's socket

Neighbours: imports `model` and `hub`.
"""
