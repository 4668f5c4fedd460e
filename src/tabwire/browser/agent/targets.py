"""Which windows a debugging port of Antigravity has: asked by `/json/list`, never by discovery.

`Target.setDiscoverTargets` on that port has disturbed the browser the agent itself drives, so
the list is asked for and nothing is subscribed to. Only this machine is asked.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from tabwire.browser.endpoint import ANSWER_SECONDS, bracketed
from tabwire.model.errors import BrowserNotReachable
from tabwire.sites.antigravity.page import (
    PORTS,
    Listed,
    Place,
    Window,
    is_product,
    named,
    windows_of,
)

HOST = "127.0.0.1"
SCAN_SECONDS = 1.0
"""How long one port of the scan may take: on this machine it answers in milliseconds."""

UNTITLED_SECONDS = 10.0
"""How long a window may take until it has a title."""

MAX_LIST = 4 << 20  # a window with many tabs has 20 KB; titles may be long

HOW = (
    "Start Antigravity with --remote-debugging-port=9004, or give its port: `tabwire antigravity "
    "open` starts it with one."
)


class NoWindow(BrowserNotReachable):
    """No window of the product at the ports that were asked. `asked` says what each answered."""

    def __init__(self, asked: dict[int, str]) -> None:
        said = "; ".join(f"{port}: {what}" for port, what in asked.items())
        super().__init__(f"no Antigravity window found ({said})", what_to_do=HOW)
        self.asked = asked


Find = Callable[[], Awaitable[Window | None]]
"""Looks a window up again; None where it is not there."""


@dataclass(frozen=True, slots=True)
class Found:
    """The windows of one port."""

    port: int
    windows: tuple[Window, ...]


class Loading:
    """Which windows are still loading: a browser lists them by their address until they have a
    title. One that never gets one is taken without, after a while."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since: dict[str, float] = {}

    def has(self, window: Window) -> bool:
        """Whether nobody can say yet what this window is called."""
        if window.title not in window.url:
            self._since.pop(window.id, None)
            return False
        since = self._since.setdefault(window.id, self._clock())
        return self._clock() < since + UNTITLED_SECONDS


class _Entry(msgspec.Struct):
    id: str = ""
    type: str = ""
    title: str = ""
    url: str = ""
    debugger: str = msgspec.field(default="", name="webSocketDebuggerUrl")
    parent: str = msgspec.field(default="", name="parentId")


class _Version(msgspec.Struct):
    browser: str = msgspec.field(default="", name="Browser")
    user_agent: str = msgspec.field(default="", name="User-Agent")


async def windows_at(
    port: int, *, host: str = HOST, known: bool = True, seconds: float = ANSWER_SECONDS
) -> tuple[Window, ...]:
    """The windows of one port, by one question. Raises `BrowserNotReachable`."""
    entries = await _asked(host, port, "/json/list", list[_Entry], seconds)
    listed = [
        Listed(one.id, one.type, one.title, one.url, _here(one.debugger, host, port), one.parent)
        for one in entries
    ]
    return windows_of(listed, known=known)


async def find_windows(
    port: int | None = None, *, host: str = HOST, ports: Iterable[int] = PORTS
) -> tuple[Found, ...]:
    """Windows at the configured port alone, or at all ports that people use.

    A port nobody named may be somebody else's, so it is asked first who it is. Raises
    `NoWindow` where none has any.
    """
    if port is not None:
        try:
            windows = await windows_at(port, host=host)
        except BrowserNotReachable as exc:
            raise NoWindow({port: str(exc)}) from exc
        if not windows:
            raise NoWindow({port: "no Antigravity window in its list"})
        return (Found(port, windows),)
    wanted = tuple(dict.fromkeys(ports))
    answers = await asyncio.gather(*(_scanned(host, one) for one in wanted))
    found = [
        Found(one, got)
        for one, got in zip(wanted, answers, strict=True)
        if isinstance(got, tuple) and got
    ]
    if not found:
        raise NoWindow(
            {
                one: got if isinstance(got, str) else "no Antigravity window"
                for one, got in zip(wanted, answers, strict=True)
            }
        )
    names = iter(named(window for one in found for window in one.windows))
    return tuple(replace(one, windows=tuple(next(names) for _ in one.windows)) for one in found)


def at_port(port: int, window: Window) -> Find:
    """Find this window again: by its id, else by its name where only one is called so. The
    stand-alone program's is called by what it shows, which the list does not tell."""

    async def find() -> Window | None:
        there = await windows_at(port)
        for one in there:
            if one.id == window.id:
                return _called_like(window, one)
        alike = [one for one in there if is_alike(window, one)]
        return _called_like(window, alike[0]) if len(alike) == 1 else None

    return find


def is_alike(before: Window, now: Window) -> bool:
    """Whether this may be the same window, after a restart of the program."""
    same = now.place is Place.APP or now.workspace == before.workspace
    return now.place is before.place and same


def _called_like(before: Window, now: Window) -> Window:
    if now.place is not Place.APP:
        return now
    return replace(now, name=before.name, workspace=before.workspace)


async def _scanned(host: str, port: int) -> tuple[Window, ...] | str:
    try:
        version = await _asked(host, port, "/json/version", _Version, SCAN_SECONDS)
        known = is_product(version.user_agent, version.browser)
        return await windows_at(port, host=host, known=known, seconds=SCAN_SECONDS)
    except BrowserNotReachable as exc:
        return str(exc)


def _here(address: str, host: str, port: int) -> str:
    """Of the address an entry names only the path is used: it must not send us elsewhere."""
    path = address.partition("/devtools/")[2]
    return f"ws://{bracketed(host)}:{port}/devtools/{path}" if path else ""


async def _asked(host: str, port: int, path: str, shape: Any, seconds: float) -> Any:
    place = f"{bracketed(host)}:{port}"
    try:
        async with asyncio.timeout(seconds):
            body = await _get(host, port, path)
        return msgspec.json.decode(body, type=shape)
    except TimeoutError as exc:
        raise BrowserNotReachable(
            f"{place} did not answer within {seconds:g} s", what_to_do=HOW
        ) from exc
    except (OSError, EOFError, asyncio.LimitOverrunError) as exc:
        raise BrowserNotReachable(f"nothing is listening at {place}", what_to_do=HOW) from exc
    except (ValueError, msgspec.DecodeError) as exc:
        raise BrowserNotReachable(f"{place} is not a debugging port", what_to_do=HOW) from exc


async def _get(host: str, port: int, path: str) -> bytes:
    reader, writer = await asyncio.open_connection(host, port, limit=MAX_LIST)
    try:
        place = f"{bracketed(host)}:{port}"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {place}\r\nConnection: close\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.split("\r\n")
        if not first.startswith("HTTP/1.") or first.split(" ")[1:2] != ["200"]:
            raise ValueError(f"answered {first[:40]!r}")
        fields = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines)
        }
        length = int(fields.get("content-length", "0"))
        if not 0 <= length <= MAX_LIST:
            raise ValueError(f"{length} bytes: too large for a list of windows")
        return await reader.readexactly(length)
    finally:
        writer.close()
