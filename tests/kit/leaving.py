"""A page that leaves while something is asked of it.

Chromium may be faster at the next page than at the reply of a script in this one, and then says
that the page is gone in its place: that is leaving, not failing. Or it says nothing at all, so
one call never gets the time of a whole wait: after `LOOK_SECONDS` the same is asked again.
"""

import asyncio
from typing import Any

from tabwire.cdp.connection import Session
from tabwire.cdp.errors import CommandFailed, CommandTimedOut

LOOK_SECONDS = 10.0  # for one call of a wait; well under any wait's own bound

LEFT = frozenset(
    {
        "Inspected target navigated or closed",
        "Execution context was destroyed.",
        "Cannot find default execution context",
    }
)


async def leave(session: Session, script: str) -> None:
    """Run what leads away from this page. Whoever calls waits for what comes next."""
    try:
        said = await session.call("Runtime.evaluate", {"expression": script})
    except CommandFailed as error:
        if error.said not in LEFT:
            raise
    else:
        assert "exceptionDetails" not in said, said


async def looked(session: Session, how: dict[str, Any], *, seconds: float) -> Any:
    """What `Runtime.evaluate` says of an expression that changes nothing, in whichever page is
    there: of one that leaves meanwhile, or never replies, the next is asked."""
    async with asyncio.timeout(seconds):
        while True:
            try:
                return await session.call("Runtime.evaluate", how, seconds=LOOK_SECONDS)
            except CommandTimedOut:
                continue
            except CommandFailed as error:
                if error.said not in LEFT:
                    raise
