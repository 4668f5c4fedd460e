"""Click what the user allowed in an agent panel, and nothing else.

In:  states of a panel (browser/agent/panel.py), and a person's decisions.
Out: clicks, each judged and logged before it happens; questions to a person.

rules.py      which control of a card may be clicked, and how to handle each kind of card
paths.py      the paths that a card mentions
ruling.py     the verdict on a card, from the guard on its command or from its paths
breaker.py    limit of three retries per minute
questions.py  questions to a person: asked once, answered, expired or ended
click.py      lease the page, check the card again and click
pilot.py      one window: from a panel state to a click or a question
context.py    what a pilot gets from its caller
owner.py      one driver per window, with a heartbeat

All modules but click.py, questions.py and pilot.py are pure. Neighbours: `guard` judges,
`browser` reads the panel; the hub connects windows, store and the user's rules.
"""
