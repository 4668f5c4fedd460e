"""Any door starts the hub when there is none. Twenty at once start one.

Only whoever holds `spawn.lock` starts one; all others wait for it and find a hub that answers.
The hub is nobody's child: it leaves its parent behind, so that neither a terminal that closes
nor a client that is killed takes it along.
"""

import json
import os
import re
import selectors
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from tabwire.config.home import made, run_folder, usable_home
from tabwire.config.settings import log_path, settings
from tabwire.hub.process.lock import LOOK_SECONDS, socket_path, spawn_lock
from tabwire.hub.process.sockets import API, HAS_UNIX, knock
from tabwire.model.errors import Retry, TabwireError

START_SECONDS = 20.0  # until it listens; a quarter of a second on an idle machine
AFTERWARDS_SECONDS = 2.0  # for the hub of somebody else, because of which ours left
READY = b"ready\n"
OF_ONE_CLIENT = ("TABWIRE_AGENT_ID", "CAI_AGENT_ID")
"""Variables that speak of the door which happens to start the hub, and of no other."""

COMPLAINT = "tabwire: "  # how a command begins to say what stopped it
EXCEPTION = re.compile(r"[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt)\b")
MAX_TAIL = 4000  # bytes of the log that are looked at for the reason


class HubDidNotStart(TabwireError):
    """It was started, and it ended or kept silent."""

    def __init__(self, why: str, log: Path, what_to_do: str = "") -> None:
        super().__init__(
            f"the hub did not start: {why}",
            what_to_do=what_to_do
            or f"`tabwire logs` shows what it wrote ({log}); `tabwire serve` starts it in this "
            "terminal.",
            retry=Retry.SAME,
        )


def ensure_hub(seconds: float = START_SECONDS) -> None:
    """Return when a hub answers; there was one, or it was started. Raises `HubDidNotStart`, and
    `BadSetting` where the settings or the home cannot be used."""
    if hub_answers():
        return
    log = log_path(settings())
    until = time.monotonic() + seconds
    with usable_home(), spawn_lock(seconds) as ours:
        if hub_answers():
            return
        if not ours:
            raise HubDidNotStart(f"another process has been starting it for {seconds:.0f} s", log)
        why, what_to_do = _start(log, until)
        until = min(until, time.monotonic() + AFTERWARDS_SECONDS) if why else until
        while not hub_answers():
            if time.monotonic() >= until:
                why = why or f"it does not respond after {seconds:.0f} s"
                raise HubDidNotStart(why, log, what_to_do)
            time.sleep(LOOK_SECONDS)


def hub_answers() -> bool:
    """Whether there is a hub to talk to."""
    if HAS_UNIX:
        return knock(socket_path(API))
    from tabwire.hub.process.loopback import connected

    found = connected(run_folder())
    if found is not None:
        found.close()
    return found is not None


def tell_failure(error: Exception) -> None:
    """From a hub that does not start to whoever started it: its log may be what cannot be
    written. Nobody hears it any more when the hub has said that it listens."""
    said = str(error) if isinstance(error, TabwireError) else f"{type(error).__name__}: {error}"
    told = {"failed": said, "what_to_do": getattr(error, "what_to_do", "")}
    with suppress(OSError):
        os.write(1, json.dumps(told).encode() + b"\n")


def _start(log: Path, until: float) -> tuple[str, str]:
    """Start one and wait until it says that it listens. Nothing, or why it did not, and what to
    do about it where that is known."""
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
        return str(exc), ""
    finally:
        os.close(file)
    said = b""
    with starting:  # it forks at once and ends; what it forked is the hub
        assert starting.stdout is not None
        with selectors.DefaultSelector() as waiting:
            waiting.register(starting.stdout, selectors.EVENT_READ)
            while waiting.select(max(0.0, until - time.monotonic())):
                chunk = os.read(starting.stdout.fileno(), 4096)
                said += chunk
                if READY.strip() in said:
                    return "", ""
                if not chunk:
                    return _told_failure(said) or _last_words(log, began)
        if starting.poll() is None:
            starting.kill()
    return "it does not report that it is listening", ""


def _told_failure(said: bytes) -> tuple[str, str] | None:
    from tabwire.config.redaction import without_secrets

    try:
        told = json.loads(said)
        return without_secrets(told["failed"]), without_secrets(told["what_to_do"])
    except (ValueError, KeyError, TypeError):
        return None


def last_failure() -> tuple[str, str] | None:
    """Why a hub ended that did say it listens: what it complained of, and what to do about it."""
    try:
        why = _last_words(log_path(settings()), 0)
    except (OSError, TabwireError):
        return None
    return why if why[1] else None


def _last_words(log: Path, began: int) -> tuple[str, str]:
    """What it wrote to the log before it ended: its complaint and the line after it, which says
    what to do; else the name of the exception that ended it."""
    from tabwire.config.redaction import without_secrets

    with open(log, "rb") as lines:
        lines.seek(max(began, os.fstat(lines.fileno()).st_size - MAX_TAIL))
        text = without_secrets(lines.read().decode("utf-8", "replace"))
    said = [line.rstrip() for line in text.splitlines()]
    for place in reversed(range(len(said))):
        if said[place].startswith(COMPLAINT):
            after = said[place + 1] if place + 1 < len(said) else ""
            return said[place].removeprefix(COMPLAINT), after
    named = [line for line in said if EXCEPTION.match(line)]
    return (named[-1] if named else "it exited without an error message"), ""
