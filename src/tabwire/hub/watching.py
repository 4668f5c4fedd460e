"""Watch a tab: reach the browser, attach to the tab that is meant, follow it.

To watch needs no lease: it changes nothing in the tab, and any number may do it at once.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tabwire.fusion.profile import CLASSIC, DEFAULT
from tabwire.hub.choosing import attached, wanted_tab
from tabwire.hub.reaching import Say, is_lab, reached_browser
from tabwire.hub.recording import recorded
from tabwire.model.captured import Origin
from tabwire.monitor.follow import Wish, follow
from tabwire.monitor.told import Befell, Sighting
from tabwire.sites.known import site_of_url

PROFILES = (DEFAULT.name, CLASSIC.name)


@dataclass(frozen=True, slots=True)
class TabRow:
    """A tab of the browser, as a list shows it."""

    id: str
    site: str | None
    title: str
    url: str
    conversation_id: str | None
    attached: bool


async def list_tabs(
    browser: str | None, *, every: bool = False, on_wait: Say | None = None
) -> tuple[TabRow, ...]:
    """The tabs of the chosen browser; without `every`, those of the sites we know."""
    async with reached_browser(browser, only_running=True, on_wait=on_wait) as line:
        rows = []
        for info in await line.tabs.list():
            site = site_of_url(info.url)
            if site is None and not every:
                continue
            rows.append(
                TabRow(
                    info.target,
                    site.name if site else None,
                    info.title,
                    info.url,
                    site.conversation_in_url(info.url) if site else None,
                    info.attached,
                )
            )
        return tuple(rows)


async def watch_tab(
    said: str,
    tell: Callable[[Sighting], None],
    *,
    browser: str | None = None,
    requests: bool = False,
    discover: bool = False,
    profile: str = DEFAULT.name,
    on_wait: Say | None = None,
) -> Befell:
    """Follow a tab until it ends; what befell it then. Cancel to stop sooner."""
    wanted_tab(said)  # a slip of the tongue is told before a browser is started
    async with reached_browser(browser, on_wait=on_wait) as line:
        tab, site = await attached(line, said)
        if profile == CLASSIC.name:
            from tabwire.monitor.classic_watch import watch_classic

            return await watch_classic(tab, site, tell)
        async with recorded(Origin.LAB if is_lab(browser) else Origin.WATCH) as records:
            wish = Wish(DEFAULT, requests, discover, records=records)
            return await follow(tab, site, tell, wish)
