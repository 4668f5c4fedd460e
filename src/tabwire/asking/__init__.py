"""Ask one question in one tab and return the answer.

In:  an `AskRequest`, a browser connection, and a context from the caller.
Out: events, and an `Answer` or an `AskError`.

flow.py            all steps, in order
context.py         what a flow gets from its caller: reporting, saving, sharing
timeouts.py        the thirteen timeouts, by name
tab.py             find or open a tab, lease it and follow it
page_readiness.py  wait for a usable page: the right chat, logged in, nothing covering it
model_choice.py    select model and effort in the page's menus (menus.py); model_names.py: which
                   names mean the same model
uploads.py         check files, attach them and verify the upload
composer.py        enter the prompt; save and restore a person's draft
privacy_gate.py    hold back a request that is less private than requested
submission.py      press Send and verify that the prompt was sent
ear.py             events of the tab, and ways to wait for them
prompt_match.py    whether two texts are the same prompt
answer_watch.py    follow our attempt to its verdict and report progress; timings.py: durations
answer.py          verdict to answer; refusal.py: refusal to error
mark_filter.py     streamed text without a site's private marks (sites/links.py: their links)
recovery/          find or reread an answer after its tab was lost or in case of doubt
background.py      background work that ends with a block
anomaly.py         debug information after an anomaly
suspicion.py       reasons to check an answer by hand

Neighbours: imports `model`, `text`, `sites`, `fusion`, `browser` and `monitor`.
"""
