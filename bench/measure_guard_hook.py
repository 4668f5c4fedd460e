"""`tabwire guard hook` and `tabwire-guard hook`: one tool call, against a Python that does nothing.

A coding assistant starts one of the two before every tool call and waits for it.
"""

import compileall
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import tabwire
import tabwire_guard
from bench.race import median_of
from bench.table import Row, row

ROUNDS = 21
GOAL = "<= 3.5"
SCRIPT = """\
import re
import sys
from tabwire_guard.__main__ import main
if __name__ == '__main__':
    sys.argv[0] = re.sub(r'(-script\\.pyw|\\.exe)?$', '', sys.argv[0])
    sys.exit(main())
"""
"""What installing the guard alone writes as `tabwire-guard`."""


def measure() -> list[Row]:
    """Whole processes, in turns, with bytecode as an installation has it."""
    for package in (tabwire, tabwire_guard):
        compileall.compile_dir(Path(str(package.__file__)).parent, quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        alone = Path(folder) / "tabwire-guard"
        alone.write_text(SCRIPT)
        whole = Path(sys.executable).with_name("tabwire")
        bare, ours, theirs = median_of(
            ROUNDS,
            started(folder, [sys.executable, "-c", "pass"]),
            started(folder, [sys.executable, str(whole), "guard", "hook", "claude-code"]),
            started(folder, [sys.executable, str(alone), "hook", "claude-code"]),
        )
    return [
        row("tabwire guard hook, one call, against python -c pass", ours, "s", bare, GOAL),
        row("tabwire-guard hook, one call, against python -c pass", theirs, "s", bare, GOAL),
    ]


def started(folder: str, command: list[str]) -> Callable[[], object]:
    """Something that hands a tool call to that command, for a person without rules."""
    call = {
        "session_id": "bench",
        "cwd": folder,
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "git status --short"},
    }
    given = json.dumps(call).encode()
    environment = {**os.environ, "TABWIRE_HOME": folder}
    return lambda: subprocess.run(
        command, input=given, stdout=subprocess.DEVNULL, env=environment, check=True
    )
