"""Signals and time in, a state and a verdict out. No clock: time is an argument.

In:  signals (model/signals.py) with the monotonic second they were seen.
Out: outcomes (a state moved, an answer was judged, a reading is wanted), and two things to
     ask for that are never mixed: the verdict on an answer, the readiness of a conversation.

table.py      the ten states; the only place that decides a state
machine.py    one attempt: feed(signal, now), tick(now), next_deadline(), history
attempts.py   many attempts of one tab: supersede, dispose, alias, late conversation ids
outcomes.py   what a feed or a tick may answer
verdict.py    what an answer is worth, and how ready a conversation is to be saved
profile.py    every number with its reason, the default profile and the seed's
views.py      the UI lifecycle of an attempt, derived
monitor_phases.py  the page-only monitor: a run followed by its stop control alone

Inside one attempt:
life.py       its parts, and the one way its state moves
hearing.py    what the stream's signals mean; witnesses.py: hints, page, stored conversation
findings.py   what was heard; draft.py is the text as it grows
agreement.py  whether stream, stored conversation and page tell the same text
readiness.py  the gate of stored samples, the plan of re-reads; probe.py is one attempt's use
watches.py    is the stream open, does the page stand still
history.py    what happened and why nothing happened; waiting.py says it in words

Around many:
roster.py     bounded books that warn; debounce.py: which hint only repeats another

Neighbours: imports `model` only; `ask`, `monitor` and `capture` drive it.
"""
