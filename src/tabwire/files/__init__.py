"""Saved files to conversations: response bodies, HAR files, data exports.

In:  paths, perhaps with the site and the URL each body came from.      Out: reports.

reader.py         files in order; earlier ones inform later ones
detection.py      what a file is, from its first bytes
bodies.py         one body of one site
har.py            every conversation in a HAR file
data_export.py    every conversation in a ChatGPT data export
json_elements.py  the elements of a huge JSON list, one at a time
report.py         the report on a conversation
"""
