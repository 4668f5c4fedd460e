"""Keeps a terminal from writing `^C` into a picture that is being drawn on it."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

LOCAL_FLAGS = 3  # where `termios` keeps them in its list


@contextmanager
def unechoed() -> Iterator[None]:
    """In the block, a key that sends a signal leaves no mark. No terminal: nothing is done."""
    try:
        import termios
    except ImportError:  # Windows
        yield
        return
    try:
        place = sys.stdin.fileno()
        # In the background a program that sets the terminal is stopped by the system.
        ours = os.isatty(place) and os.tcgetpgrp(place) == os.getpgrp()
        before = termios.tcgetattr(place) if ours else None
    except (OSError, ValueError, AttributeError, termios.error):  # closed, or none at all
        before = None
    if before is None:
        yield
        return
    changed = [*before]
    changed[LOCAL_FLAGS] = before[LOCAL_FLAGS] & ~termios.ECHOCTL
    termios.tcsetattr(place, termios.TCSANOW, changed)
    try:
        yield
    finally:
        termios.tcsetattr(place, termios.TCSANOW, before)
