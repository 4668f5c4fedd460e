"""bash text, and that of its kin, to the tree that all shells share.

Strict: what the parser does not follow it says (`Unparsable`), it never guesses. In layers, each
built on the one before:

dollars.py  variables, substitutions and sums: all that begins with `$` or a backquote
braces.py   `a{b,c}d` is two words
words.py    words: quotes, escapes, patterns
lines.py    what stands between words: blanks, comments, redirections, here-documents
simple.py   simple commands: assignments, words, redirections
parser.py   lists, pipelines, loops, functions; `parse`
"""
