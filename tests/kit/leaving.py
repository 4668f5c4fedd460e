"""A page that is made to leave by a script of its own.

Chromium may be faster at the next page than at the reply of the script that asked for it, and
then says `Inspected target navigated or closed` in its place: that is leaving, not failing.
"""

from tabwire.cdp.connection import Session
from tabwire.cdp.errors import CommandFailed

LEFT = "Inspected target navigated or closed"


async def leave(session: Session, script: str) -> None:
    """Run what leads away from this page. Whoever calls waits for what comes next."""
    try:
        said = await session.call("Runtime.evaluate", {"expression": script})
    except CommandFailed as error:
        if error.said != LEFT:
            raise
    else:
        assert "exceptionDetails" not in said, said
