"""Goes through the tree of a script as a shell does, and judges every command in it.

walker.py         pipes, blocks, functions, aliases, files written; each command in turn
state.py          where a script stands and what its variables hold
expansion.py      a word and what is known, to its values
assignments.py    which variables a script sets, by its words alone
arithmetic.py     where a shell takes text for a sum, and runs what is in it
environment.py    variables that change what other programs do
redirects.py      what is read and written, and what then flows
inner_scripts.py  commands and scripts that stand in arguments
"""
