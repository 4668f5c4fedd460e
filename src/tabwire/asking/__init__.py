"""Ask one question in one tab, and bring back the answer.

In:  an `AskRequest`, a browser connection, and the context of whoever runs it.
Out: events on the way, and an `Answer` or an `AskError`.

flow.py            the whole way, in order
context.py         what a flow is given: where to report, where to save, how to share
timeouts.py        the thirteen timeouts, by name
tab.py             a tab to ask in: found or opened, leased, followed
page_readiness.py  a page one can type into: the right chat, logged in, nothing in the way
model_choice.py    model and effort, chosen in the page's menus (menus.py); which names mean
                   the same model: model_names.py
uploads.py         files: checked, given to the page, and seen to be uploaded
composer.py        the prompt into the composer; a person's draft kept and put back
privacy_gate.py    hold back a request that is less private than requested
submission.py      press Send, and know whether the prompt left
ear.py             what is heard of the tab, and ways to wait for it
prompt_match.py    whether two texts are the same prompt
answer_watch.py    our attempt to its verdict, reported as it comes; timings.py: how long it took
answer.py          a verdict to an answer; refusal.py: a refusal to an error
mark_filter.py     growing text without a site's private marks (sites/links.py: links for them)
recovery/          the tab is lost or an answer is in doubt: find it, read it again
background.py      work that runs beside a block and ends with it
anomaly.py         what helps to find the cause of something odd
suspicion.py       why a person should look twice

Neighbours: imports `model`, `text`, `sites`, `fusion`, `browser` and `monitor`, whose eyes it uses.
"""
