"""Browsers and tabs, for the hub: reached, watched, looked at, examined.

access.py      which browser was requested, and a connection to it
link.py        one connection, shared by all jobs of a hub
routes.py      the two routes of a hub to a browser: its own connection, or the extension
tab_choice.py  which tab was requested
watch.py       follow a tab; sightings.py: what is seen in it, as JSON
snapshot.py    look at a page once: a snapshot, or what a selector finds
doctor.py      check the browser, the profile and each site
login.py       a window in which a person logs in
lab_file.py    where a running lab is
"""
