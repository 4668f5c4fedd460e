"""Which process is meant: its pid, and when it started.

A pid alone comes round again. On Linux the start is counted in ticks since the machine
started, because a start told in clock time moves when the clock is set.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import psutil


@dataclass(frozen=True, slots=True)
class Mark:
    """One process and no other that may get its pid later."""

    pid: int
    started: str


def mark_of(pid: int) -> Mark | None:
    """The mark of a running process, or None: it is gone, or dead and not yet buried."""
    try:
        started = _start_of(pid)
    except (OSError, IndexError, psutil.Error):
        return None
    return None if started is None else Mark(pid, started)


def is_running(mark: Mark) -> bool:
    """Whether exactly this process still runs."""
    return mark_of(mark.pid) == mark


def command_of(pid: int) -> tuple[str, ...]:
    """With what it was started; empty where that cannot be known."""
    try:
        return tuple(psutil.Process(pid).cmdline())
    except psutil.Error:
        return ()


def kill_started_with(argument: str) -> int:
    """Kill every process started with exactly this argument; how many there were."""
    killed = 0
    for process in psutil.process_iter():
        try:
            if argument in process.cmdline():
                process.kill()
                killed += 1
        except psutil.Error:
            continue  # gone meanwhile, or another person's
    return killed


def kill_tree(pid: int) -> None:
    """Kill a process and all that descend from it, parents first, so that none is replaced."""
    try:
        top = psutil.Process(pid)
        family = [top, *top.children(recursive=True)]
    except psutil.Error:
        return
    for process in family:
        try:
            process.kill()
        except psutil.Error:
            continue


if sys.platform == "linux":

    def _start_of(pid: int) -> str | None:
        # the name, in brackets, may hold spaces and brackets of its own
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return None if fields[0] in "ZX" else f"tick {fields[19]}"

else:

    def _start_of(pid: int) -> str | None:
        process = psutil.Process(pid)
        dead = process.status() == psutil.STATUS_ZOMBIE
        return None if dead else f"{process.create_time():.2f}"
