"""A browser that does not let a page believe it is in front: what was to be done is done."""

import pytest

from tabwire.browser.page.focus import SWITCH, focused
from tabwire.cdp.errors import CommandFailed, CommandTimedOut, SessionLost

pytestmark = pytest.mark.asyncio


class Line:
    """Stands for a connection, which sessions share."""


class Refusing:
    """A session whose browser answers the switch so."""

    id = "S"

    def __init__(self, error):
        self.connection = Line()
        self.error = error
        self.said = []

    async def call(self, method, params, *, seconds):
        self.said.append((method, params["enabled"]))
        if self.error is not None:
            raise self.error

    def send(self, method, params, *, on_reply):
        self.said.append((method, params["enabled"]))


REFUSALS = [
    CommandFailed(SWITCH, -32000, "Not allowed"),
    CommandFailed(SWITCH, -32601, "'Emulation.setFocusEmulationEnabled' wasn't found"),
]


@pytest.mark.parametrize("error", REFUSALS, ids=str)
async def test_a_refused_switch_keeps_nothing_from_being_done(error):
    session, done = Refusing(error), []
    async with focused(session):
        done.append("the work")
    assert done == ["the work"]
    assert session.said == [(SWITCH, True), (SWITCH, False)]


@pytest.mark.parametrize(
    "error", [SessionLost("S", SWITCH, sent=False), CommandTimedOut(SWITCH, 5.0)], ids=str
)
async def test_a_tab_that_is_gone_or_does_not_answer_is_said(error):
    with pytest.raises(type(error)):
        async with focused(Refusing(error)):
            raise AssertionError("nothing can be done in it")
