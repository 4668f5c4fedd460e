"""A home for the length of a block, so that nothing of the person's is read or written."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tabwire.config.home import SETTING


@contextmanager
def borrowed_home() -> Iterator[Path]:
    """An empty TABWIRE_HOME inside the block; gone after it, and the person's own is back."""
    with (
        tempfile.TemporaryDirectory(prefix="tabwire-home-") as folder,
        set_variable(SETTING, folder),
    ):
        yield Path(folder)


@contextmanager
def set_variable(name: str, value: str) -> Iterator[None]:
    """A variable of the environment inside the block; after it, as it was."""
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before
