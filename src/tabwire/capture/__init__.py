"""Conversations: heard, kept, named, and given out as files.

In:  what one tab receives: events of a tap, or messages of the extension's page script.
Out: `Captured` (model/captured.py), each time more is known; later a file of it.

recorder.py       one tab's traffic -> captures and readiness; asks, watched tabs, the extension
gathered.py       one conversation as far as it was heard: its bodies, its digest; shelf.py: all
                  of one tab
page_messages.py  what a page script may say; page_traffic.py: the same as events of a tap
page.py           the three joined: one page of the extension
shown.py          what the person is told: badge, Save, Force Save, and why it waits
standing.py       how a question that left a page stands; under_way.py: where one is unanswered
giving.py         what a person gets who pressed Save or Copy
losses.py         what was not taken of pages, counted, and caches that fill up
titles.py         which title is kept, and who gave it
lease.py          one reader per conversation at a time
calibration.py    which way of capture worked at a site, and how patient each is
rebuild.py        kept bodies -> Conversation
common.py         one documented shape for all sites
export.py         a file in that shape, or the site's own JSON; names.py: what it is called;
                  files.py: where it goes

Neighbours: the traffic is `monitor`'s, states and readiness are `fusion`'s. We never touch
the store: whoever runs us passes what to call. Later: bulk history and import (beside
recorder.py, both make `Captured`), other formats (beside common.py).
"""
