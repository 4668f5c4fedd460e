"""Signals and time in, a state and a verdict out. No clock: time is an argument.

In:  signals (model/signals.py) with the monotonic second they were seen.
Out: outcomes (a state changed, an answer was judged, a reading is requested), and two separate
     results: the verdict on an answer and the readiness of a conversation.

table.py      the ten states; the only place that decides a state
machine.py    one attempt: feed(signal, now), tick(now), next_deadline(), history
attempts.py   many attempts of one tab: supersede, dispose, alias, late conversation ids
outcomes.py   results of feed and tick
verdict.py    the verdict on an answer, and the readiness of a conversation
profile.py    every threshold with its reason, for each profile
monitor_phases.py  the page-only monitor: a run followed by its stop control alone

Inside one attempt:
life.py       its parts, and the only function that changes its state
hearing.py    what the stream's signals mean; witnesses.py: hints, page, stored conversation
findings.py   what was received; draft.py is the growing text
agreement.py  whether stream, stored conversation and page have the same text
readiness.py  comparison of stored samples, schedule of rereads; probe.py: one attempt's use
watches.py    whether the stream is open and the page is quiet
history.py    what happened, and why nothing happened; waiting.py: the same in words

Around many:
roster.py     bounded tables that warn; debounce.py: repeated hints

Neighbours: imports `model` only; `asking`, `monitor` and `capture` use it.
"""
