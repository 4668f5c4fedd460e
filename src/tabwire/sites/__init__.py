"""Everything specific to a site, and nothing else.

Each site is a folder with the same five names, so that a redesign touches one folder:

SITE/requests.py  which requests carry an answer, a hint, a stored conversation, a title …
SITE/stream.py    the bytes of an answer -> signals, as they arrive
SITE/history.py   stored bodies -> Conversation
SITE/page.py      selectors, notices and timings of the page (data only)
SITE/choices.py   models, efforts and files, and where the page has them (data only)

page.py and choices.py beside them are the shapes of these, site.py that of a site, known.py the
list of sites. memory.py: what is known from earlier bodies; titles.py: the ranking of
titles; witness.py: a stored conversation as a witness; addresses.py: how URLs are compared;
resets.py: when a limit is over; marks.py: how private marks in a text look; opening.py and
webpages.py: a web page where data was expected.

antigravity/     the agent panel of Antigravity, and of editors like it
chatgpt/         chatgpt.com and chat.openai.com
gemini/          gemini.google.com
grok/            grok, on grok.com and on x.com
classic.py       the profile `classic`
classic_wait.py  waiting for one answer the classic way
classics.py      the sites the profile `classic` knows, by name
links.py         text with a site's private marks -> text with links, and the sources

Neighbours: imports `model` and `wire`. Pure: no clock, no I/O.
"""
