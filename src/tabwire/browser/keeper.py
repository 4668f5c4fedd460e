"""The small program between us and a browser we started. It outlives us, to clean up.

Theory of operation. We start `python -m tabwire.browser.keeper` and hold the other end of its
stdin; the first line there is the order. The keeper starts the browser as its own child and
waits for whichever comes first: the browser ends, or its stdin does. The latter happens when we
ask it to stop and also when we are killed, because the system closes what a process held. Then
the browser is asked to end, killed when it does not, the rest of its processes are ended, and
the folder of the launch is removed.

On Linux orphans of the browser become the keeper's children, so that even a crash handler
that left its session is found; and the browser is told to end should the keeper itself be
killed. On macOS its process group is ended besides the family tree; on Windows there is the
tree alone, and Chromium's helpers, which end when they no longer hear from it.

stdout carries our reports, one JSON object per line. stderr is the browser's, as it is.
"""

import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import psutil

LINGER_SECONDS = 1.0  # for the network process to write cookies down after the browser ended
BURY_SECONDS = 1.0  # a killed process is gone within milliseconds unless the disk hangs
ROUNDS = 5  # of killing what is left: a dying process may just have started another

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def main() -> int:
    """Keep one browser from its start until nothing of it is left."""
    stop, over = threading.Event(), threading.Event()
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        if number := getattr(signal, name, None):
            signal.signal(number, lambda *_: stop.set())
    order = _read_order()
    if order is None:
        return 1
    try:
        return _keep(order, stop, over)
    finally:
        shutil.rmtree(order["scratch"], ignore_errors=True)
        _say(report="gone")


def _keep(order: dict[str, Any], stop: threading.Event, over: threading.Event) -> int:
    prctl = _prctl()
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    try:
        browser = subprocess.Popen(
            order["command"],
            env={**os.environ, **order["environment"]},
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr.fileno(),
            start_new_session=True,
            # one thread as yet, and nothing in it but a call to the system
            preexec_fn=(lambda: prctl(PR_SET_PDEATHSIG, signal.SIGTERM))
            if sys.platform == "linux"
            else None,
        )
    except (OSError, ValueError) as exc:
        _say(report="failed", why=getattr(exc, "strerror", None) or str(exc))
        return 1
    _say(report="started", pid=browser.pid)
    threading.Thread(target=_watch_lifeline, args=(stop,), daemon=True).start()
    ending = (browser, stop, over, order["grace_seconds"])
    threading.Thread(target=_end_when_told, args=ending, daemon=True).start()
    code = browser.wait()
    _say(report="exited", code=code)
    over.set()
    _end_the_rest(0.0 if order["temporary"] else LINGER_SECONDS)
    if sys.platform == "darwin":
        with suppress(OSError):  # nobody left in it
            os.killpg(browser.pid, signal.SIGKILL)
    return 0


def _read_order() -> dict[str, Any] | None:
    held = b""
    while b"\n" not in held:
        chunk = os.read(0, 65536)
        if not chunk:
            return None  # whoever started us is gone before it said what it wants
        held += chunk
    order: dict[str, Any] = json.loads(held)
    return order


def _watch_lifeline(stop: threading.Event) -> None:
    while os.read(0, 4096):
        pass
    stop.set()


def _end_when_told(
    browser: "subprocess.Popen[bytes]", stop: threading.Event, over: threading.Event, grace: float
) -> None:
    stop.wait()
    browser.terminate()
    if not over.wait(grace):
        browser.kill()


def _end_the_rest(linger_seconds: float) -> None:
    me = psutil.Process()
    psutil.wait_procs(me.children(recursive=True), timeout=linger_seconds)
    for _ in range(ROUNDS):
        left = me.children(recursive=True)
        if not left:
            return
        for process in left:
            try:
                process.kill()
            except psutil.NoSuchProcess:
                continue
        psutil.wait_procs(left, timeout=BURY_SECONDS)


def _prctl() -> Callable[[int, int], object]:
    if sys.platform != "linux":
        return lambda _option, _value: None
    library = ctypes.CDLL(None, use_errno=True)
    return lambda option, value: library.prctl(option, value, 0, 0, 0)


def _say(**report: object) -> None:
    try:
        os.write(1, json.dumps(report).encode() + b"\n")
    except OSError:
        return  # nobody listens any more: that is when we are needed most


if __name__ == "__main__":
    code = main()
    os._exit(code)  # a thread may still wait for stdin
