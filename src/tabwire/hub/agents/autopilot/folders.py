"""Which folder on disk a window works in, by what the editor itself keeps about it.

A window's title names its workspace, not where it lies. The stand-alone program shows some projects
as the whole path of their folder: that is the folder. Else: editors of this family keep one small
file for each folder that was ever opened (`workspaceStorage/*/workspace.json`); of that the
address of the folder is read, and nothing else.
"""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tabwire.sites.antigravity.page.head import is_folder

PRODUCTS = ("Antigravity", "Antigravity IDE", "Cursor", "Windsurf")
MAX_FILES = 2_000
MAX_BYTES = 10_000


def folders_called(
    workspace: str,
    environment: Mapping[str, str] = os.environ,
    products: tuple[str, ...] = PRODUCTS,
) -> tuple[str, ...]:
    """Folders of that name that were opened in such an editor, each once."""
    found: dict[str, None] = {}
    if not workspace:
        return ()
    for product in products:
        storage = _settings(environment) / product / "User" / "workspaceStorage"
        for path in sorted(storage.glob("*/workspace.json"))[:MAX_FILES]:
            folder = _folder(path)
            if folder and folder.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] == workspace:
                found[folder] = None
    return tuple(found)


def folder_shown(project: str, environment: Mapping[str, str] = os.environ) -> str | None:
    """The folder that a project is shown as. None where it is shown by a name, where there is no
    such folder on this machine, and where it is the home or holds it: that is no project."""
    if not is_folder(project):
        return None
    path, own = Path(project), Path(environment.get("HOME") or Path.home())
    try:
        fine = path.is_absolute() and path.is_dir() and not own.resolve().is_relative_to(
            path.resolve()
        )  # fmt: skip
    except (OSError, ValueError):
        return None
    return str(path) if fine and path.parent != path else None


def _settings(environment: Mapping[str, str]) -> Path:
    home = Path(environment.get("HOME") or Path.home())
    if sys.platform == "darwin":
        return home / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    return Path(environment.get("XDG_CONFIG_HOME") or home / ".config")


def _folder(path: Path) -> str:
    """The folder of this machine that such a file is about; "" where it is about another."""
    try:
        if path.stat().st_size > MAX_BYTES:
            return ""
        said = json.loads(path.read_bytes())
        address = urlsplit(str(said.get("folder", "")))
    except (OSError, ValueError, AttributeError):
        return ""
    if address.scheme != "file" or address.netloc not in ("", "localhost"):
        return ""
    folder = unquote(address.path)
    return folder[1:] if folder[2:3] == ":" else folder
