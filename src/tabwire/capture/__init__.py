"""Capture conversations: record, store, title and export them.

In:  what one tab receives: events of a tap, or messages of the extension's page script.
Out: `Captured` (model/captured.py), whenever more is known; a file on export.

recorder.py       one tab's traffic -> captures and readiness; asks, watched tabs, the extension
gathered.py       one conversation as captured so far: bodies and digest; shelf.py: all of
                  one tab
page_messages.py  messages of the page script; page_traffic.py: the same as events of a tap
page.py           joins these three for one page of the extension
shown.py          what the control shows: badge, Save, Force Save, and what it waits for
standing.py       state of a question sent from a page; under_way.py: unanswered questions
giving.py         the result of Save and Copy
losses.py         counts of rejected messages, and full caches
titles.py         which title is kept, and its origin
lease.py          one reader per conversation at a time
calibration.py    which way of capture worked on a site, and the timeout of each
rebuild.py        stored bodies -> Conversation
common.py         one documented format for all sites
export.py         a file in that format or the site's own JSON, and its name; files.py: its
                  folder

Neighbours: the traffic is `monitor`'s, states and readiness are `fusion`'s. This room never
touches the store: the caller passes callables. Later: bulk history and import (beside
recorder.py, both make `Captured`), other formats (beside common.py).
"""
