"""Code in an argument, a file or a pipe: harmless where everything in it is known.

python.py        Python: code, a module, a file; python_code.py reads it with Python's own parser,
python_names.py  has the names that do no harm
javascript.py    JavaScript; perl.py: Perl
languages.py     `node -e`, `ruby -e`, `perl -e` and their like
code.py          code in whatever language, as far as it can be judged
editors.py       editors, debuggers and runtimes, whose options and input can run anything
"""
