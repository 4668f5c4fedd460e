"""The command line: `tabwire-guard`, and what `tabwire guard` does.

In:  arguments, standard input.
Out: lines for people or JSON, and an exit code.

main.py       the program `tabwire-guard`: reads arguments, prints errors
check.py      the verdict on one command or on many
explain.py    the tree of a command, with a verdict for each part
rules.py      lists and changes the person's rules, scores labelled commands
terminal.py   text of others, made safe to print
"""
