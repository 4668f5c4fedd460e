"""Linters, formatters, type checkers and test runners.

checker.py     what is declared of one, and how it is judged
general.py     those of no one world
javascript.py  JavaScript's; python.py: Python's
special.py     those that run or write what their operands say
"""
