"""What runs in `make test` of a matrix, and what is left to `make soak`.

A matrix of sites, layouts or languages shows its worth once in a while; a few of its rows are
enough to see that nothing broke. The test itself says so: `@pytest.mark.rows(3, first=1)` lets
three of its rows run, evenly spread from the second on, `by_turns` thins one of several
parameters, and `@pytest.mark.soak` sets the whole test aside. `guard_kit/named.py` runs those
that are named all the same.
"""

import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest


def leave_rows_to_soak(items: Sequence[pytest.Item]) -> None:
    """Mark `soak` what the mark `rows` at a test sets aside: all but so many, evenly spread.

    Rows that are set aside for another reason (a transport, a site by turns) are not counted.
    """
    matrices: dict[tuple[Path, str], list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("rows") and item.get_closest_marker("soak") is None:
            name = getattr(item, "originalname", item.name)
            matrices.setdefault((item.path, name), []).append(item)
    for rows in matrices.values():
        mark = next(rows[0].iter_markers("rows"))
        due = _spread(len(rows), *mark.args, **mark.kwargs)
        for at, item in enumerate(rows):
            if at not in due:
                item.add_marker(pytest.mark.soak)


def _spread(length: int, count: int, *, first: int = 0) -> set[int]:
    """So many places of a row of this length, evenly spread from the first on."""
    count = min(count, length)
    return {(first + step * length // count) % length for step in range(count)}


def by_turns(name: str, values: Sequence[Any], count: int = 1) -> list[Any]:
    """All values as parameters; all but `count` of them, chosen by the name, only in soaks."""
    first = zlib.crc32(name.encode())
    chosen = {(first + step) % len(values) for step in range(count)}
    params = []
    for at, value in enumerate(values):
        given = value if isinstance(value, tuple) else (value,)
        params.append(pytest.param(*given, marks=() if at in chosen else pytest.mark.soak))
    return params
