"""Local replicas of the sites, for the demo, the tests and the benchmarks.

cli.py          the commands of `tabwire lab`
extra.py        the packages that only the lab needs, and the error without them
demo/           ask three sites at once and verify the answers
serve.py        every replica under its real name on one loopback port, over HTTP/2
open.py         the same with a browser that sees it; where it listens, for people and programs
replicas/       the sites: pages, and the requests those pages make
room.py         what replicas share: stored chats, and timed answers
plan.py         what is answered to a prompt; a line of the prompt can direct it
ledger.py       the record of every prompt, written before it is answered
speak/          writers of the sites' wire formats
certificate.py  a key of its own for each lab

antigravity/  a replica of the Antigravity agent panel
home/         the lab's own page
play/         play a story in a real tab
stories/      stories
answers.py    kinds of answers
carry.py      how an answer is transported
citing.py     how Gemini and Grok cite
drift.py      redesigns of a page
listing.py    stories and the ledger in a terminal
rename.py     rename identifiers consistently in a page's files, as a rebuild does
steering.py   answers with prompt injections
words.py      words of prompts and answers

Neighbours: may import every room but the doors. Nothing else imports the lab.
"""
