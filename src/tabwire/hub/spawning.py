"""Any door starts the hub when there is none. Twenty at once start one.

Only whoever holds `spawn.lock` starts one; all others wait for it and find a hub that answers.
The hub is nobody's child: it leaves its parent behind, so that neither a terminal that closes
nor a client that is killed takes it along.
"""

import os
import selectors
import subprocess
import sys
import time
from pathlib import Path

from tabwire.hub.config import log_path, settings
from tabwire.hub.home import made, run_folder
from tabwire.hub.lock import LOOK_SECONDS, socket_path, spawn_lock
from tabwire.hub.sockets import API, HAS_UNIX, knock
from tabwire.model.errors import Retry, TabwireError

START_SECONDS = 20.0  # until it listens; a quarter of a second on an idle machine
AFTERWARDS_SECONDS = 2.0  # for the hub of somebody else, because of which ours left
READY = b"ready\n"
OF_ONE_CLIENT = ("TABWIRE_AGENT_ID", "CAI_AGENT_ID")
"""Variables that speak of the door which happens to start the hub, and of no other."""

MAX_TAIL = 4000  # bytes of the log that are looked at for the reason


class HubDidNotStart(TabwireError):
    """It was started, and it ended or kept silent."""

    def __init__(self, why: str, log: Path) -> None:
        super().__init__(
            f"the hub did not start: {why}",
            what_to_do=f"`tabwire logs` shows what it wrote ({log}); `tabwire serve` starts it "
            "before your eyes.",
            retry=Retry.SAME,
        )


def ensure_hub(seconds: float = START_SECONDS) -> None:
    """Return when a hub answers; there was one, or it was started. Raises `HubDidNotStart`."""
    if hub_answers():
        return
    log = log_path(settings())
    until = time.monotonic() + seconds
    with spawn_lock(seconds) as ours:
        if hub_answers():
            return
        if not ours:
            raise HubDidNotStart(f"somebody else has been starting it for {seconds:.0f} s", log)
        why = _start(log, until)
        until = min(until, time.monotonic() + AFTERWARDS_SECONDS) if why else until
        while not hub_answers():
            if time.monotonic() >= until:
                raise HubDidNotStart(why or f"it does not answer after {seconds:.0f} s", log)
            time.sleep(LOOK_SECONDS)


def hub_answers() -> bool:
    """Whether there is a hub to talk to."""
    if HAS_UNIX:
        return knock(socket_path(API))
    from tabwire.hub.loopback import connected

    found = connected(run_folder())
    if found is not None:
        found.close()
    return found is not None


def _start(log: Path, until: float) -> str:
    """Start one and wait until it says that it listens. Nothing, or why it did not."""
    made(log.parent)
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    began = os.fstat(file).st_size
    detached = 0x00000208 if sys.platform == "win32" else 0  # detached, and a group of its own
    try:
        starting = subprocess.Popen(
            [sys.executable, "-m", "tabwire", "serve", "--on-demand"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=file,
            cwd=run_folder(),
            env={name: one for name, one in os.environ.items() if name not in OF_ONE_CLIENT},
            start_new_session=True,
            creationflags=detached,
        )
    except OSError as exc:
        return str(exc)
    finally:
        os.close(file)
    with starting:  # it forks at once and ends; what it forked is the hub
        assert starting.stdout is not None
        with selectors.DefaultSelector() as waiting:
            waiting.register(starting.stdout, selectors.EVENT_READ)
            while waiting.select(max(0.0, until - time.monotonic())):
                said = os.read(starting.stdout.fileno(), 4096)
                if READY.strip() in said:
                    return ""
                if not said:
                    return _last_words(log, began)
        if starting.poll() is None:
            starting.kill()
    return "it does not say that it listens"


def _last_words(log: Path, began: int) -> str:
    """What it wrote to the log before it ended."""
    from tabwire.hub.withheld import without_secrets

    with open(log, "rb") as lines:
        lines.seek(max(began, os.fstat(lines.fileno()).st_size - MAX_TAIL))
        text = lines.read().decode("utf-8", "replace")
    said = [line.strip() for line in text.splitlines() if line.startswith("tabwire: ")]
    said = said or [line.strip() for line in text.splitlines() if line.strip()]
    return without_secrets(said[-1].removeprefix("tabwire: ")) if said else "it said nothing"
