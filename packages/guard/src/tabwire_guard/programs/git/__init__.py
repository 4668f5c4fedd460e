"""git.

program.py      git itself, by subcommand
subcommands.py  those that need a look at their options
settings.py     which settings are harmless, and which run programs
"""
