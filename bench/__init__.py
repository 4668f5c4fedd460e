"""How fast and how big: measured by `make bench`, never asserted in a test.

run.py        finds every measure_*.py beside it, prints the table, writes bench.json
table.py      one row of it, and how a goal is judged
race.py       contestants timed in turns, so that a busy machine is unfair to all alike
lab_browser.py  the lab in its own process, and a browser that sees it
ask_bed.py    the same with a store, for asking; the lab's ledger says when a prompt left
ask_person.py a scripted person who asks by hand: what asking is compared with
cdp_clients.py  five ways to say the same to a page
peak.py       a program's largest memory, measured from a small parent
measure_*.py  one subject each: `measure() -> list[Row]`

A goal is a ratio between two things measured in the same run, so it holds on any machine.
"""
