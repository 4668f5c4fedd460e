"""The terminal: `tabwire …`.

app.py    the list of commands, and the options of `tabwire` itself
lazy.py   commands that are imported when they run, not when they are listed
old_options.py   former spellings of options, for one release
usage_errors.py  invalid usage, in our words; every failure as JSON with `--json`

ask/             `tabwire ask`, `tabwire fetch`; history.py: `tabwire history`
antigravity/     `tabwire antigravity …` and `tabwire watch antigravity`
browser/         tabs, snapshot, dom, doctor, login
hub/             serve, status, stop, restart, logs, config, repair, dashboard
watch.py         `tabwire watch`; sighting_lines.py: what happens in a tab, as lines
parse.py         `tabwire parse`; report_output.py: how a report is shown
conversations.py, export.py  kept conversations; sessions.py: `tabwire sessions …`
extension.py     `tabwire extension …`
guard.py         `tabwire guard …`; guard_rules.py: its rules

json_lines.py    objects, one per line; safe_text.py: text of others on a terminal

`tabwire --help` must stay as quick as an empty Typer app, so app.py and lazy.py import
Typer and nothing of ours; a command's own module may import what it likes.

guard_hook.py  `tabwire guard hook`
"""
