"""Tools for the text of answers: Markdown to plain text, and answers side by side. Pure.

In:  Markdown.      Out: plain text, sentences, comparisons.

plain.py       Markdown as plain text
blocks.py      a Markdown text as its blocks
inline.py      the marks inside a paragraph
formula.py     LaTeX as a person would type it
sentences.py   an answer as its sentences, a sentence as its words
comparison.py  what all answers say, what one alone says, where they differ
"""
