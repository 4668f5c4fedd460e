"""Builds the whole. `Hub` is the face every door talks to.

Today the hub lives inside the calling process; it grows into the one process that owns
browsers, store and jobs, and keeps this face.

face.py     `Hub`
reading.py  files -> conversations, in order, earlier ones informing later ones
report.py   what is told of a conversation that was read
detect.py   what a file is, from its first bytes
bodies.py   one body of one site -> what it says
har.py      every conversation in a HAR
export.py   every conversation in a ChatGPT data export, one at a time
elements.py the elements of a huge JSON list, without holding them all

home.py     where Tabwire keeps its things; config.py: what can be set
reaching.py what a person said of the browser -> a line to it; lab_file.py: where the lab is
choosing.py what a person said of the tab -> that tab
watching.py follow a tab; sightings.py: what is told of it, as JSON
looking.py  look at a page once: snapshot, selector
doctor.py   is everything as it should be, and what helps

prompting.py  the prompt, from where it is said; comparing.py: answers side by side
"""

from tabwire.hub.detect import Kind
from tabwire.hub.face import Hub
from tabwire.hub.report import Report

__all__ = ["Hub", "Kind", "Report"]
