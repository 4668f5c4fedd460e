"""A story played in a real tab: somebody asks, something happen tos the tab, a watcher tells.

In:  a lab, a browser that sees it, a story.      Out: what came out against what was promised.

play.py     one story in one tab: `play`, for tests and for the command; what is asked, so that
            a story is quick and still real
person.py   the scripted person who types and sends
hand.py     does to the tab what the story's fate wants
played.py   the result: the outcome, and whether it is as promised
show.py     the command: live lines, and a summary
"""
