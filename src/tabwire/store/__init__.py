"""What must survive the process, on disk, by subject.

In:  an AskRequest, how far it got, its Answer; conversations; who uses which tab.
Out: the same, later, to whoever asks, in this process or the next.

What is kept (promise `keep`: it is on disk before the call returns):
store.py         `Store`, the face of this room: everything others may call
rows.py          what it takes and gives, as data
attempt_rows.py  asks that were begun, how far they got, their answers
job_rows.py      asks as jobs of a hub: taken up, under way, at rest
search.py        questions and answers found by their words
uses.py          one user per tab or conversation, across processes
tabs.py          tabs we opened ourselves
session_rows.py  agents and their chats; `Store.sessions`
conversation_rows.py  conversations with the bodies they came in; `Store.conversations`
autopilot_rows.py  what the autopilot did and what it asks a person; `Store.autopilot`

How it is kept:
opening.py       a path or an address -> a store that is up to date
tables.py        the tables as they are now
migrate.py       an older file becomes one of now; a newer one is refused
copies.py        the last good copy of a file, and a damaged file set aside for it
migrations/      the steps, for Alembic, forward only
codec.py         requests and answers as JSON, any text as text a database takes
transactions.py  one change at a time, whole or not at all, done even if its caller is cancelled
sqlite.py        all that is true of SQLite only: the file, its settings, its error codes
postgres.py      the same of PostgreSQL: the address, its settings, errors, one home at a time
hub_place.py     the place of the one hub at a PostgreSQL server, watched and taken again
errors.py        what goes wrong with it

We import `model` only. Time is an argument, and so is who still runs.
"""
