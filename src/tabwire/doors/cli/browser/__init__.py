"""Commands that look at the browser and its pages.

tabs.py      `tabwire tabs`: which chat tabs the browser has
snapshot.py  `tabwire snapshot`: a chat page, kept in a folder
dom.py       `tabwire dom`: what a selector finds
doctor.py    `tabwire doctor`: check everything, and what helps
login.py     `tabwire login`: a window in which a person logs in
option.py    the option of every command that uses a browser
"""
