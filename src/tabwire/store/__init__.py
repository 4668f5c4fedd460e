"""Persistent data, by subject.

In:  an AskRequest, how far it got, its Answer; conversations; who uses which tab.
Out: the same, in this process or a later one.

Subjects (data is on disk before a call returns):
store.py         `Store`, the interface of this room
rows.py          the rows as data types
attempt_rows.py  questions, their progress and answers
job_rows.py      questions as jobs of a hub
search.py        full-text search of questions and answers
uses.py          exclusive use of tabs and conversations, across processes
tabs.py          tabs that Tabwire opened
session_rows.py  agents and their chats; `Store.sessions`
conversation_rows.py  conversations with their bodies; `Store.conversations`
autopilot_rows.py  actions and questions of the autopilot; `Store.autopilot`

Storage:
opening.py       a path or a URL -> a store with the current schema
tables.py        the current tables
migrate.py       upgrade an older store; refuse a newer one
copies.py        backups, and restoring them
migrations/      the steps, for Alembic, forward only
codec.py         requests and answers as JSON, and text that every database accepts
transactions.py  atomic changes, one at a time, even if the caller is cancelled
sqlite.py        SQLite only: file, settings, error codes
postgres.py      PostgreSQL only: URL, settings, errors, one home at a time
hub_place.py     the lock of the hub on a PostgreSQL server
errors.py        errors of the store

Imports `model` only. The time and the list of live processes are arguments.
"""
