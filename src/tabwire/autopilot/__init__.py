"""Click what the owner allowed in an agent panel, and nothing else.

In:  states of a panel (browser/agent/panel.py), and a person's answers.
Out: clicks, each judged and written down before; questions to a person.

rules.py      which control of a card may be clicked, and what to do about a card, as data
paths.py      which paths a card speaks of
ruling.py     the verdict on a card: the guard on its command, or where its paths lead
breaker.py    at most three retries in a minute
questions.py  what a person was asked: once, told, expired, ended
click.py      the page's side: a lease, and a click that reads the card once more
pilot.py      one window, from a state of the panel to a click or a question
context.py    what a pilot is handed
owner.py      who drives a window: one at a time, by a sign of life

All but click.py, questions.py and pilot.py are data in, data out. Neighbours: `guard` judges,
`browser` reads the panel; the hub brings windows, store and person's rules together.
"""
