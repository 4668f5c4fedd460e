"""Stories: scripts in seconds of how a site behaves, and how it fails.

`steps` says what can happen, `story` what a story is, `stage` in which shape a page is served;
the stories themselves are in `answers` (on the wire), `pages` (on the page) and `fates` (to the
tab and its browser), and `known.STORIES` has all of them by name. A prompt chooses one with
`lab: story=NAME`, a tab with `?lab=story:NAME` in its address, a server with `--story NAME`.

answers.py  stories on the wire
fates.py    stories in which something happen tos the tab or its browser while the answer is told
known.py    all stories by name
pages.py    stories on the page
script.py   from a plan and a story to the cues of one answer
stage.py    in which shape a page is served
steps.py    what can happen while an answer is told, one step after the other
story.py    what a story is
"""
