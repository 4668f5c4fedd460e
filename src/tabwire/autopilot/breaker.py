"""At most three retries in 60 seconds, then none: a loop that only looks like work is ended."""

from collections import deque

MOST = 3
IN_SECONDS = 60.0


class Breaker:
    """Counts what tries again, in one window. Time is an argument (monotonic)."""

    def __init__(self, most: int = MOST, seconds: float = IN_SECONDS) -> None:
        self._most = most
        self._seconds = seconds
        self._at: deque[float] = deque()
        self.broken = False

    def lets(self, now: float) -> bool:
        """Whether one more may be tried. Once it may not, none may until `mend`."""
        while self._at and now - self._at[0] >= self._seconds:
            self._at.popleft()
        if len(self._at) >= self._most:
            self.broken = True
        return not self.broken

    def tried(self, now: float) -> None:
        """One was tried."""
        self._at.append(now)

    def mend(self) -> None:
        """A person looked at it: from now on it counts anew."""
        self._at.clear()
        self.broken = False
