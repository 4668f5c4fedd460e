"""Where the extension lies that came with this Tabwire, and of which version it is."""

import json
from pathlib import Path

import tabwire
from tabwire.model.errors import TabwireError

MANIFEST = "manifest.json"


def extension_folder() -> Path:
    """What is loaded in chrome://extensions: in a checkout beside `src`, else in the package."""
    package = Path(tabwire.__file__).resolve().parent
    for folder in (package / "extension", package.parent.parent / "extension"):
        if (folder / MANIFEST).is_file():
            return folder
    raise TabwireError(
        "the extension is missing from this installation of Tabwire",
        what_to_do="Reinstall Tabwire: its folder `extension` is missing.",
    )


def extension_version() -> str | None:
    """Of the one in that folder; None where there is none that can be read."""
    try:
        told = json.loads((extension_folder() / MANIFEST).read_text(encoding="utf-8"))
        return str(told["version"])
    except (TabwireError, OSError, ValueError, KeyError, TypeError):
        return None
