"""What is known of a prompt whose page stopped to answer while Send was pressed.

Seen over the relay: the click was done and the answer came, but not the word where the click had
landed, because the extension was switched off. That was told as "nothing was sent".
"""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from tabwire.asking import submission as room
from tabwire.asking.ear import Ear
from tabwire.asking.submission import Left, submit
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


async def pressed(monkeypatch, error, *, left):
    """Press Send in a page that breaks; `left`: a request with our prompt was heard before."""
    ear, steps = Ear(PROMPT), []

    async def click(*_given, **_named):
        if left:
            ear.attempt = SimpleNamespace()
        raise error

    async def standing(*_given):
        return PROMPT

    async def checkpoint(step, **_named):
        steps.append(step)

    monkeypatch.setattr(room, "standing", standing)
    site = SITES["grok"]
    soon = replace(site.page.timings, sent_seconds=0.01)
    site = replace(site, page=replace(site.page, timings=soon))
    tab = SimpleNamespace(target="T", url=site.page.home)
    place = SimpleNamespace(ear=ear, tab=tab, page=SimpleNamespace(click=click))
    given = SimpleNamespace(checkpoint=checkpoint, wall=lambda: 1.0)
    try:
        return await submit(
            place, site, site.page.layouts[0], given, PROMPT, by_key=False, files=False
        )
    finally:
        assert steps == [Step.SENDING]


@pytest.mark.parametrize("error", BREAKS, ids=lambda one: type(one).__name__)
async def test_a_page_that_breaks_under_the_press_may_have_sent_it(monkeypatch, error):
    with pytest.raises(SendNotConfirmed) as raised:
        await pressed(monkeypatch, error, left=False)
    assert raised.value.unknown
    assert raised.value.retry is Retry.RESUME


@pytest.mark.parametrize("error", BREAKS, ids=lambda one: type(one).__name__)
async def test_what_was_heard_to_leave_has_left_whatever_breaks_then(monkeypatch, error):
    assert await pressed(monkeypatch, error, left=True) == Left("request")
