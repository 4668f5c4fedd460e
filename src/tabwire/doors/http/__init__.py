"""Programs on this machine: HTTP under /api/v1, and whatever else is spoken on the port.

guard.py    who may come in at all: looked at before anything else of a request is
api.py      the routes; codec.py: our records as JSON, and errors
news.py     what happens to a job, as server-sent events
metrics.py  /metrics, for Prometheus
serving.py  `HttpDoor`: the same routes on the port and on the hub's socket

Neighbours: imports `model` and `hub`.
"""
