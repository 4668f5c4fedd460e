"""Act in a page: find, fill, click, press keys, give files, take a picture.

page.py          what can be done in a tab, in one place
elements.py      what is looked for in a page and what was found there; find.py: look for it
fill.py          write a text into an element and prove that it stands there
click.py         a real click, at a point that was seen to belong to the element
keys.py          keys, as the DevTools protocol wants them pressed
files.py         give files to a page
focus.py         a tab that believes it is in front, while we act or read in it
request_hold.py  hold back requests of a page until somebody has looked at them
screenshot.py    a picture of a tab, in the background too
errors.py        what goes wrong while we act in a page
"""
