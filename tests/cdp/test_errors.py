"""Every error of the room says its three facts, and is drawn in the tree."""

import ast
import inspect

import pytest

from tabwire.cdp import errors
from tabwire.cdp.errors import (
    CannotConnect,
    CommandFailed,
    CommandTimedOut,
    ConnectionClosed,
    ConnectionLost,
    LineFull,
    Malformed,
    SessionLost,
)
from tabwire.model.errors import Retry

SAID = [
    (CannotConnect("127.0.0.1:9222", "refused"), Retry.SAME),
    (CommandFailed("A.b", -32000, "no", "because"), Retry.NO),
    (CommandTimedOut("A.b", 4), Retry.RESUME),
    (LineFull(64_000_000, "A.b"), Retry.SAME),
    (Malformed("A.b", "not JSON"), Retry.RESUME),
    (SessionLost("S", "A.b"), Retry.RESUME),
    (SessionLost("S", "A.b", sent=False), Retry.SAME),
    (ConnectionLost("cut", "A.b"), Retry.RESUME),
    (ConnectionLost("cut", "A.b", sent=False), Retry.SAME),
    (ConnectionClosed("Tabwire closed", "A.b"), Retry.RESUME),
]


@pytest.mark.parametrize("error, retry", SAID, ids=[type(error).__name__ for error, _ in SAID])
def test_an_error_carries_its_three_facts(error, retry):
    assert str(error)
    assert error.what_to_do.endswith(".")
    assert error.retry is retry
    if error.command:
        assert str(error).startswith("A.b: ")


def test_a_browser_that_repeats_a_whole_script_is_cut_short():
    assert len(str(CommandFailed("A.b", -1, "x" * 100_000))) < 400


def test_the_tree_of_errors_is_drawn_in_the_docstring():
    classes = [
        node.name
        for node in ast.parse(inspect.getsource(errors)).body
        if isinstance(node, ast.ClassDef)
    ]
    assert errors.__doc__ is not None
    assert [name for name in classes if name not in errors.__doc__] == []
