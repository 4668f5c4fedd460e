"""The dashboard's files: one page, plain scripts, one style. No build step, no code from elsewhere.

doors/http/dashboard.py serves them to whoever came in with a ticket, and answers what they ask.

index.html   the frame; every text of it is named and stands in texts.js
app.js       what happens: listens, draws, does what a person wants
line.js      the line to the hub: who we are, what we ask, what it tells
draw.js      a board as elements; pairing.js: a code, until somebody typed it
dom.js       elements without a line of HTML in a string: what others wrote is only ever text

Neighbours: none; nothing here is imported but the folder's place.
"""
