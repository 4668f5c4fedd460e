"""Judge a command before anyone clicks: `allow`, `ask` or `deny`, and why.

In:  the text of a command, its shell, the folder it would run in, the person's rules.
Out: a Judgement. Nothing is run, read or looked up: the same text is judged alike everywhere.

judgement.py      the whole judgement, in order: appearance, parsing, walk, the person's rules
appearance.py     characters that hide something: invisible, look-alike, padding
dialects.py       which shells of Unix may read a text, and in what they differ
bash/, cmd/, powershell/    their text to a tree
script.py         that tree, one shape for three kinds of shells
flow/             goes through the tree: pipes, substitutions, functions, files written
findings.py       what is found in one command: by its program, or because nobody knows it
program_names.py  which program a first word means
programs/         what is known of each program
call.py           one command about to run, as programs/ sees it; options.py: its options
values.py         values of words, with marks for what nobody knows yet
payloads.py       text that was encoded: base64, hex, reversed
paths.py          where a path leads; secret_paths.py: whether it opens other doors
rules.py          the person's own rules: ban list, allow rules
verdict.py        what is said of a command: Verdict, Finding, Judgement
explanation.py    the tree with a verdict for each part
catalogue.py      the meaning of each built-in rule; rule_names.py: their names, generated
pattern.py        patterns that are compiled when they are used
record.py         records without `dataclasses`, for a fast start
errors.py         what stops the guard from judging

All these are pure. These read arguments, input and files:

person/      the person's rules and decisions, kept in their home folder
cli/         the command line; __main__.py: `python -m tabwire_guard`
hook/        the guard as a pre-tool hook of coding assistants
"""

__version__ = "0.1.0"
