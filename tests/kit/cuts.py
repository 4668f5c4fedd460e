"""Ways to cut the same bytes, or text, for tests that say the cut must not matter."""

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import TypeVar

Cut = TypeVar("Cut", bytes, str)


def every_cut(data: Cut) -> Iterator[list[Cut]]:
    """Whole, one by one, and every two-way split."""
    yield [data]
    yield [data[i : i + 1] for i in range(len(data))]
    for at in range(1, len(data)):
        yield [data[:at], data[at:]]


def random_cuts(data: bytes, seed: int, pieces: int = 12) -> list[bytes]:
    """A seeded cut into up to `pieces` parts, empty ones among them."""
    rng = random.Random(seed)
    marks = sorted(rng.randint(0, len(data)) for _ in range(pieces - 1))
    edges = [0, *marks, len(data)]
    return [data[a:b] for a, b in pairwise(edges)]
