"""The terminal: `tabwire …`.

app.py    the list of commands, and the options of `tabwire` itself
lazy.py   commands that are imported when they run, not when they are listed
usage.py  what cannot be meant, in our words, and every failure as JSON with `--json`
parse.py  `tabwire parse`; show.py: how a report is shown
watch.py  `tabwire watch`; narrate.py: what happens in a tab, told as it happens
tabs.py, snapshot.py, dom.py, doctor.py  look at the browser and its pages
serve.py  `tabwire serve`; status.py, stop.py (and restart), logs.py, config.py: the hub
          and what it is set to
sessions.py  `tabwire sessions …`; json_lines.py: objects, one per line

antigravity.py  `tabwire antigravity …`; antigravity_drive.py: act in a window;
          antigravity_watch.py: what an agent says and does; antigravity_auto.py: the autopilot

ask.py    `tabwire ask`; fetch.py, login.py, history.py: what belongs to it
  ask_options.py    what was said -> requests; ask_show.py: options of how to show;
                    ask_browser.py: the option every command with a browser has
  ask_run.py        one run, from requests to printed answers
  ask_board.py      what is known of each column
  ask_columns.py    columns on a terminal; ask_progress.py: lines on stderr for a pipe
  ask_print.py      answers in full; maths.py: their formulas
                    ask_json.py: as JSON; ask_out.py: into files
  ask_interrupt.py  Ctrl-C; ask_keys.py: what it must not write on the screen

`tabwire --help` must stay as quick as an empty Typer app, so app.py and lazy.py import
Typer and nothing of ours; a command's own module may import what it likes.
"""
