"""The agent panel of Antigravity, and of editors like it: all that is known of it, as data.

page/shape.py    what a selector pack is
page/packs.py    one pack per generation of the panel, best known first
page/texts.py    labels in English and Japanese: which control means what, which words say limit
page/targets.py  which entries of a debugging port's list are windows of the product
filters.py       a text without structure: which of its lines are output, which are log

There is no stream to parse: nothing of the panel's own traffic is read. Neighbours: imports nothing
but `model` and the shape of `sites/page.py`.
"""
