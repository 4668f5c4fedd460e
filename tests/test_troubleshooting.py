"""docs/troubleshooting.md: every error is there, every command in it exists, every link leads."""

import importlib
import pkgutil
import re
import shlex

import pytest

import tabwire
from conftest import ROOT
from tabwire.doors.cli.app import build
from tabwire.doors.cli.lazy import LazyCommand, lazy_group
from tabwire.lab import cli as lab
from tabwire.model.ask_errors import AskError
from tabwire.model.errors import TabwireError

PAGE = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
CASES = re.findall(r"^### (.+)\n\n((?:- .+\n)+)", PAGE, re.MULTILINE)
SAYS = ("Symptom", "Cause", "Check", "Remedy")
SPANS = sorted(set(re.findall(r"`(tabwire[^`]*)`", PAGE)))

# The cases of seed 001, sections 13 and 16, by what is said of them here.
SEED = {
    "13.1 Gemini response times out": "No end of the answer (Gemini and others)",
    "13.2 ChatGPT input not reflected": "The composer does not contain the text",
    "13.3 session reuse fails": "A new tab opens every time",
    "13.4 response text becomes empty": "The answer is empty, or was empty while the tab was "
    "in the background",
    "13.5 login required": "Login required",
    "13.6 extension not connected": "No connection to the browser",
    "13.7 network extraction returns empty": "Nothing is received from the site",
    "16.1 background tabs": "The answer is empty, or was empty while the tab was in the background",
    "16.2 selectors that break": "A part of the page is not found",
    "16.3 connection issues": "No connection to the browser",
    "16.3 extraction issues": "Nothing is received from the site",
    "16.4 GEMINI_STUCK": "Gemini is stuck",
    "16.4 timed out": "No end of the answer (Gemini and others)",
    "16.4 input verification failed": "The composer does not contain the text",
}


def errors() -> list[type[TabwireError]]:
    """Every error class of the house."""
    for module in pkgutil.walk_packages(tabwire.__path__, "tabwire."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    found: list[type[TabwireError]] = []
    left: list[type[TabwireError]] = [TabwireError]
    while left:
        own = [one for one in left.pop().__subclasses__() if one.__module__.startswith("tabwire.")]
        found += own
        left += own
    return found


def table(heading):
    _, _, below = PAGE.partition(f"\n## {heading}\n")
    rows = [line for line in below.split("\n## ")[0].splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows[2:]]


def test_every_error_is_there_once_with_a_check_and_a_remedy():
    rows = table("Every error by name")
    assert sorted(row[0].strip("`") for row in rows) == sorted(one.__name__ for one in errors())
    for name, means, check, remedy in rows:
        assert means, name
        assert remedy, name
        assert "`tabwire " in check, f"{name} has no command to check it with"


def test_every_case_has_symptom_cause_check_and_remedy():
    assert CASES
    for title, said in CASES:
        lines = said.splitlines()
        assert [line[: len(f"- **{word}:** ")] for line, word in zip(lines, SAYS, strict=True)] == [
            f"- **{word}:** " for word in SAYS
        ], title
        commands = [part for part in lines[2:] if "`tabwire " in part]
        assert commands, f"{title} has no command"


@pytest.mark.parametrize("case", SEED)
def test_every_case_of_the_seed_is_answered(case):
    assert SEED[case] in [title for title, _ in CASES]


def test_what_the_seed_says_of_speed_is_answered():
    assert [row for row in SAYS if f"- **{row}:** " not in PAGE.partition("## It is slow")[2]] == []


def whole():
    """`tabwire` with all its commands."""
    found = build()
    found.add_command(lazy_group("lab", lab.HELP, lab.COMMANDS))
    return found


def command(words):
    """The command that these words begin with; they are left without it."""
    found = whole()
    while words and words[0] in getattr(found, "commands", {}):
        found = found.commands[words.pop(0)]
    return found.load() if isinstance(found, LazyCommand) else found


def options(found):
    return {"--help", *(one for parameter in found.params for one in parameter.opts)}


def test_there_are_commands():
    assert len(SPANS) > 30


@pytest.mark.parametrize("span", SPANS)
def test_every_command_in_the_page_exists_with_its_options(span):
    _, *words = shlex.split(span)
    found = command(words)
    is_group = bool(getattr(found, "commands", None))
    assert not (is_group and words and not words[0].startswith("--")), f"no such command: {span}"
    said = {word.partition("=")[0] for word in words if word.startswith("--")}
    assert said - options(found) == set(), span


def test_every_option_that_stands_alone_is_one_of_some_command():
    alone = set(re.findall(r"`(--[a-z-]+)[^`]*`", PAGE))
    known = {one for name in whole().commands for one in options(command([name]))}
    assert alone - known == set()


def anchor(title):
    """A heading's address, as the sites that show Markdown make it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def test_every_link_leads_to_a_heading_that_is_there():
    links = re.findall(r"\]\(([^)]+)\)", PAGE)
    assert links
    for link in links:
        name, _, place = link.partition("#")
        target = ROOT / "docs" / name if name else ROOT / "docs" / "troubleshooting.md"
        assert target.exists(), link
        heads = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE)
        assert not place or place in [anchor(head) for head in heads], link


def test_every_code_of_an_ask_is_there():
    codes = {one.code for one in errors() if issubclass(one, AskError)}
    assert {code for code in codes if f"`{code}`" not in PAGE} == set()
