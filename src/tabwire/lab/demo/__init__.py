"""`make demo`: the real thing, with nobody's account: a real browser, real tabs, real bytes.

In:  nothing.      Out: three live columns, an HTML page with screenshots, an exit code.

play.py     the story: lab, browser, three tabs, one question each, what came of them
person.py   the scripted person who types and sends
columns.py  the three columns, live on a terminal or line by line elsewhere
keepsake.py the page that is saved

What is shown is what `monitor` told; it is compared with what the lab really received and
said, and the demo fails if it is not the same.
"""
