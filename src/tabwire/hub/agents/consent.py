"""Whether this person let Tabwire at Antigravity: the sentence, their word, and the day.

Two things must be so: the setting is `on`, and the consent stands in the home. The setting alone
is not a consent, because a file can be copied; the consent alone is not enough, because a person
must be able to switch it off where all other settings are.
"""

import json
import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tabwire.config.home import home, made
from tabwire.config.settings import FILE, settings
from tabwire.model.errors import TabwireError
from tabwire.model.exits import NEEDS_YOU

SENTENCE = (
    "Google's terms for Antigravity forbid using third-party software to access it, and Google "
    "has suspended accounts over it: if you let Tabwire watch and drive Antigravity, you may lose "
    "your account, and the risk is yours."
)
"""What a person agrees to. A changed sentence is a new question."""

FOLDER = "antigravity"
CONSENT = "consent.json"


class ConsentNeeded(TabwireError):
    """Off, or the person has not agreed. Nothing was touched."""

    exit_code = NEEDS_YOU

    def __init__(self, why: str) -> None:
        super().__init__(
            f"Antigravity is not switched on: {why}",
            what_to_do=f"Read this first: {SENTENCE} Then `tabwire antigravity on`.",
        )


@dataclass(frozen=True, slots=True)
class Consent:
    """What was agreed to, and when."""

    sentence: str
    at: str


def require_consent(environment: Mapping[str, str] = os.environ) -> Consent:
    """The consent that holds. Raises `ConsentNeeded`."""
    given = consent(environment)
    if given is None:
        raise ConsentNeeded("you have not agreed to it yet")
    if given.sentence != SENTENCE:
        raise ConsentNeeded(f"what you agreed to on {given.at[:10]} has changed")
    if settings(environment).antigravity != "on":
        raise ConsentNeeded("the setting `antigravity` is off")
    return given


def consent(environment: Mapping[str, str] = os.environ) -> Consent | None:
    """What was agreed to, whatever the setting says now."""
    try:
        said = json.loads((home(environment) / FOLDER / CONSENT).read_text(encoding="utf-8"))
        return Consent(str(said["sentence"]), str(said["at"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def agree(now: datetime, environment: Mapping[str, str] = os.environ) -> Consent:
    """Write the consent down, with its day, and switch the setting on."""
    given = Consent(SENTENCE, now.astimezone().isoformat(timespec="seconds"))
    folder = made(home(environment), FOLDER)
    said = {"sentence": given.sentence, "at": given.at}
    write_whole(folder / CONSENT, json.dumps(said, indent=2) + "\n")
    switch(True, environment)
    return given


def switch(on: bool, environment: Mapping[str, str] = os.environ) -> None:
    """The setting in config.toml, every other line left as it is."""
    path = made(home(environment)) / FILE
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    line = f'antigravity = "{"on" if on else "off"}"'
    changed, count = re.subn(r"(?m)^[ \t]*antigravity[ \t]*=.*$", line, text, count=1)
    # before everything else: after a table it would belong to that
    write_whole(path, changed if count else f"{line}\n{text}")


def write_whole(path: Path, text: str, mode: int = 0o600) -> None:
    """The whole file or the one of before, never a half."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
