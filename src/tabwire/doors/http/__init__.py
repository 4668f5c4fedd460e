"""Programs on this machine: HTTP under /api/v1, and whatever else is spoken on the port.

access.py           who may come in at all: looked at before anything else of a request
visits.py           who may see the dashboard: tickets and sessions
no_ticket_page.py   what others see
api.py              the routes under /api/v1; antigravity.py: those of agents and the autopilot
codec.py            our records as JSON; endpoint.py: an endpoint, with its errors
job_events.py       what happens to a job, as server-sent events
dashboard.py        /dashboard; board.py: what it shows
metrics.py          /metrics, for Prometheus
relay.py            where the extension dials in
request_timeout.py  a request that is begun and never sent whole is closed
serving.py          `HttpDoor`: the same routes on the port and on the hub's socket

Neighbours: imports `model` and `hub`.
"""
