"""`tabwire lab` without the packages of its extra says what to install; all else works."""

import subprocess
import sys

import pytest

from tabwire.lab.cli import COMMANDS
from tabwire.lab.extra import PACKAGES

ARGUMENTS = {"play": ["cut"]}
WITHOUT = """
import sys
for name in sys.argv.pop(1).split(","):
    sys.modules[name] = None  # as if it were not installed
sys.argv[0] = "tabwire"
from tabwire.__main__ import main
main()
"""


def tabwire(*words, missing=PACKAGES):
    """The command in a process of its own that cannot import these packages."""
    command = [sys.executable, "-c", WITHOUT, ",".join(missing), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "stories"])
def test_a_command_of_the_lab_says_what_to_install(name, tmp_path):
    done = tabwire("lab", name, *ARGUMENTS.get(name, []))
    assert done.returncode == 1
    what, remedy = done.stderr.splitlines()
    assert what == "tabwire: the lab is not installed (missing: cryptography, hypercorn)"
    assert "pip install 'tabwire[lab]'" in remedy
    assert done.stdout == ""


@pytest.mark.parametrize("name", PACKAGES)
def test_one_missing_package_is_named(name):
    said = tabwire("lab", "serve", missing=[name]).stderr
    assert said.startswith(f"tabwire: the lab is not installed (missing: {name})\n")


@pytest.mark.parametrize(
    "words", [("lab", "stories"), ("lab", "--help"), ("lab", "demo", "--help"), ("ask", "--help")]
)
def test_what_does_not_need_them_works_without(words):
    done = tabwire(*words)
    assert done.returncode == 0, done.stderr
    assert done.stdout
