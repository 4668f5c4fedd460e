"""Configuration, the home folder and the log: what every room above may need.

In:  config.toml, the environment, flags.      Out: settings, paths, log lines.

settings.py   what can be set, and where each value came from
kinds.py      what a setting can be: a text, a choice, a number, folders
home.py       where Tabwire keeps its files: TABWIRE_HOME, else the system's own place
logs.py       the hub's log: six levels
redaction.py  what never reaches a log
"""
