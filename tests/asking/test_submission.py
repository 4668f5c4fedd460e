"""What is known of a prompt whose page stopped to answer while Send was pressed.

Seen over the relay: the click was done and the answer came, but not the word where the click had
landed, because the extension was switched off. That was told as "nothing was sent".
"""

import asyncio
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from tabwire.asking import submission as room
from tabwire.asking.ear import Ear
from tabwire.asking.submission import Left, submit
from tabwire.browser.inpage import script
from tabwire.browser.page import click as page_click
from tabwire.browser.page.errors import NotFound
from tabwire.cdp.errors import CommandTimedOut, ConnectionLost, SessionLost
from tabwire.model.ask import Step
from tabwire.model.ask_errors import SendNotConfirmed
from tabwire.model.errors import Retry
from tabwire.sites.known import SITES

pytestmark = pytest.mark.asyncio

PROMPT = "What comes of this?"
BREAKS = [
    CommandTimedOut("Runtime.callFunctionOn", 5.0),
    SessionLost("S", "Runtime.callFunctionOn", sent=False),
    ConnectionLost("it broke", "Input.dispatchMouseEvent"),
]


async def pressed(monkeypatch, error, *, left, began=True):
    """Press Send in a page that breaks; `left`: a request with our prompt was heard before.
    `began`: the press was on the line."""
    ear, steps = Ear(PROMPT), []

    async def click(*_given, pressing, **_named):
        pressing.began = began
        if left:
            ear.attempt = SimpleNamespace()
        raise error

    async def checkpoint(step, **_named):
        steps.append(step)

    try:
        return await submitted(monkeypatch, ear, SimpleNamespace(click=click), checkpoint)
    finally:
        assert steps == [Step.SENDING]


async def submitted(monkeypatch, ear, page, checkpoint):
    """Submit in this page, in which our prompt stands."""

    async def standing(*_given):
        return PROMPT

    monkeypatch.setattr(room, "standing", standing)
    monkeypatch.setattr(room, "SWALLOWED_SECONDS", 0.01)
    site = SITES["grok"]
    soon = replace(site.page.timings, sent_seconds=0.01)
    site = replace(site, page=replace(site.page, timings=soon))
    tab = SimpleNamespace(target="T", url=site.page.home)
    place = SimpleNamespace(ear=ear, tab=tab, page=page)
    given = SimpleNamespace(checkpoint=checkpoint, wall=lambda: 1.0)
    return await submit(place, site, site.page.layouts[0], given, PROMPT, by_key=False, files=False)


@pytest.mark.parametrize("error", BREAKS, ids=lambda one: type(one).__name__)
async def test_a_page_that_breaks_under_the_press_may_have_sent_it(monkeypatch, error):
    with pytest.raises(SendNotConfirmed) as raised:
        await pressed(monkeypatch, error, left=False)
    assert raised.value.unknown
    assert raised.value.retry is Retry.RESUME


@pytest.mark.parametrize("error", BREAKS, ids=lambda one: type(one).__name__)
async def test_what_was_heard_to_leave_has_left_whatever_breaks_then(monkeypatch, error):
    assert await pressed(monkeypatch, error, left=True) == Left("request")


@pytest.mark.parametrize("error", BREAKS, ids=lambda one: type(one).__name__)
async def test_where_no_press_was_on_the_line_nothing_was_sent(monkeypatch, error):
    with pytest.raises(SendNotConfirmed) as raised:
        await pressed(monkeypatch, error, left=False, began=False)
    assert not raised.value.unknown
    assert raised.value.retry is Retry.SAME


# --- a line that is late -------------------------------------------------------------------------


class LatePage:
    """Answers as each press says: an error, or something that is heard, before it is begun."""

    def __init__(self, ear, *presses):
        self.ear = ear
        self.begun = 0
        self.presses = list(presses)

    async def click(self, *_given, pressing=None, **_named):
        await self.press("", pressing=pressing)

    async def press(self, _key, *, pressing):
        before = self.presses.pop(0)
        if isinstance(before, Exception):
            raise before
        await before(self.ear)
        if pressing is not None:
            pressing.began = True
            self.begun += 1
            pressing.done = True


async def nothing(_ear):
    """It is pressed in time."""


async def taken(ear):
    """What was pressed is answered; the press after it does nothing."""
    ear.attempt = "ours"
    ear.wake()
    await asyncio.Event().wait()


async def carried(ear):
    """The press before asks after all, in words that are not read."""
    ear.carriers += 1
    ear.wake()
    await asyncio.Event().wait()


async def gone(ear):
    """The press before was taken, and nothing is there any more that could be pressed."""
    ear.attempt = "ours"
    raise NotFound("composer", ["#composer"])


async def checkpoint(_step, **_named):
    """Nothing is written."""


def late_page(*presses):
    ear = Ear(PROMPT)
    ear.state = SimpleNamespace(generating=False, send=True, newest="", stop=False, exchanges=0)
    ear.state.text_length = 0
    return ear, LatePage(ear, *presses)


async def test_what_is_late_before_the_press_is_asked_for_again(monkeypatch):
    """Seen through the extension: where Send stands was told late, and the prompt never left."""
    late = CommandTimedOut("Runtime.callFunctionOn", 5.0)

    async def pressed_and_heard(ear):
        ear.attempt = "ours"

    ear, page = late_page(late, late, pressed_and_heard)
    assert await submitted(monkeypatch, ear, page, checkpoint) == Left("request")
    assert page.begun == 1


async def test_a_second_press_is_not_begun_once_the_first_was_heard(monkeypatch):
    ear, page = late_page(nothing, taken)
    assert await submitted(monkeypatch, ear, page, checkpoint) == Left("request")
    assert page.begun == 1


async def test_a_second_press_is_not_begun_once_a_request_left_that_may_be_ours(monkeypatch):
    ear, page = late_page(nothing, carried)
    with pytest.raises(SendNotConfirmed) as raised:
        await submitted(monkeypatch, ear, page, checkpoint)
    assert raised.value.unknown
    assert page.begun == 1


async def test_a_second_press_that_finds_nothing_says_nothing_of_the_first(monkeypatch):
    ear, page = late_page(nothing, gone)
    assert await submitted(monkeypatch, ear, page, checkpoint) == Left("request")
    assert page.begun == 1


async def test_a_press_on_its_way_has_the_longest_time(monkeypatch):
    """One that is given up may be done yet: then the composer is empty, and it sends nothing."""
    given = []

    async def click(*_given, pressing, **_named):
        given.append(pressing.seconds)
        pressing.began = True
        raise CommandTimedOut("Input.dispatchMouseEvent", pressing.seconds)

    ear, _page = late_page()
    with pytest.raises(SendNotConfirmed) as raised:
        await submitted(monkeypatch, ear, SimpleNamespace(click=click), checkpoint)
    assert raised.value.unknown
    assert given == [room.ANSWERED_SECONDS]
    guarded = int(re.search(r"GUARD_MS = ([\d_]+)", script("page"))[1]) / 1000
    assert guarded > room.ANSWERED_SECONDS > page_click.PRESS_SECONDS
