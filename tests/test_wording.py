"""What people and models read is plain English: phrases that only we would write are refused."""

import ast
import re
from collections.abc import Iterator

import pytest

from conftest import ROOT

SRC = ROOT / "src" / "tabwire"
MODULES = sorted(SRC.rglob("*.py"))

REFUSED = {
    r"cannot be meant": "is invalid",
    r"(?-i:\bbefalls?\b|\bbefell\b)": "happens, happened",
    r"\banew\b": "again",
    r"(?<!there )\bis no (?!longer\b|more\b)\w+": "is not a …, is not a valid …",
    r"\banswer of before\b": "a previous answer",
    r"\btwice is once\b": "idempotent",
    r"\bby (itself|themselves)\b": "automatically",
    r"\b(goes|went|going) on\b|\bgo on (with|in|at|by|until)\b": "continues",
    r"\b(is|are) told\b": "is reported",
    r"\bstands? in\b": "is in, replaces",
    r"\bwe let go\b|\blet go of\b": "closed, dropped",
}
"""Phrase -> what to write instead."""

FOUND = [
    ("a phrase of ours", 'raise ValueError("this cannot be meant")', 1),
    ("a part of an f-string", 'print(f"{port} is no port")', 1),
    ("over two lines", 'print("it is loaded " "anew")', 1),
    ("a docstring", '"""It goes on."""', 0),
    ("a word that is a name", 'anew = call("anew", kind="goes_on")', 0),
    ("plain English", 'raise ValueError("there is no longer a tab")', 0),
]


def docstrings(tree: ast.AST) -> set[int]:
    """Strings that stand alone as statements: documentation, for readers of the code."""
    return {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def texts(source: str) -> Iterator[tuple[int, str]]:
    """Every string of two words or more with its line; a field of an f-string becomes `…`."""
    tree = ast.parse(source)
    skipped = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in node.values}
    for node in ast.walk(tree):
        text = ""
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
            text = "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = "" if id(node) in skipped else node.value
        if " " in text.strip():
            yield node.lineno, text


def odd_phrases(source: str) -> list[str]:
    """Where a refused phrase is, and what to write instead."""
    return [
        f"line {line}: {text!r}: write {instead!r}"
        for line, text in texts(source)
        for phrase, instead in REFUSED.items()
        if re.search(phrase, text, re.IGNORECASE)
    ]


@pytest.mark.parametrize("source, count", [one[1:] for one in FOUND], ids=[o[0] for o in FOUND])
def test_the_phrases_are_found_in_what_is_shown(source, count):
    assert len(odd_phrases(source)) == count


@pytest.mark.parametrize("module", MODULES, ids=[str(one.relative_to(SRC)) for one in MODULES])
def test_every_text_is_in_plain_english(module):
    assert odd_phrases(module.read_text(encoding="utf-8")) == []
