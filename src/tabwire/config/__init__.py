"""Configuration, the home folder and the log: used by the rooms above.

In:  config.toml, the environment, flags.      Out: settings, paths, log lines.

settings.py   all settings, and where each value comes from
kinds.py      types of settings: text, choice, number, folders
home.py       the home folder: TABWIRE_HOME or the system's default
logs.py       the hub's log: six levels
redaction.py  removal of secrets from the log
"""
