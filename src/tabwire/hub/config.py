"""The settings of Tabwire: what stands in config.toml, and over it the environment.

Every setting has one name: `browser` in the file, TABWIRE_BROWSER in the environment,
`--browser` on the command line. What is not known is an error, not silence: a misspelt
setting that does nothing is worse than none.
"""

import difflib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from tabwire.hub.home import home
from tabwire.model.errors import BadSetting

FILE = "config.toml"
PREFIX = "TABWIRE_"


def _setting(default: str, says: str) -> Any:
    return field(default=default, metadata={"says": says})


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set, and what it is without a word from the person."""

    browser: str = _setting("auto", "which browser to use: auto, launch, attach, attach=URL or lab")
    profile: str = _setting(
        "main", "the name of the profile that a browser of our own starts with, kept in the home"
    )
    program: str = _setting(
        "", "the browser to start: chrome, chromium, edge, brave, a preview of one, or a path"
    )


NAMES = tuple(one.name for one in fields(Settings))


def settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """What holds now: the file, and over it the environment."""
    path = home(environment) / FILE
    said = _from_file(path)
    for name in NAMES:
        value = environment.get(f"{PREFIX}{name.upper()}", "").strip()
        if value:
            said[name] = value
    return Settings(**said)


def _from_file(path: Path) -> dict[str, str]:
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as exc:
        raise BadSetting(
            FILE, str(path), f"cannot be read: {exc}", "Correct the file, or move it away."
        ) from exc
    for name, value in said.items():
        if name not in NAMES:
            near = difflib.get_close_matches(name, NAMES, 1)
            hint = f"Did you mean {near[0]}? " if near else ""
            known = f"{hint}There are: {', '.join(NAMES)}."
            raise BadSetting(FILE, name, "is no setting", known)
        if not isinstance(value, str):
            raise BadSetting(FILE, name, "needs a text in quotes", f'Write {name} = "…".')
    return said
