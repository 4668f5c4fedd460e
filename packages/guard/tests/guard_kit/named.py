"""A test that is named on the command line runs, although `-m "not soak"` leaves its like out."""

from collections.abc import Sequence
from pathlib import Path

import pytest

BY_DEFAULT = "not soak"
"""The `-m` of pyproject.toml, which everybody gets who gives none."""


def run_what_is_named(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is set aside for `make soak`, except tests named on the command line.

    `-m` cannot do this: it would drop a test without a word although its node id was given.
    """
    if config.option.markexpr != BY_DEFAULT:
        return
    config.option.markexpr = ""
    folder = config.invocation_params.dir
    given = [_node(argument) for argument in config.args]
    named = [((folder / path).resolve(), name) for path, name in given if name]
    kept: list[pytest.Item] = []
    left_out: list[pytest.Item] = []
    for item in items:
        aside = item.get_closest_marker("soak") is not None and not _is_named(item, named)
        (left_out if aside else kept).append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept


def _node(argument: str) -> tuple[str, str]:
    """A path, and the name of a test in it with its row; a row may contain `::` itself."""
    before, bracket, row = argument.partition("[")
    path, _, name = before.partition("::")
    return path, name + bracket + row


def _is_named(item: pytest.Item, named: Sequence[tuple[Path, str]]) -> bool:
    """Whether the item, its function or its class is one of these."""
    _, own = _node(item.nodeid)
    return any(
        item.path == path and (own == name or own.startswith((f"{name}[", f"{name}::")))
        for path, name in named
    )
