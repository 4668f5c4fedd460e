"""Every error says what happened, what to do, and whether to try again."""

import ast
import inspect

from tabwire.model import errors
from tabwire.model.errors import Retry, TabwireError, Unreadable


def test_an_error_carries_its_three_facts() -> None:
    error = TabwireError("it broke", what_to_do="mend it", retry=Retry.RESUME, site="grok")
    assert (str(error), error.what_to_do, error.retry, error.site) == (
        "it broke",
        "mend it",
        Retry.RESUME,
        "grok",
    )


def test_unreadable_says_what_can_be_read() -> None:
    error = Unreadable("the file is empty")
    assert "tabwire parse --help" in error.what_to_do
    assert error.retry is Retry.NO


def test_the_tree_of_errors_is_drawn_in_the_docstring() -> None:
    classes = [
        node.name
        for node in ast.parse(inspect.getsource(errors)).body
        if isinstance(node, ast.ClassDef) and node.name != "Retry"
    ]
    assert errors.__doc__ is not None
    assert [name for name in classes if name not in errors.__doc__] == []
