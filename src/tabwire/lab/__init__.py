"""Local stand-ins for the sites: for the demo, the tests and the benchmarks.

cli.py   the commands of `tabwire lab`
demo.py  a scripted answer of each site, played through wire, sites and fusion

Neighbours: may import every room but the doors. Nothing else imports the lab.
"""
