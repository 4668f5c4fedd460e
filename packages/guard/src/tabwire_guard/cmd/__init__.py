"""cmd.exe's text to the tree that all shells share.

scanner.py  characters: carets, quotes, percent signs, redirections
blocks.py   commands that hold others: `if` and `for`
parser.py   commands, pipes and chains; `parse`
"""
