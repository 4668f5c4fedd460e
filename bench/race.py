"""Contestants timed in turns, so that a busy machine is unfair to all alike."""

import ctypes
import gc
import sys
import time
from collections.abc import Callable
from statistics import median

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # glibc's own numbers for them

Contestant = Callable[[], object]


def pair_of(rounds: int, ours: Contestant, baseline: Contestant) -> tuple[float, float]:
    """CPU seconds of both, from the round whose ratio is the median of all rounds.

    A machine shared with others is slow for seconds at a time. Two that run one after the
    other share their luck, so a ratio is taken inside each round, never across rounds.
    """
    times = in_turns(rounds, ours, baseline, clock=time.process_time)
    pairs = sorted(zip(*times, strict=True), key=lambda pair: pair[0] / pair[1])
    return pairs[len(pairs) // 2]


def median_of(rounds: int, *contestants: Contestant) -> list[float]:
    """Each one's median time in seconds: for whole processes, whose best is luck."""
    return [median(times) for times in in_turns(rounds, *contestants)]


def in_turns(
    rounds: int, *contestants: Contestant, clock: Callable[[], float] = time.perf_counter
) -> list[list[float]]:
    """Every contestant once a round, the first round being practice."""
    keep_memory()
    times: list[list[float]] = [[] for _ in contestants]
    enabled = gc.isenabled()
    gc.disable()  # a collection belongs to nobody in particular
    try:
        for turn in range(rounds + 1):
            for contestant, kept in zip(contestants, times, strict=True):
                began = clock()
                contestant()
                took = clock() - began
                if turn:
                    kept.append(took)
            gc.collect()
    finally:
        if enabled:
            gc.enable()
    return times


def keep_memory() -> None:
    """Let the C library keep what is freed, where it is glibc.

    It gives large pieces back to the system, and whoever needs them next pays for fetching
    them again: the longer contestant for itself, the shorter one not at all.
    """
    if sys.platform == "linux":
        library = ctypes.CDLL(None)
        for option in (M_TRIM_THRESHOLD, M_MMAP_THRESHOLD):
            getattr(library, "mallopt", lambda *_: 0)(option, 1 << 30)
