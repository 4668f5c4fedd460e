"""One reader per conversation at a time, though several tabs show it.

A lease belongs to one owner until it runs out; the same owner may renew it; only the owner
gives it back, and giving it back twice is once. Pure: time is an argument. The hub holds the
leases, so an extension's worker may die and come back without losing any. Whoever cannot
ask for one goes on without: two readings are better than none.
"""

from dataclasses import dataclass

LEASE_SECONDS = 5.0
GRACE_SECONDS = 0.5  # after the end, before another tries
MAX_LEASES = 2000


@dataclass(frozen=True, slots=True)
class Claim:
    """What became of a claim: whether we have it, else who does, and until when."""

    acquired: bool
    owner: str
    until: float


class Leases:
    """Leases by key; bounded, the soonest to run out goes first."""

    def __init__(self, most: int = MAX_LEASES) -> None:
        self._most = most
        self._held: dict[str, Claim] = {}

    def __len__(self) -> int:
        return len(self._held)

    def claim(self, key: str, owner: str, now: float, seconds: float = LEASE_SECONDS) -> Claim:
        """Have it, renew it, or learn who has it."""
        held = self._held.get(key)
        if held is not None and held.until > now and held.owner != owner:
            return Claim(False, held.owner, held.until)
        ours = self._held[key] = Claim(True, owner, now + max(seconds, 0.001))
        if len(self._held) > self._most:
            self._make_room(now, key)
        return ours

    def release(self, key: str, owner: str) -> bool:
        """Give it back; False where it was not ours, or not any more."""
        held = self._held.get(key)
        if held is None or held.owner != owner:
            return False
        del self._held[key]
        return True

    def holder(self, key: str, now: float) -> str | None:
        """Who has it now."""
        held = self._held.get(key)
        return held.owner if held is not None and held.until > now else None

    def _make_room(self, now: float, but: str) -> None:
        for key in [key for key, held in self._held.items() if held.until <= now]:
            del self._held[key]
        while len(self._held) > self._most:
            others = (key for key in self._held if key != but)
            del self._held[min(others, key=lambda key: self._held[key].until)]
