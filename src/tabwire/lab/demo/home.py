"""A home for the length of a block, so that nothing of the person's is read or written."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tabwire.hub.home import SETTING


@contextmanager
def borrowed_home() -> Iterator[Path]:
    """An empty TABWIRE_HOME inside the block; gone after it, and the person's own is back."""
    before = os.environ.get(SETTING)
    with tempfile.TemporaryDirectory(prefix="tabwire-home-") as folder:
        os.environ[SETTING] = folder
        try:
            yield Path(folder)
        finally:
            if before is None:
                del os.environ[SETTING]
            else:
                os.environ[SETTING] = before
