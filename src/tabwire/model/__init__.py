"""Data types that all rooms share. No clock, no I/O, no decisions.

signals.py       what a stream, a canonical body or a page says about one answer
conversation.py  one format for chats of ChatGPT, Gemini and Grok
session.py       an agent and the chat it continues on each site
ask.py           a question, its events and its answer
phases.py        the phases of an ask in words
citations.py     sources of an answer, and the marks a site uses for them
problems.py      problems that do not stop the reading of a body
job.py           a question that the hub carries out
job_events.py    its events, numbered, as JSON
failure.py       why something failed, as one value
errors.py        errors: what happened, what to do, whether to retry
agent.py       what an agent panel shows and what happens to the runs in it, as data
agent_events.py  the names of those events, and reading them from JSON
ask_errors.py  errors of a question
autopilot.py   the switches, actions and questions of the autopilot
captured.py    a conversation as it is stored
exits.py       exit codes
extension.py   constants shared with the extension
extensions.py  the paired extensions, the one in use, and pairing
lazy.py        names of a package that are imported from its modules when they are first used
moments.py     times as people read them
products.py    product names of the sites

Every room may import this one; it imports none.
"""
