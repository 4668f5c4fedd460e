"""What several of the guard's tests use.

dialect_scripts.py  scripts that shells read differently, and the shells that run them
trees.py            a parsed script on one line, for tables
"""
