"""A command judged with the rules that hold in its workspace."""

import os
import re
from pathlib import Path

from tabwire_guard.judgement import judge
from tabwire_guard.person.rule_files import own_rules
from tabwire_guard.verdict import Judgement


def judge_with_own_rules(
    command: str,
    *,
    home: Path,
    shell: str = "",
    cwd: str | None = None,
    workspace: str | None = None,
) -> Judgement:
    """Judge a command with the person's rules, which are in `home`. Nothing is run."""
    folder = whole_path(workspace or os.getcwd())
    own = own_rules(Path(folder), home)
    where = os.path.join(folder, cwd) if cwd and not _has_drive(cwd) else cwd
    return judge(
        command,
        shell=shell or usual_shell(),
        cwd=where,
        workspace=folder,
        home=home_beside(folder),
        rules=own.rules,
    )


def whole_path(folder: str) -> str:
    """The absolute path. A Windows path is judged on any system: only one of ours is completed."""
    return folder if _has_drive(folder) else str(Path(folder).expanduser().absolute())


def usual_shell() -> str:
    """The shell of this system: nobody knows which of them it is."""
    return "windows" if os.name == "nt" else "unix"


def home_beside(workspace: str) -> str | None:
    """The person's home directory, where its path is of the same kind as the workspace's."""
    here = str(Path.home())
    return here if _has_drive(here) == _has_drive(workspace) else None


def _has_drive(path: str) -> bool:
    return re.match(r"[A-Za-z]:", path) is not None
