"""grok.com, played: its logged-in page of September 2026 and the requests that page makes.

parts.py     by which names the parts of Grok's pages can be told, in each layout, best first
refusals.py  how the lab's Grok says no, in the words and with the status of the real one
server.py    grok.com's side of the wire
stored.py    what the lab's Grok has stored, in the shapes its bodies want
x.py         grok on x.com
"""

from tabwire.lab.replicas.grok.server import HOSTS, routes

__all__ = ["HOSTS", "routes"]
