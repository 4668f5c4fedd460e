"""Look at a page once: a snapshot of how our knowledge of it does, or what a selector finds."""

import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from tabwire.browser.classic import ClassicPage
from tabwire.browser.observe import Observer
from tabwire.browser.page.page import Page
from tabwire.browser.tab import Tab
from tabwire.config.home import home, made
from tabwire.hub.browsers.access import HubLines, Say, reached_browser
from tabwire.hub.browsers.tab_choice import attached, wanted_tab
from tabwire.model.errors import BadSelector, TabwireError
from tabwire.monitor.classic import read_whole_page
from tabwire.sites.classic import Rung
from tabwire.sites.classics import CLASSICS
from tabwire.sites.site import Site

TEXT_CHARACTERS = 300  # of an element's text: enough to recognise it


@dataclass(frozen=True, slots=True)
class Kept:
    """A snapshot on disk, and what its snapshot.json holds."""

    folder: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Elements:
    """What a selector found: how many, and the first of them."""

    count: int
    elements: tuple[dict[str, Any], ...]


async def snapshot(
    said: str,
    *,
    browser: str | None = None,
    folder: Path | None = None,
    text: bool = False,
    on_wait: Say | None = None,
    hub_lines: HubLines | None = None,
) -> Kept:
    """Keep a picture of the page and of how every selector does on it."""
    wanted_tab(said)
    async with reached_browser(browser, hub_lines=hub_lines, on_wait=on_wait) as line:
        tab, site = await attached(line, said)
        page = Page(tab.session)
        observer = Observer(tab.session, site.page, lambda _state: None)
        try:
            async with page.focused():
                state = await observer.arm()
                health = await observer.health()
                shown = await observer.read()
                picture = await page.screenshot()
                whole = await page.evaluate("whole.text") if text else None
            ladder = await _ladder(tab, site) if text else None
        finally:
            observer.close()
    data: dict[str, Any] = {
        "site": site.name,
        "taken_at": datetime.now().astimezone().isoformat(timespec="seconds"),
        "page": _plain(state),
        "answer": _plain(shown) if shown is not None else None,
        "parts": _plain(health)["parts"],
    }
    if ladder is not None:
        data["classic"] = _plain(ladder)
    where = _folder(folder, site.name)
    try:
        (where / "screenshot.png").write_bytes(picture)
        (where / "snapshot.json").write_bytes(msgspec.json.format(msgspec.json.encode(data)))
        if whole is not None:
            (where / "page.txt").write_text(whole, encoding="utf-8", errors="replace")
    except OSError as exc:
        raise TabwireError(
            f"{where} cannot be written to: {exc.strerror or exc}",
            what_to_do="Name another folder with --out.",
        ) from exc
    return Kept(str(where), data)


async def _ladder(tab: Tab, site: Site) -> Rung | None:
    """The answer as the profile `classic` finds it, with the rung that finds it: the last one is
    everything on the page. None where the profile does not know the site."""
    if site.name not in CLASSICS:
        return None
    classic = CLASSICS[site.name]
    return await read_whole_page(ClassicPage(tab.session, classic.marks), classic)


async def find_elements(
    said: str,
    selector: str,
    *,
    browser: str | None = None,
    limit: int = 20,
    html: bool = False,
    on_wait: Say | None = None,
    hub_lines: HubLines | None = None,
) -> Elements:
    """What a CSS selector finds on the page, shadow roots included."""
    wanted_tab(said)
    async with reached_browser(browser, hub_lines=hub_lines, on_wait=on_wait) as line:
        tab, _ = await attached(line, said)
        wish = {"css": selector, "limit": limit, "characters": TEXT_CHARACTERS, "html": html}
        found = await Page(tab.session).evaluate("dom.show", wish)
    if found["wrong"]:
        raise BadSelector(selector)
    return Elements(found["count"], tuple(found["elements"]))


def _folder(folder: Path | None, site: str) -> Path:
    if folder is None:
        stamp = time.strftime("%Y%m%d-%H%M%S")
        return made(home(), "snapshots", f"{site}-{stamp}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as exc:
        raise TabwireError(
            f"{folder} cannot be created: {exc.strerror or exc}",
            what_to_do="Name another folder with --out.",
        ) from exc
    return folder


def _plain(value: Any) -> Any:
    """As JSON would have it."""
    return msgspec.to_builtins(value)
