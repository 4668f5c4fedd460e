"""What people and models read is plain English: phrases that only we would write are refused."""

import ast
import importlib
import inspect
import json
import re
from collections.abc import Iterator

import pytest

import tabwire
from conftest import ROOT
from tabwire.doors.cli.app import COMMANDS, GROUPS
from tabwire.lab.cli import COMMANDS as LAB
from tabwire_guard.hook.arguments import HELP

SRC = ROOT / "src" / "tabwire"
GUARD = ROOT / "packages" / "guard"
MODULES = [*sorted(SRC.rglob("*.py")), *sorted((GUARD / "src").rglob("*.py"))]
PAGES = [
    page
    for folder in (ROOT, GUARD)
    for page in (*sorted(folder.glob("*.md")), *sorted((folder / "docs").glob("*.md")))
]
ROOMS = sorted(SRC.glob("*/__init__.py"))
MESSAGES = ROOT / "extension" / "_locales" / "en" / "messages.json"
DASHBOARD = SRC / "doors" / "dashboard" / "texts.js"

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
    r"\bst(ands?|ood) (in|there|where)\b": "is in, is given in, replaces",
    r"\bwe let go\b|\blet go of\b": "closed, dropped",
    r"\b(some|no|every|any)body\b": "someone, no one, everyone, anyone; unreviewed, hidden",
    r"\bwhoever\b": "anyone who, any program that",
    r"\bunder way\b": "in progress",
    r"\b(was|were|be) told\b": "was asked to, gets",
    r"\bit said:|\bsaid its\b": "its output, reported its",
    r"\bstand-ins? (of|for)\b": "replica of",
    r"\bwhat (came|comes) of\b|\bcame to nothing\b": "the result of, failed",
    r"\bhold no longer\b|\bhold always\b": "no longer apply, always apply",
    r"\bwould have been others\b": "would have changed",
    r"\bwherever it stands\b": "leave it out",
    r"\bnothing is known of\b": "the effect of … is unknown, unknown …",
    r"\b(that|which) (is|are) not followed\b|\bcannot be followed\b": "unsupported, is not parsed",
    r"\b(bracket|quote|comment|string|document) without (an )?end\b(?! m)": "an unclosed …",
    r"\bleads? (elsewhere|nowhere|out of)\b": "points elsewhere, points outside …",
    r"\bhands (on|out|(?!off\b)[\w …]+ to)\b": "passes … to, reveals",
    r"\bnested too deep\b": "nested too deeply",
    r"\bmore \w+ than can be\b": "too many …",
    r"\bby the clock\b": "scheduled",
    r"\bwho may do what\b": "permissions",
    r"\btak(es?|en|ing) (\S+ )?away\b": "removes, deletes",
    r"\bthrow(s|n|ing)? (\w+ )?away\b": "discards",
    r"\bask(s|ed|ing)? back\b": "asks for confirmation",
    r"\b(code|modules?|packages?) of others\b": "third-party …",
    r"\bshall\b(?! should)": "must, will, should",
    r"(?-i:\bChatgpt\b|\bGithub\b|\bOpenai\b|\bpython code\b)": "ChatGPT, GitHub, OpenAI, Python",
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


def refused(text: str) -> list[str]:
    """What to write instead of each refused phrase of a text."""
    return [
        f"{text!r}: write {instead!r}"
        for phrase, instead in REFUSED.items()
        if re.search(phrase, text, re.IGNORECASE)
    ]


def odd_phrases(source: str) -> list[str]:
    """Where a refused phrase is, and what to write instead."""
    return [f"line {line}: {odd}" for line, text in texts(source) for odd in refused(text)]


def prose(page: str) -> list[str]:
    """The lines of a Markdown page without code: names in it are what they are."""
    without = re.sub(r"```.*?```|`[^`]*`", "…", page, flags=re.DOTALL)
    return [line for line in without.splitlines() if not line.startswith("    ")]


def documented() -> Iterator[tuple[str, str]]:
    """Name and docstring of everything whose docstring is shown to people."""
    tables = [COMMANDS, LAB, *(table for _, table in GROUPS.values())]
    for places in tables:
        for _, place in places.values():
            module, _, function = place.partition(":")
            yield place, inspect.getdoc(getattr(importlib.import_module(module), function)) or ""
    for name in ("", "library", *(room.parent.name for room in ROOMS)):
        module = f"tabwire.{name}".rstrip(".")
        yield module, inspect.getdoc(importlib.import_module(module)) or ""
    for name in tabwire.__all__:
        one = getattr(tabwire, name)
        if inspect.isfunction(one):
            yield f"tabwire.{name}", inspect.getdoc(one) or ""


@pytest.mark.parametrize("source, count", [one[1:] for one in FOUND], ids=[o[0] for o in FOUND])
def test_the_phrases_are_found_in_what_is_shown(source, count):
    assert len(odd_phrases(source)) == count


@pytest.mark.parametrize("module", MODULES, ids=[str(one.relative_to(ROOT)) for one in MODULES])
def test_every_text_is_in_plain_english(module):
    assert odd_phrases(module.read_text(encoding="utf-8")) == []


def test_the_docs_are_in_plain_english():
    odd = [
        f"{page.name}: {one}"
        for page in PAGES
        for line in prose(page.read_text(encoding="utf-8"))
        for one in refused(line)
    ]
    assert odd == []


def test_the_help_of_the_guards_hook_is_in_plain_english():
    assert "Usage:" in HELP
    assert refused(" ".join(HELP.split())) == []


def test_help_and_the_docstrings_of_rooms_are_in_plain_english():
    shown = dict(documented())
    assert {"tabwire", "tabwire.fusion", "tabwire.judge"} <= shown.keys()
    assert "tabwire.doors.cli.guard_rules:allow" in shown
    odd = [
        f"{name}: {one}" for name, text in shown.items() for one in refused(" ".join(text.split()))
    ]
    assert odd == []


def test_the_texts_of_extension_and_dashboard_are_in_plain_english():
    messages = [one["message"] for one in json.loads(MESSAGES.read_text(encoding="utf-8")).values()]
    english = DASHBOARD.read_text(encoding="utf-8").partition("const JA")[0]
    assert messages
    assert "const EN" in english
    assert [odd for text in [*messages, *english.splitlines()] for odd in refused(text)] == []
