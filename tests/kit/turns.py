"""What runs in `make test` of a matrix, and what is left to `make soak`.

A matrix of sites, layouts or languages shows its worth once in a while; one of each row, by
turns, is enough to see that nothing broke.
"""

import zlib
from collections.abc import Sequence
from typing import Any

import pytest


def by_turns(name: str, values: Sequence[Any], count: int = 1) -> list[Any]:
    """All values as parameters; all but `count` of them, chosen by the name, only in soaks."""
    first = zlib.crc32(name.encode())
    chosen = {(first + step) % len(values) for step in range(count)}
    params = []
    for at, value in enumerate(values):
        given = value if isinstance(value, tuple) else (value,)
        params.append(pytest.param(*given, marks=() if at in chosen else pytest.mark.soak))
    return params
