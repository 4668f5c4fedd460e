"""The guard as a pre-tool hook of coding assistants.

In:  the JSON of one tool call on standard input, as Claude Code, Codex, Gemini CLI and Cursor
hand it to a hook.      Out: the verdict in that assistant's format, and an exit code.

command.py       one call: read it, judge it, answer it; every failure blocks the call
protocols.py     what each assistant sends, and what it understands as an answer
toolcall.py      a tool call and a decision, whoever sent it
decision.py      the verdict on a tool call; files.py: on the files it names
advice.py        what the agent should do instead
arguments.py     `hook install`, `uninstall` and `doctor` on the command line
configuration.py the entries of each assistant's configuration, and where it is
config_file.py   reading, backing up and replacing such a file
install.py       writing the configuration, and undoing it; doctor.py: whether it works

An assistant starts this before every tool call and waits for it. So what answers a call imports
little: no dataclasses, no typing, no pathlib.
"""
