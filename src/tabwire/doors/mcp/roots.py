"""Which files may be sent to a site: those below folders that were allowed, and no others.

A model asks for files by name, and what it was told to ask for may come from anywhere. So a path
is followed to where it really leads before it is judged: a link out of an allowed folder leads
nowhere. Tabwire's own folder is never allowed: its token lies there.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tabwire.hub import home_folder as home
from tabwire.model.ask_errors import BadAsk


class FileRefused(BadAsk):
    """Not allowed, or not there. Which of both is told only inside the allowed folders."""

    code = "file_refused"


@dataclass(frozen=True, slots=True)
class Roots:
    """Allowed folders, followed to where they really are. `base`: what a bare name is below."""

    folders: tuple[Path, ...]
    base: Path | None = None

    def files(self, site: str, names: Sequence[str]) -> tuple[str, ...]:
        """Where these files really are. Raises `FileRefused`."""
        return tuple(self._file(site, name) for name in names)

    def _file(self, site: str, name: str) -> str:
        path = Path(name).expanduser()
        if not path.is_absolute():
            if self.base is None:
                raise FileRefused(site, f"{name} is not an absolute path", "Give an absolute path.")
            path = self.base / path
        try:
            real = path.resolve()
        except (OSError, RuntimeError, ValueError) as exc:  # a ring of links; a zero byte
            raise FileRefused(site, f"invalid path {name}: {exc}", "Name another file.") from exc
        if not self.allow(real):
            allowed = ", ".join(map(str, self.folders)) or "none"
            raise FileRefused(
                site,
                f"{name} is not in an allowed folder",
                f"Allowed folders: {allowed}. Put the text into the question, or have the person "
                "add the folder to the setting file_roots.",
            )
        if not real.is_file():
            raise FileRefused(site, f"file not found: {name}", "Check the path.")
        return str(real)

    def allow(self, real: Path) -> bool:
        """Whether a path that was followed to its end lies where it may."""
        return any(real.is_relative_to(root) for root in self.folders) and not real.is_relative_to(
            _followed(home())
        )


def roots_of(cwd: str, settings: Iterable[Path]) -> Roots:
    """The client's folder, and those of the setting. Without a client's folder only those.

    Some clients start their servers in `/` or in the person's home. Neither is a project, and
    either would allow everything: whoever means that says it in the setting.
    """
    folders = [_followed(folder) for folder in settings]
    if not cwd:
        return Roots(tuple(folders))
    here = _followed(Path(cwd))
    if here != Path(here.anchor) and here != _followed(Path(os.path.expanduser("~"))):
        folders.insert(0, here)
    return Roots(tuple(dict.fromkeys(folders)), here)


def _followed(folder: Path) -> Path:
    return Path(os.path.realpath(folder.expanduser()))
