"""The words every room shares. Data only: no clock, no I/O, no opinion.

signals.py       what a stream, a canonical body or a page says about one answer
conversation.py  one shape for what ChatGPT, Gemini and Grok remember of a chat
session.py       what is kept of an agent: where it goes on at each site
ask.py           a question, what happens on its way, and the answer
phases.py        the phases of an ask in words
citations.py     what an answer cites, and the marks by which a site says so
problems.py      what was wrong with something we read, without stopping the reading
job.py           a question that is carried out for somebody
job_events.py    what happens to it, numbered, as JSON
failure.py       why something came to nothing, as one value
errors.py        what stops us, what to do about it, and whether to try again
agent.py       what an agent panel shows and what happens to the runs in it, as data
ask_errors.py  why an ask came to nothing, in a way a person can act on
autopilot.py   what the autopilot may do, what it did, and what it asks a person, as data
captured.py    a conversation as it is kept
exits.py       what a command ends with
extension.py   what the extension and the hub know of each other before a word is said
lazy.py        names of a package that are imported from its modules when they are first used
moments.py     a moment as people read it
products.py    sites as their owners spell them

Everybody may import this room; it imports nobody.
"""
