"""The lab's own address: a page for people, and what it shows as JSON for programs.

In:  the room.      Out: `HOST`, `HOME`, and `Home` with its routes.

server.py   the page, the stories, the stage, the ledger and its live stream
places.py   the pages there are to open: sites, layouts, languages
reading.py  the other end: reads the ledger of a lab that runs in another process

Whoever can read the ledger reads prompts: only pages of this very address may, and only
programs of this machine reach it at all.
"""

from tabwire.lab.home.places import HOME, HOST, NAMES
from tabwire.lab.home.server import Home

__all__ = ["HOME", "HOST", "NAMES", "Home"]
