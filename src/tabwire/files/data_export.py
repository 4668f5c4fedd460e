"""Every conversation in a ChatGPT data export, one at a time.

The export is a zip with `conversations.json` (or several numbered ones), or that file
alone: a list of stored conversations, hundreds of megabytes for a heavy user.
"""

import lzma
import mmap
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from tabwire.files.json_elements import Cut, scan_list, whole_list
from tabwire.model.errors import Unreadable
from tabwire.model.problems import Problem
from tabwire.sites.chatgpt import history
from tabwire.sites.memory import Memory
from tabwire.sites.site import Reading

_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,  # a compression this Python does not know
    ValueError,
    OSError,  # how bzip2 says it
)
PIECE = 16 * 1024  # unpacked at once: what a damaged piece costs
MAX_UNPACKED = 16 * 1024**3  # bytes on disk; guards against a zip made to fill it


def read_export(path: Path, memory: Memory) -> Iterator[tuple[Reading, int]]:
    """Each conversation's reading, and how far into the data it ends."""
    with path.open("rb") as file:
        is_zip = file.read(4) == b"PK\x03\x04" or zipfile.is_zipfile(path)
    yield from _read_zip(path, memory) if is_zip else _read_list(path, memory)


def _read_zip(path: Path, memory: Memory) -> Iterator[tuple[Reading, int]]:
    try:
        archive = zipfile.ZipFile(path)
    except _DAMAGE as exc:
        raise Unreadable(f"a damaged zip: {exc}") from exc
    with archive:
        names = sorted(name for name in archive.namelist() if _is_conversations(name))
        if not names:
            raise Unreadable("a zip file without conversations.json")
        if sum(archive.getinfo(name).file_size for name in names) > MAX_UNPACKED:
            raise Unreadable("a zip file that unpacks to more than 16 GiB")
        for name in names:
            yield from _read_member(archive, name, memory)


def _read_member(
    archive: zipfile.ZipFile, name: str, memory: Memory
) -> Iterator[tuple[Reading, int]]:
    damage: Problem | None = None
    with tempfile.TemporaryDirectory() as folder:
        unpacked = Path(folder, "conversations.json")
        try:
            with unpacked.open("wb") as written, archive.open(name) as member:
                shutil.copyfileobj(member, written, PIECE)
        except RuntimeError as exc:  # how zipfile says that a password is needed
            raise Unreadable(f"an encrypted zip: {exc}") from exc
        except _DAMAGE as exc:
            damage = Problem(f"a damaged zip: {name}: {exc}", lossy=True)
        try:
            for reading, done in _read_list(unpacked, memory):
                if damage is None or reading.conversations:
                    yield reading, done
        except Unreadable:
            if damage is None:
                raise
    if damage is not None:
        yield Reading(problems=(damage,)), 0


def _is_conversations(name: str) -> bool:
    found = PurePosixPath(name).name
    return found.startswith("conversations") and found.endswith(".json")


def _read_list(path: Path, memory: Memory) -> Iterator[tuple[Reading, int]]:
    with path.open("rb") as file:
        if path.stat().st_size == 0:
            raise Unreadable("conversations.json is empty")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as buffer:
            views = whole_list(buffer)
            if views is None:
                yield from _read_damaged(buffer, memory)
                return
            views.reverse()
            done = 0
            try:
                while views:
                    with views.pop() as view:
                        done += len(view)
                        reading = history.read_body(bytes(view), None, memory)
                    yield reading, done
            finally:
                views.clear()  # the map cannot be closed while anything looks into it


def _read_damaged(buffer: mmap.mmap, memory: Memory) -> Iterator[tuple[Reading, int]]:
    start = buffer.find(b"[")
    if start < 0:
        raise Unreadable("not a list of conversations")
    for element in scan_list(buffer, start):
        if isinstance(element, Cut):
            problem = Problem("cut off: the conversations after this point are lost", lossy=True)
            yield Reading(problems=(problem,)), element.at
        else:
            yield history.read_body(element.raw, None, memory), element.end
