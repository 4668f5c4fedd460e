"""The same tests over both carriers: a browser's own socket, and the extension's relay.

A file of tests says

    from kit.carriers import both_carriers as lab_browser_url

and each of its tests that asks for `lab_browser_url` runs twice. Over the relay that address is of
the browser with the extension: whoever asks through it goes over the relay, and a hand of somebody
else in the same browser, which connects to it, does not. Rows over the relay are left to
`make soak`; e2e/test_relay.py has some for `make test`.
"""

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from kit.asking import tabs_of
from kit.extension import Extension, extension_at
from kit.http_door import open_door
from kit.mcp_jobs import scripted_hub
from kit.relay_proxy import RelayProxy, relay_proxy
from tabwire.browser.line import BrowserLine
from tabwire.browser.tabs import Tabs
from tabwire.hub.link import Link, Open
from tabwire.hub.pairing import Pairing
from tabwire.hub.reaching import shared
from tabwire.hub.relays import Relays

RELAY = pytest.param("relay", marks=[pytest.mark.soak, pytest.mark.xdist_group("extension")])


@dataclass(frozen=True, slots=True)
class Relayed:
    """The extension, the relays it is paired with, and the door between them."""

    extension: Extension
    relays: Relays
    proxy: RelayProxy


class _Ways:
    """Leads whoever asks for that address over the relay."""

    def __init__(self, url: str, line: Open) -> None:
        self.url = url
        self.is_open = True
        self._line = line

    def has(self, said: str | None) -> bool:
        """Whether this one is meant."""
        return said in (f"attach={self.url}", "extension")

    def line(self, _said: str | None = None) -> AbstractAsyncContextManager[BrowserLine]:
        """The line."""
        return self._line()


_carried: list[_Ways] = []


@contextmanager
def carried(url: str, line: Open) -> Iterator[None]:
    """In this block whoever attaches to `url` in this process has such a line instead."""
    ways: Any = _Ways(url, line)
    _carried.append(ways)
    try:
        with shared(ways):
            yield
    finally:
        _carried.remove(ways)


@asynccontextmanager
async def tabs_over(url: str) -> AsyncIterator[Tabs]:
    """The tabs of that browser, over the carrier that is due there."""
    for ways in _carried:
        if ways.url == url:
            async with ways.line() as line:
                yield line.tabs
            return
    async with tabs_of(url) as tabs:
        yield tabs


@asynccontextmanager
async def relay_to(url: str, home: Path) -> AsyncIterator["Relayed"]:
    """In this block asks that attach to `url` go through the extension in that browser."""
    with pytest.MonkeyPatch.context() as patch:
        relays = Relays(Pairing(home))
        async with (
            open_door(home, patch, hub=scripted_hub(relays=relays)) as door,
            relay_proxy(door.port) as proxy,
            extension_at(url) as extension,
        ):
            await extension.point_at(proxy.port)
            code = (await relays.pair())["code"]
            answer = await extension.evaluate(f"tabwire.line.pair('{code}')")
            assert answer["ok"], answer
            await relays.wait_connected()
            async with Link(relays.line) as link:
                with carried(url, link.line):
                    yield Relayed(extension, relays, proxy)
            await relays.close()


@pytest_asyncio.fixture
async def relay(
    extension_browser_url: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator["Relayed"]:
    """The extension, paired with relays of this test's own."""
    said = os.environ.get("TABWIRE_HOME")
    home = Path(said) if said else tmp_path_factory.mktemp("home")
    async with relay_to(extension_browser_url, home) as relayed:
        yield relayed


@pytest.fixture(name="lab_browser_url", params=["direct", RELAY])
def both_carriers(request: pytest.FixtureRequest, lab_browser_url: str) -> str:
    """Where a browser is: one with a debugging port, one with the extension."""
    if request.param == "direct":
        return lab_browser_url
    request.getfixturevalue("relay")
    return str(request.getfixturevalue("extension_browser_url"))
