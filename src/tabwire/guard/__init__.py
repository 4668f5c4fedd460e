"""Judge a command before anyone clicks: `allow`, `ask` or `deny`, and why.

In:  the text of a command, its shell, the folder it would run in, the person's rules.
Out: a Judgement. Nothing is run, read or looked up: the same text is judged alike everywhere.

verdict.py    what is said of a command
judging.py    the whole judgement, in order: looks, parse, walk, the person's rules
looks.py      characters that hide something: invisible, look-alike, padding
script.py     a command line as a tree, one shape for three kinds of shells
dialects.py   which shells of Unix may read a text, and in what they differ
bash.py       bash text -> that tree (bash_words.py: its words); strict: what it does not
powershell.py follow it says, it never guesses
cmd.py
words.py      values of words, with marks for what nobody knows yet; expand.py makes them
state.py      where a script stands and what its variables hold
walk.py       goes through the tree: pipes, substitutions, functions, aliases, files written
told.py       what is said of one command: by its program, or because nobody knows it
redirects.py  what is redirected; setting.py: what a script sets, by its words alone
call.py       one command about to run, as programs/ sees it; options.py: its options
paths.py      where a path leads; secret_paths.py: whether it opens other doors
decode.py     payloads: base64, hex, reversed
programs/     what is known of each program
rules.py      the person's own rules: ban list, allow rules
explain.py    the tree with a verdict for each part

Neighbours: `hub` reads the person's rules and keeps decisions, `autopilot` asks before it clicks.
"""
