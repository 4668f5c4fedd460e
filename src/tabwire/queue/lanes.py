"""Whose turn it is: at most so many at a time in a lane, the lowest position first.

Both engines stand on this. A place is taken when a job becomes known, also one whose work comes
a moment later, as after a restart; so the order holds whoever arrives first.
"""

import asyncio
from dataclasses import dataclass, field


@dataclass(slots=True)
class Place:
    """Where one job stands."""

    turn: asyncio.Event = field(default_factory=asyncio.Event)
    left: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(slots=True)
class Lane:
    """One lane: who waits, and how many are at work."""

    width: int
    waiting: list[tuple[int, str]] = field(default_factory=list)
    busy: set[str] = field(default_factory=set)


class Lanes:
    """All lanes, each of the same width."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._lanes: dict[str, Lane] = {}
        self._places: dict[str, Place] = {}

    def take_place(self, job_id: str, lane: str, position: int) -> bool:
        """Join the lane. False: it stands there already."""
        if job_id in self._places:
            return False
        self._places[job_id] = Place()
        line = self._lanes.setdefault(lane, Lane(self._width))
        line.waiting.append((position, job_id))
        self._call(line)
        return True

    async def turn(self, job_id: str) -> None:
        """Wait until it is its turn."""
        await self._places[job_id].turn.wait()

    async def gone(self, job_id: str) -> None:
        """Wait until it has left."""
        if (place := self._places.get(job_id)) is not None:
            await place.left.wait()

    def leave(self, job_id: str) -> None:
        """It is done, or no longer wanted: the next one comes. Idempotent."""
        if (place := self._places.pop(job_id, None)) is None:
            return
        place.left.set()
        for name, line in list(self._lanes.items()):
            line.busy.discard(job_id)
            line.waiting = [one for one in line.waiting if one[1] != job_id]
            self._call(line)
            if not line.busy and not line.waiting:
                del self._lanes[name]

    def __contains__(self, job_id: object) -> bool:
        return job_id in self._places

    def _call(self, line: Lane) -> None:
        while line.waiting and len(line.busy) < line.width:
            first = min(line.waiting)
            line.waiting.remove(first)
            _position, job_id = first
            line.busy.add(job_id)
            self._places[job_id].turn.set()
