"""`tabwire ask` and `tabwire fetch`: one question to one or several sites, in real tabs.

command.py         `tabwire ask`; fetch.py: `tabwire fetch`
request.py         what was typed on the command line -> what the hub is asked to do
output_options.py  the options that say how answers are shown
run.py             from requests to printed answers: what both commands share
board.py           what is known of each column while its site is asked
columns.py         columns that grow as their sites answer; progress.py: short lines instead
text_output.py     answers in full, for a terminal or as Markdown for a pipe
json_output.py     events, answers and errors as JSON
files.py           `--out`: answers into files
interrupt.py       Ctrl-C while a site writes
"""
