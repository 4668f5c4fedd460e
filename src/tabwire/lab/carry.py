"""How an answer is carried: cut into chunks as networks cut, broken off, doubled, swapped.

`carried` turns what a speaker says into the body of a response. The speaker's events come in
batches, with the marks of the story between them; marks act on the first response that follows
an answer, never on one that resumes it.
"""

import random
from collections.abc import AsyncIterator, Iterable

import msgspec
from starlette.responses import Response, StreamingResponse

from tabwire.lab.room import Telling
from tabwire.lab.stories.steps import CARRIER, Mark, Wire
from tabwire.lab.stories.story import Direction

STAGE_HEADER = "x-lab-page"  # what the page itself shall do, for its own scripts
SPLIT = "split"  # the story in which every byte travels alone
SPLIT_LIMIT = 20_000  # bytes that travel alone; the rest in chunks

Event = bytes | Mark


class Broken(Exception):
    """Raised in the middle of a response: the server drops its stream."""


async def carried(batches: AsyncIterator[list[Event]], telling: Telling) -> AsyncIterator[bytes]:
    """The body: batches of events cut at places nobody can foresee, with the story's marks."""
    first = telling.exchange.responses == 1
    rng = random.Random(telling.exchange.id)
    alone = SPLIT_LIMIT if telling.exchange.story.name == SPLIT and first else 0
    course = Course(active=first)
    async for batch in batches:
        ready, over = course.take(batch)
        body = b"".join(ready)
        if alone:
            for at in range(min(alone, len(body))):
                yield body[at : at + 1]
            body, alone = body[alone:], max(0, alone - len(body))
        for chunk in cut(body, rng):
            yield chunk
        if over is Wire.CUT:
            raise Broken
        if over is Wire.END:
            return
    for chunk in cut(b"".join(course.rest()), rng):
        yield chunk


def cut(body: bytes, rng: random.Random) -> Iterable[bytes]:
    """In two, most of the time within a character where there is one to cut."""
    if len(body) < 2:
        return (body,) if body else ()
    inside = [at for at in range(1, min(len(body), 4096)) if body[at] & 0xC0 == 0x80]
    at = rng.choice(inside) if inside else rng.randrange(1, len(body))
    return (body[:at], body[at:])


class Course:
    """Events on their way, and what the story's marks do to them."""

    def __init__(self, *, active: bool = True) -> None:
        self._active = active
        self._last: bytes | None = None
        self._held: bytes | None = None
        self._swap = False

    def take(self, events: Iterable[Event]) -> tuple[list[bytes], Wire | None]:
        """What leaves now, and the mark that ends the response, if one does."""
        ready: list[bytes] = []
        for event in events:
            if isinstance(event, Mark):
                if not self._active or event.what not in CARRIER:
                    continue
                if event.what in (Wire.CUT, Wire.END):
                    return [*ready, *self.rest()], event.what
                if event.what is Wire.SWAP:
                    self._swap = True
                elif self._last is not None:
                    ready.append(self._last)
            elif self._swap:
                self._swap, self._held = False, event
            else:
                ready.append(event)
                ready += self.rest()
                self._last = event
        return ready, None

    def rest(self) -> list[bytes]:
        """What was held back."""
        held, self._held = self._held, None
        return [] if held is None else [held]


async def answered(
    batches: AsyncIterator[list[Event]], telling: Telling, media_type: str
) -> Response:
    """The response to the request that asked, or that asks for the rest.

    Where the story withholds it, this returns only when the lab ends.
    """
    telling.exchange.responses += 1
    if telling.withheld:
        await telling.over()
    headers = {"cache-control": "no-store"}
    if telling.exchange.responses == 1:
        headers[STAGE_HEADER] = directions(telling.exchange.story.page)
    return StreamingResponse(carried(batches, telling), headers=headers, media_type=media_type)


def directions(page: Iterable[Direction]) -> str:
    """For a header: the page's own part in the story."""
    return msgspec.json.encode(list(page)).decode()
