"""Who may see the dashboard: a ticket of one use, then a cookie and a key for half a day.

A browser cannot be given the token: it would stand in an address, in its history, in a page. So
whoever has the token, or the proven line of the extension, asks for a ticket. It opens the
dashboard once, within a minute; the browser that brought it gets a session, which opens the
dashboard's own routes and no other. All are random, known to this process alone, and end with
it. Only their hashes are kept: what is looked up is not what was said, so the time a look takes
tells nothing.

A session has two halves, because neither is safe alone. The cookie is hidden from every script,
but a browser sends it to every server of this machine, whatever its port: somebody else's may get
it. The key stays in the page, behind the port, and goes nowhere by itself: it comes in the part of
an address that is not sent, and leaves in a header of our own page's requests. The cookie alone
opens the page's files, which hold nothing; what is shown and done needs both.
"""

import hashlib
import secrets
import time
from collections.abc import Callable, Iterable
from hmac import compare_digest
from typing import NamedTuple, TypeVar

PLACE = "/dashboard"
ENTER = f"{PLACE}/enter/"
API = f"{PLACE}/api"
KEY = b"x-tabwire-page"  # the header in which our page says its key

BYTES = 32
TICKET_SECONDS = 60.0
SESSION_SECONDS = 12 * 3600.0
MAX_TICKETS = 16  # at a time; the oldest gives way
MAX_SESSIONS = 32
MAX_SAID = 200  # characters of a ticket or a cookie that is looked at; ours have 43


T = TypeVar("T")


class Halves(NamedTuple):
    """What a browser gets for its ticket: one for its cookies, one for the page."""

    cookie: str
    key: str


class _Session(NamedTuple):
    key: bytes  # its hash
    until: float


class Visits:
    """Tickets and sessions of one hub. `clock` is monotonic."""

    def __init__(self, port: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._port = port
        self._clock = clock
        self._tickets: dict[bytes, float] = {}  # the hash -> until when
        self._sessions: dict[bytes, _Session] = {}  # by the hash of the cookie

    @property
    def cookie(self) -> str:
        """Its name: two hubs on one machine must not take each other's."""
        return f"tabwire_{self._port}"

    def ticket(self) -> str:
        """One that opens the dashboard, once and soon."""
        _make_room(self._tickets, MAX_TICKETS)
        ticket = secrets.token_urlsafe(BYTES)
        self._tickets[_hash(ticket)] = self._clock() + TICKET_SECONDS
        return ticket

    def address(self, ticket: str) -> str:
        """Where it is brought."""
        return f"http://127.0.0.1:{self._port}{ENTER}{ticket}"

    def has_ticket(self, said: str) -> bool:
        """Whether it would open."""
        if not 0 < len(said) <= MAX_SAID:
            return False
        until = self._tickets.get(_hash(said))
        return until is not None and self._clock() < until

    def enter(self, said: str) -> Halves | None:
        """A new session; the ticket is used up. None where it opens nothing."""
        if not self.has_ticket(said):
            return None
        del self._tickets[_hash(said)]
        _make_room(self._sessions, MAX_SESSIONS)
        halves = Halves(secrets.token_urlsafe(BYTES), secrets.token_urlsafe(BYTES))
        session = _Session(_hash(halves.key), self._clock() + SESSION_SECONDS)
        self._sessions[_hash(halves.cookie)] = session
        return halves

    def knows(self, cookies: Iterable[bytes]) -> bool:
        """Whether one of these `Cookie` headers holds that half of a session."""
        return bool(self._found(cookies))

    def opens(self, cookies: Iterable[bytes], keys: list[bytes]) -> bool:
        """Whether both halves are of one session."""
        if len(keys) != 1 or len(keys[0]) > MAX_SAID:
            return False
        key = _hash(keys[0].decode("latin-1"))
        return any(compare_digest(one.key, key) for one in self._found(cookies))

    def _found(self, cookies: Iterable[bytes]) -> list[_Session]:
        """The sessions whose cookie is there. Another port may have planted some of our name."""
        now = self._clock()
        found = [self._sessions.get(_hash(said)) for said in self._ours(cookies)]
        return [one for one in found if one is not None and now < one.until]

    def _ours(self, cookies: Iterable[bytes]) -> Iterable[str]:
        for header in cookies:
            for pair in header.decode("latin-1").split(";"):
                name, _, value = pair.strip().partition("=")
                if name == self.cookie and len(value) <= MAX_SAID:
                    yield value


def _make_room(kept: dict[bytes, T], most: int) -> None:
    while len(kept) >= most:
        del kept[next(iter(kept))]


def _hash(said: str) -> bytes:
    return hashlib.sha256(said.encode("utf-8", "replace")).digest()
