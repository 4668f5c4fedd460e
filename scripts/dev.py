"""`make dev`: run the hub from this checkout, and start it anew whenever its source changes.

Files are looked at by their times, which needs nothing installed and works on every disk. What
the hub is doing is not lost: it ends in order, and the next one goes on with its jobs.
"""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = (ROOT / "src", ROOT / "packages" / "guard" / "src")
LOOK_SECONDS = 0.5
QUIET_SECONDS = 0.3  # an editor that saves many files, or a branch that is switched to
END_SECONDS = 10.0  # a hub promises five
ENDINGS = (".py", ".js", ".toml", ".mako")


def times(*sources: Path) -> dict[Path, float]:
    """When each file was changed."""
    return {path: path.stat().st_mtime for source in sources for path in _files(source)}


def _files(source: Path) -> Iterator[Path]:
    for path in source.rglob("*"):
        if path.suffix in ENDINGS and path.is_file():
            yield path


def changed(before: dict[Path, float], now: dict[Path, float]) -> list[Path]:
    """What is new, gone or different."""
    return sorted(path for path in {*before, *now} if before.get(path) != now.get(path))


def settled(sources: tuple[Path, ...], before: dict[Path, float]) -> dict[Path, float]:
    """The times once nothing changes any more."""
    while (now := times(*sources)) != before:
        before = now
        time.sleep(QUIET_SECONDS)
    return before


def main(arguments: list[str]) -> int:
    """Until Ctrl-C."""
    command = [sys.executable, "-m", "tabwire", "serve", *arguments]
    seen = times(*SOURCES)
    hub = subprocess.Popen(command)
    try:
        while True:
            time.sleep(LOOK_SECONDS)
            now = times(*SOURCES)
            if found := changed(seen, now):
                seen = settled(SOURCES, now)
                names = ", ".join(path.name for path in found[:3])
                print(f"── {names} changed: restarting the hub", flush=True)
                end(hub)
                hub = subprocess.Popen(command)
    except KeyboardInterrupt:
        return 0
    finally:
        end(hub)


def end(hub: "subprocess.Popen[bytes]") -> None:
    """Let it end in order."""
    if hub.poll() is None:
        hub.send_signal(signal.SIGTERM)
    try:
        hub.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        hub.kill()
        hub.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
