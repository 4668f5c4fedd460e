"""One question to a debugging port: who are you? Bounded, asked once, with nothing secret in it."""

import asyncio
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

import msgspec

from tabwire.model.errors import BrowserNotReachable

ANSWER_SECONDS = 3.0  # a browser answers in milliseconds; a busy one in a second
MAX_ANSWER = 64 << 10  # a real one has 400 bytes


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a browser's DevTools protocol is spoken."""

    host: str
    port: int
    path: str

    @property
    def url(self) -> str:
        """As a WebSocket address."""
        return f"ws://{bracketed(self.host)}:{self.port}{self.path}"


@dataclass(frozen=True, slots=True)
class Version:
    """What a browser says of itself."""

    browser: str  # `Chrome/156.0.1.2`
    protocol: str
    endpoint: Endpoint


class _Answer(msgspec.Struct):
    browser: str = msgspec.field(name="Browser")
    protocol: str = msgspec.field(name="Protocol-Version")
    address: str = msgspec.field(name="webSocketDebuggerUrl")


async def ask_version(host: str, port: int, *, seconds: float = ANSWER_SECONDS) -> Version:
    """Ask `/json/version`. Of the address it answers with only the path is used:
    a program that poses as a browser must not send us elsewhere."""
    place = f"{bracketed(host)}:{port}"
    try:
        async with asyncio.timeout(seconds):
            status, body = await _get(host, port, "/json/version")
        if status != 200:
            raise BrowserNotReachable(
                f"{place} answered {status}: it is not a debugging port",
                what_to_do=HOW,
                status=status,
            )
        answer = msgspec.json.decode(body, type=_Answer)
    except TimeoutError as exc:
        raise BrowserNotReachable(
            f"{place} did not answer within {seconds:g} s", what_to_do=HOW
        ) from exc
    except (OSError, EOFError, asyncio.LimitOverrunError) as exc:
        raise BrowserNotReachable(f"nothing is listening at {place}", what_to_do=HOW) from exc
    except (ValueError, msgspec.DecodeError) as exc:
        raise BrowserNotReachable(f"{place} is not a browser", what_to_do=HOW) from exc
    path = urlsplit(answer.address).path
    if not path.startswith("/devtools/browser"):
        raise BrowserNotReachable(f"{place} is a tab, not a browser", what_to_do=HOW)
    return Version(answer.browser, answer.protocol, Endpoint(host, port, path))


async def listens(host: str, port: int, *, seconds: float = ANSWER_SECONDS) -> bool:
    """Whether anybody takes a connection there. Nothing is sent."""
    try:
        async with asyncio.timeout(seconds):
            _, writer = await asyncio.open_connection(host, port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True


def is_loopback(host: str) -> bool:
    """Whether a host is this machine and no other."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def bracketed(host: str) -> str:
    """A host as it stands in an address."""
    return f"[{host}]" if ":" in host else host


async def _get(host: str, port: int, path: str) -> tuple[int, bytes]:
    reader, writer = await asyncio.open_connection(host, port, limit=MAX_ANSWER)
    try:
        place = f"{bracketed(host)}:{port}"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {place}\r\nConnection: close\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.split("\r\n")
        protocol, _, rest = first.partition(" ")
        if not protocol.startswith("HTTP/1."):
            raise ValueError(f"not HTTP: {first[:40]!r}")
        fields = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines)
        }
        length = int(fields.get("content-length", "0"))
        if not 0 <= length <= MAX_ANSWER:
            raise ValueError(f"{length} bytes: too large for this reply")
        return int(rest[:3]), await reader.readexactly(length)
    finally:
        writer.close()


HOW = (
    "Start a browser with --remote-debugging-port=0 and its own profile, or enable remote "
    "debugging at chrome://inspect/#remote-debugging; or let Tabwire start one: --browser launch."
)
