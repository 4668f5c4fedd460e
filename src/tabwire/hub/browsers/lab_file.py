"""The word a running lab leaves for others: run/lab.json, for as long as it runs.

It stands here and not in the lab because the hub reads it, and the hub does not know the lab.

Whoever says `--browser lab` finds the lab's browser through it (`lab_endpoint`). The file names
its writer by pid and start time, so one left by a lab that was killed counts for nothing.
"""

import http.client
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from tabwire.browser.endpoint import Endpoint, ask_version, is_loopback
from tabwire.browser.process import Mark, is_running, mark_of
from tabwire.config.home import home, run_folder
from tabwire.model.errors import BrowserNotReachable, TabwireError

FILE = "lab.json"
LOOPBACK = "127.0.0.1"
TOLD_SECONDS = 1.0  # for a browser on this machine to say who it is
MAX_TOLD = 65_536  # bytes of that
START = "Start the lab with `tabwire lab open`, then try again."


class Word(msgspec.Struct, frozen=True):
    """What a lab says of itself. `devtools` is the port of its browser, if it has one, and
    `browser` the path of its DevTools address, which no other browser has."""

    pid: int
    started: str
    port: int
    spki: str
    devtools: int | None = None
    browser: str = ""

    @property
    def runs(self) -> bool:
        """Whether the lab that wrote this is still there."""
        return is_running(Mark(self.pid, self.started))


class Posted:
    """Our own word, while it hangs there."""

    def __init__(self, path: Path, word: Word) -> None:
        self._path = path
        self._word = word

    def browser(self, endpoint: Endpoint) -> None:
        """The lab has a browser now."""
        self._word = msgspec.structs.replace(
            self._word, devtools=endpoint.port, browser=endpoint.path
        )
        _written(self._path, self._word).replace(self._path)

    def take_down(self) -> None:
        """Remove it, unless another lab's hangs there by now."""
        if _read(self._path) == self._word:
            self._path.unlink(missing_ok=True)


@contextmanager
def posted(port: int, spki: str) -> Iterator[Posted]:
    """Leave word of this lab for the length of a block. Only one can."""
    mine = mark_of(os.getpid())
    if mine is None:
        raise RuntimeError("this process was not found in the process list")
    word = Word(mine.pid, mine.started, port, spki)
    path = run_folder() / FILE
    _claim(path, word)
    ours = Posted(path, word)
    try:
        yield ours
    finally:
        ours.take_down()


def running_lab() -> Word | None:
    """The lab that runs now. Looking leaves no trace."""
    word = _read(home() / "run" / FILE)
    return word if word is not None and word.runs else None


def is_lab_browser(host: str, port: int, path: str | None = None) -> bool:
    """Whether the browser at this address is the one of the lab that runs.

    The port alone proves nothing, another browser may have it by now: the browser itself is asked
    who it is. One that does not answer counts as the lab's, which said that this port is its own.
    """
    word = running_lab()
    if word is None or word.devtools != port or not is_loopback(host):
        return False
    named = path or _told_path(port)
    return not (named and word.browser) or named == word.browser


def _told_path(port: int) -> str:
    """The path of the address that a browser on this machine tells; "" where none does."""
    line = http.client.HTTPConnection(LOOPBACK, port, timeout=TOLD_SECONDS)
    try:
        line.request("GET", "/json/version")
        told = msgspec.json.decode(line.getresponse().read(MAX_TOLD), type=dict[str, str])
    except (OSError, http.client.HTTPException, msgspec.MsgspecError):
        return ""
    finally:
        line.close()
    return urlsplit(told.get("webSocketDebuggerUrl", "")).path


def check_no_lab_runs() -> None:
    """Say that there is one before another is started in vain."""
    if (word := running_lab()) is not None:
        raise _runs_already(word)


async def lab_endpoint() -> Endpoint:
    """Where the lab's browser listens, for `reached(..., lab=lab_endpoint)`."""
    word = running_lab()
    if word is None:
        raise BrowserNotReachable("no lab is running", what_to_do=START)
    if word.devtools is None:
        raise BrowserNotReachable(
            f"the running lab (process {word.pid}) has no browser",
            what_to_do="Stop it and run `tabwire lab open` instead, which opens one; or start a "
            "browser with the flags that `tabwire lab serve` printed and --browser attach=URL.",
        )
    try:
        return (await ask_version(LOOPBACK, word.devtools)).endpoint
    except BrowserNotReachable as exc:
        raise BrowserNotReachable(f"the lab's browser is gone: {exc}", what_to_do=START) from exc


def _runs_already(word: Word) -> TabwireError:
    browser = "has a browser open" if word.devtools else "has no browser"
    return TabwireError(
        f"a lab is already running (process {word.pid}, port {word.port}) and {browser}",
        what_to_do="Use it with --browser lab, or end it first: Ctrl-C in its terminal, "
        f"or `kill {word.pid}`.",
    )


def _claim(path: Path, word: Word) -> None:
    """Put our word there if no running lab's is. A link appears whole or not at all."""
    draft = _written(path, word)
    try:
        for _ in range(2):  # again after a dead lab's word was taken down
            with suppress(FileExistsError):
                os.link(draft, path)
                return
            there = _read(path)
            if there is not None and there.runs:
                raise _runs_already(there)
            path.unlink(missing_ok=True)
        raise TabwireError(
            f"{path} is being changed by another process",
            what_to_do="Another lab is starting; wait for it.",
        )
    finally:
        draft.unlink()


def _written(path: Path, word: Word) -> Path:
    """A file beside `path`, readable by this person only."""
    handle, name = tempfile.mkstemp(prefix=f"{FILE}.", dir=path.parent)  # 0600 by itself
    with os.fdopen(handle, "wb") as file:
        file.write(msgspec.json.encode(word))
    return Path(name)


def _read(path: Path) -> Word | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Word)
    except (FileNotFoundError, msgspec.DecodeError):
        return None
