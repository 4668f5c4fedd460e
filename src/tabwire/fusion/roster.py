"""A bounded book: the oldest that can be spared goes first, and it warns before it is full."""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from tabwire.fusion.profile import WARN_SHARE

V = TypeVar("V")


class Roster(Generic[V]):
    """Values by name, newest last. `spare` says which may be forgotten before others."""

    def __init__(self, name: str, cap: int, spare: Callable[[V], bool] | None = None) -> None:
        self._name = name
        self._cap = cap
        self._spare = spare
        self._values: dict[str, V] = {}

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._values))

    def get(self, key: str) -> V | None:
        """The value, or None."""
        return self._values.get(key)

    def values(self) -> tuple[V, ...]:
        """Every value, oldest first."""
        return tuple(self._values.values())

    def put(self, key: str, value: V) -> list[tuple[str, V]]:
        """Keep a value as the newest; what had to be forgotten for it."""
        self._values.pop(key, None)
        self._values[key] = value
        forgotten: list[tuple[str, V]] = []
        while len(self._values) > self._cap:
            others = [k for k in self._values if k != key]
            victim = next((k for k in others if self._can_go(k)), others[0])
            forgotten.append((victim, self._values.pop(victim)))
        return forgotten

    def set(self, key: str, value: V) -> None:
        """Change a value that is there, in its place."""
        if key in self._values:
            self._values[key] = value

    def pop(self, key: str) -> V | None:
        """Forget one."""
        return self._values.pop(key, None)

    def warning(self) -> str | None:
        """A sentence when the book is nearly full."""
        if len(self._values) < self._cap * WARN_SHARE:
            return None
        return f"{self._name}: {len(self._values)} of {self._cap}"

    def _can_go(self, key: str) -> bool:
        return self._spare is None or self._spare(self._values[key])
