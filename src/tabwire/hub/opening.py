"""Where a door outside the hub's process gets its hub: one way for each thing it may want.

What a function uses is imported when it is called: some commands start no hub, and most need one.
"""

from typing import TYPE_CHECKING

from tabwire.hub.interface import Hub, Say

if TYPE_CHECKING:
    from tabwire.hub.process_interface import RunningHub


def local_hub() -> Hub:
    """A hub in this process: what it opens is open for the length of each call."""
    from tabwire.hub.local.hub import LocalHub

    return LocalHub()


def remote_hub(*, start: bool = True) -> "RunningHub":
    """The hub of this person in another process. `start`: where none runs, one is started."""
    from tabwire.hub.remote.hub import RemoteHub

    return RemoteHub(start=start)


async def open_hub(browser: str | None = None, *, say: Say) -> Hub:
    """The hub to ask through: that of this person where it is to be used, else one of our own.
    `say` is called with the reason where a hub cannot be used."""
    from tabwire.hub.remote.asks import hub_for

    return await hub_for(browser, say=say) or local_hub()
