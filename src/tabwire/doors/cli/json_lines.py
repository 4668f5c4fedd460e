"""Objects on stdout, one per line."""

import sys
from collections.abc import Sequence
from typing import Any

import msgspec


def write(lines: Sequence[Any]) -> None:
    """One object per line."""
    for line in lines:
        try:
            data = msgspec.json.encode(line)
        except UnicodeEncodeError:  # half a surrogate pair, as pages send them: JSON has an escape
            import json

            data = json.dumps(msgspec.to_builtins(line)).encode()
        sys.stdout.buffer.write(data + b"\n")
