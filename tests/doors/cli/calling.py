"""`tabwire` in this process, as `__main__` runs it."""

import pytest

from tabwire.__main__ import main


def called(monkeypatch, capfdbinary, *arguments):
    """(exit code, stdout, stderr in one line with its frames taken off)."""
    monkeypatch.setattr("sys.argv", ["tabwire", *arguments])
    with pytest.raises(SystemExit) as left:
        main()
    out, err = capfdbinary.readouterr()
    return left.value.code or 0, out.decode(), " ".join(err.decode().replace("│", " ").split())
