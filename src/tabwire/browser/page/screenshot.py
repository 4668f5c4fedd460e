"""A picture of a tab, in the background too.

A tab that believes it is in front and is not draws a frame for a picture most of the time.
Sometimes it draws none, and the picture waits for a frame that does not come: of ninety taken
one after the other (Chromium 156, headless) twenty hung. A second picture asked for releases
the first at once, every time. Other ways to provoke a frame (another background colour,
focus off and on, a frame awaited in the page) did not.
"""

import asyncio
import base64
from typing import Any

import msgspec

from tabwire.cdp.connection import Session
from tabwire.cdp.pending import Outcome
from tabwire.cdp.protocol import Reply

CAPTURE = "Page.captureScreenshot"

SCREENSHOT_SECONDS = 15.0
"""How long a picture may take: a hidden tab has to be drawn first, a long one in parts."""

NUDGE_SECONDS = 0.7
"""After this long without a picture, another is asked for. They take a tenth of that."""


class _Picture(msgspec.Struct):
    data: str


async def take_picture(session: Session, params: dict[str, Any]) -> bytes:
    """The PNG, whichever of the pictures asked for comes first."""
    first: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()

    def heard(outcome: Outcome) -> None:
        if not first.done():
            first.set_result(outcome)

    while not first.done():
        session.send(CAPTURE, params, on_reply=heard, seconds=SCREENSHOT_SECONDS)
        await asyncio.wait({first}, timeout=NUDGE_SECONDS)
    outcome = first.result()
    if not isinstance(outcome, Reply):
        raise outcome
    return base64.b64decode(outcome.read(_Picture).data)
