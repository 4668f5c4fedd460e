"""All that is known of each site, and nothing else.

Each site is a folder with the same five names, so that a redesign touches one folder:

requests.py  which requests carry an answer, a hint, a stored conversation, a title …
stream.py    the bytes of an answer -> signals, as they arrive
history.py   stored bodies -> Conversation
page.py      selectors, notices and timings of the page (data only)
choices.py   models, efforts and files, and where the page has them (data only)

Beside them: site.py the shape they share, known.py the list of them, memory.py what one
body teaches about the next, titles.py how titles beat each other, witness.py a stored
conversation as a witness, addresses.py how URLs are compared, resets.py when a limit is
over, marks.py how private marks in a text look, opening.py and webpages.py a web page where
data was expected.

Neighbours: imports `model` and `wire`. Pure: no clock, no I/O.
"""
