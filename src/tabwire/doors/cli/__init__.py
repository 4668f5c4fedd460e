"""The terminal: `tabwire …`.

app.py    the list of commands, and the options of `tabwire` itself
lazy.py   commands that are imported when they run, not when they are listed
parse.py  `tabwire parse`

`tabwire --help` must stay as quick as an empty Typer app, so app.py and lazy.py import
Typer and nothing of ours; a command's own module may import what it likes.
"""
