"""What a person says of the tab they mean: a site, an address, or a tab's id."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from tabwire.browser.line import BrowserLine
from tabwire.browser.tab import Tab
from tabwire.browser.tabs import TabInfo
from tabwire.model.errors import NoSuchTab
from tabwire.sites.known import SITES, site_of_url
from tabwire.sites.site import Site

_TARGET = re.compile(r"[0-9A-F]{8,40}")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which tab is meant. `site` is None for an id, until the tab is seen."""

    site: Site | None
    url: str
    fits: Callable[[TabInfo], bool]
    target: str | None = None


def wanted_tab(said: str) -> Wanted:
    """Read what was said. Raises `NoSuchTab`, which says what is valid, where it is invalid."""
    text = said.strip()
    site = SITES.get(text.lower())
    if site is not None:
        return Wanted(site, site.page.home, lambda info: site_of_url(info.url) is site)
    if _TARGET.fullmatch(text):
        return Wanted(None, "", lambda info: info.target.startswith(text), text)
    url = text if "://" in text else f"https://{text}"
    known = site_of_url(url)
    if known is None:
        raise NoSuchTab(said, tuple(SITES))
    return Wanted(known, url, _at(url, known))


async def attached(line: BrowserLine, said: str) -> tuple[Tab, Site]:
    """The tab that is meant, attached; where there is none of that site, a new one."""
    wanted = wanted_tab(said)
    if wanted.target is not None:
        found = [info for info in await line.tabs.list() if wanted.fits(info)]
        if len(found) != 1:
            raise NoSuchTab(said, tuple(SITES), many=len(found))
        site = site_of_url(found[0].url)
        if site is None:
            raise NoSuchTab(f"{said} ({found[0].url})", tuple(SITES))
        return await line.tabs.attach(found[0].target), site
    assert wanted.site is not None, "only an id has no site"
    return await line.tabs.prefer(wanted.fits, wanted.url), wanted.site


def _at(url: str, site: Site) -> Callable[[TabInfo], bool]:
    """A tab at this conversation, or else at this path."""
    conversation = site.conversation_in_url(url)
    path = urlsplit(url).path.rstrip("/")

    def fits(info: TabInfo) -> bool:
        if site_of_url(info.url) is not site:
            return False
        if conversation is not None:
            return site.conversation_in_url(info.url) == conversation
        return urlsplit(info.url).path.rstrip("/") == path

    return fits
