"""gemini.google.com, played: its page of 2026, with open shadow roots, and what that page asks.

`server` answers and speaks; `asked` reads the page's requests, `calls` answers those for what
is stored, `uploads` takes files on the host the page sends them to, `past` has the chats that
were there before, `parts` says by which names the page's parts are known.

asked.py    what the page's requests say
calls.py    batchexecute
parts.py    by which names the parts of gemini.google.com's page can be told, best first
past.py     chats that were there before anybody came
server.py   gemini.google.com's side of the wire
uploads.py  content-push.googleapis.com
"""

from tabwire.lab.replicas.gemini.server import HOSTS, routes

__all__ = ["HOSTS", "routes"]
