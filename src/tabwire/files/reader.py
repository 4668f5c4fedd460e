"""Files -> conversations, in order, earlier ones informing later ones.

Every file gives at least one result: a conversation, or one that says why there is none.
Memory stays bounded whatever the file: streams are read in pieces, lists one element at a
time, and a single body has a limit.
"""

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tabwire.files.bodies import STREAM_KINDS, read_stored_body, read_stream
from tabwire.files.data_export import read_export
from tabwire.files.detection import HEAD, SITE_OF_KIND, Kind, detect, is_ndjson
from tabwire.files.har import HarReader
from tabwire.model.conversation import Conversation
from tabwire.model.errors import Unreadable
from tabwire.model.problems import Problem
from tabwire.model.products import product
from tabwire.model.signals import Refusal
from tabwire.sites.known import SITES, site_of_url
from tabwire.sites.memory import Memory
from tabwire.sites.site import Reading, Site

PIECE = 1024 * 1024  # read at once; larger ones gain nothing
MAX_BODY = 128 * 1024 * 1024  # one JSON body; decoding needs several times its size
STDIN = Path("-")

Progress = Callable[[Path, int, int], None]


@dataclass(frozen=True, slots=True)
class ReadConversation:
    """One result of reading a file. `conversation` is None where there is none in it."""

    file: str
    site: str | None
    kind: Kind | None
    conversation: Conversation | None
    problems: tuple[Problem, ...] = ()
    refused: bool = False

    @property
    def damaged(self) -> bool:
        """Whether something in the file could not be read."""
        return any(problem.lossy for problem in self.problems)


class FileReader:
    """Reads the files of one call with one memory."""

    def __init__(
        self, *, site: str | None = None, kind: Kind | None = None, progress: Progress | None = None
    ) -> None:
        self._site = SITES[site] if site else None
        self._kind = kind
        self._progress = progress
        self._memory = Memory()

    def read(self, path: Path, url: str | None = None) -> Iterator[ReadConversation]:
        """Everything in one file; `-` is standard input."""
        if url and "://" not in url:
            url = f"https://{url}"  # as people write addresses
        site = self._site or site_of_url(url)
        kind = self._kind
        try:
            with _opened(path) as (file, real):
                size = real.stat().st_size
                if size == 0:
                    raise Unreadable("the file is empty")
                kind = kind or detect(file.read(HEAD), size)
                file.seek(0)
                site = self._speaker(kind) or site
                yield from self._read_kind(path, real, file, size, site, kind, url)
        except (Unreadable, OSError) as exc:
            what = exc.strerror if isinstance(exc, OSError) and exc.strerror else str(exc)
            name = site.name if site else None
            yield ReadConversation(str(path), name, kind, None, (Problem(what, lossy=True),))

    def _speaker(self, kind: Kind) -> Site | None:
        """The one site that speaks this kind, where there is only one."""
        name = SITE_OF_KIND.get(kind)
        if name and self._site and self._site.name != name:
            raise Unreadable(
                f"a body of kind {kind} belongs to {product(name)}, "
                f"not to {product(self._site.name)}",
                what_to_do="Leave out --site, or give another --kind.",
            )
        return SITES[name] if name else None

    def _read_kind(
        self,
        path: Path,
        real: Path,
        file: IO[bytes],
        size: int,
        site: Site | None,
        kind: Kind,
        url: str | None,
    ) -> Iterator[ReadConversation]:
        if kind is Kind.HAR:
            yield from self._read_har(path, real, size)
            return
        if kind is Kind.EXPORT:
            yield from self._read_export(path, real, size)
            return
        if kind in STREAM_KINDS:
            assert site is not None  # each stream kind has its site
            reading = read_stream(site, self._pieces(path, file, size), url, self._memory)
        else:
            if size > MAX_BODY:
                raise Unreadable(f"a single body of {size} bytes; the limit is {MAX_BODY}")
            raw = file.read()
            if kind is Kind.CANONICAL_JSON and self._kind is None and is_ndjson(raw):
                kind, site = Kind.NDJSON, SITES["grok"]  # its first line is longer than HEAD
                reading = read_stream(site, [raw], url, self._memory)
            else:
                reading = read_stored_body(site, kind, raw, url, self._memory)
        yield from _results(path, site, kind, reading)

    def _pieces(self, path: Path, file: IO[bytes], size: int) -> Iterator[bytes]:
        done = 0
        while piece := file.read(PIECE):
            yield piece
            done += len(piece)
            self._tell(path, done, size)

    def _read_har(self, path: Path, real: Path, size: int) -> Iterator[ReadConversation]:
        reader = HarReader(self._memory)
        for done in reader.read(real):
            self._tell(path, done, size)
        conversations = tuple(reader.conversations())
        problems = tuple(dict.fromkeys(reader.problems))
        if not conversations and not reader.titles:
            problems = (
                *problems,
                Problem("it contains no conversation of a known site", lossy=True),
            )
        reading = Reading(conversations, tuple(reader.titles), problems)
        yield from _results(path, None, Kind.HAR, reading)

    def _read_export(self, path: Path, real: Path, size: int) -> Iterator[ReadConversation]:
        found = False
        for reading, done in read_export(real, self._memory):
            found = True
            yield from _results(path, SITES["chatgpt"], Kind.EXPORT, reading)
            self._tell(path, min(done, size), size)
        if not found:
            problem = Problem("an export without conversations")
            yield ReadConversation(str(path), "chatgpt", Kind.EXPORT, None, (problem,))

    def _tell(self, path: Path, done: int, size: int) -> None:
        if self._progress is not None:
            self._progress(path, done, size)


def _results(
    path: Path, site: Site | None, kind: Kind, reading: Reading
) -> Iterator[ReadConversation]:
    problems = reading.problems
    refusal = reading.refusal
    if refusal is not None:
        is_page = refusal.kind in (Refusal.CHALLENGE, Refusal.LOGIN)
        said = f"refused ({refusal.kind}): {refusal.message}".rstrip(": ")
        if refusal.code:
            said += f" [{refusal.code}]"
        problems = (*problems, Problem(said, lossy=is_page))
    for conversation in reading.conversations:
        yield ReadConversation(str(path), conversation.site, kind, conversation, problems)
    if not reading.conversations:
        if not problems:
            named = f"; it names {len(reading.titles)}" if reading.titles else ""
            problems = (Problem(f"this body contains no conversation{named}"),)
        name = site.name if site else None
        yield ReadConversation(str(path), name, kind, None, problems, refusal is not None)


@contextmanager
def _opened(path: Path) -> Iterator[tuple[IO[bytes], Path]]:
    """A file and a path that can be mapped: what comes through a pipe is put on disk first."""
    if path == STDIN:
        with _spooled(sys.stdin.buffer) as spooled:
            yield spooled
        return
    with path.open("rb") as file:
        if path.is_file():
            yield file, path
            return
        with _spooled(file) as spooled:
            yield spooled


@contextmanager
def _spooled(pipe: IO[bytes]) -> Iterator[tuple[IO[bytes], Path]]:
    with tempfile.TemporaryDirectory() as folder:
        disk = Path(folder, "piped")
        with disk.open("wb") as written:
            shutil.copyfileobj(pipe, written, PIECE)
        with disk.open("rb") as file:
            yield file, disk
