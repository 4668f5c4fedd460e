"""`tabwire stop` and `tabwire restart`: end the hub, and have a new one."""

import asyncio
import os
import signal
import sys
import time

from tabwire.hub import HubHolder as Holder
from tabwire.hub import LineLost, NoHub, ensure_hub, hub_answers, remote_hub
from tabwire.hub import hub_holder as holder
from tabwire.model.errors import TabwireError

GONE_SECONDS = 7.0  # a hub is gone within five, whatever hangs in it
LOOK_SECONDS = 0.02


class HubDoesNotEnd(TabwireError):
    """It hears neither words nor signals."""

    def __init__(self, pid: int) -> None:
        super().__init__(
            f"the hub (pid {pid}) does not stop",
            what_to_do=f"Check what it is doing with `tabwire logs`, then end it: kill -9 {pid}",
        )


def stop() -> None:
    """Stop the hub. The next hub resumes unfinished questions.

    No prompt is sent twice. A browser that Tabwire started is closed. Returns when the hub has
    exited, within five seconds.

    Examples:

      tabwire stop
    """
    found = holder()
    if found is None:
        print("the hub is not running", file=sys.stderr)
        return
    end(found, restart=False)
    print(f"hub stopped (pid {found.pid})", file=sys.stderr)


def restart() -> None:
    """Restart the hub with the current settings.

    A hub in a terminal or a service restarts in place. If no hub is running, one is started in
    the background.

    Examples:

      tabwire restart
    """
    found = holder()
    if found is not None:
        end(found, restart=True)
        until = time.monotonic() + GONE_SECONDS  # it starts itself anew, if it ended in order
        while holder() is not None and not hub_answers() and time.monotonic() < until:
            time.sleep(LOOK_SECONDS)
    ensure_hub()
    now = holder()
    print(f"hub running (pid {now.pid if now else 'unknown'})", file=sys.stderr)


def end(found: Holder, *, restart: bool) -> None:
    """Return when that hub is gone. Raises `HubDoesNotEnd`."""
    if not tell(restart=restart) and found.pid:
        os.kill(found.pid, signal.SIGTERM)  # it holds the lock, so this is its pid
    until = time.monotonic() + GONE_SECONDS
    while (now := holder()) is not None and _same(now, found):
        if time.monotonic() >= until:
            raise HubDoesNotEnd(found.pid)
        time.sleep(LOOK_SECONDS)


def tell(*, restart: bool) -> bool:
    """Whether it heard it."""

    async def told() -> None:
        async with asyncio.timeout(GONE_SECONDS):
            await remote_hub(start=False).shutdown(restart=restart)

    try:
        asyncio.run(told())
    except (NoHub, LineLost, TimeoutError):
        return False
    return True


def _same(one: Holder, other: Holder) -> bool:
    return (one.pid, one.started, one.since) == (other.pid, other.started, other.since)
