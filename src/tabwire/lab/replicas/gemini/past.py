"""Chats that were there before anybody came: a welcome, and a long one to scroll in.

They are no part of the room until somebody asks in them, so that whoever counts the room's
chats counts what happened.
"""

import uuid

from tabwire.lab.plan import Plan
from tabwire.lab.room import Chat, Exchange, Part, Said, Standing

WELCOME, LONG = "1ab0000000000001", "1ab0000000000060"
LONG_TURNS = 60
BEGAN = 1_772_576_631.0  # seconds since 1970: a day in March 2026
APART = 600.0  # seconds between two questions

_HELLO = """\
Hello! This is a replica of Gemini that runs on your own machine. Ask anything: the answer is \
invented, and the way it comes is as on the site.

* `lab: story=cut` in a question of its own line breaks the connection in the middle,
* `lab: think=5 pieces=200` makes it think, and talk for longer,
* `?lab=lang:ja` in the address shows the page in Japanese."""


def past_chats(turns: int = LONG_TURNS) -> dict[str, Chat]:
    """By id, the newest first. `turns`: how many exchanges the long one has."""
    welcome = Chat(WELCOME, "Welcome to the lab")
    welcome.exchanges.append(_said("What is this place?", _HELLO, WELCOME, 0, BEGAN))
    long = Chat(LONG, "A long conversation")
    for number in range(1, turns + 1):
        began = BEGAN - 86_400 - APART * (turns - number)
        answer = _answer(number)
        long.exchanges.append(_said(f"Question {number} of {turns}", answer, LONG, number, began))
    return {WELCOME: welcome, LONG: long}


def _answer(number: int) -> str:
    words = f"This is answer **{number}**. " + "It was given long ago, and is kept in order. " * 3
    listed = "\n".join(f"{place}. point {place} of {number}" for place in range(1, 4))
    return f"{words.strip()}\n\n{listed}" if number % 3 else words.strip()


def _said(prompt: str, answer: str, chat: str, number: int, at: float) -> Exchange:
    return Exchange(
        prompt,
        Plan((answer,)),
        id=str(uuid.uuid5(uuid.NAMESPACE_URL, f"{chat}/{number}")),
        asked_at=at,
        told=[Said(Part.TEXT, answer)],
        standing=Standing.WHOLE,
    )
