"""Durable work: what was begun is carried to its end, also by the next process.

The queue does not know what it runs: it is given a function of a job's id, and calls it again
after a crash until it returns.

- engine: the port
- lanes: whose turn it is
- memory: in this process only, for scripts and tests
- durable: on DBOS
- late: another engine, begun when it is first needed

durable.py  jobs that outlive the process, on DBOS: each is a workflow of one step, `carry`
engine.py   the port behind which jobs run
lanes.py    whose turn it is
late.py     an engine that begins to work when there is first something to do
memory.py   jobs in this process only, for scripts and tests
"""
