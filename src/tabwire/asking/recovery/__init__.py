"""Find an answer again whose tab or witnesses were lost, and check one that is in doubt.

recovery.py     the tab is lost, or its witnesses fell silent: find the answer
reread.py       read a conversation again by letting the page do it, in a background tab
proof.py        whether a question that was found is ours: equal words prove nothing
retelling.py    an answer that starts over: only what is new is reported
second_look.py  the page shows other words than the site sent: read the conversation once more
objection.py    whether a page shows other words than came over the wire
"""
