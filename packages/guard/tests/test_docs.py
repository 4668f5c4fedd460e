"""The docs name every command, and what they link to exists."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent
PAGES = [PACKAGE / "README.md", *sorted((PACKAGE / "docs").glob("*.md"))]
COMMANDS = "check explain test rules allow ban forget accept hook".split()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page):
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link


def test_every_command_and_option_is_in_the_readme():
    readme = PAGES[0].read_text(encoding="utf-8")
    asked = [sys.executable, "-m", "tabwire_guard"]
    first = subprocess.run([*asked, "--help"], capture_output=True, text=True, check=True).stdout
    assert re.findall(r"^    (\w+) ", first, re.MULTILINE) == COMMANDS
    for command in COMMANDS:
        assert command in readme
        told = subprocess.run(
            [*asked, command, "--help"], capture_output=True, text=True, check=True
        )
        for option in set(re.findall(r"--[a-z-]+", told.stdout)) - {"--help"}:
            assert option in readme, f"{command} {option}"
