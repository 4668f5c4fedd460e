"""The words every room shares. Data only: no clock, no I/O, no opinion.

signals.py       what a stream, a canonical body or a page says about one answer
conversation.py  one shape for what ChatGPT, Gemini and Grok remember of a chat
session.py       what is kept of an agent: where it goes on at each site
citations.py     what an answer cites, and the marks by which a site says so
problems.py      what was wrong with something we read, without stopping the reading
errors.py        what stops us, what to do about it, and whether to try again

Everybody may import this room; it imports nobody.
"""
