"""That something changed, for whoever shows how things are and looks again then."""

import asyncio


class Changes:
    """Counts them. Whoever saw the first so many is woken by the next one."""

    def __init__(self) -> None:
        self._count = 0
        self._next = asyncio.Event()

    def one(self) -> None:
        """One more. Wakes everybody who waits, and waits for nobody."""
        self._count += 1
        woken, self._next = self._next, asyncio.Event()
        woken.set()

    async def after(self, seen: int) -> int:
        """How many there are, when there are more than these."""
        while self._count <= seen:
            await self._next.wait()
        return self._count
