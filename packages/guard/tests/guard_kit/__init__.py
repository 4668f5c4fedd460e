"""What several of the guard's tests use.

dialect_scripts.py  scripts that shells read differently, and the shells that run them
hooks.py            the hook of an assistant as a process of its own
named.py            a test that is named runs, although it is set aside for long runs
trees.py            a parsed script on one line, for tables
verdict_table.py    verdicts of commands as a table in plain text
"""
