"""A real click, at a point that was seen to belong to the element.

The page may move between our look and the press. So a guard in our world hears the press
first: one that would land on something else is kept from the page, and we aim once more.
"""

import asyncio
from dataclasses import dataclass

import msgspec

from tabwire.browser.page.elements import Found, Wish
from tabwire.browser.page.errors import Covered, NotClicked, PageWentAway
from tabwire.browser.page.find import Finder

AIMS = 3
"""How often we aim: once, once more if the element was replaced, once more if it moved."""

PRESS_SECONDS = 5.0
"""How long the page may take over one mouse event; its own handlers run meanwhile."""


@dataclass(slots=True)
class Pressing:
    """How far a press has come, for whoever must know what it did where it fails.

    `began`: its events are on the line. `done`: the browser has answered all of them.
    `seconds`: how long each of them may take.
    """

    seconds: float | None = None
    began: bool = False
    done: bool = False


class _Aim(msgspec.Struct):
    gone: bool = False
    covered: str = ""
    x: float = 0.0
    y: float = 0.0


class _Outcome(msgspec.Struct):
    hit: bool = False
    missed: str = ""


async def click(finder: Finder, wish: Wish, pressing: Pressing | None = None) -> Found:
    """Click it. Raises `NotFound`, `Covered` or `NotClicked`. Used inside `focused`."""
    pressing = pressing or Pressing()
    landed = ""
    for _ in range(AIMS):
        found = await finder.need(wish)
        outcome = await _aimed(finder, found.number, wish.part, pressing)
        if outcome is None:
            continue
        if outcome.hit:
            return found
        landed = outcome.missed
        if not landed:
            break
    raise NotClicked(wish.part, landed)


async def click_number(finder: Finder, number: int, part: str) -> bool:
    """Click the element the page gave this number. False: it is gone, nothing was clicked.

    Raises `Covered` or `NotClicked`. Used inside `focused`.
    """
    landed = ""
    for _ in range(AIMS):
        outcome = await _aimed(finder, number, part, Pressing())
        if outcome is None:
            return False
        if outcome.hit:
            return True
        landed = outcome.missed
        if not landed:
            break
    raise NotClicked(part, landed)


async def _aimed(finder: Finder, number: int, part: str, pressing: Pressing) -> _Outcome | None:
    """Aim and press once; None where there is nothing to aim at any more."""
    aim = await finder.ask("aim", {"number": number}, _Aim)
    if aim.covered:
        raise Covered(part, aim.covered)
    if aim.gone:
        return None
    await _press(finder, aim, pressing)
    return await _outcome(finder)


async def _outcome(finder: Finder) -> _Outcome:
    """Where the press landed. One that led to another page has landed."""
    try:
        return await finder.ask("outcome", None, _Outcome)
    except PageWentAway:
        return _Outcome(hit=True)


async def _press(finder: Finder, aim: _Aim, pressing: Pressing) -> None:
    """Move there, press and release, without a pause in which the page could move."""
    where = {"x": aim.x, "y": aim.y}
    left = {**where, "button": "left", "clickCount": 1}
    events = (
        {**where, "type": "mouseMoved"},
        {**left, "type": "mousePressed", "buttons": 1},
        {**left, "type": "mouseReleased"},
    )
    tell, seconds = finder.session.call, pressing.seconds or PRESS_SECONDS
    pressing.began, pressing.done = True, False
    await asyncio.gather(
        *(tell("Input.dispatchMouseEvent", one, seconds=seconds) for one in events)
    )
    pressing.done = True
