"""Where the person's rules are: TABWIRE_HOME, else the system's folder for such data.

The same folder that Tabwire uses, found without it. A hook looks here before every tool call and
mostly finds nothing, so this does without pathlib.
"""

import os
import sys

from tabwire_guard.errors import BadSetting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SETTING = "TABWIRE_HOME"
RULES = "guard.toml"
"""The person's rules in that folder."""
WORKSPACE_RULES = os.path.join(".tabwire", RULES)
"""What a workspace brings along."""


def home_path(environment: "Mapping[str, str]" = os.environ) -> str:
    """The folder of this person. Not created here: looking for it leaves no trace."""
    named = environment.get(SETTING, "").strip()
    if named:
        folder = os.path.expanduser(named)
        if not os.path.isabs(folder):
            raise BadSetting(SETTING, named, "is not an absolute path", "Give an absolute path.")
        return folder
    if sys.platform == "win32":
        local = environment.get("LOCALAPPDATA", "").strip()
        local = local or os.path.join(os.path.expanduser("~"), "AppData", "Local")
        return os.path.join(local, "tabwire")
    data = environment.get("XDG_DATA_HOME", "")
    if os.path.isabs(data):
        return os.path.join(data, "tabwire")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Application Support/tabwire")
    return os.path.expanduser("~/.local/share/tabwire")


def has_rules(workspace: str, environment: "Mapping[str, str]" = os.environ) -> bool:
    """Whether there is any file of rules for that workspace, or may be one."""
    mine = os.path.join(home_path(environment), RULES)
    return _may_exist(mine) or _may_exist(os.path.join(workspace, WORKSPACE_RULES))


def _may_exist(path: str) -> bool:
    """Whether a file is there. One that may not be looked at counts: reading it then fails."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        pass
    return True
