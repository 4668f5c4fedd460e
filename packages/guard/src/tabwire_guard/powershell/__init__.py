"""PowerShell text to the tree that all shells share.

Strict: what is not followed is said (`Unparsable`), never guessed. In layers, each built on the
one before:

values.py       values of expressions, as far as they can be known before anything runs
scanner.py      characters, quotes, variables
operators.py    operators, indexes and casts, worked out
members.py      .NET's members
expressions.py  expressions, by climbing precedences
assignments.py  which variables a text sets
commands.py     commands and arguments
statements.py   pipelines and assignments
parser.py       statements with a keyword; `parse`
"""
