"""Exchanges of the room in chatgpt.com's words: as a stream, and as what is stored."""

import uuid
from collections.abc import AsyncIterator, Iterable, Sequence

from tabwire.lab.carry import Event
from tabwire.lab.plan import plan_for
from tabwire.lab.room import Chat, Exchange, Part, Said, Standing, Telling, Told
from tabwire.lab.speak.chatgpt import (
    FAILED,
    MODEL,
    RUNNING,
    STOPPED,
    WHOLE,
    Ids,
    Recap,
    Speaker,
    SpokenTurn,
    Step,
    Thoughts,
)
from tabwire.lab.speak.chatgpt.frames import DONE, RESUME, SOCKET
from tabwire.lab.stories.steps import Mark, Tool, Wire

STATUS = {
    Standing.RUNNING: RUNNING,
    Standing.WHOLE: WHOLE,
    Standing.STOPPED: STOPPED,
    Standing.FAILED: FAILED,
}
WAYS = {Wire.TO_SOCKET: SOCKET, Wire.TO_RESUME: RESUME, Wire.TO_NOWHERE: None}
ERRORS = {
    Wire.ERROR: ("Something went wrong while generating the response.", "generation_failed"),
    Wire.LIMIT: ("You've reached your usage limit. Please try again later.", "usage_limit"),
}

PARTS = ("user", "thoughts", "answer")
WELCOME = "6890a1b2-0000-4000-8000-00000000c0de"
WELCOMED_AT = 1_790_000_000.0  # a day in September 2026


def ids_of(exchange: Exchange) -> Ids:
    """The messages of an exchange get names that stay the same."""
    base = uuid.UUID(exchange.id)
    user, thoughts, answer = (str(uuid.uuid5(base, part)) for part in PARTS)
    return Ids(exchange.asked_as or user, thoughts, answer)


def topic_of(exchange: Exchange) -> str:
    """Where the rest of an answer is told."""
    return f"conversation-turn-{exchange.id}"


async def events(speaker: Speaker, telling: Telling, *, first: bool) -> AsyncIterator[list[Event]]:
    """What a response says. The first of an exchange ends where the story hands it off.

    Every event has the same number in every response: a later one says nothing where the
    first said that the rest comes elsewhere, and counts it all the same.
    """
    exchange = telling.exchange
    yield [*speaker.opening()]
    async for batch in telling.follow():
        said: list[Event] = []
        for told in batch:
            if isinstance(told, Mark) and told.what in WAYS:
                away = speaker.handoff(WAYS[told.what], topic_of(exchange))
                said.append(away if first else b"")
                if first:
                    yield [*said, DONE]
                    return
            else:
                said += _spoken(speaker, told)
        yield said
    if exchange.standing is Standing.WHOLE:
        yield [*speaker.ending()]
    elif exchange.standing is Standing.STOPPED:
        yield [*speaker.stopped()]


def _spoken(speaker: Speaker, told: Told) -> Sequence[Event]:
    match told:
        case Said(Part.TEXT, text):
            return speaker.text(text)
        case Said(Part.THOUGHT, text):
            return speaker.thought(text)
        case Tool():
            return speaker.tool(told)
        case Mark(Wire.HINT):
            return speaker.hint()
        case Mark(Wire.ERROR | Wire.LIMIT as why):
            return speaker.failed(*ERRORS[why])
    return [told] if isinstance(told, Mark) else []


def stored_turn(exchange: Exchange) -> SpokenTurn:
    """An exchange as it is stored just now."""
    return SpokenTurn(
        exchange.prompt,
        exchange.text,
        exchange.thoughts,
        ids_of(exchange),
        STATUS[exchange.standing],
        exchange.asked_at,
        exchange.plan.model or MODEL,
        tuple(_steps(exchange.told)),
        exchange.files,
    )


def _steps(told: Iterable[Told]) -> list[Step]:
    """What stands between question and answer, as a stream would have opened it."""
    steps: list[Step] = []
    thoughts: list[str] = []
    thought = False  # something was thought that no recap has closed

    def settle() -> None:
        if thoughts:
            steps.append(Thoughts(tuple(thoughts)))
            thoughts.clear()

    for one in told:
        match one:
            case Said(Part.THOUGHT, text):
                thoughts.append(text)
                thought = True
            case Said(Part.TEXT) if thought:
                settle()
                steps.append(Recap())
                thought = False
            case Tool():
                settle()
                steps.append(one)
    settle()
    return steps


def past(count: int) -> list[SpokenTurn]:
    """Earlier turns, invented, for a chat that shall be long."""
    turns = []
    for number in range(1, count + 1):
        base = uuid.UUID(int=(0xFA57 << 64) + number)
        ids = Ids(*(str(uuid.uuid5(base, part)) for part in PARTS))
        prompt = f"Earlier question {number}: what came before?"
        answer = f"Earlier answer {number}.\n\n" + "It was said long ago. " * (1 + number % 5)
        at = WELCOMED_AT - 60.0 * (count + 1 - number)
        turns.append(SpokenTurn(prompt, answer.strip(), ids=ids, at=at))
    return turns


def welcome() -> Chat:
    """Somebody who is logged in has a history, and the page is recognised by it."""
    prompt = "What is this place?"
    plan = plan_for(prompt)
    exchange = Exchange(prompt, plan, str(uuid.UUID(int=1)), WELCOMED_AT)
    exchange.told += [Said(Part.THOUGHT, thought) for thought in plan.thoughts]
    exchange.told += [Said(Part.TEXT, piece) for piece in plan.pieces]
    exchange.standing = Standing.WHOLE
    return Chat(WELCOME, "Welcome to the lab", [exchange])
