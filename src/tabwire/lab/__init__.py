"""Local stand-ins for the sites: for the demo, the tests and the benchmarks.

cli.py          the commands of `tabwire lab`
extra.py        the packages that only the lab needs, and the error without them
demo/           three sites are asked at once, live, and the answers proven
serve.py        every replica under its real name on one loopback port, over HTTP/2
open.py         the same with a browser that sees it; address.py says where and how
replicas/       the sites: pages, and the requests those pages make
room.py         what replicas share: stored chats, and answers told at their own pace
plan.py         what is answered to a prompt; a line of the prompt can direct it
ledger.py       every prompt received, written down before it is answered
speak/          the sites' wire formats, written
certificate.py  a key of its own for each lab

antigravity/  the Antigravity agent panel, played
home/         the lab's own address
play/         a story played in a real tab
stories/      stories
answers.py    kinds of answers
carry.py      how an answer is carried
citing.py     how Gemini and Grok cite
drift.py      drift
listing.py    stories and the ledger in a terminal
rename.py     give names in a page's own files other names, in all of them alike, as a rebuild
              does
steering.py   answers that try to steer whoever reads them
words.py      words of prompts and answers

Neighbours: may import every room but the doors. Nothing else imports the lab.
"""
