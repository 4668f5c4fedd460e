"""The same tests over both carriers: a browser's own socket, and the extension's relay.

A file of tests says

    from kit.carriers import both_carriers as lab_browser_url

and each of its tests that asks for `lab_browser_url` runs twice. Over the relay that address is of
the browser with the extension: whoever asks through it goes over the relay, and a hand of somebody
else in the same browser, which connects to it, does not. Tests that need a browser of their own
ask for `own_browser` (`both_own_browsers`), plays beside the tests for `all_at` (`both_for_all`).
Rows over the relay are left to `make soak`; e2e/test_relay.py has some for `make test`.
"""

import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from kit.asking import tabs_of
from kit.chromium import Aside
from kit.extension import Extension, extension_at, flags_for_extension
from kit.http_door import open_door
from kit.mcp_jobs import scripted_hub
from kit.relay_proxy import RelayProxy, relay_proxy
from tabwire.browser.find import Found
from tabwire.browser.launch import Launch, Launched, launched
from tabwire.browser.line import BrowserLine
from tabwire.browser.tabs import Tabs
from tabwire.config.settings import Settings
from tabwire.hub.browsers import access
from tabwire.hub.browsers.link import Link, Open
from tabwire.hub.relay.pairing import Pairing
from tabwire.hub.relay.relays import Relays
from tabwire.lab.serve import Lab

RELAY = pytest.param("relay", marks=[pytest.mark.soak, pytest.mark.xdist_group("extension")])


@dataclass(frozen=True, slots=True)
class Relayed:
    """The extension, the relays it is paired with, and the door between them."""

    extension: Extension
    relays: Relays
    proxy: RelayProxy


_carried: list[tuple[str, Open]] = []


@contextmanager
def carried(url: str, line: Open) -> Iterator[None]:
    """In this block whoever attaches to `url` in this process has such a line instead, and so has
    whoever means the extension."""
    own = access.own_line

    @asynccontextmanager
    async def own_line(said: str | None, now: Settings, **how: Any) -> AsyncIterator[BrowserLine]:
        meant = said in (f"attach={url}", "extension")
        async with line() if meant else own(said, now, **how) as found:
            yield found

    _carried.append((url, line))
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(access, "own_line", own_line)
            yield
    finally:
        _carried.remove((url, line))


@asynccontextmanager
async def tabs_over(url: str) -> AsyncIterator[Tabs]:
    """The tabs of that browser, over the carrier that is due there."""
    for place, opened in _carried:
        if place == url:
            async with opened() as line:
                yield line.tabs
            return
    async with tabs_of(url) as tabs:
        yield tabs


@asynccontextmanager
async def relay_to(url: str, home: Path) -> AsyncIterator["Relayed"]:
    """In this block asks that attach to `url` go through the extension in that browser.

    `home` is that of the door and its keys; asks keep theirs, or have this one for want of one.
    """
    with pytest.MonkeyPatch.context() as patch:
        asks_at = os.environ.get("TABWIRE_HOME", str(home))
        relays = Relays(Pairing(home))
        async with open_door(home, patch, hub=scripted_hub(relays=relays)) as door:
            # at once: nothing was waited for since, and asks under way have seen no other home
            patch.setenv("TABWIRE_HOME", asks_at)
            async with relay_proxy(door.port) as proxy, extension_at(url) as extension:
                await extension.point_at(proxy.port)
                code = (await relays.pair()).code
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
    async with relay_to(extension_browser_url, tmp_path_factory.mktemp("door")) as relayed:
        yield relayed


@pytest.fixture(params=["direct", RELAY])
def carrier(request: pytest.FixtureRequest) -> str:
    """Which way an ask goes.

    A fixture of its own: a parameter of `lab_browser_url` would be one of the browser behind it
    too, which has the same name, and every test would start another browser.
    """
    return str(request.param)


@pytest.fixture(name="lab_browser_url")
def both_carriers(request: pytest.FixtureRequest, carrier: str, lab_browser_url: str) -> str:
    """Where a browser is: one with a debugging port, one with the extension."""
    if carrier == "direct":
        return lab_browser_url
    request.getfixturevalue("relay")
    return str(request.getfixturevalue("extension_browser_url"))


# --- browsers of a test's own ----------------------------------------------------------------


class OwnBrowsers:
    """Browsers that see a lab, each for the length of a block, over one of the carriers."""

    def __init__(self, carrier: str, chromium: Found, folder: Callable[[], Path]) -> None:
        self.carrier = carrier
        self._chromium = chromium
        self._folder = folder

    @property
    def barred(self) -> bool:
        """Whether Chrome shows its bar over every page: an extension debugs tabs."""
        return self.carrier == "relay"

    @asynccontextmanager
    async def __call__(self, lab: Lab) -> AsyncIterator[Launched]:
        """Whoever attaches to its address in this process goes over the carrier."""
        if self.carrier == "direct":
            async with launched(Launch(self._chromium, more_flags=lab.flags)) as browser:
                yield browser
            return
        flags = (*lab.flags, *flags_for_extension())
        async with (
            launched(Launch(self._chromium, more_flags=flags)) as browser,
            relay_to(browser.endpoint.url, self._folder()),
        ):
            yield browser


@pytest.fixture(name="own_browser", params=["direct", RELAY])
def both_own_browsers(
    request: pytest.FixtureRequest, chromium: Found, tmp_path_factory: pytest.TempPathFactory
) -> OwnBrowsers:
    """`async with own_browser(lab) as browser`: with a debugging port, and with the extension."""
    return OwnBrowsers(request.param, chromium, lambda: tmp_path_factory.mktemp("door"))


# --- for all plays of a file, beside the tests -----------------------------------------------


@dataclass(frozen=True, slots=True)
class AllAt:
    """Where the plays of a file are played, over one of the carriers."""

    carrier: str
    url: str
    own_browser: OwnBrowsers


@pytest.fixture(name="all_at", scope="module", params=["direct", RELAY])
def both_for_all(
    request: pytest.FixtureRequest,
    aside: Aside,
    chromium: Found,
    lab_browser_url: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[AllAt]:
    """The lab's browser, and over the relay one that stays paired for all plays of the file."""

    def folder() -> Path:
        return tmp_path_factory.mktemp("door")

    own = OwnBrowsers(request.param, chromium, folder)
    if request.param == "direct":
        yield AllAt("direct", lab_browser_url, own)
        return
    url = str(request.getfixturevalue("extension_browser_url"))
    with aside.inside(relay_to(url, folder())):
        yield AllAt("relay", url, own)
