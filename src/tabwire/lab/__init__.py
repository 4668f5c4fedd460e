"""Local stand-ins for the sites: for the demo, the tests and the benchmarks.

cli.py          the commands of `tabwire lab`
demo/           three sites are asked at once, live, and the answers proven
serve.py        every replica under its real name on one loopback port, over HTTP/2
open.py         the same with a browser that sees it; told.py says where and how
replicas/       the sites: pages, and the requests those pages make
room.py         what replicas share: stored chats, and answers told at their own pace
plan.py         what is answered to a prompt; a line of the prompt can direct it
ledger.py       every prompt received, written down before it is answered
speak_*.py      the sites' wire formats, written
certificate.py  a key of its own for each lab

Neighbours: may import every room but the doors. Nothing else imports the lab.
"""
