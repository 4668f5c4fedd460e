"""The sessions.json of the tool that seed 001 describes: read in both versions, written in the
second.

Version 1 has `projects` and no `version`; each project becomes an agent `legacy-…`. Version 2
has `agents`. What a file says beyond that is passed over. What is wrong in one entry spoils no
other: it is told with its place. Nothing is ever written to a file that was read.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tabwire.model.errors import Unreadable
from tabwire.model.products import product
from tabwire.model.session import Chat, Session
from tabwire.sites.known import SITES, site_of_url

PLACE = Path(".local", "chrome-ai-bridge", "sessions.json")
ALWAYS = ("chatgpt", "gemini")  # in every agent of version 2, null where there is no chat
MAX_BYTES = 16 * 1024 * 1024  # a file of ten agents has two thousand
MAX_TAB = 2**53  # tab ids of the seed's tool are numbers of JavaScript
REMEDY = (
    "Give a sessions.json of version 1 (`projects`) or 2 (`agents`). Correct the file, or a copy "
    "of it; nothing was imported."
)


@dataclass(frozen=True, slots=True)
class SessionsFile:
    """What a file holds. `digest` tells it from the same file after a change."""

    path: str
    digest: str
    version: int
    sessions: tuple[Session, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Offered:
    """A file that could be imported. `agents` is None where it cannot be read as it is."""

    path: str
    digest: str
    agents: int | None


def read_sessions(path: Path, now: float) -> SessionsFile:
    """All that can be read in a file; raises `Unreadable` where that is nothing."""
    data = _bytes(path)
    whole = _object(path, data)
    version = whole.get("version", 1 if "projects" in whole else None)
    reader = _Reader(now)
    match version:
        case 2:
            entries = _entries(path, whole, "agents")
            sessions = [reader.agent(f"agents.{name}", name, one) for name, one in entries]
        case 1:
            entries = _entries(path, whole, "projects")
            sessions = [reader.project(f"projects.{name}", name, one) for name, one in entries]
        case None:
            raise _unreadable(path, "it has neither `version` nor `projects`")
        case _:
            raise _unreadable(
                path, f"its version is {json.dumps(version)}; versions 1 and 2 are supported"
            )
    return SessionsFile(
        str(path.absolute()),
        _digest(data),
        version,
        tuple(one for one in sessions if one is not None),
        tuple(reader.problems),
    )


def found_in(folders: Iterable[Path], now: float) -> tuple[Offered, ...]:
    """The files at their place in these folders."""
    found: dict[str, Offered] = {}
    for folder in folders:
        path = (folder / PLACE).absolute()
        if not path.is_file():
            continue
        try:
            file = read_sessions(path, now)
            found[str(path)] = Offered(file.path, file.digest, len(file.sessions))
        except Unreadable:
            found[str(path)] = Offered(str(path), "", None)
    return tuple(found.values())


def as_v2(sessions: Sequence[Session], ttl_minutes: float, agents: int) -> dict[str, object]:
    """The object of version 2, its keys in the order the seed has them."""
    return {
        "version": 2,
        "agents": {one.agent: _agent(one) for one in sessions},
        "config": {"sessionTtlMinutes": _number(ttl_minutes), "maxAgents": agents},
    }


def javascript_time(seconds: float) -> str:
    """A moment as JavaScript writes it: in UTC, with milliseconds and a Z."""
    whole, thousandths = divmod(round(seconds * 1000), 1000)
    return f"{datetime.fromtimestamp(whole, UTC):%Y-%m-%dT%H:%M:%S}.{thousandths:03}Z"


def _agent(one: Session) -> dict[str, object]:
    entry: dict[str, object] = {"lastAccess": javascript_time(one.last_access)}
    for site in SITES:
        chat = one.chat(site)
        if chat is not None:
            entry[site] = _entry(chat)
        elif site in ALWAYS:  # the seed knows two sites; a third stands there when it is used
            entry[site] = None
    return entry


def _entry(chat: Chat) -> dict[str, object]:
    entry: dict[str, object] = {"url": chat.url}
    if chat.tab is not None and chat.tab.isdecimal() and int(chat.tab) <= MAX_TAB:
        entry["tabId"] = int(chat.tab)  # a tab of ours has a name, which the seed has no place for
    if chat.last_used:
        entry["lastUsed"] = javascript_time(chat.last_used)
    return entry


def _number(value: float) -> int | float:
    return int(value) if float(value).is_integer() else value


class _Reader:
    """Reads entries, and notes what is wrong with them."""

    def __init__(self, now: float) -> None:
        self._now = now
        self.problems: list[str] = []

    def agent(self, place: str, name: str, entry: Any) -> Session | None:
        """One of version 2."""
        if (chats := self._chats(place, entry)) is None:
            return None
        accessed = self._time(f"{place}.lastAccess", entry.get("lastAccess"), needed=True)
        return Session(name, accessed or self._newest(chats), "", "", chats)

    def project(self, place: str, name: str, entry: Any) -> Session | None:
        """One of version 1, which did not say when it was used."""
        if (chats := self._chats(place, entry)) is None:
            return None
        return Session(f"legacy-{name}", self._newest(chats), name, "", chats)

    def _newest(self, chats: Sequence[Chat]) -> float:
        return max((one.last_used for one in chats), default=0.0) or self._now

    def _chats(self, place: str, entry: Any) -> tuple[Chat, ...] | None:
        if not isinstance(entry, dict):
            self._wrong(place, f"is not an object but {_kind(entry)}")
            return None
        found = [self._chat(f"{place}.{site}", site, entry.get(site)) for site in SITES]
        return tuple(one for one in found if one is not None)

    def _chat(self, place: str, site: str, entry: Any) -> Chat | None:
        if entry is None:
            return None
        if not isinstance(entry, dict):
            self._wrong(place, f"is not an object but {_kind(entry)}")
            return None
        url = entry.get("url")
        if not isinstance(url, str):
            self._wrong(f"{place}.url", f"is not text but {_kind(url)}")
            return None
        known = site_of_url(url) if url.startswith("https://") else None
        if known is None or known.name != site:  # whatever stands there is not opened for it
            self._wrong(f"{place}.url", f"is not a {product(site)} URL")
            return None
        tab = entry.get("tabId")
        if tab is not None and (type(tab) is not int or not 0 <= tab <= MAX_TAB):
            self._wrong(f"{place}.tabId", "is not a tab number")
            tab = None
        used = self._time(f"{place}.lastUsed", entry.get("lastUsed"))
        name = None if tab is None else str(tab)
        return Chat(site, known.conversation_in_url(url), url, name, used)

    def _time(self, place: str, said: Any, *, needed: bool = False) -> float:
        """Seconds since 1970; 0 where nothing is said."""
        if said is None and not needed:
            return 0.0
        try:
            moment = datetime.fromisoformat(said)
            return max(0.0, (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
        except (TypeError, ValueError, OverflowError):
            self._wrong(place, "is not a date like 2026-02-07T12:34:56.789Z")
            return 0.0

    def _wrong(self, place: str, what: str) -> None:
        self.problems.append(f"{place} {what}")


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as exc:
        raise _unreadable(path, exc.strerror or str(exc)) from exc
    if len(data) > MAX_BYTES:
        raise _unreadable(path, f"it has more than {MAX_BYTES:,} bytes")
    return data


def _object(path: Path, data: bytes) -> Mapping[str, Any]:
    try:
        whole = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as exc:
        where = f"line {exc.lineno}, column {exc.colno}"
        raise _unreadable(path, f"{where}: {exc.msg}") from exc
    except (UnicodeDecodeError, RecursionError) as exc:
        raise _unreadable(path, f"invalid JSON: {exc}") from exc
    if not isinstance(whole, dict):
        raise _unreadable(path, f"it contains {_kind(whole)}, not an object")
    return whole


def _entries(path: Path, whole: Mapping[str, Any], name: str) -> list[tuple[str, Any]]:
    entries = whole.get(name)
    if not isinstance(entries, dict):
        raise _unreadable(path, f"`{name}` is not an object but {_kind(entries)}")
    return list(entries.items())


def _kind(value: Any) -> str:
    """What a value is, in the words of JSON."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case dict():
            return "an object"
        case list():
            return "a list"
        case str():
            return "a text"
        case _:
            return "a number"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _unreadable(path: Path, why: str) -> Unreadable:
    return Unreadable(f"{path} is not a valid sessions file: {why}", what_to_do=REMEDY)
