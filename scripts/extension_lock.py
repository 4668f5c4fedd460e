"""Hold that whoever changes the extension gives it a new version.

    python scripts/extension_lock.py --check      part of `make check`
    python scripts/extension_lock.py --write      `make extension-lock`

Browsers and people tell two extensions apart by their version alone. So what a version was made
of stands in extension.lock; other files under the same version are refused.
"""

import hashlib
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "extension"
LOCK = ROOT / "scripts" / "extension.lock"


def digest_of(folder: Path) -> str:
    """Of all its files, with their names."""
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*"), key=lambda one: one.relative_to(folder).as_posix()):
        name = path.relative_to(folder)
        if path.is_file() and not any(part.startswith(".") for part in name.parts):
            whole.update(f"{name.as_posix()}\0{path.stat().st_size}\0".encode())
            whole.update(path.read_bytes())
    return whole.hexdigest()


def version_of(folder: Path) -> str:
    """As its manifest has it."""
    return str(json.loads((folder / "manifest.json").read_text())["version"])


def problem(folder: Path, lock: Path) -> str | None:
    """What is wrong, or None."""
    if not lock.exists():
        return "there is no extension.lock: run `make extension-lock`"
    kept = json.loads(lock.read_text())
    version, digest = version_of(folder), digest_of(folder)
    if digest == kept["digest"] and version == kept["version"]:
        return None
    if _order(version) <= _order(kept["version"]):
        return (
            f"extension/ changed and is still version {version}: raise `version` in "
            "extension/manifest.json, then run `make extension-lock`"
        )
    return f"extension/ is now version {version}: run `make extension-lock`"


def write(folder: Path, lock: Path) -> str | None:
    """Lock what is there; what keeps it from being locked, or None."""
    found = problem(folder, lock)
    if found is not None and "raise `version`" in found:
        return found
    lock.write_text(
        json.dumps({"version": version_of(folder), "digest": digest_of(folder)}, indent=2) + "\n"
    )
    return None


def _order(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def main(wish: str) -> int:
    """1 where something is wrong."""
    found = write(FOLDER, LOCK) if wish == "--write" else problem(FOLDER, LOCK)
    if found is not None:
        print(f"tabwire: {found}", file=sys.stderr)
    return 0 if found is None else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
