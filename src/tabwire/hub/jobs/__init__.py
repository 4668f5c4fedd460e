"""Questions as jobs: submitted, queued, carried out, found again.

In:  requests, and who asks.      Out: jobs and their events; answers in the store.

jobs.py           the jobs of a hub: submit, wait, listen, stop, cancel, resume, find
board.py          what is known of jobs under way, in this process
worker.py         carry out one job, from whatever step it is at
ask_runner.py     ask one or several sites at once
retrieval.py      fetch an answer to a question that was asked before
books.py          the store, in the terms of an ask: rows, checkpoints, tabs, bundles
outcome.py        which state a job ends in without a complete answer, and what is kept of why
prompt.py         the prompt from argument, files and stdin
history_lines.py  a question and its answer as a line of the older tool's history.jsonl
"""
