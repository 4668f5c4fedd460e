"""Tools for the text of answers: Markdown to plain text, and comparing answers. Pure.

In:  Markdown.      Out: plain text, sentences, comparisons.

plain.py       Markdown as plain text
blocks.py      a Markdown text as its blocks
inline.py      the marks inside a paragraph
formula.py     LaTeX as plain text
sentences.py   an answer as its sentences, a sentence as its words
comparison.py  what answers have in common, and where they differ
"""
