"""Durable work: what was begun is carried to its end, also by the next process.

The queue does not know what it runs: it is given a function of a job's id, and calls it again
after a crash until it returns.

- engine: the port
- lanes: whose turn it is
- memory: in this process only, for scripts and tests
- durable: on DBOS
- late: another engine, begun when it is first needed
"""
