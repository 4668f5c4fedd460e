"""A hub process whose doors are real and whose jobs are scripted, with one thing wrong in it.

    python -m kit.daemon_child FAULT

The first line it prints is `ready`; then come `open` and whatever the end was. `FAULT` is the
name of a function here.
"""

import asyncio
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from kit.mcp_jobs import scripted_hub
from tabwire.config.logs import open_log
from tabwire.config.settings import Settings, log_path, told_settings
from tabwire.doors.http.serving import HttpDoor
from tabwire.hub.local.hub import LocalHub
from tabwire.hub.process import daemon
from tabwire.hub.process.daemon import Ending, run_hub
from tabwire.hub.process.sockets import Sockets
from tabwire.model.errors import TabwireError

FAR = 3600.0


async def nothing() -> None:
    """All is well."""


async def waits_for_ever() -> None:
    """Clean-up that waits for what never comes, and does not let itself be cancelled."""
    while True:
        try:
            await asyncio.sleep(FAR)
        except asyncio.CancelledError:
            continue


async def blocks_the_loop() -> None:
    """Clean-up in which nothing else runs any more."""
    time.sleep(FAR)


async def leaves_a_thread() -> None:
    """Clean-up that ends, and a thread that does not."""
    threading.Thread(target=time.sleep, args=(FAR,)).start()


async def fails_to_clean() -> None:
    """Clean-up that raises."""
    raise RuntimeError("clean-up failed")


async def does_not_start() -> None:
    """Told apart by its name: raised before the hub is there."""


FAULTS: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {
    one.__name__: one
    for one in (
        nothing,
        waits_for_ever,
        blocks_the_loop,
        leaves_a_thread,
        fails_to_clean,
        does_not_start,
    )
}


def main(fault: str) -> int:
    """Be that hub."""

    @asynccontextmanager
    async def build(_now: Settings) -> AsyncIterator[LocalHub]:
        if fault == "does_not_start":
            raise TabwireError("the store cannot be opened", what_to_do="Mend it.")
        try:
            yield scripted_hub()
        finally:
            await FAULTS[fault]()

    def doors(hub: LocalHub, sockets: Sockets, ending: Ending) -> list[Any]:
        async def open_now() -> None:
            print("open", flush=True)

        return [HttpDoor(hub, sockets, ending).serve(), open_now()]

    def ready(_sockets: Sockets) -> None:
        open_log("debug", file=log_path(told.settings))
        print("ready", flush=True)

    if not FAULTS[fault].__doc__.startswith("Clean-up"):  # type: ignore[union-attr]
        daemon.CLEAN_SECONDS = daemon.GONE_SECONDS = 60.0  # a busy machine hangs by itself
    told = told_settings()
    try:
        ended = run_hub(told, doors, build=build, on_demand="--on-demand" in sys.argv, ready=ready)
    except TabwireError as error:
        print(f"failed: {error}", flush=True)
        return 1
    print(f"ended: {ended.why}, restart: {ended.restart}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
