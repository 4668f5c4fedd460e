"""Durable work: a job that was started is finished, if necessary by the next process.

The queue does not know what it runs: it calls a function with a job's ID, and again after a
crash until it returns.

durable.py  jobs that outlive the process, on DBOS: each is a workflow of one step, `carry`
engine.py   the interface of an engine
lanes.py    the order of jobs, and how many run at once
late.py     an engine that starts with the first job
memory.py   jobs in this process only, for scripts and tests
"""
