"""One question, one tab, one answer.

In:  an `AskRequest`, a line to a browser, and what is given by whoever runs it.
Out: events on the way, and an `Answer` or an `AskError`.

flow.py        the whole way, in order
given.py       what a flow is handed: where to tell, where to keep, how to share
waits.py       the thirteen waits, by name
place.py       a tab to ask in: found or opened, leased, followed
ready.py       a page one can type into: the right chat, logged in, nothing in the way
choose.py      model and effort, chosen in the page by menus.py; names.py: which mean the same
files.py       files: checked, given, and seen to be uploaded
compose.py     the prompt into the composer; a person's draft kept and put back
gate.py        hold back a request that is not as private as was wanted
submit.py      press Send, and know whether the prompt left
ear.py         what is heard of the tab, and ways to wait for it; same.py: is it our prompt?
watch.py       our attempt to its verdict, told as it comes; clockwork.py: how long it took
collect.py     a verdict -> an answer; refused.py: a refusal -> an error
unmarked.py    growing text without a site's private marks (sites/links.py: links for them)
proof.py       whether a question that is found is ours: equal words prove nothing
recover.py     the tab is lost: find the answer; reread.py: read a conversation again
second_look.py the page shows other words: read the conversation once more; objection.py: does it?
retold.py      an answer told again from its beginning: only what is new is told
beside.py      something that runs beside a block and ends with it
anomaly.py     what helps to find the cause of something odd
compare.py     what several answers share, and where they differ, by their sentences.py
plain.py       Markdown -> plain text: blocks.py, and in them inline.py and formula.py
suspicious.py  why a person should look twice

Neighbours: imports `model`, `sites`, `fusion`, `browser` and `monitor`, whose eyes it uses.
"""
